package wikirace

import (
	"strings"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/menu"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// EachDrawn draws the shortest paths of each pair, with what the menus of the default game hide.
func (part) EachDrawn(s *release.Scene, f release.Files, name string, visit release.Visit) error {
	if !strings.HasSuffix(name, ".jsonl") {
		return nil
	}
	draw := func(w *release.World, x *schemas.WikiraceInstance) (dag.Drawing, error) {
		return w.Draw(dag.Pair{
			Source: x.Source.Node, Target: x.Target.Node, Dominators: x.Features.Dominators,
		}, &menu.Rule{Seed: x.Seed, Instance: x.ID, MaxLinks: x.MaxLinks})
	}
	return release.EachPair(s, f, name, schemas.WikiraceInstanceSchema, idOf, visit, draw)
}
