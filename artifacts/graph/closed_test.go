package graph_test

import (
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// The definition, as a fixed point: d(t) = 0, d(u) = 1 + min over the successors of u that are t or not closed.
func TestDistancesUnbannedIsTheFixedPointOfItsDefinition(t *testing.T) {
	t.Parallel()
	for i := range 3000 {
		c := graphtest.Random(i, 20)
		r := rng.New(7, "closed", rng.Part(i))
		closed := make([]bool, c.Nodes())
		for u := range closed {
			closed[u] = r.Below(3) == 0
		}
		target := uint32(r.Below(c.Nodes()))
		got, want := make([]uint8, c.Nodes()), unbannedByRelaxing(c, target, closed)
		graph.DistancesUnbanned(graph.Transpose(c), target, closed, got, nil)
		for u := range want {
			if got[u] != want[u] {
				t.Fatalf("graph %d, target %d, closed %v, node %d: got %d, want %d", i, target, closed, u, got[u], want[u])
			}
		}
	}
}

func unbannedByRelaxing(c graph.CSR, target uint32, closed []bool) []uint8 {
	d := make([]uint8, c.Nodes())
	for u := range d {
		d[u] = schemas.Unreached
	}
	d[target] = 0
	for range c.Nodes() {
		for u := range uint32(c.Nodes()) {
			for _, v := range c.Row(u) {
				if (v == target || !closed[v]) && d[v] != schemas.Unreached && u != target {
					d[u] = min(d[u], d[v]+1)
				}
			}
		}
	}
	return d
}
