package lumina

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

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
			if err := checkLevel(world, level); err != nil {
				return fault.New(fault.Usage, "recipe: [lumina] %s: %w", world, err)
			}
		}
	}
	return nil
}

func checkLevel(world, level string) (err error) {
	switch world {
	case schemas.LuminaList:
		_, err = draw.ListLevel(level)
	case schemas.LuminaTree:
		_, err = draw.TreeLevel(level)
	case schemas.LuminaGrid:
		_, err = draw.GridLevel(level)
	}
	return err
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

// total counts the instances of all files.
func (p Params) total() int64 {
	n := 0
	for _, world := range schemas.LuminaEnvs {
		for _, split := range schemas.LuminaSplits {
			n += len(p.names(world, split))
		}
	}
	return int64(n)
}
