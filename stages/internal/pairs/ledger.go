package pairs

import "slices"

// ledger counts the pairs at one distance by source: all of them, and those that the reuse rule still allows. It is
// what an enumeration needs to know of pairs that may be too many to list: the k'th pair is found through the
// counts, and an accepted pair changes them in one pass over one column.
//
// Time: one pass over the columns of the near targets to make it; O(sources + targets) for each pair found or added.
// Space: 8 bytes per source.
type ledger struct {
	distance uint8
	sources  []uint32
	near     []Target
	taken    *taken

	all, left           []uint32 // pairs, by index of the source
	allPairs, leftPairs int64
}

func newLedger(distance int, sources []uint32, near []Target, taken *taken) *ledger {
	l := &ledger{
		distance: uint8(distance), sources: sources, near: near, taken: taken,
		all: make([]uint32, len(sources)), left: make([]uint32, len(sources)),
	}
	for _, t := range near {
		for i, s := range sources {
			if t.Column[s] != l.distance {
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

// pick gives the k'th pair that is left, ascending by source, then by target. k is below leftPairs.
func (l *ledger) pick(k int64) pair {
	i := 0
	for ; k >= int64(l.left[i]); i++ {
		k -= int64(l.left[i])
	}
	s := l.sources[i]
	for _, t := range l.near {
		p := pair{s, t.Node}
		if t.Column[s] != l.distance || l.taken.bars(p) {
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
	switch l.taken.reuse {
	case ReuseNone:
		l.strikeTarget(p.target)
		l.strikeSource(p.source)
	case ReuseTargets:
		l.strikeTarget(p.target)
	default:
		l.strikePair(p)
	}
}

func (l *ledger) strikeTarget(v uint32) {
	for _, t := range l.near {
		if t.Node != v {
			continue
		}
		for i, s := range l.sources {
			if t.Column[s] == l.distance && !l.taken.bars(pair{s, v}) {
				l.left[i]--
				l.leftPairs--
			}
		}
	}
}

func (l *ledger) strikeSource(s uint32) {
	i := l.index(s)
	l.leftPairs -= int64(l.left[i])
	l.left[i] = 0
}

func (l *ledger) strikePair(p pair) {
	l.left[l.index(p.source)]--
	l.leftPairs--
}

// index gives the place of s, which is a source.
func (l *ledger) index(s uint32) int {
	i, _ := slices.BinarySearch(l.sources, s)
	return i
}
