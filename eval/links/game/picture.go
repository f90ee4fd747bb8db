package game

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/schemas"
)

// Picture returns the pair of a task as it is played by these rules: what the menus show of each
// page before it was visited, and under a ban the distances along allowed pages. Where the ban
// leaves no path they are those without it.
func Picture(w World, t Task, opts schemas.GameOptions) (dag.Pair, error) {
	g, err := Start(w, t, opts)
	if err != nil {
		return dag.Pair{}, err
	}
	p := dag.Pair{Source: t.Source.Node, Target: t.Target.Node, Column: g.plain}
	p.Menu = func(u uint32, _ []uint32) []uint32 {
		links := g.kept(u, func(uint32) bool { return false })
		slices.Sort(links)
		return links
	}
	if g.ban != nil {
		p.Banned = func(u uint32) bool { return g.ban.closed[u] }
		if g.distance[p.Source] != schemas.Unreached {
			p.Column = g.ban.entering // the ends are never closed
		}
	}
	return p, nil
}
