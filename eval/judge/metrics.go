// Package judge holds what the scores of all families are made of: metrics and their names, intervals,
// decimals, flags, and comparisons of configurations.
//
// It promises exact sums, and decimals of one form. It knows no family, reads no clock and no file, and
// draws only the resamples of the bootstrap, from named streams.
package judge

import (
	"math/big"

	"github.com/wikinav/wikinav/artifacts/wilson"
)

const (
	MetricSuccess     = "success_rate"
	MetricSuboptimal  = "suboptimal_steps"
	MetricSubMoves    = "suboptimal_moves"
	MetricLoops       = "loop_frequency"
	MetricRecovery    = "recovery_rate"
	MetricVisitation  = "average_maximum_visitation"
	MetricInvalid     = "invalid_rate"
	MetricMicro       = "step_accuracy_micro"
	MetricMacro       = "step_accuracy_macro"
	MetricDead        = "dead_share"
	MetricAvail       = "avail_regret"         // links that even the best link of the menu loses, a turn
	MetricEffective   = "suboptimal_effective" // of people's games: back clicks resolved
	MetricLength      = "path_length"          // moves of a success, of games on another graph
	MetricTokens      = "tokens_per_step"
	MetricPrompt      = "prompt_tokens_per_step"
	MetricCostPerStep = "cost_per_step"
	MetricCostPerGame = "cost_per_game"
)

// Metric is a value with what it was computed from. Value is null for an empty denominator and for what is not known; Num is
// null where the numerator is no integer; Lo and Hi are the 95 % interval where the metric has one.
type Metric struct {
	Num   *int64  `json:"num"`
	Den   int64   `json:"den"`
	Value *string `json:"value"`
	Lo    *string `json:"lo"`
	Hi    *string `json:"hi"`
}

// Ratio returns an exact ratio, without value for a denominator of 0.
func Ratio(num, den int64) Metric { return Metric{Num: &num, Den: den, Value: Quotient(num, den)} }

// One counts what is true: 1, or 0.
func One(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Share returns the share of k in n with its Wilson interval; without value for n = 0.
func Share(k, n int) Metric {
	m := Ratio(int64(k), int64(n))
	if n > 0 {
		lo, hi := wilson.Interval(int64(k), int64(n))
		m.Lo, m.Hi = Decimal(lo), Decimal(hi)
	}
	return m
}

// MeanOfSum returns the mean of n values whose exact sum is given; without value for n = 0.
func MeanOfSum(sum *big.Rat, n int64) Metric {
	if n == 0 {
		return Metric{}
	}
	x, _ := new(big.Rat).Quo(sum, big.NewRat(n, 1)).Float64()
	return Metric{Den: n, Value: Decimal(x)}
}
