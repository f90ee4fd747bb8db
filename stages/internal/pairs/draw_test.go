package pairs

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// drawField draws all splits of p from f.
func drawField(t *testing.T, p Rules, f Field) results {
	t.Helper()
	all, _ := drawAndTally(t, p, f)
	return all
}

func drawAndTally(t *testing.T, p Rules, f Field) (results, tally) {
	t.Helper()
	d := (&Sampler{Name: "wikirace", Rules: p, Field: f}).drawer()
	all, err := d.drawAll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return all, d.tally
}

// someSplits returns the splits of case i: overlapping distances, odd sizes, and sizes that cannot be had.
func someSplits(i int) []Split {
	all := [][]Split{
		{{"one", 6, []int{2, 3}}, {"two", 5, []int{3, 4}}},
		{{"near", 9, []int{1, 2}}, {"far", 4, []int{5, 6}}},
		{{"wide", 7, []int{1, 2, 4}}, {"same", 3, []int{4}}, {"other", 3, []int{2, 4}}},
		{{"big", 60, []int{2, 3}}},
	}
	return all[i%len(all)]
}

// subset draws which of n nodes pass a filter.
func subset(r *rng.Stream, n int) []uint32 {
	var out []uint32
	for u := range uint32(n) {
		if r.Below(4) > 0 {
			out = append(out, u)
		}
	}
	return out
}

func TestDrawingEqualsTheReference(t *testing.T) {
	filled, short := 0, 0
	for i := range 300 {
		succ := graphtest.Random(i, 40)
		dist, r := graphtest.Distances(succ), rng.New(7, "wikirace", "test", strconv.Itoa(i))
		p := DefaultRules()
		p.Seed, p.Splits, p.MaxAttempts = int64(i), someSplits(i/2), []int{0, 1, 5, 40}[r.Below(4)]
		p.Reuse = []string{ReuseNone, ReuseTargets, ReuseAny}[i%3]
		p.Sample = []string{SourceFirst, TargetFirst}[r.Below(2)]
		p.ExhaustivePairs = []int64{1e10, 1e10, 300}[r.Below(3)]
		p.MatchingPairs = []int64{1e8, 20}[r.Below(2)]
		sources, targets := subset(r, len(dist)), subset(r, len(dist))

		got, tallied := drawAndTally(t, p, fieldOf(dist, sources, targets))
		judge := &referee{p: p, dist: dist, sources: sources, targets: targets}
		pairs, reports := judge.drawAll()
		if tallied != judge.tally {
			t.Fatalf("graph %d, params %+v: tally %+v, want %+v", i, p, tallied, judge.tally)
		}
		for k, s := range p.Splits {
			var drawn []pair
			for _, q := range got[k] {
				drawn = append(drawn, q.pairs...)
			}
			if !slices.Equal(drawn, pairs[s.Name]) {
				t.Fatalf("graph %d, params %+v, split %s: got %v, want %v", i, p, s.Name, drawn, pairs[s.Name])
			}
			for j, q := range got[k] {
				have, want := canon.MustMarshal(q.report), canon.MustMarshal(reports[s.Name][j])
				if !bytes.Equal(have, want) {
					t.Fatalf("graph %d, params %+v: got %s, want %s", i, p, have, want)
				}
				if q.report.Mode == "exhaustive" && q.report.Got > 0 {
					filled++
				}
				if q.report.Status == "short" {
					short++
				}
			}
		}
	}
	if filled < 100 || short < 100 {
		t.Errorf("only %d distances were filled by enumeration and %d short: the graphs test too little", filled, short)
	}
}

func TestDistancesFromSixteenOnAreDrawnToo(t *testing.T) {
	dist := graphtest.Distances(graphtest.Cycle(40))
	p := DefaultRules()
	p.Splits, p.Reuse = []Split{{"far", 30, []int{15, 16, 39}}}, ReuseAny
	for _, q := range drawField(t, p, fieldOf(dist, everyone(40), everyone(40)))[0] {
		if len(q.pairs) != 10 {
			t.Errorf("distance %d: %d pairs, want 10", q.distance, len(q.pairs))
		}
		for _, pair := range q.pairs {
			if got := dist[pair.source][pair.target]; got != q.distance {
				t.Errorf("distance %d: %v is %d apart", q.distance, pair, got)
			}
		}
	}
}

func everyone(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}

func TestAnotherSeedGivesOtherInstances(t *testing.T) {
	dist := graphtest.Distances(graphtest.WikiLike(300, 4, 3))
	p := DefaultRules()
	p.Splits = []Split{{"some", 20, []int{3, 4}}}
	f := fieldOf(dist, everyone(300), everyone(300))
	draw := func(seed int64) []pair {
		p.Seed = seed
		all := drawField(t, p, f)
		return append(all[0][0].pairs, all[0][1].pairs...)
	}
	first, again, other := draw(42), draw(42), draw(43)
	if !slices.Equal(first, again) {
		t.Errorf("seed 42 gave %v, then %v", first, again)
	}
	common := 0
	for _, p := range other {
		if slices.Contains(first, p) {
			common++
		}
	}
	if len(other) != 20 || common > 5 {
		t.Errorf("seeds 42 and 43 share %d of %d pairs", common, len(other))
	}
}

func TestSplitsAreDrawnFromTheFarthestAndSharedOutEvenly(t *testing.T) {
	got := drawingOrder(append(published(), Split{"tiny", 5, []int{2, 3, 8}}))
	want := []quota{
		{"hard", 8, 50, 50},
		{"hard", 7, 0, 50},
		{"tiny", 8, 3, 2},
		{"tiny", 3, 1, 2},
		{"tiny", 2, 0, 1},
		{"medium", 6, 75, 75},
		{"medium", 5, 0, 75},
		{"easy", 4, 100, 100},
		{"easy", 3, 0, 100},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if q := (Split{"odd", 3, []int{3, 4}}).quotas(); q[0].size != 1 || q[1].first != 1 || q[1].size != 2 {
		t.Errorf("three slots over two distances: %v, want the odd one for the larger", q)
	}
}

func TestMatchingEqualsOneAugmentingPathAtATime(t *testing.T) {
	for i := range 400 {
		dist := graphtest.Distances(graphtest.Random(i, 30))
		r := rng.New(11, "matching", strconv.Itoa(i))
		sources, targets, d := subset(r, len(dist)), subset(r, len(dist)), 1+r.Below(4)
		f := fieldOf(dist, sources, targets)
		got := newLedger(What{Over: uint8(d)}, f.Sources, f.near(d), newTaken(ReuseNone, f.Nodes)).bound()
		judge := &referee{dist: dist, sources: sources, targets: targets}
		if want := int64(kuhn(judge.all(d))); got != want {
			t.Fatalf("graph %d, distance %d: matching of %d, want %d", i, d, got, want)
		}
	}
}

// TestAMatchedDrawIsShortOnlyWhereEveryDrawIs: beside the quotas before it, each gets as many pairs as a
// matching has of what these leave, up to its size; a greedy draw is short of that somewhere.
func TestAMatchedDrawIsShortOnlyWhereEveryDrawIs(t *testing.T) {
	greedyShort := 0
	for i := range 300 {
		dist := graphtest.Distances(graphtest.Random(i, 40))
		p := DefaultRules()
		p.Seed, p.Splits, p.MaxAttempts = int64(i), someSplits(i), []int{0, 3, 40}[i%3]
		f := fieldOf(dist, everyone(len(dist)), everyone(len(dist)))
		barred := func(s, t uint32) bool { return t%5 == 0 }
		for _, match := range []bool{true, false} {
			d := (&Sampler{Name: "x", Rules: p, Field: f, Barred: barred, Match: match}).drawer()
			taken := newTaken(ReuseNone, f.Nodes)
			taken.barred = barred
			for _, q := range drawingOrder(p.Splits) {
				got, err := d.draw(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				judge := &referee{dist: dist, sources: f.Sources, targets: everyone(len(dist))}
				all := slices.DeleteFunc(judge.all(q.distance), taken.bars)
				switch most := min(q.size, kuhn(all)); {
				case match && (len(got.pairs) != most || got.report.Got != most || (got.report.Status == "ok") != (most == q.size)):
					t.Fatalf("graph %d, %+v: got %d, want %d; report %+v", i, q, len(got.pairs), most, got.report)
				case len(got.pairs) < most:
					greedyShort++
				}
				for _, pair := range got.pairs {
					if !slices.Contains(all, pair) || taken.bars(pair) {
						t.Fatalf("graph %d, %+v: %v is no pair, or was taken", i, q, pair)
					}
					taken.add(pair)
				}
			}
		}
	}
	if greedyShort < 20 {
		t.Errorf("greed was short %d times only: this tests too little", greedyShort)
	}
}

func TestG9HasThePairsOfTheWorkedExample(t *testing.T) {
	succ, _ := graphtest.G9()
	f := fieldOf(graphtest.Distances(succ), everyone(9), everyone(9))
	for d, want := range []int64{1: 18, 2: 24, 3: 21, 4: 8, 5: 1, 6: 0} {
		if d == 0 {
			continue
		}
		if got := newLedger(What{Over: uint8(d)}, f.Sources, f.near(d), newTaken(ReuseNone, 9)).allPairs; got != want {
			t.Errorf("%d pairs at distance %d, want %d", got, d, want)
		}
	}
}

// published are the splits of the specification.
func published() []Split {
	return []Split{{"easy", 200, []int{3, 4}}, {"medium", 150, []int{5, 6}}, {"hard", 100, []int{7, 8}}}
}

func TestWhatTheCallerBarsIsNeverDrawnAndCountsAsTaken(t *testing.T) {
	short := 0
	for i := range 200 {
		succ := graphtest.Random(i, 30)
		dist := graphtest.Distances(succ)
		p := DefaultRules()
		p.Splits, p.MaxAttempts, p.Reuse = someSplits(i), []int{0, 3, 40}[i%3], []string{ReuseNone, ReuseTargets, ReuseAny}[i/3%3]
		f := fieldOf(dist, everyone(len(dist)), everyone(len(dist)))
		barred := func(s, t uint32) bool { return t%3 == 0 || s == t+1 }
		all, err := (&Sampler{Name: "x", Rules: p, Field: f, Barred: barred}).drawer().drawAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		judge := &referee{dist: dist, sources: everyone(len(dist)), targets: everyone(len(dist)), p: p}
		for k := range all {
			for _, q := range all[k] {
				for _, pair := range q.pairs {
					if barred(pair.source, pair.target) {
						t.Fatalf("graph %d: drew %v, which is barred", i, pair)
					}
				}
				if q.report.Status == "short" && p.Reuse == ReuseAny {
					short++
					free := 0
					for _, pair := range judge.all(q.distance) {
						if !barred(pair.source, pair.target) {
							free++
						}
					}
					if *q.report.EligiblePairs != 0 || len(q.pairs) > free {
						t.Fatalf("graph %d, distance %d: %d pairs left, %d drawn of %d", i, q.distance, *q.report.EligiblePairs, len(q.pairs), free)
					}
				}
			}
		}
	}
	if short < 20 {
		t.Errorf("only %d shortages: the graphs test too little", short)
	}
}
