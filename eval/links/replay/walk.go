package replay

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// walk replays a game of a person: no menu, no limit, back clicks as a stack. A click is the place
// of the link among the page's links in node order; a click without a place goes back.
type walk struct {
	told      Game
	world     game.World
	task      game.Task
	run       *schemas.Run
	stack     []uint32
	path      []uint32
	visits    map[uint32]int
	invalid   int
	disagreed []family.Disagreement
}

func newWalk(s *scorer, told Game, task game.Task) *walk {
	w := &walk{told: told, world: s.world, task: task, run: s.log.Run, visits: map[uint32]int{}}
	w.push(task.Source.Node)
	return w
}

func (w *walk) push(u uint32) {
	w.stack = append(w.stack, u)
	w.visit(u)
}

func (w *walk) visit(u uint32) {
	w.path = append(w.path, u)
	w.visits[u]++
}

func (w *walk) page() uint32 { return w.stack[len(w.stack)-1] }

// verdict walks to the end of the log: a person may pass the target of a game that was given up,
// and go on.
func (w *walk) verdict() *verdict {
	if w.told.HasSteps {
		w.followSteps()
	} else {
		w.followPath()
	}
	v := &verdict{task: &w.task, outcome: w.outcome(), attempt: w.told.Attempt, name: w.told.Name()}
	v.moves, v.effective, v.invalid = len(w.path)-1, len(w.stack)-1, w.invalid
	v.turns = v.moves + v.invalid
	for _, n := range w.visits {
		v.maxVisits = max(v.maxVisits, n)
	}
	w.compare(v)
	return v
}

func (w *walk) outcome() string {
	if w.page() == w.task.Target.Node {
		return schemas.OutcomeSuccess
	}
	return schemas.OutcomeGaveUp
}

func (w *walk) followSteps() {
	for i, s := range w.told.Steps {
		before := w.page()
		to := w.click(s)
		w.disagreed = append(w.disagreed, differing(w.told, i+1, []field{
			{"step", s.Step, i + 1},
			{"page", s.Page, before},
			{"to", s.To, to},
			{"valid", s.Valid, to != nil},
		})...)
	}
	if w.told.Excess > 0 {
		w.note(0, "step", fmt.Sprintf("%d steps beyond what is read", w.told.Excess), "not replayed")
	}
}

// click makes one move and tells where it led; nil means nowhere.
func (w *walk) click(s schemas.Step) *uint32 {
	links := w.world.Successors(w.page())
	switch {
	case s.Choice != nil && *s.Choice >= 0 && *s.Choice < len(links):
		w.push(links[*s.Choice])
	case s.Choice == nil && s.To != nil && len(w.stack) > 1:
		w.stack = w.stack[:len(w.stack)-1]
		w.visit(w.page())
	default:
		w.invalid++
		return nil
	}
	to := w.page()
	return &to
}

// followPath needs a link from each page of the path to the next; it stops where there is none.
func (w *walk) followPath() {
	if first := w.told.Path[0]; first.Node != w.page() {
		w.note(0, "path", "starts at "+first.String(), fmt.Sprintf("the source is %d", w.page()))
		return
	}
	for i, p := range w.told.Path[1:] {
		if !slices.Contains(w.world.Successors(w.page()), p.Node) {
			w.note(i+1, "path", p.String(), fmt.Sprintf("no link from %d", w.page()))
			return
		}
		w.push(p.Node)
	}
}

func (w *walk) note(step int, field, log, replay string) {
	w.disagreed = append(w.disagreed, at(w.told, step, field, log, replay))
}

func (w *walk) compare(v *verdict) {
	told := w.told.Record
	w.disagreed = append(w.disagreed, differing(w.told, 0, []field{
		{"run", told.Run, w.run.Run},
		{"outcome", told.Outcome, v.outcome},
		{"path", told.Path, w.path},
		{"turns", told.Turns, v.turns},
		{"moves", told.Moves, v.moves},
		{"invalid", told.Invalid, v.invalid},
	})...)
}
