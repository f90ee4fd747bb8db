package constrained

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// EachDrawn draws the shortest paths that the ban of each pair leaves, or, where it leaves none,
// those without the ban.
func (part) EachDrawn(s *release.Scene, f release.Files, name string, visit release.Visit) error {
	masks := sync.OnceValues(func() ([]uint32, error) { return masksIn(s, f.Params) })
	draw := func(w *release.World, x *schemas.ConstrainedInstance) (dag.Drawing, error) {
		list, err := masks()
		if err != nil {
			return dag.Drawing{}, err
		}
		bit, _ := schemas.LabelBit(x.BannedCategory)
		rule := bans.Rule{Bit: bit, ForbidUnlabelled: x.UnlabelledRule == schemas.UnlabelledForbid}
		return Draw(w, x, func(u uint32) bool { return rule.Closes(list[u]) })
	}
	switch name {
	case linesFile:
		id := func(x *schemas.ConstrainedInstance) string { return x.ID }
		return release.EachPair(s, f, name, schemas.ConstrainedInstanceSchema, id, visit, draw)
	case infeasibleFile:
		id := func(x *schemas.ConstrainedInfeasible) string { return x.ID }
		pathless := func(w *release.World, x *schemas.ConstrainedInfeasible) (dag.Drawing, error) {
			return draw(w, claimOf(x))
		}
		return release.EachPair(s, f, name, schemas.ConstrainedInfeasibleSchema, id, visit, pathless)
	}
	return nil
}

// Draw draws a pair under a ban, which closes pages.
func Draw(w *release.World, x *schemas.ConstrainedInstance, closes func(u uint32) bool) (dag.Drawing, error) {
	s, t := x.Source.Node, x.Target.Node
	pair := dag.Pair{
		Title:  fmt.Sprintf("%s → %s, %s banned", x.Source.Title, x.Target.Title, x.BannedCategory),
		Source: s, Target: t, Banned: closes,
	}
	if len(x.ConstrainedPath) == 0 {
		d, err := w.Draw(pair, nil)
		d.Note(fmt.Sprintf("With %s banned no path is left: these are the shortest paths without the ban.",
			x.BannedCategory))
		return d, err
	}
	closed := make([]bool, w.Len())
	for u := range closed {
		closed[u] = closes(uint32(u))
	}
	closed[s], closed[t] = false, false
	pair.Column = make([]uint8, w.Len())
	graph.DistancesAvoiding(w.Pred, t, closed, pair.Column, nil)
	d, err := w.Draw(pair, nil)
	d.Note(fmt.Sprintf("Without the ban it is %d links: %s.", x.BaselineLength,
		told(w, x.BaselinePath, s, t, closes)))
	return d, err
}

// masksIn reads the labels by which pages are closed.
func masksIn(s *release.Scene, of json.RawMessage) ([]uint32, error) {
	w, err := s.World()
	if err != nil {
		return nil, err
	}
	l, err := labels.Of(s.Of(labels.Part))
	if err == nil && len(l.Masks) != w.Len() {
		err = fault.New(fault.Mismatch, "labels of %d pages, the graph has %d", len(l.Masks), w.Len()).
			At(labels.Part.Folder()+"/"+labels.File, "")
	}
	if err != nil {
		return nil, err
	}
	return counting(l, of)
}

// told returns a path in words, with its banned pages marked.
func told(w *release.World, path []uint32, s, t uint32, closes func(u uint32) bool) string {
	var titles []string
	for _, u := range path {
		title := w.Title(u)
		if u != s && u != t && closes(u) {
			title += " (banned)"
		}
		titles = append(titles, title)
	}
	return strings.Join(titles, " → ")
}
