package distances_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

func TestACacheAnswersForEveryNode(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Random(0, 300), nil)
	n := uint32(g.Len())
	set := compute(t, g, everyThird(g.Len()), 4).mustOpen(t)
	for _, behind := range []*distances.Set{set, nil} {
		cached := distances.NewCached(behind, g, 3)
		for round := range 2 {
			for target := range n {
				got, err := cached.Column(target)
				if want := columnOf(t, g, target); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("round %d, target %d: %v, %v; want %v", round, target, got, err, want)
				}
			}
		}
		if _, err := cached.Column(n); !errors.Is(err, distances.ErrNoTarget) {
			t.Errorf("a node outside the graph: %v, want ErrNoTarget", err)
		}
	}
}

func columnOf(t *testing.T, g *graph.Graph, target uint32) []uint8 {
	t.Helper()
	dist := make([]uint8, g.Len())
	graph.DistancesTo(g.Pred, target, dist, nil)
	return dist
}

// A column that is kept comes back as the same memory, one that was dropped as new memory.
func TestACacheKeepsWhatWasAskedForLast(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Cycle(10), nil)
	cached := distances.NewCached(nil, g, 2)
	first := map[uint32]*uint8{}
	for _, step := range []struct {
		target uint32
		kept   bool
	}{{0, false}, {1, false}, {0, true}, {2, false}, {0, true}, {1, false}, {0, true}, {2, false}} {
		dist, err := cached.Column(step.target)
		if err != nil {
			t.Fatal(err)
		}
		if kept := first[step.target] == &dist[0]; kept != step.kept {
			t.Errorf("target %d: kept %v, want %v", step.target, kept, step.kept)
		}
		first[step.target] = &dist[0]
	}
}

func TestACacheServesManyAtOnce(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Random(0, 300), nil)
	set := compute(t, g, everyThird(g.Len()), 4).mustOpen(t)
	cached := distances.NewCached(set, g, 5)
	want := make([][]uint8, g.Len())
	for target := range want {
		want[target] = columnOf(t, g, uint32(target))
	}
	var wg sync.WaitGroup
	for w := range 4 {
		r := rng.New(7, "reader", rng.Part(w))
		wg.Go(func() {
			for range 2000 {
				target := r.Below(g.Len())
				if got, err := cached.Column(uint32(target)); err != nil || !bytes.Equal(got, want[target]) {
					t.Errorf("target %d: %v, %v; want %v", target, got, err, want[target])
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestACacheSaysFarOfWhatNoByteTells(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Line(300), nil)
	cached := distances.NewCached(nil, g, 2)
	if dist, err := cached.Column(299); err != nil || dist[0] != schemas.Far || dist[45] != schemas.Far || dist[46] != 253 {
		t.Errorf("%v, %v; want 254 up to node 45", dist, err)
	}
	if dist, err := cached.Column(100); err != nil || dist[0] != 100 {
		t.Errorf("%v; want 100 links from node 0", err)
	}
}
