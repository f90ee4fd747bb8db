package graph

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas/fault"
)

// checkStructure checks what code that indexes by node relies on. That the offsets of lists and
// strings are in order, and strings valid UTF-8, is arrowio's promise already.
func (g *Graph) checkStructure(found *Findings) {
	for u := 1; u < g.Len() && !found.Full(); u++ {
		if id, before := g.PageIDs[u], g.PageIDs[u-1]; id <= before {
			found.Row(u, "page id %d after %d, want ascending", id, before)
		}
	}
	checkRows(g.Succ, "successors", found)
	checkRows(g.Pred, "predecessors", found)
	if s, p := g.Succ.Edges(), g.Pred.Edges(); s != p {
		found.At("", "%d successors but %d predecessors in all", s, p)
	}
}

// checkRows reports the first wrong value of each row.
func checkRows(c CSR, name string, found *Findings) {
	n := c.Nodes()
	for u := 0; u < n && !found.Full(); u++ {
		before := int64(-1)
		for _, v := range c.Row(uint32(u)) {
			if int64(v) <= before {
				found.Row(u, "%s: node %d after %d, want ascending", name, v, before)
				break
			}
			if int64(v) >= int64(n) {
				found.Row(u, "%s: node %d in a graph of %d nodes", name, v, n)
				break
			}
			before = int64(v)
		}
	}
}

// Check finds what Open leaves out: predecessors that are not the transpose of the successors, and
// titles that two nodes share. It returns all findings joined, each a *fault.Error of kind Mismatch
// with file and row, at most MaxFindings. Time: O(n + m).
func (g *Graph) Check() error {
	return arrowio.Guard(func() error {
		found := NewFindings(g.name)
		checkTranspose(g.Succ, g.Pred, found)
		newTitleIndex(g.Titles, func(u, first uint32) {
			found.Row(int(u), "title %s is that of row %d too", fault.Quote(g.Titles.Bytes(int(u))), first)
		})
		return found.Err()
	})
}

// checkTranspose merges, without building the transpose: links come in ascending order of their
// source, which is the order of each row of pred.
func checkTranspose(succ, pred CSR, found *Findings) {
	n := pred.Nodes()
	cursor := slices.Clone(pred.Offsets[:n])
	surplusBelow := func(v uint32, limit int) {
		for cursor[v] < pred.Offsets[v+1] && int(pred.Values[cursor[v]]) < limit {
			found.Row(int(v), "predecessor %d does not link to this node", pred.Values[cursor[v]])
			cursor[v]++
		}
	}
	for u := range uint32(n) {
		for _, v := range succ.Row(u) {
			surplusBelow(v, int(u))
			if cursor[v] == pred.Offsets[v+1] || pred.Values[cursor[v]] != u {
				found.Row(int(v), "predecessors lack node %d, which links to this node", u)
				continue
			}
			cursor[v]++
		}
	}
	for v := range uint32(n) {
		surplusBelow(v, n)
	}
}
