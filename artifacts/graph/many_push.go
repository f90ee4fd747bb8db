package graph

import "sort"

// push writes the new bits of each frontier node to its predecessors. Workers share out the predecessors by public
// number, in which the rows of pred ascend: so no row has two writers.
func (m *Many) push() {
	m.enlist()
	n := m.pred.Nodes()
	parts := make([]gain, m.workers)
	parallel(m.workers, m.workers, 1, func(_, first, _ int) {
		lo, hi := share(n, m.workers, first), share(n, m.workers, first+1)
		m.touched[first] = m.pushTo(uint32(lo), uint32(hi), m.touched[first][:0])
		m.touched[first], parts[first] = m.settleAll(m.touched[first])
	})
	m.list = m.list[:0]
	m.newNodes, m.pushEdges = 0, 0
	for i, part := range parts {
		m.list = append(m.list, m.touched[i]...)
		m.newNodes += part.nodes
		m.pushEdges += part.pushEdges
	}
}

// share is where the i-th of parts of 0..n-1 starts; it splits no word of a bitmap.
func share(n, parts, i int) int {
	if i == parts {
		return n
	}
	return n / 64 * i / parts * 64
}

// gain is what a part of a depth added to the frontier.
type gain struct {
	nodes     int
	pushEdges int64
}

// pushTo serves the predecessors in lo..hi-1 and appends them, in inner numbers, to touched. Their rows of next hold
// what they were pushed, new to them or not.
func (m *Many) pushTo(lo, hi uint32, touched []uint32) []uint32 {
	whole := lo == 0 && int(hi) == m.pred.Nodes()
	for _, u := range m.list {
		row := m.pred.Row(m.order[u])
		if !whole {
			row = between(row, lo, hi)
		}
		from := m.row(m.front, u)
		for _, x := range row {
			v := m.rank[x]
			to := m.row(m.next, v)
			if word, bit := &m.marked[x/64], uint64(1)<<(x%64); *word&bit == 0 {
				*word |= bit
				touched = append(touched, v)
				copy(to, from)
				continue
			}
			for k, bits := range from {
				to[k] |= bits
			}
		}
	}
	return touched
}

// between cuts the values of an ascending row down to lo..hi-1.
func between(row []uint32, lo, hi uint32) []uint32 {
	from := sort.Search(len(row), func(i int) bool { return row[i] >= lo })
	row = row[from:]
	return row[:sort.Search(len(row), func(i int) bool { return row[i] >= hi })]
}

// settleAll keeps the bits that are new, and of touched the nodes that have one.
func (m *Many) settleAll(touched []uint32) ([]uint32, gain) {
	kept := touched[:0]
	var g gain
	var acc [8]uint64
	for _, v := range touched {
		public := m.order[v]
		m.marked[public/64] &^= 1 << (public % 64)
		row := acc[:m.words]
		for k, x := range m.row(m.next, v) {
			row[k] = x | m.seen[int(v)*m.words+k]
		}
		if m.settle(v, row) {
			kept = append(kept, v)
			g.nodes++
			g.pushEdges += int64(m.pred.Degree(public))
		}
	}
	return kept, g
}
