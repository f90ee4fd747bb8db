package judge

import (
	"math/big"

	"github.com/wikinav/wikinav/artifacts/wilson"
	"github.com/wikinav/wikinav/schemas"
)

// Names of the metrics.
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

// cell is a set of games that share a row: a split, or one distance of it.
type cell struct {
	split    string
	seed     int64
	expected int // games, played or not
	partial  bool
	games    []*verdict
	source   Split
	open     bool // no list of instances: the games that are there are those that are expected
	human    bool
	clicks   bool // of people's games: back clicks are known

	unchecked bool // games on another graph
}

func (c *cell) add(v *verdict) {
	c.games = append(c.games, v)
	if c.open {
		c.expected++
	}
}

// played lists the games that say something about the player.
func (c *cell) played() []*verdict {
	return filter(c.games, func(v *verdict) bool { return v.outcome != schemas.OutcomeInfra })
}

func (c *cell) infra() int   { return len(c.games) - len(c.played()) }
func (c *cell) missing() int { return c.expected - len(c.games) }

// n is the denominator of the success rate: a missing game is a failure unless the score is partial. The other metrics are of games
// that were played: a game that is not there shows no loop, and must not pass for one without.
func (c *cell) n() int {
	if c.partial {
		return len(c.played())
	}
	return c.expected - c.infra()
}

// metrics computes every metric of the cell.
func (c *cell) metrics() map[string]Metric {
	played := c.played()
	won := filter(played, (*verdict).success)
	looping := filter(played, (*verdict).loops)
	m := map[string]Metric{
		MetricSuccess:    Share(len(won), c.n()),
		MetricSuboptimal: c.mean(MetricSuboptimal, won, func(v *verdict) int { return v.turns - v.distance }),
		MetricSubMoves:   c.mean(MetricSubMoves, won, func(v *verdict) int { return v.moves - v.distance }),
		MetricLoops:      Share(len(looping), len(played)),
		MetricRecovery:   Share(len(filter(looping, (*verdict).success)), len(looping)),
		MetricVisitation: c.mean(MetricVisitation, played, func(v *verdict) int { return v.maxVisits }),
	}
	turns := total(played, func(v *verdict) int { return v.turns })
	counted := total(played, func(v *verdict) int { return v.counted })
	dead := total(played, func(v *verdict) int { return v.dead })
	m[MetricInvalid] = Ratio(total(played, func(v *verdict) int { return v.invalid }), turns)
	m[MetricMicro] = Ratio(total(played, func(v *verdict) int { return v.optimal }), counted)
	m[MetricMacro] = macro(played)
	m[MetricDead] = Ratio(dead, counted+dead)
	m[MetricAvail] = Ratio(total(played, func(v *verdict) int { return v.avail }), total(played, func(v *verdict) int { return v.replayed }))
	switch {
	case c.unchecked:
		c.asUnchecked(m, won)
	case c.human:
		c.asWalks(m, won)
	}
	addUsage(m, played, turns)
	addCost(m, played, turns)
	return m
}

// asWalks adds what is said of people's games alone, and takes away what their files do not tell.
func (c *cell) asWalks(m map[string]Metric, won []*verdict) {
	m[MetricEffective] = c.mean(MetricEffective, won, func(v *verdict) int { return v.effective - v.distance })
	if !c.clicks {
		m[MetricSuboptimal], m[MetricSubMoves], m[MetricInvalid] = Metric{}, Metric{}, Metric{}
	}
}

func filter(games []*verdict, keep func(*verdict) bool) []*verdict {
	var out []*verdict
	for _, v := range games {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}

func total(games []*verdict, value func(*verdict) int) int64 {
	var sum int64
	for _, v := range games {
		sum += int64(value(v))
	}
	return sum
}

// Ratio returns an exact ratio, without value for a denominator of 0.
func Ratio(num, den int64) Metric {
	return Metric{Num: &num, Den: den, Value: Quotient(num, den)}
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

// mean is a mean over games, with its bootstrap interval.
func (c *cell) mean(metric string, games []*verdict, value func(*verdict) int) Metric {
	values := make([]int64, len(games))
	for i, v := range games {
		values[i] = int64(value(v))
	}
	return MeanOf(c.seed, metric, c.split, values)
}

// macro is the mean of the games' own step accuracies. The sum is exact: each term is rounded nowhere.
func macro(games []*verdict) Metric {
	sum, n := new(big.Rat), int64(0)
	for _, v := range games {
		if v.counted > 0 {
			sum.Add(sum, big.NewRat(int64(v.optimal), int64(v.counted)))
			n++
		}
	}
	return MeanOfSum(sum, n)
}

// MeanOfSum returns the mean of n values whose exact sum is given; without value for n = 0.
func MeanOfSum(sum *big.Rat, n int64) Metric {
	if n == 0 {
		return Metric{}
	}
	x, _ := new(big.Rat).Quo(sum, big.NewRat(n, 1)).Float64()
	return Metric{Den: n, Value: Decimal(x)}
}
