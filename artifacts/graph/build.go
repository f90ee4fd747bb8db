package graph

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Build gives the graph of n nodes with the given edges. Rows ascend; edges that come more than once are one edge.
//
// edges calls yield once for each edge u -> v, in any order. It is called twice and must give the same edges both
// times: the first pass measures the rows, the second fills them (counting sort). Each row is then sorted in place.
//
// Time: O(n + m log d), d the largest row, besides the two passes. Space: 8 bytes per node and 4 per edge given.
// More than MaxEdges edges, repeated ones included, are refused; a node outside 0..n-1 is the caller's bug and panics.
func Build(n int, edges func(yield func(u, v uint32))) (CSR, error) {
	return build(n, edges, MaxEdges)
}

func build(n int, edges func(yield func(u, v uint32)), limit int64) (CSR, error) {
	offsets, m := measure(n, edges)
	if m > limit {
		return CSR{}, fault.New(fault.Failure, "%d edges: one graph holds at most %d", m, limit)
	}
	c := CSR{offsets, fill(offsets, edges)}
	return c.mergeParallel(), nil
}

// measure gives the offsets of the rows and the number of edges. Beyond MaxEdges the offsets mean nothing.
func measure(n int, edges func(yield func(u, v uint32))) ([]int32, int64) {
	offsets := make([]int32, n+1)
	var m int64
	edges(func(u, v uint32) {
		if int64(u) >= int64(n) || int64(v) >= int64(n) {
			panic(fmt.Sprintf("graph: edge %d -> %d in a graph of %d nodes", u, v, n))
		}
		offsets[u+1]++
		m++
	})
	accumulate(offsets)
	return offsets, m
}

// fill places each edge at the cursor of its row.
func fill(offsets []int32, edges func(yield func(u, v uint32))) []uint32 {
	n := len(offsets) - 1
	values := make([]uint32, offsets[n])
	cursor := slices.Clone(offsets[:n])
	edges(func(u, v uint32) {
		values[cursor[u]] = v
		cursor[u]++
	})
	if !slices.Equal(cursor, offsets[1:]) {
		panic("graph: the second pass over the edges differs from the first")
	}
	return values
}

// mergeParallel sorts each row in place and moves the rows together over the edges that were given twice.
func (c CSR) mergeParallel() CSR {
	var end int32
	for u := range c.Nodes() {
		row := c.Values[c.Offsets[u]:c.Offsets[u+1]]
		slices.Sort(row)
		// Offsets[u] may change from here on: row u was taken, and row u+1 starts at Offsets[u+1].
		c.Offsets[u] = end
		end += int32(copy(c.Values[end:], slices.Compact(row)))
	}
	c.Offsets[c.Nodes()] = end
	return CSR{c.Offsets, c.Values[:end:end]}
}

// accumulate turns the length of row u, held at u+1, into the offsets.
func accumulate(lengths []int32) {
	for i := 1; i < len(lengths); i++ {
		lengths[i] += lengths[i-1]
	}
}
