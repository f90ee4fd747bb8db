package distances

import (
	"bytes"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Count returns the number of nodes at each distance, those at 16 and more in the last place, and of
// those unreached.
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

// CheckColumn checks the column of target before it is committed: its own distance is 0,
// schemas.NoDistance does not occur, and each node of sample is one link farther than its nearest
// successor, or unreached when all of these are. A violation is a *fault.Error of kind Mismatch
// that names target and row.
//
// These conditions on all nodes hold for the true distances and for no other column, so a random sample finds
// whatever is wrong at more than a few nodes. Time: n bytes scanned, and the out-degrees of the sample.
func CheckColumn(succ graph.CSR, target uint32, dist []uint8, sample []uint32) error {
	n := succ.Nodes()
	if len(dist) != n {
		return fault.New(fault.Mismatch, "target %d: %d distances for %d nodes", target, len(dist), n)
	}
	if d := dist[target]; d != 0 {
		return wrongIn(target, target, "distance %d to itself, want 0", d)
	}
	if u := bytes.IndexByte(dist, schemas.NoDistance); u >= 0 {
		return wrongIn(target, uint32(u), "distance %d, %s", schemas.NoDistance, neverOccurs)
	}
	for _, u := range sample {
		want := oneFarther(succ.Row(u), dist)
		if u != target && dist[u] != want {
			return wrongIn(target, u, "distance %d, want %d by its successors", dist[u], want)
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

// oneFarther returns the distance of a node from those of its successors. One past schemas.MaxDistance it gives
// schemas.NoDistance, which equals no distance in a column.
func oneFarther(successors []uint32, dist []uint8) uint8 {
	nearest := schemas.Unreached
	for _, v := range successors {
		nearest = min(nearest, dist[v])
	}
	if nearest == schemas.Unreached {
		return schemas.Unreached
	}
	return nearest + 1
}
