package graph

// Induced returns the graph of the nodes u with keep[u] and of the edges between them, with the nodes
// renumbered in ascending order, so that rows still ascend; old[new] is the node's number in c.
// keep has length c.Nodes().
//
// Time: O(n + m). Space: 4 bytes per node beside the result, which is measured first and allocated once.
func Induced(c CSR, keep []bool) (sub CSR, old []uint32) {
	old, renumbered := renumber(keep)
	sub.Offsets = make([]int32, len(old)+1)
	for i, u := range old {
		sub.Offsets[i+1] = sub.Offsets[i] + kept(c.Row(u), keep)
	}
	sub.Values = make([]uint32, 0, sub.Offsets[len(old)])
	for _, u := range old {
		for _, v := range c.Row(u) {
			if keep[v] {
				sub.Values = append(sub.Values, renumbered[v])
			}
		}
	}
	return sub, old
}

// renumber returns the nodes to keep, ascending, and for each of them its rank among them.
func renumber(keep []bool) (old, rank []uint32) {
	rank = make([]uint32, len(keep))
	for u, k := range keep {
		if k {
			rank[u] = uint32(len(old))
			old = append(old, uint32(u))
		}
	}
	return old, rank
}

func kept(row []uint32, keep []bool) int32 {
	var n int32
	for _, v := range row {
		if keep[v] {
			n++
		}
	}
	return n
}
