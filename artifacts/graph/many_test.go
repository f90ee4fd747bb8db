package graph_test

import (
	"bytes"
	"flag"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/rng"
)

// graphs is how many small random graphs each kernel is held against its oracle on: 100,000 or more before a release.
var graphs = flag.Int("graphs", 10_000, "random graphs up to 12 nodes per kernel")

// small returns graph number i of the series that all kernels are checked on: random ones, and every tenth a shape that
// random graphs seldom have.
func small(i int) graph.CSR {
	n := 1 + i/10%12
	switch {
	case i%10 != 0:
		return graphtest.Random(i, 12)
	case i%40 == 0:
		return graphtest.Line(n)
	case i%40 == 10:
		return star(n, true)
	case i%40 == 20:
		return star(n, false)
	default:
		return graphtest.Build(n, nil)
	}
}

// columnsTo searches all targets together.
func columnsTo(t testing.TB, m *graph.Many, n int, targets []uint32) [][]uint8 {
	t.Helper()
	columns := make([][]uint8, len(targets))
	for i := range columns {
		columns[i] = bytes.Repeat([]byte{77}, n) // whatever is left over must go
	}
	m.DistancesTo(targets, columns)
	return columns
}

func TestManyAgreesWithOneSearchPerTarget(t *testing.T) {
	t.Parallel()
	for i := range *graphs {
		pred := graph.Transpose(small(i))
		n := pred.Nodes()
		want, targets := make([]uint8, n), everyNode(n)
		m := graph.NewMany(pred, 64<<(i%4), 1+i/4%3)
		for name, lanes := range bothPaths(m) {
			for target, got := range columnsTo(t, lanes, n, targets) {
				graph.DistancesTo(pred, uint32(target), want, nil)
				if !slices.Equal(got, want) {
					t.Fatalf("graph %d, %s, %d lanes, target %d: got %v, want %v", i, name, m.Lanes(), target, got, want)
				}
			}
		}
	}
}

// bothPaths returns m with vector code, where the machine has it, and without.
func bothPaths(m *graph.Many) map[string]*graph.Many {
	return map[string]*graph.Many{"as chosen": m, "plain": m.Plain()}
}

func everyNode(n int) []uint32 {
	nodes := make([]uint32, n)
	for u := range nodes {
		nodes[u] = uint32(u)
	}
	return nodes
}

// TestManyOnGraphsThatFillItsLanes reaches what 12 nodes cannot: every word of a row, several chunks and workers, a
// push after a pull, and a second batch in the room of the first.
func TestManyOnGraphsThatFillItsLanes(t *testing.T) {
	t.Parallel()
	cases := map[string]graph.CSR{
		"wiki":       graphtest.WikiLike(9000, 12, 1),
		"sparse":     graphtest.WikiLike(5001, 2, 2),
		"with tails": withTails(graphtest.WikiLike(6000, 9, 3), 3, 70),
		"in pieces":  graphtest.Random(77, 3000),
		"cycle":      graphtest.Cycle(200),
		"torus":      torus(14), // strongly connected, distances from 8 to 15 among them
	}
	for name, succ := range cases {
		pred := graph.Transpose(succ)
		n := pred.Nodes()
		r := rng.New(1, "many", name)
		want := make([]uint8, n)
		for _, lanes := range []int{64, 128, 256, 512} {
			for _, workers := range []int{1, 2, 5} {
				m := graph.NewMany(pred, lanes, workers)
				for _, count := range []int{lanes, lanes - 5, 1} {
					targets := make([]uint32, count)
					for i := range targets {
						targets[i] = uint32(r.Below(n))
					}
					got := columnsTo(t, m, n, targets)
					plain := columnsTo(t, m.Plain(), n, targets)
					for i := range got {
						if i%17 == 0 {
							graph.DistancesTo(pred, targets[i], want, nil)
							if !slices.Equal(got[i], want) {
								t.Fatalf("%s, %d lanes, %d workers, lane %d of %d: differs from one search", name, lanes, workers, i, count)
							}
						}
						if !slices.Equal(got[i], plain[i]) {
							t.Fatalf("%s, %d lanes, %d workers, lane %d of %d: vector code and Go differ", name, lanes, workers, i, count)
						}
					}
				}
			}
		}
	}
}

// torus links each of side x side nodes to its neighbours on both sides of its row and column.
func torus(side int) graph.CSR {
	var edges []graphtest.Edge
	for i := range side * side {
		row, column := i/side, i%side
		for _, step := range []int{1, side - 1} {
			edges = append(edges,
				graphtest.Edge{uint32(i), uint32(row*side + (column+step)%side)},
				graphtest.Edge{uint32(i), uint32((row+step)%side*side + column)})
		}
	}
	return graphtest.Build(side*side, edges)
}

// withTails adds paths of length nodes that lead away from the first nodes and back.
func withTails(c graph.CSR, tails, length int) graph.CSR {
	edges := graphtest.Edges(c)
	n := c.Nodes()
	for tail := range tails {
		at := uint32(tail)
		for range length {
			edges = append(edges, graphtest.Edge{at, uint32(n)}, graphtest.Edge{uint32(n), at})
			at = uint32(n)
			n++
		}
	}
	return graphtest.Build(n, edges)
}
