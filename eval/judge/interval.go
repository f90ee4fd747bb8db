package judge

import (
	"math"
	"slices"

	"github.com/wikinav/wikinav/schemas/rng"
)

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959963984540054

// wilson gives the 95 % score interval of k successes in n > 0 trials.
// Wilson 1927, https://doi.org/10.1080/01621459.1927.10502953
func wilson(k, n int64) (lo, hi float64) {
	// The conversions keep the compiler from fusing a product and a sum, which would round otherwise on some machines.
	p, size := float64(k)/float64(n), float64(n)
	spread := float64(z*z) / size
	scale := 1 + spread
	mid := (p + spread/2) / scale
	half := z / scale * math.Sqrt(float64(p*(1-p))/size+spread/(4*size))
	lo, hi = mid-half, mid+half
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return lo, hi
}

// The bootstrap: how many resamples, and which of their sorted means are the bounds of the 95 % interval.
const (
	resamples  = 10_000
	lowerIndex = 250
	upperIndex = 9749
)

// bootstrap gives the percentile interval of the mean of values, which must not be empty. Each resample has a stream of its own. Sums
// are sorted in place of means: they are exact, and n is the same for all.
func bootstrap(seed int64, metric, split string, values []int64) (lo, hi float64) {
	if slices.Min(values) == slices.Max(values) {
		return float64(values[0]), float64(values[0]) // as every resample is
	}
	sums := make([]int64, resamples)
	for b := range sums {
		s := rng.New(uint64(seed), "bootstrap", metric, split, rng.Part(b))
		for range values {
			sums[b] += values[s.Below(len(values))]
		}
	}
	slices.Sort(sums)
	n := float64(len(values))
	return float64(sums[lowerIndex]) / n, float64(sums[upperIndex]) / n
}
