package graph

// gatherRow ORs the rows of front named by ids into what v has seen, and settles the result. whole
// reports whether v has nothing left to gain.
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

// settle makes acc, a superset of what v has seen, what it has seen now; what is new goes to next
// and to the planes.
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

func (m *Many) row(rows []uint64, u uint32) []uint64 {
	at := int(u) * m.words
	return rows[at : at+m.words : at+m.words]
}

// parallelClear zeroes rows.
func (m *Many) parallelClear(rows []uint64) {
	parallel(m.workers, len(rows), 1<<16, func(_, lo, hi int) { clear(rows[lo:hi]) })
}

// orRows ORs the rows of front named by ids into acc, a row of 1, 2, 4 or 8 words, and may stop
// once acc is full.
func orRows(acc, front []uint64, ids []uint32, full []uint64) {
	switch len(acc) {
	case 1:
		orRows1(acc, front, ids, full)
	case 2:
		orRows2(acc, front, ids, full)
	case 4:
		orRows4(acc, front, ids, full)
	default:
		orRows8(acc, front, ids, full)
	}
}

func orRows1(acc, front []uint64, ids []uint32, full []uint64) {
	a, f := acc[0], full[0]
	for _, u := range ids {
		if a == f {
			break
		}
		a |= front[u]
	}
	acc[0] = a
}

func orRows2(acc, front []uint64, ids []uint32, full []uint64) {
	a0, a1 := acc[0], acc[1]
	for _, u := range ids {
		if a0 == full[0] && a1 == full[1] {
			break
		}
		row := front[2*int(u) : 2*int(u)+2 : 2*int(u)+2]
		a0 |= row[0]
		a1 |= row[1]
	}
	acc[0], acc[1] = a0, a1
}

// checkEvery is how many rows wider kernels read between two looks at whether there is anything left to gain.
const checkEvery = 8

func orRows4(acc, front []uint64, ids []uint32, full []uint64) {
	a := [4]uint64(acc)
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	for i, u := range ids {
		row := (*[4]uint64)(front[4*int(u):])
		a0 |= row[0]
		a1 |= row[1]
		a2 |= row[2]
		a3 |= row[3]
		if i%checkEvery == checkEvery-1 && [4]uint64{a0, a1, a2, a3} == [4]uint64(full) {
			break
		}
	}
	copy(acc, []uint64{a0, a1, a2, a3})
}

func orRows8(acc, front []uint64, ids []uint32, full []uint64) {
	a := [8]uint64(acc)
	a0, a1, a2, a3, a4, a5, a6, a7 := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
	for i, u := range ids {
		row := (*[8]uint64)(front[8*int(u):])
		a0 |= row[0]
		a1 |= row[1]
		a2 |= row[2]
		a3 |= row[3]
		a4 |= row[4]
		a5 |= row[5]
		a6 |= row[6]
		a7 |= row[7]
		if i%checkEvery == checkEvery-1 && [8]uint64{a0, a1, a2, a3, a4, a5, a6, a7} == [8]uint64(full) {
			break
		}
	}
	copy(acc, []uint64{a0, a1, a2, a3, a4, a5, a6, a7})
}
