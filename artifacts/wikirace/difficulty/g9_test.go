package difficulty

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// column gives the distances to target.
func column(t testing.TB, succ graph.CSR, target uint32) []uint8 {
	t.Helper()
	dist := make([]uint8, succ.Nodes())
	graph.DistancesTo(graph.Transpose(succ), target, dist, nil)
	return dist
}

// pairOf gives source and target as an instance has them.
func pairOf(t testing.TB, succ graph.CSR, source, target uint32) Pair {
	t.Helper()
	dist := column(t, succ, target)
	return Pair{ID: "wr-test-0001", Column: dist, Witness: graph.Witness(succ, dist, source)}
}

// The worked example of the specification, 5.7.
func TestG9HasTheFeaturesOfTheWorkedExample(t *testing.T) {
	succ, _ := graphtest.G9()
	const a, g, h, target = 0, 6, 7, 8
	kit := NewKit(succ, graph.Transpose(succ), Game{Seed: 42, MaxSteps: 30, MaxLinks: 50})
	got := kit.Features([]Pair{pairOf(t, succ, a, target)})[0]
	want := schemas.WikiraceFeatures{
		ShortestPaths: 4, OptFirst: 3, OutDegree: 3, OptFirstMenu: 3, MenuSize: 3,
		SourceInDegree: 3, TargetInDegree: 1, TargetOutDegree: 2, TargetInMaxOut: 2,
		DAGLayers: []uint32{3, 2, 1, 1}, Bottlenecks: []uint32{g, h}, Dominators: []uint32{g, h},
		CutDAG: []uint32{0, 8}, CutGain: "0", RandomKeepsOpt: "1.00000e+00", RWFull: "8.46251e-01", RWMenu: "8.46251e-01", RWMethod: schemas.RWExact,
		GreedyIn: schemas.AgentResult{Success: true, Steps: 6}, GreedyOut: schemas.AgentResult{Success: true, Steps: 5},
	}
	if g, w := canon.MustMarshal(got), canon.MustMarshal(want); !bytes.Equal(g, w) {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

func TestG9HasTheWalksOfTheWorkedExample(t *testing.T) {
	succ, _ := graphtest.G9()
	p, q := make([]float64, 9), make([]float64, 9)
	for steps, want := range map[int]*big.Rat{
		4: big.NewRat(0, 1), 5: big.NewRat(5, 36), 6: big.NewRat(3, 16), 7: big.NewRat(163, 648), 8: big.NewRat(1435, 5184),
	} {
		exact, _ := want.Float64()
		if got := walk(succ, 8, steps, p, q)[0]; canon.Decimal(got) != canon.Decimal(exact) {
			t.Errorf("p_%d = %s, want %s", steps, canon.Decimal(got), want)
		}
	}
}

func TestWhatPruningAtRandomLeavesIsTheWorkedExample(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want string
	}{{120, 3, "8.05085e-01"}, {60, 1, "8.33333e-01"}, {50, 1, "1.00000e+00"}, {51, 2, "1.00000e+00"}, {7, 0, "1.00000e+00"}, {90, 0, "0"}} {
		if got := canon.Decimal(survives(c.n, c.k, 50)); got != c.want {
			t.Errorf("%d links, %d good: %s, want %s", c.n, c.k, got, c.want)
		}
	}
}
