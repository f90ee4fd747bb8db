package graph_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

// sameGraph compares rows, so that a CSR without edges equals one with an empty list of values.
func sameGraph(a, b graph.CSR) bool {
	return slices.Equal(a.Offsets, b.Offsets) && slices.Equal(a.Values, b.Values)
}

func TestBuildGivesTheSetOfEdgesAscending(t *testing.T) {
	t.Parallel()
	for i := range 2000 {
		n, edges := graphtest.RandomEdges(i, 30)
		got := graphtest.Edges(graphtest.Build(n, edges))
		want := slices.SortedFunc(maps.Keys(setOf(edges)), compareEdges)
		if !slices.Equal(got, want) {
			t.Fatalf("graph %d: %v built from %v, want %v", i, got, edges, want)
		}
	}
}

func TestTransposeTurnsEveryEdge(t *testing.T) {
	t.Parallel()
	for i := range 2000 {
		c := graphtest.Random(i, 30)
		edges := graphtest.Edges(c)
		for k, e := range edges {
			edges[k] = graphtest.Edge{e[1], e[0]}
		}
		if got, want := graph.Transpose(c), graphtest.Build(c.Nodes(), edges); !sameGraph(got, want) {
			t.Fatalf("graph %d: transpose %v, want %v", i, got, want)
		}
		if twice := graph.Transpose(graph.Transpose(c)); !sameGraph(twice, c) {
			t.Fatalf("graph %d: transposed twice %v, want %v", i, twice, c)
		}
	}
}

func TestInducedKeepsTheEdgesBetweenKeptNodes(t *testing.T) {
	t.Parallel()
	for i := range 2000 {
		c := graphtest.Random(i, 30)
		keep := make([]bool, c.Nodes())
		for u := range keep {
			keep[u] = (u*7+i)%3 > 0
		}
		sub, old := graph.Induced(c, keep)
		var got, want []graphtest.Edge
		for _, e := range graphtest.Edges(sub) {
			got = append(got, graphtest.Edge{old[e[0]], old[e[1]]})
		}
		for _, e := range graphtest.Edges(c) {
			if keep[e[0]] && keep[e[1]] {
				want = append(want, e)
			}
		}
		if !slices.IsSorted(old) || sub.Nodes() != len(old) || !slices.Equal(got, want) {
			t.Fatalf("graph %d: nodes %v with edges %v, want edges %v", i, old, got, want)
		}
	}
}

func TestInducedOfNoNodeIsEmpty(t *testing.T) {
	t.Parallel()
	sub, old := graph.Induced(graphtest.Cycle(3), make([]bool, 3))
	if sub.Nodes() != 0 || sub.Edges() != 0 || len(old) != 0 {
		t.Errorf("%d nodes, %d edges, old %v; want none", sub.Nodes(), sub.Edges(), old)
	}
}

// FuzzBuild reads nodes from bytes: whatever the edges, the graph is the set of them.
func FuzzBuild(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0, 0})
	f.Add([]byte{3, 1, 2, 2, 3, 1, 255, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var edges []graphtest.Edge
		for i := 0; i+1 < len(data); i += 2 {
			edges = append(edges, graphtest.Edge{uint32(data[i]), uint32(data[i+1])})
		}
		c := graphtest.Build(256, edges)
		want := slices.SortedFunc(maps.Keys(setOf(edges)), compareEdges)
		if got := graphtest.Edges(c); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		if twice := graph.Transpose(graph.Transpose(c)); !sameGraph(twice, c) {
			t.Fatalf("transposed twice %v, want %v", twice, c)
		}
	})
}

func setOf(edges []graphtest.Edge) map[graphtest.Edge]bool {
	set := map[graphtest.Edge]bool{}
	for _, e := range edges {
		set[e] = true
	}
	return set
}

func compareEdges(a, b graphtest.Edge) int { return slices.Compare(a[:], b[:]) }
