package judge

import (
	"math/big"
	"strconv"
)

// Tries is how many attempts at a task there were, and how many of them succeeded.
type Tries struct{ N, Won int }

// PassAt returns the chance that k attempts, drawn from those there were, have a success among
// them: 1 - C(n-won, k)/C(n, k), the unbiased estimate of pass@k. There must be k attempts.
// Chen et al. 2021, https://arxiv.org/abs/2107.03374
func (t Tries) PassAt(k int) *big.Rat {
	one := big.NewRat(1, 1)
	if t.N-t.Won < k {
		return one
	}
	none := new(big.Int).Binomial(int64(t.N-t.Won), int64(k))
	all := new(big.Int).Binomial(int64(t.N), int64(k))
	return one.Sub(one, new(big.Rat).SetFrac(none, all))
}

// MeanPassAt returns the mean of PassAt over the tasks that have k attempts, with a bootstrap
// interval over tasks, and the number of tasks that were left out for having fewer.
func MeanPassAt(seed int64, split string, k int, tasks []Tries) (m Metric, left int) {
	sum, values := new(big.Rat), []float64{}
	known := map[Tries]*big.Rat{}
	for _, t := range tasks {
		if t.N < k {
			left++
			continue
		}
		if known[t] == nil {
			known[t] = t.PassAt(k)
		}
		value, _ := known[t].Float64()
		sum, values = sum.Add(sum, known[t]), append(values, value)
	}
	m = MeanOfSum(sum, int64(len(values)))
	if len(values) > 0 {
		lo, hi := bootstrap(seed, "pass_at_"+strconv.Itoa(k), split, values)
		m.Lo, m.Hi = Decimal(lo), Decimal(hi)
	}
	return m, left
}
