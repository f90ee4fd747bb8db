package graph_test

import (
	"reflect"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

func TestComponentsAgreeWithKosarajuAndTheDefinition(t *testing.T) {
	t.Parallel()
	pieces := 0
	for i := range 10_000 {
		c := graphtest.Random(i, 12)
		got, second, want := graph.SCC(c), kosaraju(c), graphtest.Mutual(c)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("graph %d, edges %v: Tarjan %v, want %v", i, graphtest.Edges(c), got, want)
		}
		if !reflect.DeepEqual(second, want) {
			t.Fatalf("graph %d, edges %v: Kosaraju %v, want %v", i, graphtest.Edges(c), second, want)
		}
		if len(want.Sizes) > 1 && len(want.Sizes) < c.Nodes() {
			pieces++
		}
	}
	if pieces < 2000 {
		t.Errorf("only %d of 10000 graphs are neither whole nor all in pieces: the series tests too little", pieces)
	}
}

func TestComponentsOfALineAndOfACycleNeedNoRecursion(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	line := graph.SCC(graphtest.Line(n))
	if len(line.Sizes) != n || line.Of[0] != 0 || line.Of[n-1] != n-1 || line.Largest() != 0 {
		t.Errorf("line: %d components, first %d, last %d, largest %d; want each node its own",
			len(line.Sizes), line.Of[0], line.Of[n-1], line.Largest())
	}
	cycle := graph.SCC(graphtest.Cycle(n))
	if len(cycle.Sizes) != 1 || cycle.Sizes[0] != n {
		t.Errorf("cycle: %d components, the first of %d; want one of %d", len(cycle.Sizes), cycle.Sizes[0], n)
	}
}

func TestTheLargestComponentIsTheOneWithTheSmallestNodeAmongEquals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		edges []graphtest.Edge
		want  []bool
	}{
		{"equal", []graphtest.Edge{{1, 3}, {3, 1}, {2, 4}, {4, 2}}, []bool{false, true, false, true, false, false}},
		{"later is larger", []graphtest.Edge{{0, 1}, {1, 0}, {2, 3}, {3, 4}, {4, 2}}, []bool{false, false, true, true, true, false}},
		{"no edge", nil, []bool{true, false, false, false, false, false}},
	} {
		components := graph.SCC(graphtest.Build(6, c.edges))
		if got := components.Members(components.Largest()); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: members %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTheEmptyGraphHasNoComponents(t *testing.T) {
	t.Parallel()
	if got := graph.SCC(graphtest.Build(0, nil)); len(got.Of) != 0 || len(got.Sizes) != 0 || got.Largest() != 0 {
		t.Errorf("components %v, want none", got)
	}
}

func TestReachCountsWhatFloydAndWarshallReach(t *testing.T) {
	t.Parallel()
	for i := range 1000 {
		c := graphtest.Random(i, 20)
		for source, d := range graphtest.Distances(c) {
			want := 0
			for v := range d {
				if d[v] < graphtest.Unreachable {
					want++
				}
			}
			if got := graph.Reach(c, uint32(source)); got != want {
				t.Fatalf("graph %d: node %d reaches %d, want %d", i, source, got, want)
			}
		}
	}
}

func BenchmarkSCC(b *testing.B) {
	c := graphtest.WikiLike(50_000, 35, 1)
	b.ResetTimer()
	for b.Loop() {
		graph.SCC(c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Edges()), "ns/edge")
}
