package walk

import (
	"slices"

	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
)

var _ family.Taught = (*Episode)(nil)

// Lesson returns the optimal calls, and moves that lead no nearer and leave turns enough to reach
// the place. In DF no move does: the list is left for good.
func (e *Episode) Lesson() (l family.Lesson, err error) {
	best := e.q.optimal(e.state)
	for _, c := range best {
		l.Right = append(l.Right, saying(c))
	}
	for _, label := range e.q.Maze.Moves(e.state.at) {
		c := calls.Call{Name: callMove, Text: label}
		after, legal, outcome := e.q.apply(e.state, c)
		if slices.Contains(textsOf(best), textOf(c)) || !legal || outcome != "" {
			continue
		}
		if n := *e.q.left(after); n >= *e.q.left(e.state) && len(e.turns)+1+n <= e.q.most() {
			l.Wrong = append(l.Wrong, saying(c))
		}
	}
	return l, nil
}

func saying(c calls.Call) family.Reply {
	text := calls.Fence(textOf(c))
	return family.Reply{Text: &text}
}
