package graph

import "slices"

// Transpose returns the graph with every edge turned round: the predecessors of each node when c
// holds its successors.
//
// Result:    exact; rows ascend whatever the order inside the rows of c, and parallel edges stay.
// Idea:      counting sort by target. Rows are read in the order of their node, so that each node is appended to the
// rows of its successors in ascending order, and no row needs sorting.
// Encoding:  c is CSR with values below c.Nodes(); a larger one panics.
// Time:      O(n + m). Space: 8 bytes per node and 4 per edge, the result included.
// Reference: F. G. Gustavson, Two Fast Algorithms for Sparse Matrices, ACM TOMS 4(3), 1978,
// https://doi.org/10.1145/355791.355796 (HALFPERM).
func Transpose(c CSR) CSR {
	n := c.Nodes()
	offsets := make([]int32, n+1)
	for _, v := range c.Values {
		offsets[v+1]++
	}
	accumulate(offsets)

	values := make([]uint32, c.Edges())
	cursor := slices.Clone(offsets[:n])
	for u := range uint32(n) {
		for _, v := range c.Row(u) {
			values[cursor[v]] = u
			cursor[v]++
		}
	}
	return CSR{offsets, values}
}

// accumulate turns the length of row u, held at u+1, into the offsets.
func accumulate(lengths []int32) {
	for i := 1; i < len(lengths); i++ {
		lengths[i] += lengths[i-1]
	}
}
