package pairs

import "github.com/wikinav/wikinav/schemas"

// matcher is a bipartite graph and a matching in it, which grows.
//
// Result:    a maximum matching, or one of the size that is wanted. Pages once matched stay
// matched. Idea:      augment along a maximal set of shortest alternating paths that share no node,
// then look for longer ones. Encoding:  rows of the sources in CSR over the targets. 4 bytes per
// pair, 12 per source, 4 per target. Time:      O(pairs sqrt(sources + targets)). Reference: J. E.
// Hopcroft and R. M. Karp, An n^5/2 Algorithm for Maximum Matchings in Bipartite Graphs, SIAM J.
// Comput. 2(4), 1973, https://doi.org/10.1137/0202019.
type matcher struct {
	offsets []int64
	values  []int32 // targets of each source

	size         int64
	mateOfSource []int32
	mateOfTarget []int32
	layer        []int32 // of each source in the search under way; free where it is in none
}

const free = -1

// newMatcher numbers sources and targets by their places in the lists; may says which pairs there
// are.
func newMatcher(sources []uint32, targets []Target, may func(source uint32, t *Target) bool) *matcher {
	m := &matcher{
		offsets: make([]int64, len(sources)+1), layer: make([]int32, len(sources)),
		mateOfSource: filled(len(sources)), mateOfTarget: filled(len(targets)),
	}
	each := func(visit func(i, k int)) {
		for k := range targets {
			for i, s := range sources {
				if may(s, &targets[k]) {
					visit(i, k)
				}
			}
		}
	}
	each(func(i, _ int) { m.offsets[i+1]++ })
	for i := range sources {
		m.offsets[i+1] += m.offsets[i]
	}
	m.values = make([]int32, m.offsets[len(sources)])
	used := make([]int64, len(sources))
	each(func(i, k int) {
		m.values[m.offsets[i]+used[i]] = int32(k)
		used[i]++
	})
	return m
}

func filled(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = free
	}
	return out
}

// grow enlarges the matching up to the size wanted, as far as it goes.
func (m *matcher) grow(want int64) {
	for m.size < want && m.layers() {
		for s := range m.mateOfSource {
			if m.size < want && m.mateOfSource[s] == free && m.augment(int32(s)) {
				m.size++
			}
		}
	}
}

// bound returns the size of a maximum matching of the ledger's pairs, accepted ones included: what
// the luckiest draw could have got at this distance with each page used once on its side.
func (l *ledger) bound() int64 {
	m := newMatcher(l.sources, l.near, func(s uint32, t *Target) bool {
		return l.holds(s, t) && !l.taken.never(pair{s, t.Node})
	})
	m.grow(l.allPairs)
	return m.size
}

// rematch fills the slots that are still empty by drawing again who goes with whom, where each page
// may be used once: a slot keeps its source, and may get another target. What pages come in is
// drawn by the order in which a stream puts them.
func (r *round) rematch() {
	if r.ledger == nil || r.taken.reuse != ReuseNone || len(r.out.pairs) == r.size || r.ledger.allPairs > r.MatchingPairs {
		return
	}
	sources, targets, mine := r.shuffled()
	m := newMatcher(sources, targets, func(s uint32, t *Target) bool {
		p := pair{s, t.Node}
		return r.holds(s, t) && !r.taken.never(p) &&
			(mine[0][s] || !r.taken.sources[s]) && (mine[1][p.target] || !r.taken.targets[p.target])
	})
	sourceAt, targetAt := map[uint32]int32{}, map[uint32]int32{}
	for i, s := range sources {
		sourceAt[s] = int32(i)
	}
	for k := range targets {
		targetAt[targets[k].Node] = int32(k)
	}
	for _, p := range r.out.pairs {
		s, t := sourceAt[p.source], targetAt[p.target]
		m.mateOfSource[s], m.mateOfTarget[t] = t, s
		m.size++
	}
	m.grow(int64(r.size))
	r.take(m, sources, targets, sourceAt)
}

// shuffled puts the ends of all pairs of the round into an order of its own, and tells which its
// pairs use.
func (r *round) shuffled() (sources []uint32, targets []Target, mine [2]map[uint32]bool) {
	s := r.stream(append([]string{r.name, "match"}, r.fills[2:]...))
	for _, i := range s.Choose(len(r.Sources), len(r.Sources)) {
		if r.ledger.all[i] > 0 {
			sources = append(sources, r.Sources[i])
		}
	}
	for _, k := range s.Choose(len(r.near), len(r.near)) {
		targets = append(targets, r.near[k])
	}
	mine = [2]map[uint32]bool{{}, {}}
	for _, p := range r.out.pairs {
		mine[0][p.source], mine[1][p.target] = true, true
	}
	return sources, targets, mine
}

// take replaces the pairs of the round by those of the matching.
func (r *round) take(m *matcher, sources []uint32, targets []Target, at map[uint32]int32) {
	had := map[uint32]bool{}
	for i, p := range r.out.pairs {
		had[p.source] = true
		r.out.pairs[i].target = targets[m.mateOfSource[at[p.source]]].Node
	}
	for i, k := range m.mateOfSource {
		if k != free && !had[sources[i]] {
			r.out.pairs = append(r.out.pairs, pair{sources[i], targets[k].Node})
			r.tally.filled++
		}
	}
	for _, p := range r.out.pairs {
		r.taken.add(p)
	}
	if report := &r.out.report; len(r.out.pairs) == r.size {
		report.Status = schemas.StatusOK
		report.EligiblePairs, report.EligiblePairsReuseAny, report.MatchingBound = nil, nil, nil
	}
}

func (m *matcher) row(s int32) []int32 { return m.values[m.offsets[s]:m.offsets[s+1]] }

// layers numbers the sources by their distance from a free one along alternating paths, and reports
// whether one of these paths ends at a free target.
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

// augment flips a shortest alternating path from s to a free target, if the layers still have one.
// It goes as deep as the path has sources.
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
