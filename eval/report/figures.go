package report

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/fit"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Column is what a metric is called in tables, and whether more of it is better.
type Column struct {
	Heading string `json:"heading"`
	Metric  string `json:"metric"`
	Better  int    `json:"better"`
	Detail  bool   `json:"detail"` // tables of runs leave it out
}

// Budget is the share of all items that were won within a budget, by series.
type Budget struct {
	Unit   string        `json:"unit"` // what is counted: turns, or turns for each of an optimal player
	Points []BudgetPoint `json:"points"`
}

// BudgetPoint is a budget, and what was won within it.
type BudgetPoint struct {
	Budget  string         `json:"budget"`
	Success []judge.Metric `json:"success"` // in the order of the series
}

// mostBudgets is how many budgets a curve has.
const mostBudgets = 24

// ratios are budgets as multiples of the turns of an optimal player.
var ratios = []float64{1, 1.25, 1.5, 2, 2.5, 3, 4, 6, 8, 12}

// budgets returns completion against budget: nothing where every win took one turn.
func budgets(list []series) []Budget {
	turns := map[int]bool{}
	for _, s := range list {
		for _, x := range s.results {
			if x.Success {
				turns[x.Counted] = true
			}
		}
	}
	all := slices.Sorted(maps.Keys(turns))
	if len(all) == 0 || all[len(all)-1] <= 1 {
		return []Budget{}
	}
	absolute, relative := Budget{Unit: "turns"}, Budget{Unit: "turns for each turn of an optimal player"}
	for i := range min(mostBudgets, len(all)) {
		n := all[(i+1)*len(all)/min(mostBudgets, len(all))-1]
		absolute.add(list, strconv.Itoa(n), func(x family.Result) bool { return x.Counted <= n })
	}
	for _, r := range ratios {
		text := strconv.FormatFloat(r, 'g', -1, 64)
		relative.add(list, text, func(x family.Result) bool {
			return float64(x.Counted) <= r*float64(max(1, x.Length))
		})
	}
	return []Budget{absolute, relative}
}

func (b *Budget) add(list []series, budget string, within func(family.Result) bool) {
	p := BudgetPoint{Budget: budget}
	for _, s := range list {
		won, n := 0, 0
		for _, x := range s.results {
			if x.Outcome != schemas.OutcomeInfra {
				n++
				won += judge.One(x.Success && within(x))
			}
		}
		p.Success = append(p.Success, judge.Share(won, n))
	}
	b.Points = append(b.Points, p)
}

// byVisits is success by how often the state was visited that was visited most: a game that is in
// circles visits one twice or more. It has no groups where nobody counts visits.
func byVisits(list []series) Curve {
	c := Curve{Name: "visits", Groups: []Bin{}}
	for _, b := range [][2]int{{1, 1}, {2, 2}, {3, 3}, {4, 5}, {6, 9}, {10, math.MaxInt}} {
		high := strconv.Itoa(b[1])
		if b[1] == math.MaxInt {
			high = "more"
		}
		g := bin(list, strconv.Itoa(b[0]), high, func(x family.Result) bool {
			return x.Visits >= b[0] && x.Visits <= b[1]
		})
		if g.played() {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}

// Planning is how far success follows from the rate of single errors: Predicted is what errors that
// do not depend on each other would give, Gap what success is above it.
type Planning struct {
	Run       string           `json:"run"`
	Accuracy  judge.Metric     `json:"step_accuracy_micro"`
	Success   judge.Metric     `json:"success_rate"`
	Predicted *string          `json:"sr_pred"`
	Gap       *string          `json:"sr_gap"`
	Lengths   []PlanningLength `json:"lengths"`
}

// PlanningLength is the items whose optimal player takes so many turns.
type PlanningLength struct {
	Length    int          `json:"length"`
	Success   judge.Metric `json:"success_rate"`
	Predicted string       `json:"sr_pred"`
}

// plannings returns the planning gap of each series; none where every item is one turn.
func plannings(list []series) []Planning {
	out := []Planning{}
	for _, s := range list {
		if p, ok := s.planning(); ok {
			out = append(out, p)
		}
	}
	return out
}

func (s series) planning() (p Planning, ok bool) {
	won, n := map[int]int{}, map[int]int{}
	var optimal, counted int64
	for _, x := range s.results {
		if x.Outcome == schemas.OutcomeInfra || x.Length < 1 || x.Length >= int(schemas.Far) {
			continue
		}
		n[x.Length]++
		won[x.Length] += judge.One(x.Success)
		optimal, counted = optimal+int64(x.Optimal), counted+int64(x.Counted)
		ok = ok || x.Length > 1
	}
	if !ok || counted == 0 {
		return p, false
	}
	p = Planning{Run: s.label(), Accuracy: judge.Ratio(optimal, counted), Lengths: []PlanningLength{}}
	rate, sum, allWon, all := float64(optimal)/float64(counted), 0.0, 0, 0
	for _, length := range slices.Sorted(maps.Keys(n)) {
		chance := math.Pow(rate, float64(length))
		p.Lengths = append(p.Lengths, PlanningLength{length, judge.Share(won[length], n[length]), text(chance)})
		sum, allWon, all = sum+chance*float64(n[length]), allWon+won[length], all+n[length]
	}
	p.Success = judge.Share(allWon, all)
	p.Predicted = decimal(sum / float64(all))
	p.Gap = decimal(float64(allWon)/float64(all) - sum/float64(all))
	return p, true
}

// Errors is what stood between a run and success on a split: shares of its items that sum to 1 with
// those that were won.
type Errors struct {
	Run    string  `json:"run"`
	N      int     `json:"n"`
	Causes []Cause `json:"causes"`
}

// Cause is a share of the items.
type Cause struct {
	Name  string       `json:"name"`
	Share judge.Metric `json:"share"`
}

// errorsOf takes the causes that the family tells apart, else the outcomes that are no success.
func errorsOf(f family.Family, s series, row family.Row) Errors {
	e := Errors{Run: s.label(), Causes: []Cause{}}
	if d, ok := f.(family.Decomposed); ok {
		e.N = row.N
		for _, c := range d.Causes() {
			e.Causes = append(e.Causes, Cause{c.Heading, row.Metrics[c.Metric]})
		}
		return e
	}
	counts := map[string]int{}
	for _, x := range s.results {
		if x.Split != row.Split || x.Outcome == schemas.OutcomeInfra {
			continue
		}
		if e.N++; !x.Success {
			counts[causeOf(x.Outcome)]++
		}
	}
	if row.Missing > 0 && counts[missing] == 0 && !row.Has(judge.FlagPartial) {
		counts[missing], e.N = row.Missing, e.N+row.Missing
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		e.Causes = append(e.Causes, Cause{name, judge.Share(counts[name], e.N)})
	}
	return e
}

// complete adds to each run the causes that others have.
func complete(list []Errors) {
	var names []string
	for _, e := range list {
		for _, c := range e.Causes {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	for i, e := range list {
		for _, name := range names {
			if !slices.ContainsFunc(e.Causes, func(c Cause) bool { return c.Name == name }) {
				list[i].Causes = append(list[i].Causes, Cause{name, judge.Share(0, e.N)})
			}
		}
	}
}

const missing = "missing"

// causeOf names an outcome that was no success: what came to its end otherwise was wrong.
func causeOf(outcome string) string {
	if outcome == schemas.OutcomeSuccess || outcome == schemas.OutcomeAnswered {
		return "wrong"
	}
	return strings.ReplaceAll(outcome, "_", " ")
}

// Fit is the logistic curve of a series' success against a number that its instances have.
type Fit struct {
	Run       string       `json:"run"`
	Feature   string       `json:"feature"`
	N         int          `json:"n"`
	Log       bool         `json:"log"` // of the decimal logarithm of the number
	Intercept *string      `json:"intercept"`
	Slope     *string      `json:"slope"`
	Odds      judge.Metric `json:"odds_ratio_per_sd"` // what one standard deviation more does to the odds
	P         *string      `json:"p"`
	Holm      *string      `json:"p_holm"` // corrected for the features that were tried on the series
	Says      string       `json:"says"`   // why there is no curve; "" where there is one
	Curve     []FitPoint   `json:"curve"`

	chance float64
}

// FitPoint is a point of a curve with its interval.
type FitPoint struct {
	X     string `json:"x"`
	Value string `json:"value"`
	Lo    string `json:"lo"`
	Hi    string `json:"hi"`
}

// fitPoints is how many points of a curve are told.
const fitPoints = 25

// fits fits success to each number of the instances, by series and then by feature; lengths go by
// their name.
func fits(list []series, values features, lengths string) []Fit {
	out := []Fit{}
	for _, s := range list {
		var of []Fit
		f, ok := s.fit(lengths, func(x family.Result) (float64, bool) {
			return float64(x.Length), x.Length < int(schemas.Far)
		})
		if ok {
			of = append(of, f)
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			byInstance := values[name]
			f, ok := s.fit(name, func(x family.Result) (float64, bool) {
				v, known := byInstance[x.Instance]
				return v.x, known && v.number
			})
			if ok {
				of = append(of, f)
			}
		}
		correct(of)
		out = append(out, of...)
	}
	return out
}

// fit returns no fit where nothing is a number, or the numbers are the same for all.
func (s series) fit(feature string, number func(family.Result) (float64, bool)) (f Fit, ok bool) {
	var x []float64
	var won []bool
	for _, r := range s.results {
		if v, known := number(r); known && r.Outcome != schemas.OutcomeInfra {
			x, won = append(x, v), append(won, r.Success)
		}
	}
	if len(x) == 0 || slices.Min(x) == slices.Max(x) {
		return f, false
	}
	c, err := fit.Logistic(x, won)
	f = Fit{Run: s.label(), Feature: feature, N: c.N, Log: c.Log, Curve: []FitPoint{}, chance: math.NaN()}
	if err != nil {
		f.Says = err.Error()
		return f, true
	}
	o := c.Odds()
	f.Intercept, f.Slope, f.P, f.chance = decimal(c.Intercept), decimal(c.Slope), decimal(c.P), c.P
	f.Odds = judge.Metric{Den: int64(c.N), Value: decimal(o.Value), Lo: decimal(o.Low), Hi: decimal(o.High)}
	low, high := slices.Min(x), slices.Max(x)
	for i := range fitPoints {
		at := low + (high-low)*float64(i)/(fitPoints-1)
		if c.Log {
			at = low * math.Pow(high/low, float64(i)/(fitPoints-1))
		}
		e := c.At(at)
		f.Curve = append(f.Curve, FitPoint{text(at), text(e.Value), text(e.Low), text(e.High)})
	}
	return f, true
}

// correct corrects the p-values of a series' fits for their number.
func correct(list []Fit) {
	var p []float64
	for _, f := range list {
		p = append(p, f.chance)
	}
	for i, v := range fit.Holm(p) {
		list[i].Holm = decimal(v)
	}
}

// ClusterSet is the clusters of instances of a split, such as mazes, and how success follows from
// what is measured of each.
type ClusterSet struct {
	Split       string       `json:"split"`
	Clusters    []Cluster    `json:"clusters"`
	Regressions []Regression `json:"regressions"`
}

// Cluster is what is measured of it, and how the series fared on its instances.
type Cluster struct {
	Name     string            `json:"name"`
	Measures map[string]string `json:"measures"`
	Success  []judge.Metric    `json:"success"`
}

// Regression is the line of a series' success rate on clusters against one measure.
type Regression struct {
	Run       string       `json:"run"`
	Measure   string       `json:"measure"`
	N         int          `json:"n"` // clusters
	Intercept *string      `json:"intercept"`
	Slope     judge.Metric `json:"slope"`
	R2        *string      `json:"r2"`
	P         *string      `json:"p"`
	Holm      *string      `json:"p_holm"`
	Says      string       `json:"says"`
}

// clusterSets returns the clusters of each split that a series was played on.
func clusterSets(list []series) []ClusterSet {
	out := []ClusterSet{}
	clustered, ok := list[0].Set.(family.Clustered)
	if !ok {
		return out
	}
	clusters, err := clustered.Clusters()
	if err != nil { // the runs were scored, for which all was read
		return out
	}
	for _, split := range list[0].Set.Splits() {
		set := ClusterSet{Split: split.Name, Clusters: []Cluster{}, Regressions: []Regression{}}
		for _, c := range clusters {
			in := map[string]bool{}
			for _, id := range c.Instances {
				in[id] = true
			}
			b := bin(list, "", "", func(x family.Result) bool { return x.Split == split.Name && in[x.Instance] })
			if !b.played() {
				continue
			}
			one := Cluster{c.Name, map[string]string{}, b.Success}
			for _, m := range c.Measures {
				one.Measures[m.Name] = m.Value
			}
			set.Clusters = append(set.Clusters, one)
		}
		if len(set.Clusters) > 0 {
			set.regress(list)
			out = append(out, set)
		}
	}
	return out
}

// regress fits a line to each measure, each by itself.
func (c *ClusterSet) regress(list []series) {
	for i, s := range list {
		var of []Regression
		var p []float64
		for _, measure := range slices.Sorted(maps.Keys(c.Clusters[0].Measures)) {
			r, value := c.line(i, measure)
			r.Run = s.label()
			of, p = append(of, r), append(p, value)
		}
		for k, v := range fit.Holm(p) {
			of[k].Holm = decimal(v)
		}
		c.Regressions = append(c.Regressions, of...)
	}
}

// line fits the line of a run against a measure; p is that of its slope, NaN where there is none.
func (c *ClusterSet) line(run int, measure string) (r Regression, p float64) {
	var x, y []float64
	for _, one := range c.Clusters {
		v, err := strconv.ParseFloat(one.Measures[measure], 64)
		if rate := one.Success[run].Value; err == nil && rate != nil {
			x, y = append(x, v), append(y, judge.Number(*rate))
		}
	}
	l, err := fit.Linear(x, y)
	r = Regression{Measure: measure, N: l.N}
	if err != nil {
		r.Says = err.Error()
		return r, math.NaN()
	}
	r.Intercept, r.R2, r.P = decimal(l.Intercept), decimal(l.R2), decimal(l.P)
	r.Slope = judge.Metric{Den: int64(l.N), Value: decimal(l.Slope), Lo: decimal(l.Low), Hi: decimal(l.High)}
	return r, l.P
}

// Matched is what oracles change for a model on each split at matched difficulty: on the level of
// the split at which its success without any oracle is nearest to one half.
type Matched struct {
	Model string       `json:"model"`
	Plan  string       `json:"plan"`
	Rows  []MatchedRow `json:"rows"`
}

type MatchedRow struct {
	Split string `json:"split"`
	Level
}

// matched takes the interventions of one model together.
func matched(list []Intervention) []Matched {
	out := []Matched{}
	for _, v := range list {
		best, off := -1, math.Inf(1)
		for i, l := range v.Levels {
			if l.Base.Value == nil {
				continue
			}
			if d := math.Abs(judge.Number(*l.Base.Value) - 0.5); d < off {
				best, off = i, d
			}
		}
		if best < 0 {
			continue
		}
		i := slices.IndexFunc(out, func(m Matched) bool { return m.Model == v.Model && m.Plan == v.Plan })
		if i < 0 {
			i, out = len(out), append(out, Matched{Model: v.Model, Plan: v.Plan, Rows: []MatchedRow{}})
		}
		out[i].Rows = append(out[i].Rows, MatchedRow{v.Split, v.Levels[best]})
	}
	return out
}

// decimal writes a number, nil for one that is not finite.
func decimal(x float64) *string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return judge.Decimal(x)
}

// text writes a number that is finite.
func text(x float64) string { return *judge.Decimal(x) }
