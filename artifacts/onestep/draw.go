package onestep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// EachDrawn draws the shortest paths of each pair, with what the menu of the first move hides.
func (part) EachDrawn(s *release.Scene, f release.Files, name string, visit release.Visit) error {
	if !strings.HasSuffix(name, ".jsonl") {
		return nil
	}
	id := func(x *schemas.OneStepInstance) string { return x.ID }
	draw := func(w *release.World, x *schemas.OneStepInstance) (dag.Drawing, error) {
		d, err := w.Draw(Pair(x), nil)
		Counted(x, &d)
		return d, err
	}
	return release.EachPair(s, f, name, schemas.OneStepInstanceSchema, id, visit, draw)
}

// Pair returns the pair of an instance, to be drawn: its first menu is that of the record, and no
// other is shown.
func Pair(x *schemas.OneStepInstance) dag.Pair {
	var shown []uint32
	for _, link := range x.Menu {
		shown = append(shown, link.Node)
	}
	slices.Sort(shown)
	return dag.Pair{
		Source: x.Source.Node, Target: x.Target.Node,
		Menu: func(u uint32, links []uint32) []uint32 {
			if u == x.Source.Node {
				return shown
			}
			return links
		},
	}
}

// Counted adds to a drawing how many links of the menu are right.
func Counted(x *schemas.OneStepInstance, d *dag.Drawing) {
	d.Note(fmt.Sprintf("%d of the %d links of the menu are best.", len(x.Best), len(x.Menu)))
}
