package links

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
)

var _ family.Drawn = (*Set)(nil)

// Drawing draws the shortest paths of a task's pair, and what the menus of the family's own rules
// hide.
func (s *Set) Drawing(t family.Task) (dag.Drawing, error) { return s.Draw(t, nil) }

// Draw is Drawing with the pages that are known to be on every path.
func (s *Set) Draw(t family.Task, dominators []uint32) (dag.Drawing, error) {
	task, ok := s.games[t.ID]
	if !ok {
		return dag.Drawing{}, noInstance(t.ID)
	}
	opts := s.of.Defaults
	if task.Barred() {
		opts.NoPath = game.NoPathOn
	}
	w, err := s.of.World(opts)
	if err != nil {
		return dag.Drawing{}, err
	}
	p, err := game.Picture(w, *task, opts)
	if err != nil {
		return dag.Drawing{}, err
	}
	p.Dominators = dominators
	if task.Ban != nil {
		p.Title = fmt.Sprintf("%s → %s, %s banned", task.Source.Title, task.Target.Title, task.Ban.Category)
	}
	d := dag.FromPair(w, p)
	if task.Barred() {
		d.Notes = append(d.Notes, fmt.Sprintf(
			"With %s banned no path is left: these are the shortest paths without the ban.", task.Ban.Category))
	}
	return d, nil
}
