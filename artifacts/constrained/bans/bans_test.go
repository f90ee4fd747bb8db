package bans_test

import (
	"bytes"
	"testing"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// column gives the distances to t without any ban.
func column(t *testing.T, g *graph.Graph, target uint32) []uint8 {
	t.Helper()
	dist := make([]uint8, g.Len())
	graph.DistancesTo(g.Pred, target, dist, nil)
	return dist
}

// record is an instance before it is filled.
func record(s, t uint32, bit uint8, rule string) schemas.ConstrainedInstance {
	return schemas.ConstrainedInstance{
		Source: schemas.PageRef{Node: s}, Target: schemas.PageRef{Node: t}, BannedCategory: schemas.LabelNames[bit], UnlabelledRule: rule,
	}
}

// digraph gives 5 to 12 nodes in a circle, and links that go up to three places back and two on.
func digraph(r *rng.Stream) graph.CSR {
	n := 5 + r.Below(8)
	var edges []graphtest.Edge
	for u := range uint32(n) {
		edges = append(edges, graphtest.Edge{u, (u + 1) % uint32(n)})
	}
	for range n + r.Below(n) {
		u := r.Below(n)
		edges = append(edges, graphtest.Edge{uint32(u), uint32((u + n - 3 + r.Below(6)) % n)})
	}
	return graphtest.Build(n, edges)
}

// farthest gives the first node of those that are farthest from the target, which every node reaches.
func farthest(dist []uint8) uint32 {
	best := 0
	for u, d := range dist {
		if d > dist[best] {
			best = u
		}
	}
	return uint32(best)
}

// masksOf draws no label for a third of the pages, one or two of few for the others.
func masksOf(r *rng.Stream, n int) []uint32 {
	masks := make([]uint32, n)
	for u := range masks {
		for range r.Below(3) {
			masks[u] |= 1 << r.Below(6)
		}
	}
	return masks
}

func TestPathsAndFeaturesEqualTheEnumerationOfSimplePaths(t *testing.T) {
	seen := map[string]int{}
	for i := range 5000 {
		r := rng.New(11, "bans", rng.Part(i))
		c := digraph(r)
		g := graphtest.Graph(c, nil)
		masks, bit, rule := masksOf(r, c.Nodes()), uint8(r.Below(3)), schemas.UnlabelledAllow
		if r.Below(5) == 0 {
			rule = schemas.UnlabelledForbid
		}
		target := uint32(r.Below(c.Nodes()))
		dist := column(t, g, target)
		s := farthest(dist)
		kit := bans.NewKit(g, masks)
		got := record(s, target, bit, rule)
		facts, feasible := measured(c, s, target, masks, bit, rule == schemas.UnlabelledForbid)
		path := kit.Path(bans.PairOf(&got, dist))
		if (path != nil) != feasible {
			t.Fatalf("graph %d, %d to %d: path %v, want a path: %v", i, s, target, path, feasible)
		}
		if !feasible {
			seen["infeasible"]++
			if err := kit.Fill(&got, dist); err == nil {
				t.Fatalf("graph %d: a pair without a path was filled", i)
			}
			continue
		}
		for range 2 { // the second finds the scratch of the first
			if err := kit.Fill(&got, dist); err != nil {
				t.Fatal(err)
			}
		}
		want := facts
		want.Source, want.Target, want.BannedCategory, want.UnlabelledRule = got.Source, got.Target, got.BannedCategory, rule
		want.BaselineTitles, want.ConstrainedTitles = titles(g, want.BaselinePath), titles(g, want.ConstrainedPath)
		if a, b := canon.MustMarshal(got), canon.MustMarshal(want); !bytes.Equal(a, b) {
			t.Fatalf("graph %d, %d to %d, masks %b, bit %d, %s\n got %s\nwant %s", i, s, target, masks, bit, rule, a, b)
		}
		seen[got.Binding]++
		countCompat(t, seen, got)
	}
	for _, kind := range []string{"infeasible", "none", "on_witness", "longer", "exact only", "compat longer", "compat found late"} {
		if seen[kind] == 0 {
			t.Errorf("no case of %q in %v: the graphs test too little", kind, seen)
		}
	}
	t.Log(seen)
}

// countCompat holds the published procedure against the exact length: never shorter, and it misses some.
func countCompat(t *testing.T, seen map[string]int, x schemas.ConstrainedInstance) {
	t.Helper()
	switch {
	case !x.Compat.Found:
		seen["exact only"]++
	case *x.Compat.Length < x.ConstrainedLength:
		t.Errorf("the published procedure found %d links, exact are %d", *x.Compat.Length, x.ConstrainedLength)
	case *x.Compat.Length > x.ConstrainedLength:
		seen["compat longer"]++
	case x.Compat.Iterations > 1:
		seen["compat found late"]++
	}
}

func titles(g *graph.Graph, path []uint32) []string {
	out := []string{}
	for _, u := range path {
		out = append(out, g.Title(u))
	}
	return out
}

// The published procedure stops after 20 searches, even where the 21st would succeed.
func TestCompatGivesUpAfterTwentySearches(t *testing.T) {
	for _, c := range []struct {
		ways  int // banned ways of two links, before the free one of three
		found bool
		want  int
	}{{19, true, 20}, {20, false, 20}} {
		var edges []graphtest.Edge
		n := uint32(c.ways) + 4
		s, a, b, target := n-4, n-3, n-2, n-1
		masks := make([]uint32, n)
		for u := range uint32(c.ways) {
			edges = append(edges, graphtest.Edge{s, u}, graphtest.Edge{u, target})
			masks[u] = 1
		}
		edges = append(edges, graphtest.Edge{s, a}, graphtest.Edge{a, b}, graphtest.Edge{b, target})
		g := graphtest.Graph(graphtest.Build(int(n), edges), nil)
		x := record(s, target, 0, schemas.UnlabelledAllow)
		if err := bans.NewKit(g, masks).Fill(&x, column(t, g, target)); err != nil {
			t.Fatal(err)
		}
		if x.Compat.Found != c.found || x.Compat.Iterations != c.want || x.ConstrainedLength != 3 {
			t.Errorf("%d banned ways: %+v, length %d; want found %v after %d, length 3", c.ways, x.Compat, x.ConstrainedLength, c.found, c.want)
		}
	}
}
