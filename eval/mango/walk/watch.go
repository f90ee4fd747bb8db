package walk

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

var (
	_ family.Watched  = (*Episode)(nil)
	_ family.Measured = (*Episode)(nil)
)

func (e *Episode) Watch() family.Watch {
	w := family.Watch{Place: e.state.at}
	if n := len(e.turns); n > 0 && e.turns[n-1].Action != nil {
		w.Done = *e.turns[n-1].Action
	}
	if w.Left = e.Left(); e.outcome == "" {
		w.Menu = family.Mark(e.Any(), textsOf(e.q.optimal(e.state)))
	}
	return w
}

func (e *Episode) Left() *int {
	switch e.outcome {
	case schemas.OutcomeSuccess:
		return new(int)
	case "", schemas.OutcomeTurns, schemas.OutcomeFormat, schemas.OutcomeGaveUp, schemas.OutcomeInfra,
		schemas.OutcomeSpent:
		return e.q.left(e.state)
	}
	return nil
}

func (e *Episode) Optimal() bool {
	n := len(e.turns)
	return n > 0 && e.turns[n-1].Optimal
}

// left returns the calls of an optimal player from a state that is live.
func (q *Question) left(s state) *int {
	n := len(q.Moves) - len(s.made) + 1
	if q.Task == schemas.MangoRF {
		n = q.away[s.at] + 1
	}
	return &n
}
