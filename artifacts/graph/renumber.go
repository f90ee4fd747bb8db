package graph

// byFallingDegree returns the nodes by falling number of entries in their row, equal ones ascending,
// and the rank of each node in that order. Counting sort: O(n + the largest degree).
func byFallingDegree(c CSR) (order, rank []uint32) {
	n := c.Nodes()
	most := 0
	for u := range uint32(n) {
		most = max(most, c.Degree(u))
	}
	starts := make([]uint32, most+2) // the nodes of degree d start at starts[most-d]
	for u := range uint32(n) {
		starts[most-c.Degree(u)+1]++
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	order, rank = make([]uint32, n), make([]uint32, n)
	for u := range uint32(n) {
		at := &starts[most-c.Degree(u)]
		order[*at], rank[u] = u, *at
		*at++
	}
	return order, rank
}

// prefetched is how many ids past the end of a row the vector code may read, to fetch their rows early.
const prefetched = 32

// renumberedSuccessors transposes pred into the numbers of rank. Reading its rows in the new order
// fills the new rows in ascending order: successors that most pages link to come first, which ends
// a pull early.
func renumberedSuccessors(pred CSR, order, rank []uint32) CSR {
	n := pred.Nodes()
	offsets := make([]int32, n+1)
	for _, u := range pred.Values {
		offsets[rank[u]+1]++
	}
	accumulate(offsets)
	values := make([]uint32, pred.Edges(), pred.Edges()+prefetched)
	cursor := append([]int32(nil), offsets[:n]...)
	for v, public := range order {
		for _, u := range pred.Row(public) {
			at := &cursor[rank[u]]
			values[*at] = uint32(v)
			*at++
		}
	}
	return CSR{offsets, values}
}
