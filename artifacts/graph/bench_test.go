package graph_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/rng"
)

// The benchmarked graph is the largest component of a graph like Wikipedia's, of these figures before that. -nodes 560000
// gives the shape of the performance specification, -nodes 6800000 -degree 24 that of the English Wikipedia.
var (
	benchNodes  = flag.Int("nodes", 50_000, "nodes of the benchmarked graph")
	benchDegree = flag.Int("degree", 35, "mean out-degree of the benchmarked graph")
	benchFile   = flag.String("write", "", "write the benchmarked graph to this file, for peers")
)

var benchGraph = sync.OnceValues(func() (succ, pred graph.CSR) {
	whole := graphtest.WikiLike(*benchNodes, *benchDegree, 42)
	components := graph.SCC(whole)
	succ, _ = graph.Induced(whole, components.Members(components.Largest()))
	fmt.Printf("nodes: %d\nedges: %d\n", succ.Nodes(), succ.Edges()) // configuration lines of the benchmark format
	return succ, graph.Transpose(succ)
})

// drawTargets returns the targets that every method is measured on.
func drawTargets(count int) []uint32 {
	succ, _ := benchGraph()
	r := rng.New(7, "bench", "targets")
	targets := make([]uint32, count)
	for i := range targets {
		targets[i] = uint32(r.Below(succ.Nodes()))
	}
	return targets
}

// BenchmarkDistances measures nanoseconds per (node, target), the columns written. One operation is one batch.
func BenchmarkDistances(b *testing.B) {
	succ, pred := benchGraph()
	n := pred.Nodes()
	column, queue := make([]uint8, n), make([]uint32, n)
	b.Run("queue", func(b *testing.B) {
		measure(b, 16, eachTarget(func(t uint32) { graph.DistancesTo(pred, t, column, queue) }))
	})
	b.Run("direction", func(b *testing.B) {
		s := graph.NewSearch(succ, pred)
		measure(b, 32, eachTarget(func(t uint32) { s.DistancesTo(t, column) }))
	})
	columns := make([][]uint8, graph.MaxLanes)
	for i := range columns {
		columns[i] = make([]uint8, n)
	}
	for _, lanes := range []int{64, 256, 512} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("many/lanes=%d/workers=%d", lanes, workers), func(b *testing.B) {
				m := graph.NewMany(pred, lanes, workers)
				measure(b, lanes, func(targets []uint32) { m.DistancesTo(targets, columns[:lanes]) })
			})
		}
	}
	b.Run("many/lanes=512/workers=2/plain", func(b *testing.B) {
		m := graph.NewMany(pred, 512, 2).Plain()
		measure(b, 512, func(targets []uint32) { m.DistancesTo(targets, columns) })
	})
}

func eachTarget(search func(uint32)) func([]uint32) {
	return func(targets []uint32) {
		for _, t := range targets {
			search(t)
		}
	}
}

// measure runs batches of count targets. The first is not counted: it is the one that gets its memory from the system.
func measure(b *testing.B, count int, search func([]uint32)) {
	b.Helper()
	targets := drawTargets(count)
	search(targets)
	b.ResetTimer()
	for range b.N {
		search(targets)
	}
	succ, _ := benchGraph()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(succ.Nodes())/float64(count), "ns/distance")
}

// BenchmarkComponents measures the components and the transpose, per edge.
func BenchmarkComponents(b *testing.B) {
	succ, pred := benchGraph()
	for name, run := range map[string]func(){
		"tarjan":    func() { graph.SCC(succ) },
		"transpose": func() { graph.Transpose(succ) },
		"prepare":   func() { graph.NewMany(pred, 64, 1) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(succ.Edges()), "ns/edge")
		})
	}
}

// peerTargets is how many targets peers are measured on.
const peerTargets = 8

// TestTheBenchmarkedGraphCanBeHandedToPeers writes it for .ci/peers.py: three uint64 (nodes, edges, targets), the offsets
// as int32, the successors as uint32, the targets as uint32 and for each target, as uint64, the sum of all distances to it.
func TestTheBenchmarkedGraphCanBeHandedToPeers(t *testing.T) {
	t.Parallel()
	if *benchFile == "" {
		t.Skip("-write names no file")
	}
	succ, pred := benchGraph()
	targets := drawTargets(peerTargets)
	sums, dist := make([]uint64, len(targets)), make([]uint8, succ.Nodes())
	for i, target := range targets {
		graph.DistancesTo(pred, target, dist, nil)
		for _, d := range dist {
			sums[i] += uint64(d)
		}
	}
	file, err := os.Create(*benchFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sizes := []uint64{uint64(succ.Nodes()), uint64(succ.Edges()), uint64(len(targets))}
	for _, part := range []any{sizes, succ.Offsets, succ.Values, targets, sums} {
		if err := binary.Write(file, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
}
