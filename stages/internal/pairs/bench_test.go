package pairs

import (
	"context"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/rng"
)

// BenchmarkDrawing draws the published splits from 20,000 pages and 7,000 targets, without opening files.
func BenchmarkDrawing(b *testing.B) {
	const n, targets = 20_000, 7_000
	succ := graphtest.WikiLike(n, 10, 7)
	pred, queue := graph.Transpose(succ), make([]uint32, n)
	f := Field{Nodes: n, Sources: everyone(n)}
	for _, v := range rng.New(1, "bench").Choose(n, targets) {
		column := make([]uint8, n)
		graph.DistancesTo(pred, uint32(v), column, queue)
		at, _ := distances.Count(column)
		f.Targets = append(f.Targets, Target{uint32(v), column, at, column})
	}
	for b.Loop() {
		rules := DefaultRules()
		rules.Splits = published()
		d := (&Sampler{Name: "wikirace", Rules: rules, Field: f}).drawer()
		if _, err := d.drawAll(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(d.tally.attempts), "attempts")
		b.ReportMetric(float64(d.tally.filled), "enumerated")
	}
}
