package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
)

func TestG9HasTheDistancesOfTheSpecification(t *testing.T) {
	t.Parallel()
	succ, names := graphtest.G9()
	pred := graph.Transpose(succ)
	pairs := make([]int, 6)
	dist := make([]uint8, 9)
	for target := range uint32(9) {
		graph.DistancesTo(pred, target, dist, nil)
		for _, d := range dist {
			pairs[d]++
		}
	}
	if want := []int{9, 18, 24, 21, 8, 1}; !slices.Equal(pairs, want) {
		t.Errorf("pairs by distance %v, want %v", pairs, want)
	}
	// The last target was T.
	for i, want := range []uint8{5, 4, 4, 4, 3, 3, 2, 1, 0} {
		if dist[i] != want {
			t.Errorf("d(%s, T) = %d, want %d", names[i], dist[i], want)
		}
	}
	if got := namesOf(graph.Witness(succ, dist, 0), names); got != "A B E G H T" {
		t.Errorf("witness %s, want A B E G H T", got)
	}
	if c := graph.SCC(succ); len(c.Sizes) != 1 {
		t.Errorf("%d components, want 1", len(c.Sizes))
	}
}

func namesOf(path []uint32, names []string) string {
	var out []string
	for _, u := range path {
		out = append(out, names[u])
	}
	return strings.Join(out, " ")
}

func TestWitnessIsTheSmallestShortestPath(t *testing.T) {
	t.Parallel()
	for i := range 500 {
		succ := graphtest.Random(i, 9)
		n := succ.Nodes()
		pred := graph.Transpose(succ)
		dist := make([]uint8, n)
		for target := range uint32(n) {
			graph.DistancesTo(pred, target, dist, nil)
			for source := range uint32(n) {
				want := firstPath(succ, source, target, int(dist[source]))
				if got := graph.Witness(succ, dist, source); !slices.Equal(got, want) {
					t.Fatalf("graph %d, %d to %d: witness %v, want %v", i, source, target, got, want)
				}
			}
		}
	}
}

// firstPath tries the walks of the given length in lexicographic order.
func firstPath(succ graph.CSR, u, target uint32, length int) []uint32 {
	if length == 0 && u == target {
		return []uint32{u}
	}
	if length == 0 || length == int(schemas.Unreached) {
		return nil
	}
	for _, v := range succ.Row(u) {
		if rest := firstPath(succ, v, target, length-1); rest != nil {
			return append([]uint32{u}, rest...)
		}
	}
	return nil
}

func TestWitnessRefusesDistancesThatContradictTheGraph(t *testing.T) {
	t.Parallel()
	succ := graphtest.Line(4)
	for _, dist := range [][]uint8{{2, 1, 2, 0}, {schemas.Far, 2, 1, 0}, {schemas.Unreached, 2, 1, 0}} {
		if got := graph.Witness(succ, dist, 0); got != nil {
			t.Errorf("distances %v: witness %v, want none", dist, got)
		}
	}
}
