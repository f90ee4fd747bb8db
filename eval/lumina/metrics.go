package lumina

import (
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Names of the metrics of the three worlds, besides those of all games.
const (
	metricMicroAll      = "step_accuracy_micro_all" // dead steps too
	metricExcess        = "excess_turns"            // turns - t_star, mean over successes
	metricOnPath        = "on_path"                 // tree: share of queries that a clairvoyant makes
	metricExcessQueries = "excess_queries"          // tree: queries - those of a clairvoyant, mean over successes
	metricRedundant     = "redundant_rate"          // tree: share of queries that told nothing
)

func (Family) Columns() []family.Column {
	return []family.Column{
		{Heading: "success rate", Metric: judge.MetricSuccess, Better: 1},
		{Heading: "step accuracy", Metric: judge.MetricMicro, Better: 1},
		{Heading: "macro", Metric: judge.MetricMacro, Better: 1, Detail: true},
		{Heading: "dead", Metric: judge.MetricDead, Better: -1, Detail: true},
		{Heading: "sr pred", Metric: judge.MetricPredicted, Detail: true},
		{Heading: "gap", Metric: judge.MetricGap, Detail: true},
		{Heading: "excess turns", Metric: metricExcess, Better: -1},
	}
}

// cell is a set of instances in one configuration: a level, or all of a split.
type cell struct {
	config    string
	instances []*worlds.Instance
	verdicts  []*verdict // parallel; nil for a missing episode
	partial   bool
	left      int // instances that the run left out
}

// each calls visit for every episode that says something about the player.
func (c *cell) each(visit func(*verdict)) {
	for _, v := range c.verdicts {
		if v != nil && v.outcome != schemas.OutcomeInfra {
			visit(v)
		}
	}
}

func (c *cell) sum(value func(*verdict) int) int64 {
	var n int64
	c.each(func(v *verdict) { n += int64(value(v)) })
	return n
}

// costs lists what every turn told.
func (c *cell) costs() (list []*string) {
	c.each(func(v *verdict) { list = append(list, v.costs...) })
	return list
}

func (c *cell) usage() *schemas.Usage {
	var list []*verdict
	c.each(func(v *verdict) { list = append(list, v) })
	return schemas.SumUsage(list, (*verdict).usage)
}

// outcomes counts episodes by outcome, the terminal errors among them.
func (c *cell) outcomes() (counts map[string]int, missing, infra int) {
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

// arm is the cell as configurations are compared.
func (c *cell) arm() judge.Arm {
	a := judge.Arm{Config: c.config, Partial: c.partial, Games: make([]*judge.Played, len(c.verdicts))}
	for i, v := range c.verdicts {
		if v != nil {
			a.Games[i] = &judge.Played{Infra: v.outcome == schemas.OutcomeInfra, Success: v.success(), Optimal: v.optimal, Counted: v.counted}
		}
	}
	return a
}

func (c *cell) metrics() map[string]judge.Metric {
	lengths := make([]int, len(c.instances))
	for i, inst := range c.instances {
		lengths[i] = inst.TStar
	}
	m := c.arm().Metrics(lengths)
	optimal, counted := c.sum(func(v *verdict) int { return v.optimal }), c.sum(func(v *verdict) int { return v.counted })
	deadOptimal, dead := c.sum(func(v *verdict) int { return v.deadOptimal }), c.sum(func(v *verdict) int { return v.dead })
	won := c.sum((*verdict).won)
	m[metricMicroAll] = judge.Ratio(optimal+deadOptimal, counted+dead)
	m[judge.MetricDead] = judge.Ratio(dead, counted+dead)
	m[metricExcess] = judge.Ratio(c.sum(func(v *verdict) int { return v.won() * (v.turns - v.inst.TStar) }), won)
	if len(c.instances) > 0 && c.instances[0].Env == schemas.LuminaTree {
		c.treeMetrics(m, won)
	}
	return m
}

func (c *cell) treeMetrics(m map[string]judge.Metric, won int64) {
	queries := c.sum(func(v *verdict) int { return v.queries })
	m[metricOnPath] = judge.Ratio(c.sum(func(v *verdict) int { return v.onPath }), queries)
	m[metricRedundant] = judge.Ratio(c.sum(func(v *verdict) int { return v.redundant }), queries)
	m[metricExcessQueries] = judge.Ratio(c.sum(func(v *verdict) int { return v.won() * (v.queries - (v.inst.Clair - 1)) }), won)
}
