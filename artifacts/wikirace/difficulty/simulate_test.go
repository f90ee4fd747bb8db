package difficulty

import (
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
)

// A 95 % interval misses one time in twenty: of 60 graphs with two estimates each, 6 are expected to miss, and 20 would be absurd.
func TestTheSimulatedWalkAgreesWithTheComputedOne(t *testing.T) {
	missed, tested := 0, 0
	for i := range 60 {
		succ := graphtest.WikiLike(60, 8, uint64(i))
		p, ok := somePair(t, succ, i)
		if !ok {
			continue
		}
		tested += 2
		game := Game{Seed: 42, MaxSteps: 12, MaxLinks: 5}
		exact := NewKit(succ, graph.Transpose(succ), game).Features([]Pair{p})[0]
		game.Simulate = true
		sim := NewKit(succ, graph.Transpose(succ), game).Features([]Pair{p})[0]
		if exact.RWMethod != schemas.RWExact || exact.RWInterval != nil || sim.RWMethod != schemas.RWSim {
			t.Fatalf("methods: %q with %v, %q", exact.RWMethod, exact.RWInterval, sim.RWMethod)
		}
		missed += outside(t, exact.RWFull, sim.RWInterval.Full) + outside(t, exact.RWMenu, sim.RWInterval.Menu)
		exact.RWFull, exact.RWMenu, exact.RWMethod = sim.RWFull, sim.RWMenu, sim.RWMethod
		if exact.CutGain != sim.CutGain || exact.GreedyIn != sim.GreedyIn {
			t.Fatalf("graph %d: other features differ", i)
		}
	}
	if missed > 20 || tested < 100 {
		t.Errorf("%d of %d computed values lie outside the interval of the simulation", missed, tested)
	}
}

func outside(t *testing.T, value string, interval [2]string) int {
	t.Helper()
	x := [3]float64{}
	for i, text := range []string{value, interval[0], interval[1]} {
		var err error
		if x[i], err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	if x[1] <= x[0] && x[0] <= x[2] {
		return 0
	}
	return 1
}
