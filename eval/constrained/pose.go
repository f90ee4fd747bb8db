package constrained

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

var _ family.Posing = set{}

// Pose bans a label of the page that most pages link to, of those with a label that link to the
// target: as the instances of a release are banned by default. It is false where there is none, or
// the ban leaves no path.
func (s set) Pose(p family.Ends) (t family.Task, ok bool, err error) {
	w, err := s.open.World()
	if err != nil {
		return t, false, err
	}
	l, err := s.open.ReadLabels()
	if err != nil {
		return t, false, err
	}
	counts := func(u uint32) uint32 {
		if s.single {
			return bans.Single(l.Primaries[u])
		}
		return l.Masks[u]
	}
	var names []string
	mask := banned(w, counts, p)
	for bit, name := range schemas.LabelNames {
		if mask>>bit&1 == 1 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return t, false, nil
	}
	label := names[rng.New(uint64(p.Seed), "ban", p.ID).Below(len(names))]
	bit, _ := schemas.LabelBit(label)
	open := func(u uint32) bool { return u == p.Source || counts(u)>>bit&1 == 0 }
	if !slices.ContainsFunc(w.Pred.Row(p.Target), open) {
		return t, false, nil // known without the search that the ban takes
	}
	return s.PoseGame(p, &game.Ban{Category: label, Single: s.single})
}

// banned returns the labels of the page that the ban is taken from, the first of several; 0 where
// there is none.
func banned(w *open.World, labels func(uint32) uint32, p family.Ends) (mask uint32) {
	most := -1
	for _, u := range w.Pred.Row(p.Target) {
		if degree := w.InDegree(u); u != p.Source && labels(u) != 0 && degree > most {
			mask, most = labels(u), degree
		}
	}
	return mask
}
