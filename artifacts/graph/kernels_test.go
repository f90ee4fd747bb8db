package graph_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
)

func TestSearchAgreesWithTheQueue(t *testing.T) {
	t.Parallel()
	check := func(name string, succ graph.CSR) {
		t.Helper()
		pred := graph.Transpose(succ)
		n := pred.Nodes()
		s, got, want := graph.NewSearch(succ, pred), make([]uint8, n), make([]uint8, n)
		for target := 0; target < n; target += 1 + n/50 {
			far := s.DistancesTo(uint32(target), got)
			if wantFar := graph.DistancesTo(pred, uint32(target), want, nil); far != wantFar || !slices.Equal(got, want) {
				t.Fatalf("%s, target %d: %v, largest %d; want %v, largest %d", name, target, got, far, want, wantFar)
			}
		}
	}
	for i := range *graphs {
		check("small graph", small(i))
	}
	check("wiki", graphtest.WikiLike(20_000, 20, 1))
	check("with tails", withTails(graphtest.WikiLike(6000, 9, 3), 3, 70))
}

func TestLayersAndCountsAgreeWithEveryShortestPath(t *testing.T) {
	t.Parallel()
	most := 0
	for i := range *graphs {
		succ := small(i)
		n := succ.Nodes()
		dist := make([]uint8, n)
		target := uint32(i % n)
		graph.DistancesTo(graph.Transpose(succ), target, dist, nil)
		for source := range uint32(n) {
			all := shortestPaths(succ, source, target)
			layers := graph.Layers(succ, dist, source)
			want := layersOf(all)
			if !reflect.DeepEqual(layers, want) {
				t.Fatalf("graph %d, %d to %d: layers %v, want %v", i, source, target, layers, want)
			}
			if counts := graph.CountPaths(succ, layers); len(all) > 0 && counts[0][0] != uint64(len(all)) {
				t.Fatalf("graph %d, %d to %d: %d paths, want %d", i, source, target, counts[0][0], len(all))
			}
			most = max(most, len(all))
		}
	}
	if most < 4 {
		t.Errorf("no pair has more than %d shortest paths: the series tests too little", most)
	}
}

// layersOf returns the different nodes at each place of paths.
func layersOf(paths [][]uint32) [][]uint32 {
	if len(paths) == 0 {
		return nil
	}
	layers := make([][]uint32, len(paths[0]))
	for _, p := range paths {
		for i, u := range p {
			layers[i] = append(layers[i], u)
		}
	}
	for i := range layers {
		slices.Sort(layers[i])
		layers[i] = slices.Compact(layers[i])
	}
	return layers
}

func TestCountsOfPathsSaturate(t *testing.T) {
	t.Parallel()
	for diamonds, want := range map[int]uint64{52: 1 << 52, 53: graph.MaxPaths, 54: graph.MaxPaths, 120: graph.MaxPaths} {
		succ := chainOfDiamonds(diamonds)
		dist := make([]uint8, succ.Nodes())
		last := uint32(succ.Nodes() - 1)
		graph.DistancesTo(graph.Transpose(succ), last, dist, nil)
		layers := graph.Layers(succ, dist, 0)
		if got := graph.CountPaths(succ, layers)[0][0]; got != want {
			t.Errorf("%d diamonds: %d paths, want %d", diamonds, got, want)
		}
	}
}

// chainOfDiamonds doubles the number of paths with every three nodes: 3i -> 3i+1, 3i+2 -> 3i+3.
func chainOfDiamonds(n int) graph.CSR {
	var edges []graphtest.Edge
	for i := range uint32(n) {
		u := 3 * i
		edges = append(edges, graphtest.Edge{u, u + 1}, graphtest.Edge{u, u + 2}, graphtest.Edge{u + 1, u + 3}, graphtest.Edge{u + 2, u + 3})
	}
	return graphtest.Build(3*n+1, edges)
}

func TestLayersRefuseDistancesThatContradictTheGraph(t *testing.T) {
	t.Parallel()
	succ := graphtest.Line(4)
	for _, dist := range [][]uint8{{2, 1, 2, 0}, {schemas.Far, 2, 1, 0}, {schemas.Unreached, 2, 1, 0}} {
		if got := graph.Layers(succ, dist, 0); got != nil {
			t.Errorf("distances %v: layers %v, want none", dist, got)
		}
	}
}

func TestDominatorsAreTheNodesThatNoPathCanDoWithout(t *testing.T) {
	t.Parallel()
	some := 0
	for i := range *graphs {
		succ := small(i)
		n := succ.Nodes()
		pred := graph.Transpose(succ)
		dist, without, avoid := make([]uint8, n), make([]uint8, n), make([]bool, n)
		target := uint32(i % n)
		graph.DistancesTo(pred, target, dist, nil)
		for source := range uint32(n) {
			path := graph.Witness(succ, dist, source)
			var want []uint32
			for k := 1; k < len(path)-1; k++ {
				avoid[path[k]] = true
				graph.DistancesAvoiding(pred, target, avoid, without, nil)
				avoid[path[k]] = false
				if without[source] == schemas.Unreached {
					want = append(want, path[k])
				}
			}
			if got := graph.Dominators(succ, path); !slices.Equal(got, want) {
				t.Fatalf("graph %d, edges %v, path %v: dominators %v, want %v", i, graphtest.Edges(succ), path, got, want)
			}
			some += len(want)
		}
	}
	if some < *graphs/2 {
		t.Errorf("only %d dominators in %d graphs: the series tests too little", some, *graphs)
	}
}

func TestDominatorsOfALongLineAreItsInnerNodes(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	line := graphtest.Line(n)
	if got := graph.Dominators(line, everyNode(n)); !slices.Equal(got, everyNode(n)[1:n-1]) {
		t.Errorf("%d dominators, want %d", len(got), n-2)
	}
}

func TestAvoidingNodesIsSearchingTheGraphWithoutThem(t *testing.T) {
	t.Parallel()
	for i := range *graphs {
		succ := small(i)
		n := succ.Nodes()
		avoid := make([]bool, n)
		var edges []graphtest.Edge
		for u := range avoid {
			avoid[u] = (u*5+i)%4 == 0
		}
		for _, e := range graphtest.Edges(succ) {
			if !avoid[e[0]] && !avoid[e[1]] {
				edges = append(edges, e)
			}
		}
		target := uint32(i / 7 % n)
		want := graphtest.Distances(graphtest.Build(n, edges))
		dist := make([]uint8, n)
		graph.DistancesAvoiding(graph.Transpose(succ), target, avoid, dist, nil)
		for u, d := range dist {
			w := want[u][target]
			if avoid[u] || avoid[target] {
				w = graphtest.Unreachable
			}
			checkDistance(t, i, u, int(target), d, w)
		}
	}
}
