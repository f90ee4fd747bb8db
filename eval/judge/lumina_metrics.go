package judge

import (
	"math/big"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/schemas"
)

// Names of the metrics of the three worlds, beside those of all games.
const (
	MetricMicroAll      = "step_accuracy_micro_all" // dead steps too
	MetricPredicted     = "sr_pred"                 // what independent errors of the same rate would give
	MetricGap           = "sr_gap"                  // success rate - sr_pred
	MetricExcess        = "excess_turns"            // turns - t_star, mean over successes
	MetricOnPath        = "on_path"                 // tree: share of queries that a clairvoyant makes
	MetricExcessQueries = "excess_queries"          // tree: queries - those of a clairvoyant, mean over successes
	MetricRedundant     = "redundant_rate"          // tree: share of queries that told nothing
)

// luminaCell is a set of instances in one configuration: a level, or all of a split.
type luminaCell struct {
	split, level, config string
	instances            []*worlds.Instance
	verdicts             []*luminaVerdict // parallel; nil for a missing episode
	partial              bool
}

// each calls visit for every episode that says something about the player.
func (c *luminaCell) each(visit func(*luminaVerdict)) {
	for _, v := range c.verdicts {
		if v != nil && v.outcome != schemas.OutcomeInfra {
			visit(v)
		}
	}
}

func (c *luminaCell) sum(value func(*luminaVerdict) int) int64 {
	var n int64
	c.each(func(v *luminaVerdict) { n += int64(value(v)) })
	return n
}

// outcomes counts episodes by outcome, the terminal errors among them.
func (c *luminaCell) outcomes() (counts map[string]int, missing, infra int) {
	counts = map[string]int{}
	for _, v := range c.verdicts {
		if v == nil {
			missing++
			continue
		}
		counts[v.outcome]++
	}
	return counts, missing, counts[schemas.OutcomeInfra]
}

// n is the denominator of the success rate: a missing episode is a failure unless the score is partial.
func (c *luminaCell) n() int {
	_, missing, infra := c.outcomes()
	if c.partial {
		return len(c.verdicts) - infra - missing
	}
	return len(c.verdicts) - infra
}

// metrics computes every metric of the cell.
func (c *luminaCell) metrics() map[string]Metric {
	optimal, counted := c.sum(func(v *luminaVerdict) int { return v.optimal }), c.sum(func(v *luminaVerdict) int { return v.counted })
	deadOptimal, dead := c.sum(func(v *luminaVerdict) int { return v.deadOptimal }), c.sum(func(v *luminaVerdict) int { return v.dead })
	won := c.sum(func(v *luminaVerdict) int { return int(toInt(v.success())) })
	m := map[string]Metric{
		MetricSuccess:   Share(int(won), c.n()),
		MetricMicro:     Ratio(optimal, counted),
		MetricMicroAll:  Ratio(optimal+deadOptimal, counted+dead),
		MetricMacro:     c.macro(),
		MetricDead:      Ratio(dead, counted+dead),
		MetricPredicted: c.predicted(optimal, counted),
		MetricGap:       {},
		MetricExcess:    Ratio(c.sum(func(v *luminaVerdict) int { return int(toInt(v.success())) * (v.turns - v.inst.TStar) }), won),
	}
	if p := c.prediction(optimal, counted); p != nil {
		m[MetricGap] = Metric{Den: int64(c.n()), Value: Decimal(float64(won)/float64(c.n()) - *p)}
	}
	if len(c.instances) > 0 && c.instances[0].Env == schemas.LuminaTree {
		c.treeMetrics(m, won)
	}
	return m
}

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// macro is the mean of the episodes' own step accuracies, exact up to its last step.
func (c *luminaCell) macro() Metric {
	sum, n := new(big.Rat), int64(0)
	c.each(func(v *luminaVerdict) {
		if v.counted > 0 {
			sum.Add(sum, big.NewRat(int64(v.optimal), int64(v.counted)))
			n++
		}
	})
	return MeanOfSum(sum, n)
}

func (c *luminaCell) predicted(optimal, counted int64) Metric {
	p := c.prediction(optimal, counted)
	if p == nil {
		return Metric{}
	}
	return Metric{Den: int64(c.n()), Value: Decimal(*p)}
}

// prediction is the mean of p^t_star, p being the step accuracy of the cell; nil without a step or an instance.
func (c *luminaCell) prediction(optimal, counted int64) *float64 {
	if counted == 0 || c.n() == 0 {
		return nil
	}
	p, sum := float64(optimal)/float64(counted), 0.0
	for i, v := range c.verdicts {
		if v == nil && c.partial || v != nil && v.outcome == schemas.OutcomeInfra {
			continue
		}
		term := 1.0
		for range c.instances[i].TStar {
			term *= p
		}
		sum += term
	}
	sum /= float64(c.n())
	return &sum
}

func (c *luminaCell) treeMetrics(m map[string]Metric, won int64) {
	queries := c.sum(func(v *luminaVerdict) int { return v.queries })
	m[MetricOnPath] = Ratio(c.sum(func(v *luminaVerdict) int { return v.onPath }), queries)
	m[MetricRedundant] = Ratio(c.sum(func(v *luminaVerdict) int { return v.redundant }), queries)
	m[MetricExcessQueries] = Ratio(c.sum(func(v *luminaVerdict) int {
		return int(toInt(v.success())) * (v.queries - (v.inst.Clair() - 1))
	}), won)
}
