package pairs

import (
	"slices"
)

// ledger counts the pairs of one quota by source: all that the caller does not bar, and those that
// the reuse rule still allows. It is what an enumeration needs to know of pairs that may be too
// many to list: the k'th pair is found through the counts, and an accepted pair changes them in one
// pass over one column.
//
// Time: one pass over the columns of the near targets to make it; O(sources + targets) for each
// pair found or added. Space: 8 bytes per source.
type ledger struct {
	What
	sources []uint32
	near    []Target
	taken   *taken

	all, left           []uint32 // pairs, by index of the source
	allPairs, leftPairs int64
}

func newLedger(w What, sources []uint32, near []Target, taken *taken) *ledger {
	l := &ledger{
		What: w, sources: sources, near: near, taken: taken,
		all: make([]uint32, len(sources)), left: make([]uint32, len(sources)),
	}
	for k := range near {
		t := &near[k]
		for i, s := range sources {
			if !l.holds(s, t) || taken.never(pair{s, t.Node}) {
				continue
			}
			l.all[i]++
			if !taken.bars(pair{s, t.Node}) {
				l.left[i]++
			}
		}
	}
	for i := range sources {
		l.allPairs += int64(l.all[i])
		l.leftPairs += int64(l.left[i])
	}
	return l
}

// pick returns the k'th pair that is left, ascending by source, then by target. k is below leftPairs.
func (l *ledger) pick(k int64) pair {
	i := 0
	for ; k >= int64(l.left[i]); i++ {
		k -= int64(l.left[i])
	}
	s := l.sources[i]
	for i := range l.near {
		t := &l.near[i]
		p := pair{s, t.Node}
		if !l.holds(s, t) || l.taken.bars(p) {
			continue
		}
		if k == 0 {
			return p
		}
		k--
	}
	panic("pairs: the ledger counts pairs that the columns do not have")
}

// strike takes off the pairs that accepting p will bar. p is left, and not yet added to taken.
func (l *ledger) strike(p pair) {
	if l.taken.reuse != ReuseAny {
		l.strikeTarget(p.target)
	}
	i, _ := slices.BinarySearch(l.sources, p.source)
	switch l.taken.reuse {
	case ReuseNone:
		l.leftPairs -= int64(l.left[i])
		l.left[i] = 0
	case ReuseAny:
		l.leftPairs--
		l.left[i]--
	}
}

func (l *ledger) strikeTarget(v uint32) {
	for k := range l.near {
		t := &l.near[k]
		if t.Node != v {
			continue
		}
		for i, s := range l.sources {
			if l.holds(s, t) && !l.taken.bars(pair{s, v}) {
				l.left[i]--
				l.leftPairs--
			}
		}
	}
}
