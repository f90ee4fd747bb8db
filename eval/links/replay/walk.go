package replay

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// walk replays a game of a person: no menu, no limit, back clicks as a stack. A click is the place
// of the link among the page's links in node order; a click without a place goes back.
type walk struct {
	findings
	game.Trail
	world   game.World
	task    game.Task
	run     *schemas.Run
	invalid int
}

// verdict walks to the end of the log: a person may pass the target after giving up, and go on.
func (w *walk) verdict() *verdict {
	if w.told.HasSteps {
		w.followSteps()
	} else {
		w.followPath()
	}
	v := w.told.verdict(w.task)
	v.moves, v.effective, v.invalid, v.maxVisits = w.Moves(), w.Depth(), w.invalid, w.MaxVisits()
	v.turns = v.moves + v.invalid
	v.outcome = schemas.OutcomeGaveUp
	if w.Page() == w.task.Target.Node {
		v.outcome = schemas.OutcomeSuccess
	}
	told := w.told.Record
	w.compare(0, []field{
		{"run", told.Run, w.run.Run},
		{"outcome", told.Outcome, v.outcome},
		{"path", told.Path, w.Path()},
		{"turns", told.Turns, v.turns},
		{"moves", told.Moves, v.moves},
		{"invalid", told.Invalid, v.invalid},
	})
	return &v
}

func (w *walk) followSteps() {
	for i, s := range w.told.Steps {
		before := w.Page()
		to := w.click(s)
		w.compare(i+1, []field{
			{"step", s.Step, i + 1},
			{"page", s.Page, before},
			{"to", s.To, to},
			{"valid", s.Valid, to != nil},
		})
	}
	if w.told.Excess > 0 {
		w.note(0, "step", fmt.Sprintf("%d steps beyond what is read", w.told.Excess), "not replayed")
	}
}

// click makes one move and tells where it led; nil means nowhere.
func (w *walk) click(s schemas.Step) *uint32 {
	links := w.world.Successors(w.Page())
	switch {
	case s.Choice != nil && *s.Choice >= 0 && *s.Choice < len(links):
		w.Push(links[*s.Choice])
	case s.Choice == nil && s.To != nil && w.Back():
	default:
		w.invalid++
		return nil
	}
	to := w.Page()
	return &to
}

// followPath needs a link from each page of the path to the next; it stops where there is none.
func (w *walk) followPath() {
	if first := w.told.Path[0]; first.Node != w.Page() {
		w.note(0, "path", "starts at "+first.String(), fmt.Sprintf("the source is %d", w.Page()))
		return
	}
	for i, p := range w.told.Path[1:] {
		if !slices.Contains(w.world.Successors(w.Page()), p.Node) {
			w.note(i+1, "path", p.String(), fmt.Sprintf("no link from %d", w.Page()))
			return
		}
		w.Push(p.Node)
	}
}
