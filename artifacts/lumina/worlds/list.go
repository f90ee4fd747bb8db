package worlds

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// List is a state of ListWorld. Positions below Floor are frozen; after a pop at i the element that slides into i may
// be popped next.
type List struct {
	Cur    []int
	Floor  int
	Target []int
}

// Optimal gives done when nothing is to do, else every pop after which the target can still be reached.
//
// A pop at j keeps that iff cur[:j] is target[:j] and the rest of the target is a subsequence of what follows j. The second
// is read off suffixes; the first holds up to the first difference, where the walk ends. O(len(Cur)) time and space.
func (l List) Optimal() []Call {
	if slices.Equal(l.Cur, l.Target) {
		return []Call{{Name: Done}}
	}
	var out []Call
	suffix, m := l.suffixes(), len(l.Target)
	for j := l.Floor; j < len(l.Cur) && j <= m; j++ {
		if m-j <= suffix[j+1] {
			out = append(out, Call{Name: Pop, Index: int64(j)})
		}
		if j >= m || l.Cur[j] != l.Target[j] {
			break
		}
	}
	return out
}

// suffixes gives for each k the length of the longest suffix of the target that is a subsequence of cur[k:].
func (l List) suffixes() []int {
	suffix, m := make([]int, len(l.Cur)+1), len(l.Target)
	for k := len(l.Cur) - 1; k >= 0; k-- {
		suffix[k] = suffix[k+1]
		if s := suffix[k+1]; s < m && l.Target[m-1-s] == l.Cur[k] {
			suffix[k]++
		}
	}
	return suffix
}

// live tells that the target can still be reached.
func (l List) live() bool {
	if l.Floor > len(l.Target) || !slices.Equal(l.Cur[:l.Floor], l.Target[:l.Floor]) {
		return false
	}
	rest := l.Target[l.Floor:]
	for _, v := range l.Cur[l.Floor:] {
		if len(rest) > 0 && rest[0] == v {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// Legal lists every pop that is not frozen, and done.
func (l List) Legal() []Call {
	var out []Call
	for i := l.Floor; i < len(l.Cur); i++ {
		out = append(out, Call{Name: Pop, Index: int64(i)})
	}
	return append(out, Call{Name: Done})
}

// Dead is false: an episode ends with the pop that spoils it.
func (l List) Dead() bool { return false }

// Apply pops or ends.
func (l List) Apply(c Call) (State, Effect) {
	switch {
	case c.Name == Done:
		return l, Effect{Event: EventTerminal, Outcome: terminal(slices.Equal(l.Cur, l.Target))}
	case c.Index < 0 || c.Index >= int64(len(l.Cur)):
		return l, Effect{Event: EventOutOfRange}
	case c.Index < int64(l.Floor):
		return l, Effect{Event: EventBelowFloor}
	}
	i := int(c.Index)
	next := List{slices.Concat(l.Cur[:i], l.Cur[i+1:]), i, l.Target}
	if !next.live() {
		return next, Effect{Event: EventSpoiled, Outcome: schemas.OutcomeIrrecoverable}
	}
	return next, Effect{Event: EventPopped}
}

// AppendCanonical appends {cur, floor}.
func (l List) AppendCanonical(dst []byte) []byte {
	dst = appendInts(append(dst, `{"cur":`...), l.Cur...)
	return append(appendInt(append(dst, `,"floor":`...), l.Floor), '}')
}

func terminal(success bool) string {
	if success {
		return schemas.OutcomeSuccess
	}
	return schemas.OutcomeWrongTerminal
}
