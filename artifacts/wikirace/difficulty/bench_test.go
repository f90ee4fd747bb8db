package difficulty

import (
	"bytes"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

func sameFeatures(a, b schemas.WikiraceFeatures) bool {
	return bytes.Equal(canon.MustMarshal(a), canon.MustMarshal(b))
}

// BenchmarkFeatures is a batch of 8 pairs on 100,000 pages with 36 links each: the paper's graph has 5.5 times as many.
func BenchmarkFeatures(b *testing.B) {
	const n = 100_000
	succ := graphtest.WikiLike(n, 36, 7)
	pred := graph.Transpose(succ)
	r := rng.New(1, "bench")
	var pairs []Pair
	for len(pairs) < Batch {
		if p := pairOf(b, succ, uint32(r.Below(n)), uint32(r.Below(n))); len(p.Witness) > 1 {
			pairs = append(pairs, p)
		}
	}
	kit := NewKit(succ, pred, Game{Seed: 42, MaxSteps: 30, MaxLinks: 50})
	for b.Loop() {
		kit.Features(pairs)
	}
	b.ReportMetric(float64(succ.Edges()), "edges")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/Batch, "s/pair")
}
