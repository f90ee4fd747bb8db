package pairs

import (
	"slices"
)

// ledger counts the pairs of one quota by source: all of them, and those that the reuse rule still allows. It is
// what an enumeration needs to know of pairs that may be too many to list: the k'th pair is found through the
// counts, and an accepted pair changes them in one pass over one column.
//
// Time: one pass over the columns of the near targets to make it; O(sources + targets) for each pair found or added.
// Space: 8 bytes per source.
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
			if !l.holds(s, t) {
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

// matching gives the size of a maximum matching in the bipartite graph of the ledger's pairs, accepted ones included:
// the number of pairs that the luckiest draw could have got at this distance with each page used once on its side.
//
// Result:    exact.
// Idea:      augment along a maximal set of shortest alternating paths that share no node, then look for longer ones.
// Encoding:  rows of the sources in CSR over the near targets. 4 bytes per pair, 12 per source, 4 per target.
// Time:      O(pairs sqrt(sources + targets)).
// Reference: J. E. Hopcroft and R. M. Karp, An n^5/2 Algorithm for Maximum Matchings in Bipartite Graphs, SIAM J.
// Comput. 2(4), 1973, https://doi.org/10.1137/0202019.
func matching(l *ledger) int64 {
	m := newMatcher(l)
	var size int64
	for m.layers() {
		for s := range m.mateOfSource {
			if m.mateOfSource[s] == free && m.augment(int32(s)) {
				size++
			}
		}
	}
	return size
}

const free = -1

// matcher is the state of the search. Sources and targets are numbered as in the ledger.
type matcher struct {
	offsets []int64
	values  []int32 // targets of each source

	mateOfSource []int32
	mateOfTarget []int32
	layer        []int32 // of each source in the search under way; free where it is in none
}

func newMatcher(l *ledger) *matcher {
	m := &matcher{
		offsets:      make([]int64, len(l.sources)+1),
		values:       make([]int32, l.allPairs),
		mateOfSource: filled(len(l.sources)),
		mateOfTarget: filled(len(l.near)),
		layer:        make([]int32, len(l.sources)),
	}
	for i, n := range l.all {
		m.offsets[i+1] = m.offsets[i] + int64(n)
	}
	used := make([]int64, len(l.sources))
	for k := range l.near {
		for i, s := range l.sources {
			if l.holds(s, &l.near[k]) {
				m.values[m.offsets[i]+used[i]] = int32(k)
				used[i]++
			}
		}
	}
	return m
}

func filled(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = free
	}
	return out
}

func (m *matcher) row(s int32) []int32 { return m.values[m.offsets[s]:m.offsets[s+1]] }

// layers numbers the sources by their distance from a free one along alternating paths, and tells whether one of
// these paths ends at a free target.
func (m *matcher) layers() bool {
	var queue []int32
	for s := range m.layer {
		m.layer[s] = free
		if m.mateOfSource[s] == free {
			m.layer[s] = 0
			queue = append(queue, int32(s))
		}
	}
	found := false
	for len(queue) > 0 && !found {
		var next []int32
		for _, s := range queue {
			for _, t := range m.row(s) {
				mate := m.mateOfTarget[t]
				if mate == free {
					found = true
				} else if m.layer[mate] == free {
					m.layer[mate] = m.layer[s] + 1
					next = append(next, mate)
				}
			}
		}
		queue = next
	}
	return found
}

// augment flips a shortest alternating path from s to a free target, if the layers still have one. It goes as deep
// as the path has sources.
func (m *matcher) augment(s int32) bool {
	for _, t := range m.row(s) {
		mate := m.mateOfTarget[t]
		if mate == free || m.layer[mate] == m.layer[s]+1 && m.augment(mate) {
			m.mateOfSource[s], m.mateOfTarget[t] = t, s
			return true
		}
	}
	m.layer[s] = free // no path starts here any more in this round
	return false
}
