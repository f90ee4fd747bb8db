package aar

import (
	"math/big"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
)

// Names of metrics, besides judge.MetricSuccess: the share of runs that end with the right digit.
const (
	metricPages        = "page_visit_rate"
	metricTools        = "tool_stop_rate"
	metricStepLimit    = "step_limit_rate"
	metricSteps        = "mean_steps"
	metricCalls        = "mean_calls"
	metricIntermediate = "intermediate"
	metricRightCalls   = "right_calls"
	metricShare        = "share_" // and one of the causes; the four sum to 1
	metricShortcut     = "shortcut"
	metricShortcutOf   = "shortcut_of_correct"
	metricRecovery     = "recovery_pages"
	metricRecoveryBoth = "recovery_pages_and_tools"
	metricNearMiss     = "near_miss"
	metricNavigated    = "perfect_navigation_failure"
	metricTotal        = "total_failure"
)

// Columns lists the metrics by the names of the paper where it has them.
func (Family) Columns() []family.Column {
	return []family.Column{
		{Heading: "FA", Metric: judge.MetricSuccess, Better: 1},
		{Heading: "PVR", Metric: metricPages, Better: 1},
		{Heading: "RCR", Metric: metricTools, Better: 1},
		{Heading: "step limit", Metric: metricStepLimit, Better: -1},
		{Heading: "steps", Metric: metricSteps},
		{Heading: "calls", Metric: metricCalls, Detail: true},
		{Heading: "step accuracy", Metric: judge.MetricMicro, Better: 1, Detail: true},
		{Heading: "macro", Metric: judge.MetricMacro, Better: 1, Detail: true},
		{Heading: "navigation", Metric: metricShare + causeNavigation, Better: -1, Detail: true},
		{Heading: "tool", Metric: metricShare + causeTool, Detail: true},
		{Heading: "computation", Metric: metricShare + causeComputation, Detail: true},
		{Heading: "intermediate", Metric: metricIntermediate, Better: 1, Detail: true},
		{Heading: "right calls", Metric: metricRightCalls, Better: 1, Detail: true},
		{Heading: "shortcut", Metric: metricShortcut, Detail: true},
		{Heading: "of correct", Metric: metricShortcutOf, Detail: true},
		{Heading: "recovery", Metric: metricRecovery, Better: 1, Detail: true},
		{Heading: "with tools", Metric: metricRecoveryBoth, Better: 1, Detail: true},
		{Heading: "near miss", Metric: metricNearMiss, Detail: true},
		{Heading: "perfect navigation failure", Metric: metricNavigated, Better: -1, Detail: true},
		{Heading: "total failure", Metric: metricTotal, Better: -1, Detail: true},
	}
}

// Causes lists what stood between a run and the right digit, as the paper tells it apart.
func (Family) Causes() []family.Column {
	return []family.Column{
		{Heading: causeNavigation, Metric: metricShare + causeNavigation},
		{Heading: causeTool, Metric: metricShare + causeTool},
		{Heading: causeComputation, Metric: metricShare + causeComputation},
	}
}

// cell is the runs of some legs, which share a row.
type cell struct {
	seed    int64
	stream  string // of the bootstrap
	legs    []cellLeg
	missing bool // missing runs count as lost
}

// cellLeg is the runs of a leg that were played, and how many were not.
type cellLeg struct {
	runs    []*verdict
	missing int
}

// runs lists the runs of all legs.
func (c *cell) runs() (list []*verdict) {
	for _, l := range c.legs {
		list = append(list, l.runs...)
	}
	return list
}

// n is the number of runs that the first metric counts.
func (c *cell) n() (n int) {
	for _, l := range c.legs {
		n += len(l.runs)
		if c.missing {
			n += l.missing
		}
	}
	return n
}

func (c *cell) metrics() map[string]judge.Metric {
	all := func(*verdict) bool { return true }
	right := func(v *verdict) bool { return v.right }
	shortcut := (*verdict).shortcut
	m := map[string]judge.Metric{
		judge.MetricSuccess: c.accuracy(),
		metricStepLimit:     c.share(all, func(v *verdict) bool { return v.limited }),
		metricSteps:         mean(c.means(func(v *verdict) (float64, bool) { return count(v.steps) })),
		metricCalls:         mean(c.means(func(v *verdict) (float64, bool) { return count(v.calls) })),
		metricShortcut:      c.share(all, shortcut),
		metricShortcutOf:    c.share(right, shortcut),
		metricRecovery:      c.share((*verdict).navigated, right),
		metricRecoveryBoth:  c.share((*verdict).navigatedAndUsed, right),
		metricNearMiss:      c.share(all, (*verdict).nearMiss),
		metricNavigated:     c.share(all, (*verdict).lostAtTheEnd),
		metricTotal:         c.share(all, (*verdict).lostAll),
	}
	m[judge.MetricMicro], m[judge.MetricMacro] = c.stepAccuracy()
	for name, of := range map[string]func(v *verdict) part{ // in any order: each by itself
		metricPages:        func(v *verdict) part { return v.pages },
		metricTools:        func(v *verdict) part { return v.tools },
		metricIntermediate: func(v *verdict) part { return v.intermediate },
		metricRightCalls:   func(v *verdict) part { return v.rightCalls },
	} {
		means := c.means(func(v *verdict) (float64, bool) { return of(v).value() })
		if m[name] = mean(means); name == metricPages || name == metricTools {
			m[name] = judge.MeanOfReals(c.seed, name, c.stream, means)
		}
	}
	for _, cause := range []string{causeCorrect, causeNavigation, causeTool, causeComputation} {
		m[metricShare+cause] = c.share(all, func(v *verdict) bool { return v.cause() == cause })
	}
	return m
}

// stepAccuracy is the share of optimal steps, over all runs and as the mean of the runs' shares.
func (c *cell) stepAccuracy() (micro, macro judge.Metric) {
	var all part
	sum, n := new(big.Rat), int64(0)
	for _, v := range c.runs() {
		if all.done, all.of = all.done+v.stepped.done, all.of+v.stepped.of; !v.stepped.null() {
			sum.Add(sum, big.NewRat(int64(v.stepped.done), int64(v.stepped.of)))
			n++
		}
	}
	return judge.Ratio(int64(all.done), int64(all.of)), judge.MeanOfSum(sum, n)
}

// accuracy is the share of right runs, of those that are missing too where they count as lost.
func (c *cell) accuracy() judge.Metric {
	var counts [][2]int
	for _, l := range c.legs {
		won, n := 0, len(l.runs)
		for _, v := range l.runs {
			won += judge.One(v.right)
		}
		if c.missing {
			n += l.missing
		}
		counts = append(counts, [2]int{won, n})
	}
	return c.shareOf(judge.MetricSuccess, counts)
}

// share is the share of the runs among which something is so.
func (c *cell) share(among, is func(*verdict) bool) judge.Metric {
	var counts [][2]int
	for _, l := range c.legs {
		k, n := 0, 0
		for _, v := range l.runs {
			if among(v) {
				k, n = k+judge.One(is(v)), n+1
			}
		}
		counts = append(counts, [2]int{k, n})
	}
	return c.shareOf("", counts)
}

// shareOf is the mean over legs of the shares k of n of their runs. That is the share in all runs
// where all legs have as many.
func (c *cell) shareOf(metric string, counts [][2]int) judge.Metric {
	k, n, each := 0, 0, 0
	equal, shares := true, []float64{}
	for _, leg := range counts {
		if leg[1] == 0 {
			continue
		}
		equal = equal && (each == 0 || each == leg[1])
		k, n, each = k+leg[0], n+leg[1], leg[1]
		shares = append(shares, float64(leg[0])/float64(leg[1]))
	}
	switch {
	case equal:
		return judge.Share(k, n)
	case metric == judge.MetricSuccess:
		return judge.MeanOfReals(c.seed, metric, c.stream, shares)
	}
	return mean(shares)
}

// means lists the means over the runs of each leg; runs without a value are left out, and so are
// legs without such runs.
func (c *cell) means(value func(*verdict) (x float64, known bool)) (list []float64) {
	for _, l := range c.legs {
		sum, n := 0.0, 0
		for _, v := range l.runs {
			if x, known := value(v); known {
				sum, n = sum+x, n+1
			}
		}
		if n > 0 {
			list = append(list, sum/float64(n))
		}
	}
	return list
}

// count is a number that every run has.
func count(n int) (x float64, known bool) { return float64(n), true }

// mean is the mean of values, without an interval.
func mean(values []float64) judge.Metric {
	if len(values) == 0 {
		return judge.Metric{}
	}
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return judge.Metric{Den: int64(len(values)), Value: judge.Decimal(sum / float64(len(values)))}
}
