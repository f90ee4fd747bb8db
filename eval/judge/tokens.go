package judge

import (
	"math/big"

	"github.com/wikinav/wikinav/schemas"
)

// addUsage adds the tokens per turn, which are known only if every game tells them.
func addUsage(m map[string]Metric, games []*verdict, turns int64) {
	usage := schemas.SumUsage(games, (*verdict).told)
	if usage == nil {
		m[MetricTokens], m[MetricPrompt] = Metric{Den: turns}, Metric{Den: turns}
		return
	}
	m[MetricTokens], m[MetricPrompt] = Ratio(usage.Output, turns), Ratio(usage.Prompt, turns)
}

func addCost(m map[string]Metric, games []*verdict, turns int64) {
	m[MetricCostPerStep], m[MetricCostPerGame] = Metric{Den: turns}, Metric{Den: int64(len(games))}
	if cost := sumCost(games); cost != nil {
		m[MetricCostPerStep], m[MetricCostPerGame] = MeanOfSum(cost.sum, turns), MeanOfSum(cost.sum, int64(len(games)))
	}
}

func sumCost(games []*verdict) *amount {
	sum := new(big.Rat)
	for _, v := range games {
		if v.cost == nil {
			return nil
		}
		sum.Add(sum, v.cost.sum)
	}
	if len(games) == 0 {
		return nil
	}
	return &amount{sum}
}
