package wikirace

import (
	"fmt"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// The worked example of the wikirace specification, 5.7: from A to T.
func TestTheProofFindsTheWorkedExample(t *testing.T) {
	succ, _ := graphtest.G9()
	const g, h, target = 6, 7, 8
	x := schemas.WikiraceInstance{ID: "wr-tiny-0001", Target: schemas.PageRef{Node: target}}
	p := proof{web: plain.Of(succ), game: params{MaxSteps: 30, MaxLinks: 50, GameSeed: 42, RW: schemas.RWExact}, x: x}
	got := p.instance()
	if got.Distance != 5 || fmt.Sprint(got.Witness) != "[0 1 4 6 7 8]" {
		t.Errorf("distance %d, witness %v", got.Distance, got.Witness)
	}
	want := schemas.WikiraceFeatures{
		ShortestPaths: 4, OptFirst: 3, OutDegree: 3, OptFirstMenu: 3, MenuSize: 3,
		SourceInDegree: 3, TargetInDegree: 1, TargetOutDegree: 2, TargetInMaxOut: 2,
		DAGLayers: []uint32{3, 2, 1, 1}, Bottlenecks: []uint32{g, h}, Dominators: []uint32{g, h},
		CutDAG: []uint32{0, 8}, CutGain: "0", RandomKeepsOpt: "1.00000e+00", RWFull: "8.46251e-01", RWMenu: "8.46251e-01", RWMethod: schemas.RWExact,
		GreedyIn: schemas.AgentResult{Success: true, Steps: 6}, GreedyOut: schemas.AgentResult{Success: true, Steps: 5},
	}
	plain.Differ(want, got.Features, func(field string, want, got any) { t.Errorf("%s: got %s, want %s", field, got, want) })
	for steps, want := range map[int]float64{4: 0, 5: 5.0 / 36, 6: 3.0 / 16, 7: 163.0 / 648, 8: 1435.0 / 5184} {
		p.game.MaxSteps, p.dist = steps, p.web.To(target, plain.Open)
		if got := canon.Decimal(p.chance(p.web.Out)); got != canon.Decimal(want) {
			t.Errorf("after %d steps %s, want %g", steps, got, want)
		}
	}
}
