package audit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wikinav/wikinav/artifacts/fit"
	"github.com/wikinav/wikinav/artifacts/wilson"
	"github.com/wikinav/wikinav/schemas"
)

// Results is what came of the items of a run.
type Results struct {
	Name string // of the file, for messages and headings
	List []schemas.Result
}

// ScoredSet is how far the features of a set say which of its items a run solves.
type ScoredSet struct {
	Results   string      `json:"results"`
	Model     string      `json:"model"`
	Family    string      `json:"family"`
	Set       string      `json:"set"`
	N         int         `json:"n"` // items of records of the set
	Successes int         `json:"successes"`
	Rate      Rate        `json:"rate"`
	Features  []Predictor `json:"features"` // those that say most first
}

// Rate is a share with its 95 % interval (Wilson).
type Rate struct {
	Value string `json:"value"`
	Low   string `json:"low"`
	High  string `json:"high"`
}

func rateOf(k, n int) Rate {
	if n == 0 {
		return Rate{}
	}
	low, high := wilson.Interval(int64(k), int64(n))
	return Rate{number(float64(k) / float64(n)), number(low), number(high)}
}

// Predictor is a feature, success in groups of equal size by it, and the logistic curve that fits
// best. Odds is what one standard deviation more of the feature, or of its decimal logarithm, does
// to the odds of success, with its 95 % interval (Wald).
type Predictor struct {
	Feature   string `json:"feature"`
	N         int    `json:"n"`
	Groups    []Bin  `json:"groups"`
	Log       bool   `json:"log"`       // of the decimal logarithm, as fit.Wide has it
	Separates bool   `json:"separates"` // no curve: a bound of the feature parts the outcomes
	Intercept string `json:"intercept"` // of the curve 1/(1+exp(-(intercept + slope * x)))
	Slope     string `json:"slope"`
	Odds      Rate   `json:"odds_ratio_per_sd"`
	P         string `json:"p"`      // of a slope of 0 (Wald), or, where Separates, of the likelihood ratio
	Holm      string `json:"p_holm"` // for the number of features that were tried
	Predicts  bool   `json:"predicts"`
	Says      string `json:"says"`

	p float64
}

// Bin is the items whose feature is between Low and High.
type Bin struct {
	Low       string `json:"low"`
	High      string `json:"high"`
	N         int    `json:"n"`
	Successes int    `json:"successes"`
	Rate      Rate   `json:"rate"`
}

// Bounds of what is fitted and said.
const (
	leastItems = 10 // of which a curve says something
	bins       = 5  // groups of equal size
	alpha      = 0.05
)

// addScores joins results to the records of the sets. Results of no record are counted in a note.
func (rep *Report) addScores(all []Results) error {
	for _, results := range all {
		used := 0
		for _, s := range rep.Sets {
			scored, n, err := s.scored(results)
			if err != nil {
				return err
			}
			if used += n; n > 0 {
				rep.Scores = append(rep.Scores, scored)
			}
		}
		if left := len(results.List) - used; left > 0 {
			rep.Notes = append(rep.Notes, fmt.Sprintf("%d of %d results of %s are of no record here", left,
				len(results.List), results.Name))
		}
	}
	return nil
}

func (s *Set) scored(results Results) (ScoredSet, int, error) {
	of := map[string][]bool{}
	out := ScoredSet{Results: results.Name, Family: s.Family, Set: s.Set, Features: []Predictor{}}
	for _, r := range results.List {
		if r.Family == s.Family {
			of[r.Instance] = append(of[r.Instance], r.Success)
			out.Model = r.Model
		}
	}
	if len(of) == 0 {
		return out, 0, nil
	}
	values, wins := map[string][]float64{}, []bool{}
	err := s.table.Each(func(r *Record) error {
		for _, won := range of[r.ID] {
			wins = append(wins, won)
			if won {
				out.Successes++
			}
			for _, name := range s.Features {
				values[name] = append(values[name], s.table.At(r, name))
			}
		}
		return nil
	})
	if err != nil {
		return out, 0, err
	}
	out.N = len(wins)
	out.Rate = rateOf(out.Successes, out.N)
	for _, name := range s.Features {
		out.Features = append(out.Features, predictor(name, values[name], wins))
	}
	correct(out.Features)
	return out, out.N, nil
}

func predictor(name string, values []float64, wins []bool) Predictor {
	p := Predictor{Feature: name, Groups: []Bin{}, p: math.NaN()}
	var x []float64
	var y []bool
	for i, v := range values {
		if !math.IsNaN(v) {
			x, y = append(x, v), append(y, wins[i])
		}
	}
	p.N = len(x)
	p.Groups = binsOf(x, y)
	won := 0
	for _, is := range y {
		if is {
			won++
		}
	}
	switch {
	case len(x) < leastItems:
		p.Says = fmt.Sprintf("fewer than %d items: nothing is fitted", leastItems)
	case won == 0 || won == len(y):
		p.Says = "all items have one outcome: nothing is fitted"
	default:
		p.fit(x, y)
	}
	return p
}

// binsOf puts items into groups of about equal size; equal values are in one group.
func binsOf(x []float64, y []bool) []Bin {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	list := []Bin{}
	for from := 0; from < len(order); {
		to := max(from+1, (len(list)+1)*len(order)/bins)
		for to < len(order) && x[order[to]] == x[order[to-1]] {
			to++
		}
		b := Bin{Low: number(x[order[from]]), High: number(x[order[to-1]]), N: to - from}
		for _, i := range order[from:to] {
			if y[i] {
				b.Successes++
			}
		}
		b.Rate = rateOf(b.Successes, b.N)
		list, from = append(list, b), to
	}
	return list
}

// fit fits the curve of greatest likelihood.
func (p *Predictor) fit(x []float64, y []bool) {
	c, err := fit.Logistic(x, y)
	p.Log = c.Log
	switch {
	case errors.Is(err, fit.ErrSeparated):
		without := entropy(float64(c.Won), float64(c.N))
		p.Separates, p.p = true, likelihoodRatio(without-lossAtBound(x, y))
		p.Says = "beyond a bound of this feature all items have one outcome: no curve has an end"
	case err != nil:
		p.Says = err.Error() + ": nothing is fitted"
	default:
		odds := c.Odds()
		p.Intercept, p.Slope, p.p = number(c.Intercept), number(c.Slope), c.P
		p.Odds = Rate{number(odds.Value), number(odds.Low), number(odds.High)}
		p.Says = "success is likelier with more of it"
		if c.Slope < 0 {
			p.Says = "failure is likelier with more of it"
		}
	}
}

// entropy is the loss of n items of which won are successes, at their own rate.
func entropy(won, n float64) float64 {
	share := won / n
	return -float64(won*math.Log(share)) - float64((n-won)*math.Log1p(-share))
}

// likelihoodRatio returns the probability of so great a gain of the logarithm of the likelihood by
// one parameter that does nothing (Wilks 1938, https://doi.org/10.1214/aoms/1177732360).
func likelihoodRatio(gain float64) float64 { return math.Erfc(math.Sqrt(math.Max(0, gain))) }

// lossAtBound is the loss that is left where a bound parts the outcomes: a curve is the better the
// steeper it is, and in the end only items at the bound, if they have both outcomes, are uncertain.
func lossAtBound(x []float64, y []bool) (loss float64) {
	n, won := map[float64]float64{}, map[float64]float64{}
	for i, v := range x {
		n[v]++
		if y[i] {
			won[v]++
		}
	}
	for v, k := range won { // one value at most has both outcomes
		if k < n[v] {
			loss = entropy(k, n[v])
		}
	}
	return loss
}

// correct corrects for the number of features that were tried, and sorts by what is left.
func correct(list []Predictor) {
	var tried []float64
	for _, p := range list {
		tried = append(tried, p.p)
	}
	for i, v := range fit.Holm(tried) {
		list[i].P, list[i].Holm, list[i].Predicts = number(list[i].p), number(v), v < alpha
	}
	last := func(p float64) float64 { // NaN stands last, not first
		if math.IsNaN(p) {
			return math.Inf(1)
		}
		return p
	}
	slices.SortStableFunc(list, func(a, b Predictor) int { return cmp.Compare(last(a.p), last(b.p)) })
}
