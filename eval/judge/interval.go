package judge

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/schemas/rng"
)

// The bootstrap: how many resamples, and which of their sorted means are the bounds of the 95 % interval.
const (
	resamples  = 10_000
	lowerIndex = 250
	upperIndex = 9749
)

// percentiles gives the 95 % interval of a statistic, from its value on each resample.
func percentiles[T cmp.Ordered](statistic func(resample int) T) (lo, hi T) {
	values := make([]T, resamples)
	for b := range values {
		values[b] = statistic(b)
	}
	slices.Sort(values)
	return values[lowerIndex], values[upperIndex]
}

// bootstrap gives the percentile interval of the mean of values, which must not be empty. Each resample has a stream of its own. Sums
// are sorted in place of means: n is the same for all, and those of integers are exact.
func bootstrap[T int64 | float64](seed int64, metric, split string, values []T) (lo, hi float64) {
	if slices.Min(values) == slices.Max(values) {
		return float64(values[0]), float64(values[0]) // as every resample is
	}
	least, most := percentiles(func(b int) (sum T) {
		s := rng.New(uint64(seed), "bootstrap", metric, split, rng.Part(b))
		for range values {
			sum += values[s.Below(len(values))]
		}
		return sum
	})
	n := float64(len(values))
	return float64(least) / n, float64(most) / n
}

func total[T int64 | float64](values []T) (sum T) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// MeanOf gives the mean of values with its bootstrap interval; nothing for no value.
func MeanOf(seed int64, metric, split string, values []int64) Metric {
	m, sum := MeanOfParts(seed, metric, split, values, 1), total(values)
	m.Num = &sum
	return m
}

// MeanOfParts is MeanOf for values counted in parts, so many to 1; the numerator is no integer.
func MeanOfParts(seed int64, metric, split string, values []int64, parts int64) Metric {
	m := MeanOfSum(big.NewRat(total(values), parts), int64(len(values)))
	if len(values) > 0 {
		lo, hi := bootstrap(seed, metric, split, values)
		m.Lo, m.Hi = Decimal(lo/float64(parts)), Decimal(hi/float64(parts))
	}
	return m
}

// MeanOfReals is MeanOf for values that are no integers. Sums run in the order of the values.
func MeanOfReals(seed int64, metric, split string, values []float64) Metric {
	m := Metric{Den: int64(len(values))}
	if len(values) > 0 {
		lo, hi := bootstrap(seed, metric, split, values)
		m.Value, m.Lo, m.Hi = Decimal(total(values)/float64(len(values))), Decimal(lo), Decimal(hi)
	}
	return m
}

// RatioOf gives a ratio of sums over games, each a numerator and a denominator, with its bootstrap interval: the turns of one game are not
// independent, so games are drawn and not turns. Nothing for an empty denominator; a resample without one counts as the ratio itself.
func RatioOf(seed int64, metric, split string, games [][2]int64) Metric {
	var num, den int64
	for _, g := range games {
		num, den = num+g[0], den+g[1]
	}
	m := Ratio(num, den)
	if den == 0 {
		return m
	}
	lo, hi := percentiles(func(b int) float64 {
		s := rng.New(uint64(seed), "bootstrap", metric, split, rng.Part(b))
		var n, d int64
		for range games {
			g := games[s.Below(len(games))]
			n, d = n+g[0], d+g[1]
		}
		if d == 0 {
			n, d = num, den
		}
		return float64(n) / float64(d)
	})
	m.Lo, m.Hi = Decimal(lo), Decimal(hi)
	return m
}

// McNemar gives the exact two-sided p-value of b against c discordant pairs, as a decimal: 1 for none.
// McNemar 1947, https://doi.org/10.1007/BF02295996
func McNemar(b, c int) string {
	n, few := int64(b+c), int64(min(b, c))
	tail, term := new(big.Int), big.NewInt(1) // term = C(n, i)
	for i := int64(0); i <= few; i++ {
		tail.Add(tail, term)
		term.Mul(term, big.NewInt(n-i))
		term.Quo(term, big.NewInt(i+1))
	}
	p := new(big.Rat).SetFrac(tail.Lsh(tail, 1), new(big.Int).Lsh(big.NewInt(1), uint(n)))
	if p.Cmp(big.NewRat(1, 1)) > 0 {
		p.SetInt64(1)
	}
	x, _ := p.Float64()
	return *Decimal(x)
}
