package judge

import (
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// LuminaPair compares two configurations on the instances that both played. Differences are With - Without.
type LuminaPair struct {
	Split    string  `json:"split"`
	Level    string  `json:"level"`
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

// LuminaEffect is the mean difference of the success rate that an oracle makes, over the pairs that differ in it alone.
type LuminaEffect struct {
	Split  string  `json:"split"`
	Level  string  `json:"level"`
	Effect string  `json:"effect"`
	Value  *string `json:"value"` // null unless every pair was played
}

// luminaEffects lists for each oracle the pairs of configurations that differ in it alone.
var luminaEffects = []struct {
	effect string
	pairs  [][2]string // with, without
}{
	{"P", [][2]string{{"P", "base"}, {"SP", "S"}, {"SPH", "SH"}}},
	{"S", [][2]string{{"S", "base"}, {"SP", "P"}}},
	{"H", [][2]string{{"SH", "S"}, {"SPH", "SP"}}},
}

// comparePairs compares the cells of one split and level, by configuration.
func comparePairs(cells map[string]*luminaCell, seed int64, split, level string) (pairs []LuminaPair, effects []LuminaEffect) {
	for _, e := range luminaEffects {
		sum, n := new(big.Rat), int64(0)
		for _, names := range e.pairs {
			with, without := cells[names[0]], cells[names[1]]
			if with == nil || without == nil {
				continue
			}
			p := comparePair(with, without, seed)
			p.Split, p.Level, p.Effect = split, level, e.effect
			pairs = append(pairs, p)
			if p.N > 0 {
				sum.Add(sum, big.NewRat(*p.Success.Num, p.Success.Den))
				n++
			}
		}
		effect := LuminaEffect{Split: split, Level: level, Effect: e.effect}
		if n == int64(len(e.pairs)) {
			effect.Value = MeanOfSum(sum, n).Value
		}
		effects = append(effects, effect)
	}
	return pairs, effects
}

// paired is what one instance contributes to a comparison.
type paired struct {
	success          int64    // -1, 0, 1
	optimal, counted [2]int64 // with, without
}

func comparePair(with, without *luminaCell, seed int64) LuminaPair {
	p := LuminaPair{With: with.config, Without: without.config}
	var list []paired
	for i := range with.verdicts {
		a, ok := with.member(i)
		b, ok2 := without.member(i)
		if !ok || !ok2 {
			continue
		}
		d := paired{
			toInt(a.success()) - toInt(b.success()), [2]int64{int64(a.optimal), int64(b.optimal)}, [2]int64{int64(a.counted), int64(b.counted)},
		}
		list = append(list, d)
		p.OnlyWith += int(max(d.success, 0))
		p.OnlyNot += int(max(-d.success, 0))
	}
	p.N = len(list)
	p.Success, p.Accuracy = successDifference(list, seed), accuracyDifference(list, seed)
	if p.N > 0 {
		p.McNemar = mcnemar(p.OnlyWith, p.OnlyNot)
	}
	return p
}

// member gives the i-th episode as a comparison sees it: a missing one is a failure without steps, or no member of a partial score.
func (c *luminaCell) member(i int) (v *luminaVerdict, ok bool) {
	switch v = c.verdicts[i]; {
	case v == nil:
		return &luminaVerdict{}, !c.partial
	default:
		return v, v.outcome != schemas.OutcomeInfra
	}
}

func successDifference(list []paired, seed int64) Metric {
	values := make([]int64, len(list))
	var sum int64
	for i, d := range list {
		values[i] = d.success
		sum += d.success
	}
	m := Ratio(sum, int64(len(list)))
	if len(list) > 0 && slices.Min(values) != slices.Max(values) {
		lo, hi := resample(seed, MetricSuccess, list, func(sample []paired) float64 {
			var sum int64
			for _, d := range sample {
				sum += d.success
			}
			return float64(sum) / float64(len(sample))
		})
		m.Lo, m.Hi = Decimal(lo), Decimal(hi)
	} else {
		m.Lo, m.Hi = m.Value, m.Value
	}
	return m
}

func accuracyDifference(list []paired, seed int64) Metric {
	value, ok := microDifference(list)
	if !ok {
		return Metric{}
	}
	m := Metric{Den: int64(len(list)), Value: Decimal(value)}
	if allAlike(list) {
		m.Lo, m.Hi = m.Value, m.Value
		return m
	}
	lo, hi := resample(seed, MetricMicro, list, func(sample []paired) float64 {
		d, _ := microDifference(sample) // a sample without steps counts as no difference
		return d
	})
	m.Lo, m.Hi = Decimal(lo), Decimal(hi)
	return m
}

// allAlike tells whether every episode was optimal throughout, so that no resample could differ.
func allAlike(list []paired) bool {
	return !slices.ContainsFunc(list, func(d paired) bool { return d.optimal != d.counted })
}

// microDifference is the difference of the step accuracies; ok is false if one of them has no steps.
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

// resample gives the percentile interval of a statistic over instances drawn with replacement, from one stream per metric.
func resample(seed int64, metric string, list []paired, statistic func([]paired) float64) (lo, hi float64) {
	s := rng.New(uint64(seed), "lumina", "bootstrap", metric)
	values, sample := make([]float64, resamples), make([]paired, len(list))
	for b := range values {
		for i := range sample {
			sample[i] = list[s.Below(len(list))]
		}
		values[b] = statistic(sample)
	}
	slices.Sort(values)
	return values[lowerIndex], values[upperIndex]
}

// mcnemar is the exact two-sided p-value of b against c discordant pairs: the binomial tail at one half, doubled.
// McNemar 1947, https://doi.org/10.1007/BF02295996
func mcnemar(b, c int) *string {
	n, tail := int64(b+c), new(big.Int)
	for i := range int64(min(b, c)) + 1 {
		tail.Add(tail, new(big.Int).Binomial(n, i))
	}
	p := new(big.Rat).SetFrac(tail.Lsh(tail, 1), new(big.Int).Lsh(big.NewInt(1), uint(n)))
	if p.Cmp(big.NewRat(1, 1)) > 0 {
		p.SetInt64(1)
	}
	x, _ := p.Float64()
	return Decimal(x)
}
