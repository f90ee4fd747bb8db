package graph

import "math/bits"

// step is what one depth of a batch reads and writes at each node. The vector code reads base: see rows_amd64.s.
type step struct {
	seen   []uint64
	full   [8]uint64  // the lanes in use
	used   int        // planes that hold something in this batch
	writes [][]uint64 // the planes of the one bits of the depth
	base   bases
}

// aim sets the planes that depth is written to. A plane is cleared when a depth first reaches it.
func (m *Many) aim(depth int) {
	for ; m.used < bits.Len(uint(depth)); m.used++ {
		if m.planes[m.used] == nil {
			m.planes[m.used] = m.rows()
			continue
		}
		m.parallelClear(m.planes[m.used])
	}
	m.writes = m.writes[:0]
	for b := range m.used {
		if depth>>b&1 != 0 {
			m.writes = append(m.writes, m.planes[b])
		}
	}
}

// gatherRow ORs the rows of front named by ids into what v has seen, and settles the result. whole tells that v has
// nothing left to gain.
func (m *Many) gatherRow(v uint32, ids []uint32) (isNew, whole bool) {
	if m.vector {
		return gatherVector(&m.base, v, ids)
	}
	var acc [8]uint64
	row := acc[:m.words]
	copy(row, m.row(m.seen, v))
	orRows(row, m.front, ids, m.full[:m.words])
	isNew = m.settle(v, row)
	return isNew, [8]uint64(acc) == m.full
}

// settle makes acc, a superset of what v has seen, what it has seen now; what is new goes to next and to the planes.
func (m *Many) settle(v uint32, acc []uint64) (isNew bool) {
	seen, next := m.row(m.seen, v), m.row(m.next, v)
	var some uint64
	for k, a := range acc {
		next[k] = a &^ seen[k]
		some |= next[k]
	}
	if some == 0 {
		return false
	}
	copy(seen, acc)
	for _, plane := range m.writes {
		for k, p := range m.row(plane, v) {
			plane[int(v)*m.words+k] = p | next[k]
		}
	}
	return true
}

// parallelClear zeroes rows.
func (m *Many) parallelClear(rows []uint64) {
	parallel(m.workers, len(rows), 1<<16, func(_, lo, hi int) { clear(rows[lo:hi]) })
}
