package judge

import (
	"math/big"
	"math/bits"
	"testing"
)

// TestPassAtIsWhatAllDrawsComeTo compares the estimate with an enumeration of every draw of k
// attempts out of n.
func TestPassAtIsWhatAllDrawsComeTo(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for won := 0; won <= n; won++ {
			for k := 1; k <= n; k++ {
				passed, draws := int64(0), int64(0)
				for draw := range uint(1) << n {
					if bits.OnesCount(draw) != k {
						continue
					}
					draws++
					if draw&(1<<won-1) != 0 { // the first so many attempts succeeded
						passed++
					}
				}
				if got, want := (Tries{n, won}).PassAt(k), big.NewRat(passed, draws); got.Cmp(want) != 0 {
					t.Errorf("pass@%d of %d attempts, %d won: %v, all draws say %v", k, n, won, got, want)
				}
			}
		}
	}
}

// TestPassAtIsUnbiased takes the mean over every outcome of n attempts that succeed with chance 1/3
// each, which must be that of k such attempts.
func TestPassAtIsUnbiased(t *testing.T) {
	p, q := big.NewRat(1, 3), big.NewRat(2, 3)
	power := func(x *big.Rat, n int) *big.Rat {
		out := big.NewRat(1, 1)
		for range n {
			out.Mul(out, x)
		}
		return out
	}
	const n = 7
	for k := 1; k <= n; k++ {
		mean := new(big.Rat)
		for won := 0; won <= n; won++ {
			chance := new(big.Rat).SetInt(new(big.Int).Binomial(n, int64(won)))
			chance.Mul(chance, power(p, won)).Mul(chance, power(q, n-won))
			mean.Add(mean, chance.Mul(chance, (Tries{n, won}).PassAt(k)))
		}
		want := new(big.Rat).Sub(big.NewRat(1, 1), power(q, k))
		if mean.Cmp(want) != 0 {
			t.Errorf("pass@%d: mean %v, want %v", k, mean, want)
		}
	}
}

func TestMeanPassAt(t *testing.T) {
	tasks := []Tries{{4, 1}, {4, 4}, {4, 0}, {2, 1}, {0, 0}}
	for _, c := range []struct {
		k, left int
		value   string
		den     int64
	}{{1, 1, "4.37500e-01", 4}, {2, 1, "6.25000e-01", 4}, {3, 2, "5.83333e-01", 3}, {4, 2, "6.66667e-01", 3}, {5, 5, "", 0}} {
		m, left := MeanPassAt(1, "tiny", c.k, tasks)
		value := ""
		if m.Value != nil {
			value = *m.Value
		}
		if value != c.value || left != c.left || m.Den != c.den || (m.Value != nil) != (m.Lo != nil) {
			t.Errorf("pass@%d: %s of %d, %d left out, want %+v", c.k, value, m.Den, left, c)
		}
		if m.Value != nil && (Number(*m.Lo) > Number(*m.Value) || Number(*m.Hi) < Number(*m.Value)) {
			t.Errorf("pass@%d: interval [%s, %s] around %s", c.k, *m.Lo, *m.Hi, value)
		}
	}
	all, _ := MeanPassAt(1, "tiny", 2, []Tries{{3, 3}, {3, 2}})
	if Number(*all.Value) != 1 || Number(*all.Lo) != 1 || Number(*all.Hi) != 1 {
		t.Errorf("two attempts of which one at most fails: %s [%s, %s]", *all.Value, *all.Lo, *all.Hi)
	}
}
