package graph_test

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
)

func TestDistancesAgreeWithFloydAndWarshall(t *testing.T) {
	t.Parallel()
	for i := range 2000 {
		succ := graphtest.Random(i, 60)
		n := succ.Nodes()
		pred := graph.Transpose(succ)
		want := graphtest.Distances(succ)
		to, from, queue := make([]uint8, n), make([]uint8, n), make([]uint32, n)
		for a := range uint32(n) {
			farTo := graph.DistancesTo(pred, a, to, queue)
			farFrom := graph.DistancesFrom(succ, a, from, queue)
			maxTo, maxFrom := 0, 0
			for b := range n {
				maxTo = max(maxTo, checkDistance(t, i, b, int(a), to[b], want[b][a]))
				maxFrom = max(maxFrom, checkDistance(t, i, int(a), b, from[b], want[a][b]))
			}
			if farTo != maxTo || farFrom != maxFrom {
				t.Fatalf("graph %d, node %d: eccentricities %d to, %d from; want %d, %d", i, a, farTo, farFrom, maxTo, maxFrom)
			}
		}
	}
}

// checkDistance returns the wanted distance, 0 where there is none.
func checkDistance(t *testing.T, i, u, v int, got uint8, want int) int {
	t.Helper()
	if want >= graphtest.Unreachable {
		if got != schemas.Unreached {
			t.Fatalf("graph %d: d(%d, %d) = %d, want unreached", i, u, v, got)
		}
		return 0
	}
	if int(got) != want {
		t.Fatalf("graph %d: d(%d, %d) = %d, want %d", i, u, v, got, want)
	}
	return want
}

// TestAColumnSaysFarOfWhatAByteCannotTell: on a line of n nodes every kernel says 254 of 254 links and more, and
// knows the true length of the longest path.
func TestAColumnSaysFarOfWhatAByteCannotTell(t *testing.T) {
	t.Parallel()
	for _, n := range []int{254, 255, 256, 300, 1200} {
		line := graphtest.Line(n)
		pred, last := graph.Transpose(line), uint32(n-1)
		want := make([]uint8, n)
		for u := range want {
			want[u] = uint8(min(n-1-u, 254))
		}
		column := func() []uint8 { return make([]uint8, n) }
		queue, search, many, unbanned, avoiding := column(), column(), column(), column(), column()
		far := graph.DistancesTo(pred, last, queue, nil)
		also := graph.NewSearch(line, pred).DistancesTo(last, search)
		graph.NewMany(pred, 64, 2).DistancesTo([]uint32{last, last, 0}, [][]uint8{many, column(), column()})
		graph.DistancesUnbanned(pred, last, make([]bool, n), unbanned, nil)
		graph.DistancesAvoiding(pred, last, make([]bool, n), avoiding, nil)
		for i, got := range [][]uint8{queue, search, many, unbanned, avoiding} {
			if !slices.Equal(got, want) {
				t.Errorf("line of %d, kernel %d: %v", n, i, got)
			}
		}
		if far != n-1 || also != n-1 {
			t.Errorf("line of %d: the farthest node is %d and %d links away", n, far, also)
		}
	}
}

// TestExactDistancesHaveAPathOfAnyLength: a distance of 32 bits leads along a chain of which a column tells nothing.
func TestExactDistancesHaveAPathOfAnyLength(t *testing.T) {
	t.Parallel()
	line := graphtest.Line(2000)
	pred := graph.Transpose(line)
	exact, column := make([]uint32, 2000), make([]uint8, 2000)
	graph.DistancesAvoiding(pred, 1999, make([]bool, 2000), exact, nil)
	graph.DistancesTo(pred, 1999, column, nil)
	if path, layers := graph.Witness(line, exact, 0), graph.Layers(line, exact, 0); len(path) != 2000 || len(layers) != 2000 {
		t.Errorf("a path of %d nodes and %d layers, want 2000", len(path), len(layers))
	}
	if path, layers := graph.Witness(line, column, 0), graph.Layers(line, column, 0); path != nil || layers != nil {
		t.Errorf("a column that says far has a path of %d nodes and %d layers", len(path), len(layers))
	}
}

func BenchmarkDistancesTo(b *testing.B) {
	pred := graph.Transpose(graphtest.WikiLike(50_000, 35, 1))
	n := pred.Nodes()
	dist, queue := make([]uint8, n), make([]uint32, n)
	target := uint32(0)
	b.ResetTimer()
	for b.Loop() {
		graph.DistancesTo(pred, target%uint32(n), dist, queue)
		target += 7919
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
}

func BenchmarkTranspose(b *testing.B) {
	c := graphtest.WikiLike(50_000, 35, 1)
	b.ResetTimer()
	for b.Loop() {
		graph.Transpose(c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Edges()), "ns/edge")
}
