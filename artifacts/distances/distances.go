// Package distances owns the distance artifact: one column of n bytes per target, the number of
// links on a shortest path from each node to the target, in shards that are memory-mapped, and the
// sidecar that finds a column. A release may have the shards packed, which a Set reads as well.
//
// It promises that
//   - Set.At and Set.Column take O(1) and copy nothing, of shards that are not packed: column i of
//     a shard stands at offset0 + i*stride of its file, which Open verifies for every column, so
//     that any program that can map a file can read one;
//   - a page that is no target is ErrNoTarget, never the value 255, and the value 254 is damage wherever it is read;
//   - the partition into shards follows from the target set and its parameter, never from who computes what;
//   - Set and Cached are safe for concurrent use, Close apart.
//
// It never decides which pages are targets (stages/targets), and computes a column only in Cached,
// for a target that has none; the algorithm is graph.DistancesTo.
//
// Packed, Set.At touches one block of each of a column's planes, and Set.Column unpacks n bytes
// anew.
//
// Size: n bytes per target, padded to the stride, packed some n/4, and some 100 bytes of sidecar.
// Memory: an open Set takes 4 bytes per node and some 250 per target besides the mapping; Cached
// maxColumns * n bytes more at most, and 5n for each column in work.
//
// File format: performance specification, section 2; of both forms: docs/distances.md.
package distances

import "errors"

// Sidecar is the name of the file that tells where each target's column is.
const Sidecar = "columns.arrow"

// ErrNoTarget is the error of a node that has no distance column: it is not in the target set.
var ErrNoTarget = errors.New("no distance column for this target")

// Column is one row of the sidecar: a target, and where its column is.
type Column struct {
	Node, PageID uint32
	Title        string
	Reasons      uint8 // schemas.Reason bits
	Shard, Row   uint32
	At           [17]uint32 // number of nodes at distance 0..15, and of those at 16 and more
	Unreached    uint32     // number of nodes that do not reach the target
}
