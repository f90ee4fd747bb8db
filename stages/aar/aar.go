// Package aar is the stage of The Amazing Agent Race: it writes the world that legs lead through,
// and the legs.
//
// The world W is all articles of a snapshot of at most 1,000,000, else the recipe's number of
// those with most links to them. The stage reads the texts of ingest, the graph, what is known
// of its nodes, and the redirects; it writes texts.arrow, the texts of W, in which every link
// leads to a page of W; aliases.arrow, the redirects to them; places.arrow and index.arrow,
// which follow from these two; legs-<variant>-<level>.jsonl, legs.parquet, a row per leg, and
// report.json, which tells how legs were made and how baselines fare. Without texts it writes
// quotas.json alone, and nothing is published.
//
// It promises
//   - that every link of a text opens, and that places, index and counters are those of the texts
//     as they are published, cut and with the links that are left: what a reader of the release
//     computes again;
//   - that a leg depends on its own streams alone, so that neither workers nor other legs change
//     it, and that one alone (Params.Leg) has the same bytes;
//   - that every value of a leg was computed once from the pages up (route.go, tool.go,
//     diamond.go, finish.go), that the golden executor, validator and audit agree, and that its
//     riddle passed the gates (gates.go), the leaks last;
//   - that legs that could not be made are short with the reason.
//
// Memory: the mapped texts and graph; of W the titles and ids, facts, links and two indexes, some
// 100 bytes a page, 200 a fact, 4 a link and 8 a posting; 25 bytes a page and worker; the legs,
// 45 KB each at most.
package aar

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

const name = "aar"

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	p.Seeds = append([]string{}, p.Seeds...) // null and [] are one key
	return stages.Make(stages.Spec{
		Name: name, Version: 6,
		Inputs: []schemas.Artifact{
			schemas.Texts, schemas.Graph, schemas.Nodes, schemas.Aliases, schemas.SnapshotArtifact,
			schemas.AARCassette,
		},
		Outputs: []schemas.Artifact{schemas.AAR}, Params: p,
	}, p.run)
}

// Params is all that decides what is written, besides the inputs. The names are those of the
// recipe.
type Params struct {
	Seed    int64  `json:"seed"`
	World   int    `json:"world" min:"1" max:"1000000"` // articles of a larger snapshot
	Legs    int    `json:"legs" min:"0" max:"999"`      // for each variant and level
	Profile string `json:"profile" oneof:"strict aar-2026"`

	Verbalizer string `json:"verbalizer" oneof:"template llm"` // who words the clues

	// titles of the pages that legs begin with; drawn if there are none
	Seeds []string `json:"seeds" file:"lines"`
}

// The profiles: legs without a known defect, and the distributions of the released legs.
const (
	ProfileStrict   = "strict"
	ProfileReleased = "aar-2026"
)

// Who words clues: the tables alone, or a language model the clues of the tables.
const (
	VerbalizerTemplate = "template"
	VerbalizerLLM      = "llm"
)

// Default returns the parameters of the specification.
func Default() Params {
	return Params{Seed: 42, World: 200_000, Legs: 50, Profile: ProfileStrict, Verbalizer: VerbalizerTemplate}
}

// Validate tells, before any work, whether the parameters mean something; its errors are
// fault.Usage.
func (p Params) Validate() error { return stages.Check(name, p) }

func (p Params) run(ctx context.Context, env *stages.Run) error {
	w, err := openWorld(env, wholeSnapshot, p.World)
	if err != nil {
		return err
	}
	if len(w.rows) == 0 {
		stages.Counts(env, aar.Survey{}.Counters())
	} else if err := w.write(ctx, env); err != nil {
		return err
	}
	return p.legs(ctx, env, w)
}
