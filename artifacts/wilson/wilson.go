// Package wilson gives the interval of a share: one formula for what producers simulate and what judges count.
package wilson

import "math"

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959963984540054

// Interval gives the 95 % score interval of k successes in n > 0 trials.
// Wilson 1927, https://doi.org/10.1080/01621459.1927.10502953
func Interval(k, n int64) (lo, hi float64) {
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
