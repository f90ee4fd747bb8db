package audit

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// TestQuartilesAreThoseOfTheDefinition: the values of numpy.quantile, and of R's default.
func TestQuartilesAreThoseOfTheDefinition(t *testing.T) {
	t.Parallel()
	list := []float64{1, 2, 4, 8, 16, 32}
	for p, want := range map[float64]float64{0: 1, 0.25: 2.5, 0.5: 6, 0.75: 14, 1: 32} {
		near(t, fmt.Sprint("quantile ", p), Quantile(list, p), want, 1e-12)
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("nothing has a median")
	}
	q := quartilesOf("x", []float64{3, math.NaN(), 1})
	if q.N != 2 || q.Median != "2.00000e+00" || q.Mean != "2.00000e+00" {
		t.Errorf("what is missing counts: %+v", q)
	}
}

// TestSpearmanIsTheCorrelationOfRanks: worked by hand, with ties, and the sign of a falling list.
func TestSpearmanIsTheCorrelationOfRanks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 100, 1000, 10000}, 1},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, 4.5 / math.Sqrt(4.5*5)},
	} {
		rho, n := spearman(c.x, c.y)
		near(t, fmt.Sprint(c.x, c.y), rho, c.want, 1e-12)
		if n != len(c.x) {
			t.Errorf("n is %d", n)
		}
	}
	if rho, _ := spearman([]float64{1, 1}, []float64{1, 2}); !math.IsNaN(rho) {
		t.Errorf("what is the same everywhere correlates with nothing: got %v", rho)
	}
	if got := ranks([]float64{5, 1, 5, 3}); !slices.Equal(got, []float64{3.5, 1, 3.5, 2}) {
		t.Errorf("ranks %v", got)
	}
}

// simulated is a table with two features, of which the first alone decides success, and results
// drawn by the curve of planted intercept and slope.
func simulated(t *testing.T, n int, intercept, slope float64) (*Table, []schemas.Result) {
	t.Helper()
	r := rng.New(7, "audit", "test")
	uniform := func() float64 { return float64(r.Below(1<<30)) / (1 << 30) }
	var rows []Row
	var results []schemas.Result
	for i := range n {
		x, y := 10*uniform(), 10*uniform()
		id := fmt.Sprint("i-", i)
		rows = append(rows, Row{ID: id, Record: struct {
			Says  float64 `json:"says"`
			Noise float64 `json:"noise"`
			Same  int     `json:"same"`
		}{x, y, 3}})
		results = append(results, schemas.Result{
			Family: "f", Instance: id, Success: uniform() < 1/(1+math.Exp(-intercept-slope*x)),
		})
	}
	table, err := TableOf("f", "s", release.Audit{}, rows)
	if err != nil {
		t.Fatal(err)
	}
	return table, results
}

// TestACurveFindsWhatWasPlanted: intercept and slope within three standard errors of 400 items, the
// feature that decides is said to predict, and the one that does not is not.
func TestACurveFindsWhatWasPlanted(t *testing.T) {
	t.Parallel()
	table, results := simulated(t, 400, -3, 0.6)
	rep, err := Folder(t.Context(), "x", []*Table{table},
		Request{Results: []Results{{"run", results}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Scores) != 1 || rep.Scores[0].N != 400 || len(rep.Scores[0].Features) != 2 {
		t.Fatalf("got %+v", rep.Scores)
	}
	says, noise := rep.Scores[0].Features[0], rep.Scores[0].Features[1]
	if says.Feature != "says" || !says.Predicts || noise.Predicts {
		t.Errorf("%s predicts: %v, %s predicts: %v", says.Feature, says.Predicts, noise.Feature,
			noise.Predicts)
	}
	near(t, "slope", parsed(t, says.Slope), 0.6, 0.15)
	near(t, "intercept", parsed(t, says.Intercept), -3, 0.8)
	if low, high := parsed(t, noise.Odds.Low), parsed(t, noise.Odds.High); low > 1 || high < 1 {
		t.Errorf("the interval of a feature without effect, %v to %v, misses 1", low, high)
	}
	n, won := 0, 0
	for _, b := range says.Groups {
		n, won = n+b.N, won+b.Successes
	}
	if n != 400 || won != rep.Scores[0].Successes || len(says.Groups) != bins {
		t.Errorf("groups hold %d items and %d successes, of 400 and %d", n, won, rep.Scores[0].Successes)
	}
}

// TestAFeatureThatPartsAllHasNoCurve: the likelihood has no maximum there, and a number would be
// where the optimiser gave up.
func TestAFeatureThatPartsAllHasNoCurve(t *testing.T) {
	t.Parallel()
	var x []float64
	var y []bool
	for i := range 20 {
		x, y = append(x, float64(i)), append(y, i >= 12)
	}
	p := predictor("x", x, y)
	if !p.Separates || p.Slope != "" || p.Odds.Value != "" {
		t.Errorf("got %+v", p)
	}
	// All successes at 0, and failures at 0 too: with one failure elsewhere that is chance, with
	// many it is not.
	for beyond, predicts := range map[int]bool{1: false, 40: true} {
		var x []float64
		var y []bool
		for i := range 40 + beyond {
			x, y = append(x, float64(max(0, i-39))), append(y, i < 20)
		}
		list := []Predictor{predictor("x", x, y)}
		correct(list)
		if p := list[0]; !p.Separates || p.Predicts != predicts || p.Slope != "" {
			t.Errorf("%d failures beyond the bound: got %+v", beyond, p)
		}
	}
	for _, none := range [][]bool{make([]bool, 20), nil} {
		if p := predictor("x", x[:len(none)], none); p.Slope != "" || p.Says == "" {
			t.Errorf("%d items of one outcome: got %+v", len(none), p)
		}
	}
}

// TestEveryCurveHasAnEnd: 300 draws, half of them with a truth value as the feature. The intervals
// hold the planted odds ratio in about 95 of 100.
func TestEveryCurveHasAnEnd(t *testing.T) {
	t.Parallel()
	r := rng.New(11, "audit", "test")
	uniform := func() float64 { return float64(r.Below(1<<30)) / (1 << 30) }
	fitted, covered := 0, 0
	for i := range 300 {
		var x []float64
		var y []bool
		for range 120 {
			v := uniform()
			if i%2 == 0 {
				v = math.Round(v)
			}
			x, y = append(x, v), append(y, uniform() < 1/(1+math.Exp(1-2*v)))
		}
		mean, square := 0.0, 0.0
		for _, v := range x {
			mean, square = mean+v/120, square+v*v/120
		}
		sd := math.Sqrt(square - mean*mean)
		p := predictor("x", x, y)
		if p.Separates {
			continue
		}
		if p.Slope == "" {
			t.Fatalf("draw %d: %s", i, p.Says)
		}
		fitted++
		if planted := math.Exp(2 * sd); parsed(t, p.Odds.Low) <= planted &&
			planted <= parsed(t, p.Odds.High) {
			covered++
		}
	}
	if share := float64(covered) / float64(fitted); fitted < 290 || share < 0.92 || share > 0.985 {
		t.Errorf("%d of %d intervals hold what was planted", covered, fitted)
	}
}

func TestHolmCorrectsForWhatWasTried(t *testing.T) {
	t.Parallel()
	list := []Predictor{{p: 0.04}, {p: math.NaN()}, {p: 0.01}, {p: 0.03}}
	correct(list)
	for i, want := range []string{"3.00000e-02", "6.00000e-02", "6.00000e-02", ""} {
		if list[i].Holm != want || list[i].Predicts != (i == 0) {
			t.Errorf("%d: Holm %s, predicts %v; want %s", i, list[i].Holm, list[i].Predicts, want)
		}
	}
}

// TestACountThatLostAPartBreaksItsLaw: one link less in one position, and the law says so.
func TestACountThatLostAPartBreaksItsLaw(t *testing.T) {
	t.Parallel()
	c := counters{Entry: {
		"links_kept": 10, "links_in_body": 6, "links_in_tables": 3, "links_in_refs": 1,
	}, "draw": {"attempts": 9, "accepted_a": 4, "rejected_x": 6, "filled_by_enumeration": 1}}
	for _, want := range []bool{true, false} {
		laws := c.laws()
		if len(laws) != 2 || laws[0].Holds != want || !laws[1].Holds {
			t.Errorf("got %+v, want the first to hold: %v", laws, want)
		}
		c[Entry]["links_in_body"]--
	}
	if line := c.funnel()[1]; line.N != 4 || line.Of == nil || *line.Of != 10 {
		t.Errorf("got %+v", line)
	}
}

func TestWhatARecordLacksIsNoNumber(t *testing.T) {
	t.Parallel()
	type r struct {
		A *int   `json:"a"`
		B []int  `json:"b"`
		C bool   `json:"c"`
		D string `json:"d"`
		E map[string]int
		F float64 `json:"f"`
	}
	one := 1
	table, err := TableOf("f", "s", release.Audit{By: []string{"d"}, Skip: []string{"f"}}, []Row{
		{ID: "x", Record: r{nil, []int{1, 2}, true, "medium", nil, 1}},
		{ID: "y", Record: r{&one, nil, false, "easy", nil, 2}, Reasons: []string{"odd"}},
		{ID: "z", Record: r{&one, []int{}, false, "easy", nil, 3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := Folder(t.Context(), "n", []*Table{table}, Request{})
	if err != nil {
		t.Fatal(err)
	}
	s := rep.Sets[0]
	if s.N != 3 || !slices.Equal(s.Features, []string{"a", "b", "c"}) || len(s.Groups) != 3 ||
		s.Groups[1].N != 2 || s.Groups[1].Name() != "d easy" || s.Groups[0].Features[0].N != 2 ||
		s.Groups[0].Features[1].Max != "2.00000e+00" {
		t.Errorf("got %+v", s)
	}
	if s.SuspiciousN != 1 || s.Suspicious[0].ID != "y" || s.Suspects[0] != (Reason{"odd", 1}) {
		t.Errorf("suspicious %+v %+v", s.Suspicious, s.Suspects)
	}
}

func TestATitleGivesAwayAnotherByWholeWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Basel", "Basel Zoo", true},
		{"Page 1", "Page 10", false},
		{"basel", "Zoo (Basel)", true},
		{"Rom", "Rom (Film)", false},
		{"مدينة", "مدينة بازل", true},
		{"????", "what", false},
		{"Ann", "Annapolis", false},
	} {
		if got := within(c.a, c.b); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestWhatSetsShareIsCountedFromEachSide: worked by hand. The pair 1-2 is in both, 3-4 is there the
// other way round, 5-9 shares its target, and 7-6 ends a path that the other set reveals.
func TestWhatSetsShareIsCountedFromEachSide(t *testing.T) {
	t.Parallel()
	a := &PairSet{Family: "f", Set: "a", asked: []pair{{1, 2}, {3, 4}, {5, 9}, {7, 6}, {1, 8}}}
	b := &PairSet{Family: "g", Set: "b", asked: []pair{{1, 2}, {4, 3}, {0, 9}}}
	want := Overlap{A: "f/a", B: "g/b", Pairs: 1, Reversed: 1, Sources: 2, Targets: 2, OnPaths: 1}
	if got := a.against(b, map[pair]bool{{7, 6}: true, {1, 2}: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	a.repeats()
	if a.Pairs != 5 || a.SourcesTwice != 1 || a.TargetsTwice != 0 || a.BothEnds != 0 {
		t.Errorf("repeats: %+v", a)
	}
	b.asked = append(b.asked, pair{9, 0}, pair{1, 2})
	if b.repeats(); b.Pairs != 4 || b.SourcesTwice != 1 || b.TargetsTwice != 1 || b.BothEnds != 2 {
		t.Errorf("repeats: %+v", b)
	}
	out, err := (&auditor{}).overlaps([]*PairSet{a, b}, map[*PairSet]bool{b: true})
	if err != nil || len(out) != 1 || out[0].A != "g/b" || !out[0].Train || out[0].Pairs != 2 {
		t.Errorf("a set to train on is held against the other: %+v, %v", out, err)
	}
}
