package distances

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Count returns the number of nodes at each distance, those at 16 and more in the last place, and
// of those unreached.
func Count(dist []uint8) (at [17]uint32, unreached uint32) {
	var histogram [256]uint32
	for _, d := range dist {
		histogram[d]++
	}
	copy(at[:], histogram[:schemas.CountedDepth])
	for _, n := range histogram[schemas.CountedDepth:schemas.Unreached] {
		at[schemas.CountedDepth] += n
	}
	return at, histogram[schemas.Unreached]
}

// CheckColumn checks the column of target before it is committed: its own distance is 0, and each
// node of sample is one link farther than its nearest successor, as far as a column tells, or
// unreached when all of these are. A violation is a *fault.Error of kind Mismatch that names target
// and row.
//
// A random sample finds whatever is wrong at more than a few nodes. Time: the out-degrees of the
// sample.
func CheckColumn(succ graph.CSR, target uint32, dist []uint8, sample []uint32) error {
	return checkColumn(succ, target, dist, slices.Values(sample))
}

// ProveColumn checks that dist is the column of target in g: it passes the true distances and no
// others. The first violation is a *fault.Error of kind Mismatch that names target and row.
//
// Idea: where each node is one link farther than its nearest successor, following the nearest is a
// path of that length, and no shorter one can exist; where all successors are unreached, so is the
// node. Only among nodes at schemas.Far may a circle of them hold itself up: these must lead, over
// others of their kind, to a node at schemas.MaxDistance.
// Time: O(n + m). Space: where a node is at schemas.Far a byte per node, and 4 for each of them.
func ProveColumn(g *graph.Graph, target uint32, dist []uint8) error {
	every := func(visit func(uint32) bool) {
		for u := uint32(0); u < uint32(g.Len()) && visit(u); u++ {
		}
	}
	if err := checkColumn(g.Succ, target, dist, every); err != nil {
		return err
	}
	return proveFar(g, target, dist)
}

func checkColumn(succ graph.CSR, target uint32, dist []uint8, nodes iter.Seq[uint32]) error {
	if n := succ.Nodes(); len(dist) != n {
		return fault.New(fault.Mismatch, "target %d: %d distances for %d nodes", target, len(dist), n)
	}
	if d := dist[target]; d != 0 {
		return wrongIn(target, target, "distance %d to itself, want 0", d)
	}
	for u := range nodes {
		want := oneFarther(succ.Row(u), dist)
		if u != target && dist[u] != want {
			return wrongIn(target, u, "distance %d, want %d by its successors", dist[u], want)
		}
	}
	return nil
}

// proveFar searches from the nodes at schemas.MaxDistance against the links, over nodes at
// schemas.Far.
func proveFar(g *graph.Graph, target uint32, dist []uint8) error {
	if bytes.IndexByte(dist, schemas.Far) < 0 {
		return nil
	}
	led := make([]bool, len(dist))
	var queue []uint32
	lead := func(from uint32) {
		for _, u := range g.Pred.Row(from) {
			if dist[u] == schemas.Far && !led[u] {
				led[u] = true
				queue = append(queue, u)
			}
		}
	}
	for u, d := range dist {
		if d == schemas.MaxDistance {
			lead(uint32(u))
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		lead(queue[0])
	}
	for u, d := range dist {
		if d == schemas.Far && !led[u] {
			return wrongIn(target, uint32(u), "distance %d, but no way leads to a node at %d", d, schemas.MaxDistance)
		}
	}
	return nil
}

func wrongIn(target, node uint32, format string, args ...any) error {
	return fault.New(fault.Mismatch, "target %d: %s", target, fmt.Sprintf(format, args...)).At("", row(int(node)))
}

// row and batch name a place in messages.
func row(u int) string   { return fmt.Sprintf("row %d", u) }
func batch(i int) string { return fmt.Sprintf("batch %d", i) }

// oneFarther returns the distance of a node from those of its successors.
func oneFarther(successors []uint32, dist []uint8) uint8 {
	nearest := schemas.Unreached
	for _, v := range successors {
		nearest = min(nearest, dist[v])
	}
	if nearest == schemas.Unreached {
		return schemas.Unreached
	}
	return min(nearest+1, schemas.Far)
}
