package difficulty

import (
	"math/big"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/menu"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// somePair draws a source that reaches a target in graph i of a series, if it has one.
func somePair(t *testing.T, succ graph.CSR, i int) (Pair, bool) {
	t.Helper()
	n := succ.Nodes()
	r := rng.New(9, "difficulty", rng.Part(i))
	for range 20 {
		p := pairOf(t, succ, uint32(r.Below(n)), uint32(r.Below(n)))
		if len(p.Witness) > 1 {
			return p, true
		}
	}
	return Pair{}, false
}

func TestPathsBottlenecksAndDominatorsEqualBruteForce(t *testing.T) {
	tested, bottlenecks, dominators := 0, 0, 0
	for i := range 2000 {
		succ := graphtest.Random(i, 40)
		p, ok := somePair(t, succ, i)
		if !ok {
			continue
		}
		tested++
		n, s, d := succ.Nodes(), p.source(), len(p.Witness)-1
		edges := graphtest.Edges(succ)
		f := NewKit(succ, graph.Transpose(succ), Game{MaxSteps: 3, MaxLinks: 50}).Features([]Pair{p})[0]
		if want := walksOfLength(succ, d, s, p.target()); want.Cmp(new(big.Int).SetUint64(f.ShortestPaths)) != 0 {
			t.Fatalf("graph %d: %d shortest paths, want %s", i, f.ShortestPaths, want)
		}
		var wantBottle, wantDom []uint32
		for _, v := range p.Witness[1:d] {
			dist, reached := without(edges, n, v, s, p.target())
			if !reached {
				wantDom = append(wantDom, v)
			}
			if !reached || dist > d {
				wantBottle = append(wantBottle, v)
			}
		}
		if !slices.Equal(f.Bottlenecks, wantBottle) || !slices.Equal(f.Dominators, wantDom) {
			t.Fatalf("graph %d, witness %v: bottlenecks %v, dominators %v; want %v, %v", i, p.Witness, f.Bottlenecks, f.Dominators, wantBottle, wantDom)
		}
		checkLayers(t, i, succ, p, f)
		bottlenecks, dominators = bottlenecks+len(wantBottle), dominators+len(wantDom)
	}
	if tested < 1500 || dominators < 1000 || bottlenecks < dominators+300 {
		t.Errorf("%d graphs with %d bottlenecks and %d dominators test too little", tested, bottlenecks, dominators)
	}
}

// checkLayers counts the nodes at each place of a shortest path from the matrix of distances.
func checkLayers(t *testing.T, i int, succ graph.CSR, p Pair, f schemas.WikiraceFeatures) {
	t.Helper()
	d := len(p.Witness) - 1
	from := make([]uint8, succ.Nodes())
	graph.DistancesFrom(succ, p.source(), from, nil)
	want := make([]uint32, d-1)
	for v := range from {
		if from[v] > 0 && int(from[v]) < d && int(from[v])+int(p.Column[v]) == d {
			want[from[v]-1]++
		}
	}
	if !slices.Equal(f.DAGLayers, want) {
		t.Fatalf("graph %d: layers %v, want %v", i, f.DAGLayers, want)
	}
}

func TestTheWalkEqualsExactFractions(t *testing.T) {
	tested := 0
	for i := 0; tested < 500; i++ {
		succ := graphtest.Random(i, 12)
		p, ok := somePair(t, succ, i)
		if !ok {
			continue
		}
		tested++
		f := NewKit(succ, graph.Transpose(succ), Game{MaxSteps: 30, MaxLinks: 50}).Features([]Pair{p})[0]
		exact, _ := rationalWalk(succ, 30, p.source(), p.target()).Float64()
		if f.RWFull != canon.Decimal(exact) || f.RWMenu != f.RWFull {
			t.Fatalf("graph %d: rw_full %s, rw_menu %s, want %s", i, f.RWFull, f.RWMenu, canon.Decimal(exact))
		}
	}
}

func TestEightWalksSideBySideAreTheEightWalks(t *testing.T) {
	succ := graphtest.WikiLike(300, 6, 5)
	p, q := make([]row, 300), make([]row, 300)
	one, two := make([]float64, 300), make([]float64, 300)
	targets := []uint32{7, 0, 299, 7, 31}
	got := walks(succ, targets, 30, p, q)
	for lane, target := range targets {
		for u, want := range walk(succ, target, 30, one, two) {
			if got[u][lane] != want {
				t.Fatalf("target %d, node %d: %v side by side, %v alone", target, u, got[u][lane], want)
			}
		}
	}
}

// Pages with more links than a menu: everything that depends on menus, against the rule of artifacts/menu laid out page by page.
func TestFeaturesOfMenusHoldOnTheMenus(t *testing.T) {
	const limit = 5
	cut, gained, lost, differ := 0, 0, 0, 0
	for i := range 300 {
		succ := graphtest.WikiLike(60, 8, uint64(i))
		p, ok := somePair(t, succ, i)
		if !ok {
			continue
		}
		pred := graph.Transpose(succ)
		game := Game{Seed: int64(i), MaxSteps: 12, MaxLinks: limit}
		f := NewKit(succ, pred, game).Features([]Pair{p})[0]
		menus, kept := map[uint32][]uint32{}, []graphtest.Edge{}
		for u := range uint32(60) {
			rule := menu.Rule{Seed: int64(i), Instance: p.ID, MaxLinks: limit}
			menus[u] = rule.Keep(nil, u, succ.Row(u), p.Column)
			for _, v := range menus[u] {
				kept = append(kept, graphtest.Edge{u, v})
			}
		}
		s, target := p.source(), p.target()
		exact, _ := rationalWalk(graphtest.Build(60, kept), 12, s, target).Float64()
		if f.RWMenu != canon.Decimal(exact) {
			t.Fatalf("graph %d: rw_menu %s, want %s", i, f.RWMenu, canon.Decimal(exact))
		}
		for _, agent := range []struct {
			got schemas.AgentResult
			by  graph.CSR
		}{{f.GreedyIn, pred}, {f.GreedyOut, succ}} {
			ok, steps := follow(menus, 12, s, target, agent.by.Degree)
			if agent.got != (schemas.AgentResult{Success: ok, Steps: steps}) {
				t.Fatalf("graph %d: agent %+v, want %v after %d", i, agent.got, ok, steps)
			}
			if !ok {
				lost++
			}
		}
		if f.MenuSize != len(menus[s]) || f.CutSource != (len(succ.Row(s)) > limit) || f.OptFirstMenu != min(f.OptFirst, limit) {
			t.Fatalf("graph %d: menu of %d, cut %v, %d of %d optimal", i, f.MenuSize, f.CutSource, f.OptFirstMenu, f.OptFirst)
		}
		if f.CutSource {
			cut++
		}
		if f.CutGain != "0" {
			gained++
		}
		if f.RWMenu != f.RWFull {
			differ++
		}
		if f.CutGain[0] == '-' {
			t.Errorf("graph %d: cut gain %s", i, f.CutGain)
		}
	}
	if cut < 50 || gained < 50 || lost < 5 || differ < 100 {
		t.Errorf("%d sources are cut, %d gain, %d agents fail, %d walks differ: the graphs test too little", cut, gained, lost, differ)
	}
}

func TestCutGainIsADifferenceOfMeans(t *testing.T) {
	dist := []uint8{1, 2, 3, 4, schemas.Unreached}
	for _, c := range []struct {
		all, kept []uint32
		want      string
	}{
		{[]uint32{0, 1, 2, 3}, []uint32{0, 1}, "1.00000e+00"},
		{[]uint32{0, 1, 3}, []uint32{0, 1}, "8.33333e-01"},
		{[]uint32{0, 1}, []uint32{0, 1}, "0"},
		{[]uint32{0, 1, 4}, []uint32{0, 1}, "0"},
	} {
		if got := cutGain(c.all, c.kept, dist); got != c.want {
			t.Errorf("%v of %v: %s, want %s", c.kept, c.all, got, c.want)
		}
	}
}

func TestSurvivalEqualsBinomials(t *testing.T) {
	for i := range 400 {
		r := rng.New(3, "survives", rng.Part(i))
		n := 1 + r.Below(900)
		k, kept := r.Below(min(n, 60)+1), 2+r.Below(60)
		want := 1.0
		if n > kept {
			lost := new(big.Rat).SetFrac(new(big.Int).Binomial(int64(n-k), int64(kept)), new(big.Int).Binomial(int64(n), int64(kept)))
			want, _ = lost.Sub(big.NewRat(1, 1), lost).Float64()
		}
		if got := survives(n, k, kept); canon.Decimal(got) != canon.Decimal(want) {
			t.Errorf("n %d, k %d, kept %d: %s, want %s", n, k, kept, canon.Decimal(got), canon.Decimal(want))
		}
	}
}

// diamonds gives a chain of k diamonds: 2^k shortest paths.
func diamonds(k int) graph.CSR {
	var edges []graphtest.Edge
	for i := range uint32(k) {
		u := 3 * i
		edges = append(edges, graphtest.Edge{u, u + 1}, graphtest.Edge{u, u + 2}, graphtest.Edge{u + 1, u + 3}, graphtest.Edge{u + 2, u + 3})
	}
	return graphtest.Build(3*k+1, edges)
}

func TestTheNumberOfPathsSaturates(t *testing.T) {
	for k, want := range map[int]uint64{52: 1 << 52, 53: schemas.MaxShortestPaths, 60: schemas.MaxShortestPaths} {
		succ := diamonds(k)
		f := NewKit(succ, graph.Transpose(succ), Game{MaxSteps: 3, MaxLinks: 50}).Features([]Pair{pairOf(t, succ, 0, uint32(3*k))})[0]
		if f.ShortestPaths != want || f.ShortestPathsSaturated != (k >= 53) || len(f.Bottlenecks) != k-1 {
			t.Errorf("2^%d paths: %d, saturated %v, %d bottlenecks", k, f.ShortestPaths, f.ShortestPathsSaturated, len(f.Bottlenecks))
		}
	}
}

// A Kit that was used before gives what a new one gives.
func TestAKitKeepsNothing(t *testing.T) {
	succ := graphtest.WikiLike(400, 9, 4)
	var pairs []Pair
	for i := 0; len(pairs) < Batch; i++ {
		if p, ok := somePair(t, succ, i); ok {
			pairs = append(pairs, p)
		}
	}
	pred, game := graph.Transpose(succ), Game{Seed: 1, MaxSteps: 30, MaxLinks: 6}
	used := NewKit(succ, pred, game)
	together := used.Features(pairs)
	for i, p := range pairs {
		again, fresh := used.Features([]Pair{p})[0], NewKit(succ, pred, game).Features([]Pair{p})[0]
		for _, got := range []schemas.WikiraceFeatures{again, fresh} {
			if !sameFeatures(got, together[i]) {
				t.Errorf("pair %d: %+v, in the batch %+v", i, got, together[i])
			}
		}
	}
}
