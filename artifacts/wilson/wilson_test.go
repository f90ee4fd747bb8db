package wilson

import (
	"math"
	"testing"
)

func TestTheIntervalEqualsThePublishedVectors(t *testing.T) {
	for _, c := range []struct {
		k, n   int64
		lo, hi float64
	}{{0, 10, 0, 0.277533}, {29, 100, 0.210148, 0.385389}, {185, 200, 0.879956, 0.954025}, {10, 10, 0.722467, 1}} {
		lo, hi := Interval(c.k, c.n)
		if math.Abs(lo-c.lo) > 5e-7 || math.Abs(hi-c.hi) > 5e-7 {
			t.Errorf("%d/%d: got [%f, %f], want [%f, %f]", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}
