package lumina

import (
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

var (
	_ family.Watched  = (*Episode)(nil)
	_ family.Measured = (*Episode)(nil)
)

func (e *Episode) Watch() family.Watch {
	w := family.Watch{Place: view(e.state).State()}
	if n := len(e.steps); n > 0 && e.steps[n-1].Action != nil {
		w.Done = *e.steps[n-1].Action
	}
	if w.Left = e.Left(); e.outcome == "" {
		w.Menu = family.Mark(texts(e.state.Legal()), texts(e.best))
	}
	return w
}

func (e *Episode) Left() *int {
	switch e.outcome {
	case schemas.OutcomeSuccess:
		return new(int)
	case "", schemas.OutcomeTurns, schemas.OutcomeFormat, schemas.OutcomeGaveUp, schemas.OutcomeInfra,
		schemas.OutcomeSpent:
		return left(e.state, e.inst.TMax)
	}
	return nil
}

func (e *Episode) Optimal() bool {
	n := len(e.steps)
	return n > 0 && e.steps[n-1].Optimal
}

// left plays on by optimal calls, most of them at most; nil where they do not succeed.
func left(s worlds.State, most int) *int {
	for n := 1; n <= most && !s.Dead(); n++ {
		after, effect := s.Apply(s.Optimal()[0])
		if effect.Outcome == schemas.OutcomeSuccess {
			return &n
		}
		if s = after; effect.Outcome != "" {
			return nil
		}
	}
	return nil
}
