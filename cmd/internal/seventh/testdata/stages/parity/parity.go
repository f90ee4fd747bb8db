// Package parity is the stage that draws questions whether a page has an even number of links.
//
// It reads the graph and writes the questions as parity.jsonl and parity.parquet, and quotas.json. It
// promises that the pages are drawn from one random stream that depends on the seed alone, each page at
// most once.
package parity

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/parity"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
)

const name = "parity"

// Params is the table of the stage in a recipe.
type Params struct {
	Seed int64 `json:"seed"`
	Size int   `json:"size"` // questions
}

// Default returns the parameters of a recipe that names none.
func Default() Params { return Params{Seed: 42, Size: 40} }

// Validate refuses parameters that mean nothing.
func (p Params) Validate() error {
	if p.Size < 1 {
		return fault.New(fault.Usage, "recipe: [%s] size = %d, want 1 or more", name, p.Size)
	}
	return nil
}

type stage struct{ Params }

// New returns the stage.
func New(p Params) stages.Stage { return stage{p} }

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name:    name,
		Version: 1,
		Inputs:  []schemas.Artifact{schemas.Graph},
		Outputs: []schemas.Artifact{schemas.Parity},
		Params:  s.Params,
	}
}

func (s stage) Run(ctx context.Context, env stages.Env) error {
	g, err := stages.OpenGraph(env)
	if err != nil {
		return err
	}
	defer g.Close()
	var list []schemas.ParityInstance
	for i, u := range rng.New(uint64(s.Seed), name).Choose(g.Len(), min(s.Size, g.Len())) {
		if err := ctx.Err(); err != nil {
			return err
		}
		list = append(list, schemas.ParityInstance{
			Schema: schemas.ParityInstanceSchema, ID: fmt.Sprintf("pa-%04d", i+1),
			Page: schemas.PageRef{Node: uint32(u), PageID: g.PageIDs[u], Title: g.Title(uint32(u))},
			Gold: []string{schemas.ParityEven, schemas.ParityOdd}[g.Succ.Degree(uint32(u))%2],
		})
	}
	if err := stages.WriteRecords(env, name, parity.Table, list); err != nil {
		return err
	}
	quota := schemas.NewQuota(name, s.Size, len(list), "the graph has no more pages", nil)
	return stages.WriteQuotas(env, []schemas.Quota{quota})
}
