package graph

import "math"

// CSR is the edges of a directed graph in compressed sparse rows: row u, the other ends of u's
// edges, is Values[Offsets[u]:Offsets[u+1]]. Offsets has one more entry than there are nodes,
// starts at 0 and never falls. Unless said otherwise a row ascends strictly, so that a graph has
// exactly one CSR.
//
// The layout is that of a list column in Arrow: CSR(lists) turns one into the other without a copy.
// A CSR of a mapped file is read-only, and none of the functions here writes to a CSR that it is
// given.
type CSR struct {
	Offsets []int32
	Values  []uint32
}

// MaxEdges is the number of edges that the offsets can address.
const MaxEdges = math.MaxInt32

// Nodes returns the number of nodes; they are called 0..Nodes()-1.
func (c CSR) Nodes() int { return max(0, len(c.Offsets)-1) }

func (c CSR) Edges() int { return len(c.Values) }

// Row returns the other ends of u's edges, ascending. The slice belongs to c.
func (c CSR) Row(u uint32) []uint32 {
	from, to := c.Offsets[u], c.Offsets[u+1]
	return c.Values[from:to:to]
}

func (c CSR) Degree(u uint32) int { return int(c.Offsets[u+1] - c.Offsets[u]) }
