package lumina

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var (
	_ family.Taught = (*Episode)(nil)
	_ family.Marked = (*Set)(nil)
)

// Lesson returns the optimal calls that do bring the goal nearer (in a tree, which nobody has seen
// whole, some turn out not to), and legal ones that bring it no nearer and leave turns enough to
// reach it.
func (e *Episode) Lesson() (l family.Lesson, err error) {
	now := left(e.state, e.inst.TMax)
	if now == nil {
		return l, nil
	}
	for _, c := range e.state.Legal() {
		after, effect := e.state.Apply(c)
		n := new(int)
		if effect.Outcome == "" {
			n = left(after, e.inst.TMax)
		} else if effect.Outcome != schemas.OutcomeSuccess {
			continue
		}
		switch best := slices.Contains(e.best, c); {
		case effect.Illegal(), n == nil:
		case best && *n == *now-1:
			l.Right = append(l.Right, said(c.String()))
		case !best && *n >= *now && e.turn+1+*n <= e.inst.TMax:
			l.Wrong = append(l.Wrong, said(c.String()))
		}
	}
	return l, nil
}

func said(call string) family.Reply {
	text := calls.Fence(call)
	return family.Reply{Text: &text}
}

// Marks names the world in which an instance begins, whatever the oracles say of it.
func (s *Set) Marks(t family.Task) (m family.Marks, err error) {
	p, err := s.find(t.Instance)
	if err == nil && p.inst == nil {
		err = fault.New(fault.NotFound, "the release has no instance %s", fault.Quote(t.Instance))
	}
	if err == nil {
		m.Instance = digest.SHA256(p.inst.Start.AppendCanonical([]byte(p.inst.Env)))
	}
	return m, err
}
