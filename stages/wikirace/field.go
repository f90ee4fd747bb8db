package wikirace

import "github.com/wikinav/wikinav/schemas"

// field is what pairs are drawn from: the pages that pass the filters, and the distances between them.
type field struct {
	nodes   int      // of the graph
	sources []uint32 // ascending
	targets []target // of the target set, ascending by node
}

// target is a page with its column of distances, by source node.
type target struct {
	node   uint32
	column []uint8
	at     [schemas.CountedDepth + 1]uint32 // nodes at each distance, as in columns.arrow; the last is "or more"
}

// near lists the targets that anything reaches over exactly d links. The others cannot be in any layer at d, and the
// farther the distance, the fewer are left.
func (f *field) near(d int) []target {
	var out []target
	for _, t := range f.targets {
		if t.reachedOver(d) {
			out = append(out, t)
		}
	}
	return out
}

// reachedOver tells whether any node may be d links away from t.
func (t *target) reachedOver(d int) bool { return t.at[min(d, schemas.CountedDepth)] > 0 }

// candidates is the number of pairs that an enumeration would look at.
func (f *field) candidates() int64 { return int64(f.nodes) * int64(len(f.targets)) }
