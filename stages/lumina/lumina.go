// Package lumina is the stage that generates the instances of ListWorld, TreeWorld and GridWorld.
//
// It reads no artifact: the worlds come from a seed. It writes one set per world and split, <world>-<split>.jsonl
// and <world>-<split>.parquet, sorted by id, and quotas.json: test and dev with the given number of instances per level, and fewshot with the
// instances of which the examples in prompts are made (lumina specification 2.5, 7.4).
//
// It promises that an instance depends on its own name alone (package worlds/draw), so that neither workers nor other levels nor
// the size of a split change it, and that every record was checked by the rules. A level of which some instance cannot be drawn
// is an error, never a shortage. Memory: the lines of one file.
package lumina

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/lumina"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	p.List, p.Tree, p.Grid = listed(p.List), listed(p.Tree), listed(p.Grid) // null and [] are one key
	return stages.Make(stages.Spec{Name: "lumina", Version: 2, Outputs: []schemas.Artifact{schemas.Lumina}, Params: p}, p.run)
}

func listed(levels []string) []string { return append([]string{}, levels...) }

func (p Params) run(ctx context.Context, env *stages.Run) error {
	meter := env.Meter("drawing worlds", "instances", p.total())
	defer meter.Done()
	var quotas []schemas.Quota
	for _, world := range schemas.LuminaEnvs {
		for _, split := range schemas.LuminaSplits {
			lines, err := drawAll(ctx, env.Workers(), meter, p.names(world, split))
			if err != nil {
				return err
			}
			env.Count(world+"_"+split, int64(len(lines)))
			set := lumina.Set(world, split)
			if err := write(env, world, set, lines); err != nil {
				return err
			}
			quotas = append(quotas, schemas.NewQuota(set, len(lines), len(lines), "", nil))
		}
	}
	return stages.WriteQuotas(env, quotas)
}

// drawn is an instance as its file holds it.
type drawn struct {
	id   string
	line []byte
}

// drawAll draws each name into its own place, and sorts by id.
func drawAll(ctx context.Context, workers int, meter stages.Meter, names []draw.Name) ([]drawn, error) {
	out := make([]drawn, len(names))
	err := graph.Each(ctx, workers, len(names), func(_, i int) error {
		id, line, err := draw.Line(names[i])
		out[i] = drawn{id, line}
		meter.Add(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b drawn) int { return strings.Compare(a.id, b.id) })
	return out, checkUnique(out)
}

// checkUnique refuses two instances with one id: 48 bits of a hash may meet.
func checkUnique(sorted []drawn) error {
	for i := 1; i < len(sorted); i++ {
		if sorted[i].id == sorted[i-1].id {
			return fault.New(fault.Failure, "two instances have the id %s", sorted[i].id).Hint("take another seed")
		}
	}
	return nil
}

// write writes the lines of a set, and the same laid flat.
func write(env stages.Env, world, set string, lines []drawn) error {
	var text []byte
	for _, d := range lines {
		text = append(append(text, d.line...), '\n')
	}
	if err := env.Write(set+".jsonl", stages.Lines(text, len(lines))); err != nil {
		return err
	}
	return env.Write(set+".parquet", func(w io.Writer) (arrowio.Summary, error) {
		return lumina.WriteParquet(w, world, text)
	})
}

// names lists the instances of a split, level by level.
func (p Params) names(world, split string) []draw.Name {
	var out []draw.Name
	if split == schemas.LuminaFewshot {
		level, indices := draw.Examples(world)
		for _, i := range indices {
			out = append(out, draw.Name{Root: p.Seed, Env: world, Split: split, Level: level, Index: i})
		}
		return out
	}
	for _, level := range p.levels(world) {
		for i := range p.size(split) {
			out = append(out, draw.Name{Root: p.Seed, Env: world, Split: split, Level: level, Index: i})
		}
	}
	return out
}

// Params is all that decides which instances are drawn. The names are those of the recipe.
type Params struct {
	Seed int64    `json:"seed"`
	Test int      `json:"test"` // instances per level
	Dev  int      `json:"dev"`
	List []string `json:"list"` // levels; their names state the knobs (package draw)
	Tree []string `json:"tree"`
	Grid []string `json:"grid"`
}

// Default gives the published grid.
func Default() Params {
	return Params{
		Seed: 42, Test: 100, Dev: 20,
		List: draw.Levels(schemas.LuminaList), Tree: draw.Levels(schemas.LuminaTree), Grid: draw.Levels(schemas.LuminaGrid),
	}
}

// maxSplit bounds the instances of a level, so that a file stays one that fits in memory.
const maxSplit = 100_000

// Validate refuses sizes and levels that mean nothing.
func (p Params) Validate() error {
	for _, n := range []int{p.Test, p.Dev} {
		if n < 0 || n > maxSplit {
			return fault.New(fault.Usage, "recipe: [lumina] asks for %d instances per level, want 0 to %d", n, maxSplit)
		}
	}
	for _, world := range schemas.LuminaEnvs {
		levels := p.levels(world)
		for i, level := range levels {
			if slices.Contains(levels[:i], level) {
				return fault.New(fault.Usage, "recipe: [lumina] %s has level %s twice", world, level)
			}
			if err := draw.CheckLevel(world, level); err != nil {
				return fault.New(fault.Usage, "recipe: [lumina] %s: %w", world, err)
			}
		}
	}
	return nil
}

func (p Params) levels(world string) []string {
	switch world {
	case schemas.LuminaList:
		return p.List
	case schemas.LuminaTree:
		return p.Tree
	}
	return p.Grid
}

func (p Params) size(split string) int {
	if split == schemas.LuminaDev {
		return p.Dev
	}
	return p.Test
}

func (p Params) total() int64 {
	n := 0
	for _, world := range schemas.LuminaEnvs {
		for _, split := range schemas.LuminaSplits {
			n += len(p.names(world, split))
		}
	}
	return int64(n)
}
