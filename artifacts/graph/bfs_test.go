package graph_test

import (
	"strings"
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
			farTo, err1 := graph.DistancesTo(pred, a, to, queue)
			farFrom, err2 := graph.DistancesFrom(succ, a, from, queue)
			if err1 != nil || err2 != nil {
				t.Fatalf("graph %d, node %d: %v, %v", i, a, err1, err2)
			}
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

func TestDistancesEndAtTheLargestThatAByteCanTell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		nodes int
		err   string
	}{
		{254, ""},
		{255, "node 0 is more than 253 links from target 254"},
		{300, "node 45 is more than 253 links from target 299"},
	} {
		line := graphtest.Line(c.nodes)
		dist := make([]uint8, c.nodes)
		far, err := graph.DistancesTo(graph.Transpose(line), uint32(c.nodes-1), dist, nil)
		if c.err == "" {
			if err != nil || far != 253 || dist[0] != 253 {
				t.Errorf("line of %d: far %d, d(0) %d, %v; want 253", c.nodes, far, dist[0], err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("line of %d: %v, want %q", c.nodes, err, c.err)
		}
	}
	_, err := graph.DistancesFrom(graphtest.Line(255), 0, make([]uint8, 255), nil)
	if want := "node 254 is more than 253 links from source 0"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("forward: %v, want %q", err, want)
	}
}

func BenchmarkDistancesTo(b *testing.B) {
	pred := graph.Transpose(graphtest.WikiLike(50_000, 35, 1))
	n := pred.Nodes()
	dist, queue := make([]uint8, n), make([]uint32, n)
	target := uint32(0)
	b.ResetTimer()
	for b.Loop() {
		if _, err := graph.DistancesTo(pred, target%uint32(n), dist, queue); err != nil {
			b.Fatal(err)
		}
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
