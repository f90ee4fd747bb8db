package judge

import (
	"iter"
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Played is what an episode comes to when variants of its instance are compared.
type Played struct {
	Infra    bool // the player could not be asked: it says nothing of it
	Success  bool
	Optimal  int // turns that were optimal, of Counted
	Counted  int
	MostSeen int // visits to the state that was visited most
}

// Arm is one of the six configurations of oracles, played once on a list of instances. Games is parallel to
// the list; nil is an episode that is missing.
type Arm struct {
	Config  string
	Games   []*Played
	Partial bool // what is missing is left out instead of being a failure
}

// Names of the metrics that only comparisons have.
const (
	MetricPredicted = "sr_pred" // what independent errors of the same rate would give
	MetricGap       = "sr_gap"  // success rate - sr_pred
)

func (a Arm) N() int { return int(a.sum(func(Played) int { return 1 })) }

// member returns the i-th episode as a comparison sees it: a missing one is a failure without turns, or no
// member of a partial score.
func (a Arm) member(i int) (g Played, ok bool) {
	if a.Games[i] == nil {
		return g, !a.Partial
	}
	return *a.Games[i], !a.Games[i].Infra
}

// members yields the members with their places.
func (a Arm) members() iter.Seq2[int, Played] {
	return func(yield func(int, Played) bool) {
		for i := range a.Games {
			if g, ok := a.member(i); ok && !yield(i, g) {
				return
			}
		}
	}
}

func (a Arm) sum(value func(Played) int) (sum int64) {
	for _, g := range a.members() {
		sum += int64(value(g))
	}
	return sum
}

// Won returns the success rate.
func (a Arm) Won() Metric { return Share(int(a.sum(Played.won)), a.N()) }

// Metrics returns success rate, step accuracy, and how far the one follows from the other. lengths are the
// turns of an optimal player, by instance.
func (a Arm) Metrics(lengths []int) map[string]Metric {
	n, won := a.N(), a.sum(Played.won)
	optimal, counted := a.sum(func(g Played) int { return g.Optimal }), a.sum(func(g Played) int { return g.Counted })
	m := map[string]Metric{
		MetricSuccess: a.Won(), MetricMicro: Ratio(optimal, counted), MetricMacro: a.macro(),
		MetricPredicted: {}, MetricGap: {},
	}
	if p := a.predicted(lengths, optimal, counted); p != nil {
		m[MetricPredicted] = Metric{Den: int64(n), Value: Decimal(*p)}
		m[MetricGap] = Metric{Den: int64(n), Value: Decimal(float64(won)/float64(n) - *p)}
	}
	return m
}

func (g Played) won() int { return One(g.Success) }

// macro is the mean of the episodes' own step accuracies, exact up to its last step.
func (a Arm) macro() Metric {
	sum, n := new(big.Rat), int64(0)
	for _, g := range a.members() {
		if g.Counted > 0 {
			sum.Add(sum, big.NewRat(int64(g.Optimal), int64(g.Counted)))
			n++
		}
	}
	return MeanOfSum(sum, n)
}

// predicted is the mean of p^length, p being the step accuracy of the arm; nil without a turn or an instance.
func (a Arm) predicted(lengths []int, optimal, counted int64) *float64 {
	n := a.N()
	if counted == 0 || n == 0 {
		return nil
	}
	p, sum := float64(optimal)/float64(counted), 0.0
	for i := range a.members() {
		term := 1.0
		for range lengths[i] {
			term *= p
		}
		sum += term
	}
	sum /= float64(n)
	return &sum
}

// Contrast compares two configurations on the instances that both played. Differences are With - Without.
type Contrast struct {
	Effect   string  `json:"effect"` // the oracle that With has and Without has not
	With     string  `json:"with"`
	Without  string  `json:"without"`
	N        int     `json:"n"`
	Success  Metric  `json:"success_rate"`
	Accuracy Metric  `json:"step_accuracy_micro"`
	OnlyWith int     `json:"only_with"` // successes with and not without
	OnlyNot  int     `json:"only_without"`
	McNemar  *string `json:"mcnemar_p"` // exact, two-sided
}

// Change is the mean difference of the success rate that an oracle makes, over the pairs that differ in it alone.
type Change struct {
	Effect string  `json:"effect"`
	Value  *string `json:"value"` // null unless every pair was played
}

// effects lists for each oracle the pairs of configurations that differ in it alone.
var effects = []struct {
	effect string
	pairs  [][2]string // with, without
}{
	{"P", [][2]string{{"P", "base"}, {"SP", "S"}, {"SPH", "SH"}}},
	{"S", [][2]string{{"S", "base"}, {"SP", "P"}}},
	{"H", [][2]string{{"SH", "S"}, {"SPH", "SP"}}},
}

// Compare says what each oracle changes between arms of the same instances. seed is that of the bootstrap.
func Compare(arms []Arm, seed int64) (pairs []Contrast, means []Change) {
	for _, e := range effects {
		sum, n := new(big.Rat), int64(0)
		for _, names := range e.pairs {
			with, ok := armOf(arms, names[0])
			without, ok2 := armOf(arms, names[1])
			if !ok || !ok2 {
				continue
			}
			p := ContrastOf(with, without, seed)
			p.Effect = e.effect
			pairs = append(pairs, p)
			if p.N > 0 {
				sum.Add(sum, big.NewRat(*p.Success.Num, p.Success.Den))
				n++
			}
		}
		mean := Change{Effect: e.effect}
		if n == int64(len(e.pairs)) {
			mean.Value = MeanOfSum(sum, n).Value
		}
		means = append(means, mean)
	}
	return pairs, means
}

func armOf(arms []Arm, config string) (Arm, bool) {
	i := slices.IndexFunc(arms, func(a Arm) bool { return a.Config == config })
	if i < 0 {
		return Arm{}, false
	}
	return arms[i], true
}

// paired is what one instance contributes to a comparison.
type paired struct {
	success          int64    // -1, 0, 1
	optimal, counted [2]int64 // with, without
}

// ContrastOf compares two arms of the same instances.
func ContrastOf(with, without Arm, seed int64) Contrast {
	p := Contrast{With: with.Config, Without: without.Config}
	var list []paired
	for i := range with.Games {
		a, ok := with.member(i)
		b, ok2 := without.member(i)
		if !ok || !ok2 {
			continue
		}
		d := paired{
			int64(a.won() - b.won()), [2]int64{int64(a.Optimal), int64(b.Optimal)}, [2]int64{int64(a.Counted), int64(b.Counted)},
		}
		list = append(list, d)
		p.OnlyWith += int(max(d.success, 0))
		p.OnlyNot += int(max(-d.success, 0))
	}
	p.N = len(list)
	p.Success, p.Accuracy = successDifference(list, seed), accuracyDifference(list, seed)
	if p.N > 0 {
		text := McNemar(p.OnlyWith, p.OnlyNot)
		p.McNemar = &text
	}
	return p
}

func successDifference(list []paired, seed int64) Metric {
	sum := func(sample []paired) (sum int64) {
		for _, d := range sample {
			sum += d.success
		}
		return sum
	}
	n := int64(len(list))
	alike := !slices.ContainsFunc(list, func(d paired) bool { return d.success != list[0].success })
	mean := func(sample []paired) float64 { return float64(sum(sample)) / float64(n) }
	return Ratio(sum(list), n).resampled(seed, MetricSuccess, list, alike, mean)
}

func accuracyDifference(list []paired, seed int64) Metric {
	value, ok := microDifference(list)
	if !ok {
		return Metric{}
	}
	optimal := !slices.ContainsFunc(list, func(d paired) bool { return d.optimal != d.counted }) // throughout
	m := Metric{Den: int64(len(list)), Value: Decimal(value)}
	return m.resampled(seed, MetricMicro, list, optimal, func(sample []paired) float64 {
		d, _ := microDifference(sample) // a sample without turns counts as no difference
		return d
	})
}

// microDifference is the difference of the step accuracies; ok is false if one of them has no turns.
func microDifference(list []paired) (d float64, ok bool) {
	var optimal, counted [2]int64
	for _, d := range list {
		for side := range 2 {
			optimal[side] += d.optimal[side]
			counted[side] += d.counted[side]
		}
	}
	if counted[0] == 0 || counted[1] == 0 {
		return 0, false
	}
	return float64(optimal[0])/float64(counted[0]) - float64(optimal[1])/float64(counted[1]), true
}

// resampled adds the percentile interval of a statistic over instances drawn with replacement, from one
// stream per metric. Where instances are so alike that no resample could differ, it is the value.
func (m Metric) resampled(seed int64, metric string, list []paired, alike bool, statistic func([]paired) float64) Metric {
	if alike {
		m.Lo, m.Hi = m.Value, m.Value
		return m
	}
	s, sample := rng.New(uint64(seed), schemas.InterventionStream, "bootstrap", metric), make([]paired, len(list))
	lo, hi := percentiles(func(int) float64 {
		for i := range sample {
			sample[i] = list[s.Below(len(list))]
		}
		return statistic(sample)
	})
	m.Lo, m.Hi = Decimal(lo), Decimal(hi)
	return m
}

type ArmRow struct {
	Config  string            `json:"config"`
	N       int               `json:"n"` // denominator of the success rate
	Metrics map[string]Metric `json:"metrics"`
}

// Interventions compares the arms of one player on a split: each arm's own metrics, loops among them, then
// what each oracle changes, paired by instance.
func Interventions(split string, lengths []int, arms []Arm, seed int64) ([]ArmRow, []Contrast, []Change) {
	rows := []ArmRow{}
	for _, a := range arms {
		m := a.Metrics(lengths)
		a.addLoops(m, split, seed)
		rows = append(rows, ArmRow{a.Config, a.N(), m})
	}
	pairs, means := Compare(arms, seed)
	return rows, pairs, means
}

// addLoops adds what is said of the visits to states, of the episodes that were played.
func (a Arm) addLoops(m map[string]Metric, split string, seed int64) {
	looping, recovered := 0, 0
	var visits []int64
	for _, g := range a.Games {
		if g == nil || g.Infra {
			continue
		}
		visits = append(visits, int64(g.MostSeen))
		if g.MostSeen > 1 {
			looping++
			recovered += g.won()
		}
	}
	m[MetricLoops], m[MetricRecovery] = Share(looping, len(visits)), Share(recovered, looping)
	m[MetricVisitation] = MeanOf(seed, MetricVisitation, split, visits)
}
