package items

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within*max(1, math.Abs(b)) }

func fitted(t *testing.T, d Data, name ModelName) *Fit {
	t.Helper()
	f, err := FitModel(d, name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The slope that the climb follows is that of the density, by differences of its value.
func TestTheGradientIsThatOfTheDensity(t *testing.T) {
	_, d := planted{5, 30, 2, 1.5, 0.5, 0.2, false}.simulate(1)
	for _, varied := range []bool{false, true} {
		m := newModel(d, varied)
		p := m.begin()
		m.evaluate(p)
		slope := slices.Clone(m.gradient)
		for i := range p {
			const step = 1e-5
			q := slices.Clone(p)
			q[i] += step
			m.evaluate(q)
			up := m.value
			q[i] -= 2 * step
			m.evaluate(q)
			if want := (up - m.value) / (2 * step); !near(slope[i], want, 1e-5) {
				t.Errorf("varied %v: slope %d is %v, want %v", varied, i, slope[i], want)
			}
		}
	}
}

// Instances are alike if their numbers are, however large these are.
func TestPatternsOfManyAttemptsDiffer(t *testing.T) {
	few, many := []Cell{{1, 2}, {1, 3}}, []Cell{{1 + 1<<16, 2 + 1<<16}, {1, 3}}
	list := patternsOf(Data{Cells: [][]Cell{few, many, few}})
	if len(list) != 2 || !slices.Equal(list[0].items, []int{0, 2}) {
		t.Errorf("got %+v", list)
	}
}

// The inverse is that of gonum, which takes another way, by Cholesky's factors; a matrix that is not
// positive definite has none.
func TestTheInverseIsThatOfAnother(t *testing.T) {
	s := rng.New(9, "items", "inverse")
	for n := 1; n <= 12; n++ {
		root := mat.NewDense(n, n, nil)
		root.Apply(func(int, int, float64) float64 { return gauss(s) }, root)
		var whole mat.SymDense
		whole.SymOuterK(1, root)
		for i := range n {
			whole.SetSym(i, i, whole.At(i, i)+0.1)
		}
		var factors mat.Cholesky
		var want mat.SymDense
		if !factors.Factorize(&whole) || factors.InverseTo(&want) != nil {
			t.Fatalf("gonum inverts no matrix of %d rows", n)
		}
		got, err := inverse(rows(&whole))
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				if !near(got[i][j], want.At(i, j), 1e-8) {
					t.Errorf("%d rows: at %d, %d is %v, want %v", n, i, j, got[i][j], want.At(i, j))
				}
			}
		}
		whole.SetSym(n-1, n-1, -1)
		if _, err := inverse(rows(&whole)); fault.KindOf(err) != fault.Failure {
			t.Errorf("%d rows, not definite: %v", n, err)
		}
	}
}

func rows(m mat.Symmetric) [][]float64 {
	list := make([][]float64, m.SymmetricDim())
	for i := range list {
		list[i] = mat.Row(nil, i, m)
	}
	return list
}

// The marginal likelihood is that of a sum over a far finer grid, written plainly.
func TestTheLikelihoodIsTheIntegral(t *testing.T) {
	_, d := planted{4, 20, 1, 1.5, 0.5, 0, false}.simulate(2)
	for name, points := range map[ModelName]int{OneParameter: 1, TwoParameters: 120} {
		f, want := fitted(t, d, name), 0.0
		for _, cells := range d.Cells {
			sum, weights := 0.0, 0.0
			for i := -400; i <= 400; i++ {
				for k := range points {
					z, x := float64(i)/50, (float64(k)-float64(points-1)/2)/10
					w, like := math.Exp(-z*z/2-x*x/2), 1.0
					for p, c := range cells {
						chance := 1 / (1 + math.Exp(-math.Exp(f.Varied*x)*(f.Abilities[p].Value-f.Spread*z)))
						like *= math.Pow(chance, float64(c.Won)) * math.Pow(1-chance, float64(c.Tried-c.Won))
					}
					sum, weights = sum+w*like, weights+w
				}
			}
			want += math.Log(sum / weights)
		}
		if !near(f.LogLikelihood, want, 1e-4) {
			t.Errorf("%s: log-likelihood %v, want %v", name, f.LogLikelihood, want)
		}
	}
}

// Who won or lost everything, and instances that all won or lost, have finite estimates beyond
// those of the others.
func TestNothingButWinsIsFinite(t *testing.T) {
	_, d := planted{3, 60, 1, 1.5, 0.4, 0, false}.simulate(3)
	d.Players = append(d.Players, "all", "none")
	for i := range d.Cells {
		d.Cells[i] = append(d.Cells[i], Cell{1, 1}, Cell{0, 1})
	}
	for _, data := range []Data{
		d,
		{Players: []string{"a", "b"}, Items: []string{"x", "y"}, Cells: [][]Cell{{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}}},
		{Players: []string{"a", "b"}, Items: []string{"x", "y"}, Cells: [][]Cell{{{1, 1}, {0, 1}}, {{1, 1}, {0, 1}}}},
	} {
		for _, name := range []ModelName{OneParameter, TwoParameters} {
			f := fitted(t, data, name)
			for _, e := range slices.Concat(f.Abilities, f.Difficulties, f.Discrimination) {
				if math.IsNaN(e.Value) || math.Abs(e.Lo)+math.Abs(e.Hi) > 60 || e.Lo > e.Value || e.Value > e.Hi {
					t.Errorf("%s: %+v", name, e)
				}
			}
			all, none := f.Abilities[len(f.Abilities)-2].Value, f.Abilities[len(f.Abilities)-1].Value
			for _, a := range f.Abilities[:len(f.Abilities)-2] {
				if a.Value >= all || a.Value <= none {
					t.Errorf("%s: ability %v of one that won some, %v of all, %v of none", name, a.Value, all, none)
				}
			}
		}
	}
	if err := (Data{Players: []string{"a"}}).Check(); fault.KindOf(err) != fault.Usage {
		t.Errorf("one player: %v", err)
	}
}

// Players in another order have the same estimates, and the same data the same bits.
func TestEqualDataHasEqualEstimates(t *testing.T) {
	_, d := planted{6, 80, 1, 1.5, 0.5, 0.1, false}.simulate(4)
	a, again, turned := fitted(t, d, TwoParameters), fitted(t, d, TwoParameters), Data{Items: d.Items}
	turned.Players = slices.Clone(d.Players)
	slices.Reverse(turned.Players)
	for _, cells := range d.Cells {
		cells = slices.Clone(cells)
		slices.Reverse(cells)
		turned.Cells = append(turned.Cells, cells)
	}
	b := fitted(t, turned, TwoParameters)
	if !slices.Equal(a.Abilities, again.Abilities) || !slices.Equal(a.Difficulties, again.Difficulties) {
		t.Error("the same data has other estimates the second time")
	}
	for p, e := range a.Abilities {
		if got := b.Abilities[len(b.Abilities)-1-p]; !near(got.Value, e.Value, 1e-3) || !near(got.Hi, e.Hi, 1e-3) {
			t.Errorf("player %d: %v in another order, %v before", p, got, e)
		}
	}
}

// The conditional probabilities are those of writing out all ways to win so often.
func TestReversalsAreExact(t *testing.T) {
	_, d := planted{7, 60, 1, 1, 0, 0, false}.simulate(5)
	f := fitted(t, d, OneParameter)
	test := reversals{f.Abilities, map[string]*ways{}}
	for _, cells := range d.Cells {
		got, won := test.of(cells), 0
		if got == nil {
			continue
		}
		w := newWays(cells, f.Abilities)
		seen, part, all := 0, 0.0, 0.0
		for p, c := range cells {
			won, seen = won+c.Won, seen+c.Won*w.score[p]
		}
		for set := range 1 << len(cells) {
			n, points, odds := 0, 0, 1.0
			for p := range cells {
				if set>>p&1 == 1 {
					n, points, odds = n+1, points+w.score[p], odds*math.Exp(f.Abilities[p].Value)
				}
			}
			if n == won {
				all += odds
				if points <= seen {
					part += odds
				}
			}
		}
		if !near(*got, part/all, 1e-9) {
			t.Errorf("%v: %v, want %v", cells, *got, part/all)
		}
	}
}

// An instance turned upside down is found among many, and of many without one hardly any.
func TestAnInstanceThatTheWeakWinIsFound(t *testing.T) {
	_, d := planted{10, 200, 1, 1.5, 0.3, 0, false}.simulate(6)
	find := func() (list []int) {
		f, p := fitted(t, d, OneParameter), []*float64{}
		test := reversals{f.Abilities, map[string]*ways{}}
		for _, cells := range d.Cells {
			p = append(p, test.of(cells))
		}
		for i, q := range falseRates(p) {
			if q != nil && *q <= suspicious {
				list = append(list, i)
			}
		}
		return list
	}
	if got := find(); len(got) != 0 {
		t.Errorf("suspects %v of instances that are none", got)
	}
	for p := range d.Cells[17] {
		d.Cells[17][p] = Cell{1 - p/5, 1}
	}
	if got := find(); !slices.Equal(got, []int{17}) {
		t.Errorf("suspects %v, want 17", got)
	}
}

func TestNumbersOfTheLiterature(t *testing.T) {
	for df, want := range map[float64]float64{4: 2.776, 5: 2.571, 10: 2.228, 20: 2.086, 120: 1.980} {
		if got := student975(df); !near(got, want, 0.004) {
			t.Errorf("Student's quantile of %v degrees of freedom is %v, want %v", df, got, want)
		}
	}
	// Benjamini and Hochberg 1995, section 3.2: 4 of 15 are rejected at 0.05.
	n, p := 0, []*float64{}
	for _, x := range []float64{
		0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459,
		0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1,
	} {
		p = append(p, &x)
	}
	for _, q := range falseRates(append(p, nil)) {
		if q != nil && *q <= 0.05 {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d are rejected, want 4", n)
	}
	if got := rankCorrelation([]float64{1, 2, 2, 9}, []float64{1, 3, 2, 4}); !near(*got, 0.948683, 1e-6) {
		t.Errorf("rank correlation %v", *got)
	}
}

// A subset that ten players chose predicts ten others within the error that it states.
func TestASubsetPredictsOtherPlayers(t *testing.T) {
	_, d := planted{20, 400, 1, 1.5, 0.5, 0, false}.simulate(7)
	even := d.keep(func(p int) bool { return p%2 == 0 })
	s, err := ChooseSubset(fitted(t, even, TwoParameters), 50)
	if err != nil {
		t.Fatal(err)
	}
	var others []Held
	for p := 1; p < 20; p += 2 {
		cells := d.ofPlayer(p)
		score, _ := Score(cells)
		others = append(others, Held{d.Players[p], score, s.Predict(cells)})
	}
	stated, got := MissOf(s.Held), MissOf(others)
	t.Logf("held out %+v, others %+v, by chance %.4f", *stated, *got, s.ByChance())
	beyond := 0
	for _, h := range others {
		if math.Abs(h.miss()) > stated.Within {
			beyond++
		}
	}
	if beyond > 1 { // 1 of 20 is to be expected
		t.Errorf("%d of 10 players lie beyond %.4f", beyond, stated.Within)
	}
	if got.Root >= s.ByChance() || len(s.Chosen) != 50 {
		t.Errorf("%d instances leave an error of %.4f, as many at random %.4f", len(s.Chosen), got.Root, s.ByChance())
	}
	slices.Sort(s.Chosen)
	if len(slices.Compact(s.Chosen)) != 50 {
		t.Error("an instance was chosen twice")
	}
}

// A suspect is named in every form, with who won and who lost it.
func TestASuspectIsNamed(t *testing.T) {
	_, d := planted{10, 100, 1, 1.5, 0.3, 0, false}.simulate(8)
	for p := range d.Players {
		d.Cells[40][p] = Cell{1 - p/5, 1}
	}
	s := &Source{Release: "r", Differs: []string{}, Data: d, Runs: make([]report.Run, 1)}
	for _, id := range d.Items {
		s.Tasks = append(s.Tasks, family.Task{ID: id, Instance: id, Split: "s"})
	}
	a, err := Analyse(s, TwoParameters)
	if err != nil {
		t.Fatal(err)
	}
	row := a.Items[40]
	named := slices.Contains(row.WonBy, "p0") && slices.Contains(row.LostBy, "p9") && len(row.WonBy) == 5
	if !named || a.Suspects[0] != "i40" || len(a.Suspects) > 2 {
		t.Errorf("suspects %v, won by %v, lost by %v", a.Suspects, row.WonBy, row.LostBy)
	}
	if (*row.PointBiserial)[0] != '-' || !slices.Contains(row.Flags, FlagSuspect) {
		t.Errorf("point-biserial %s, flags %v", *row.PointBiserial, row.Flags)
	}
	for _, text := range [][]byte{a.Text(), a.Markdown(), a.itemsCSV()} {
		if !strings.Contains(string(text), "i40") {
			t.Errorf("i40 is not in\n%s", text)
		}
	}
}
