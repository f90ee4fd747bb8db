package replay

import (
	"math/big"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// verdict is a game as the graph saw it.
type verdict struct {
	task      *game.Task
	attempt   int
	name      string // of the game
	outcome   string
	turns     int // moves and invalid
	moves     int
	invalid   int
	maxVisits int
	usage     *schemas.Usage
	cost      *big.Rat

	tally     tally          // of a game that was played again
	breach    breach         // of its ban
	leadless  int            // menus on pages without a lead
	read      map[string]int // replies by the rule that read them
	diverged  bool           // from the log, read by another parser
	effective int            // of a person: links from source to the last page once back clicks are resolved
}

// verdict returns what is known of a game before it is replayed.
func (g Game) verdict(task game.Task) verdict {
	return verdict{task: &task, attempt: g.Attempt, name: g.Name()}
}

// tally counts turns by what they were worth.
type tally struct {
	replayed int // turns that the replay made itself
	avail    int // of those, links lost by the best link of the menu
	counted  int // turns from live states
	optimal  int // of those
	dead     int // turns from states that had lost already
}

type breach struct {
	moves      int // onto banned pages
	first      int // step of the first of these, 0 for none
	statements []family.Statement
}

func (v *verdict) success() bool        { return v.outcome == schemas.OutcomeSuccess }
func (v *verdict) loops() bool          { return v.maxVisits > 1 }
func (v *verdict) told() *schemas.Usage { return v.usage }
func (v *verdict) breaks() bool         { return v.breach.moves > 0 }

// cell is a set of games that share a row: a split, or a group of it.
type cell struct {
	split    Split
	by       []family.Group
	stream   string // of the bootstrap
	seed     int64
	expected int // games, played or not
	partial  bool
	open     bool // no list of instances: the games that are there are those that are expected
	kind     *kind
	games    []*verdict
}

type kind struct {
	metrics func(*cell) map[string]judge.Metric
}

var (
	plain      = &kind{(*cell).metrics}
	banned     = &kind{(*cell).banMetrics}
	pathless   = &kind{(*cell).refusalMetrics}
	people     = &kind{(*cell).walkMetrics}
	resolved   = &kind{(*cell).resolvedMetrics} // people whose back clicks are not told
	otherGraph = &kind{(*cell).uncheckedMetrics}
)

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

// n is the denominator of the success rate: a missing game fails unless the score is partial. The
// other metrics are of games played: one that is not there must not pass for one without a loop.
func (c *cell) n() int {
	if c.partial {
		return len(c.played())
	}
	return c.expected - c.infra()
}

func (c *cell) metrics() map[string]judge.Metric {
	played := c.played()
	won := filter(played, (*verdict).success)
	looping := filter(played, (*verdict).loops)
	m := map[string]judge.Metric{
		judge.MetricSuccess: judge.Share(len(won), c.n()),
		judge.MetricSuboptimal: c.mean(judge.MetricSuboptimal, won,
			func(v *verdict) int { return v.turns - v.task.Length }),
		judge.MetricSubMoves:   c.mean(judge.MetricSubMoves, won, func(v *verdict) int { return v.moves - v.task.Length }),
		judge.MetricLoops:      judge.Share(len(looping), len(played)),
		judge.MetricRecovery:   judge.Share(len(filter(looping, (*verdict).success)), len(looping)),
		judge.MetricVisitation: c.mean(judge.MetricVisitation, played, func(v *verdict) int { return v.maxVisits }),
		judge.MetricAvail: judge.Ratio(total(played, func(v *verdict) int { return v.tally.avail }),
			total(played, func(v *verdict) int { return v.tally.replayed })),
	}
	turns := total(played, func(v *verdict) int { return v.turns })
	m[judge.MetricInvalid] = judge.Ratio(total(played, func(v *verdict) int { return v.invalid }), turns)
	addAccuracy(m, played)
	addExpense(m, played)
	return m
}

// walkMetrics adds what is said of people's games alone.
func (c *cell) walkMetrics() map[string]judge.Metric {
	m := c.metrics()
	m[judge.MetricEffective] = c.mean(judge.MetricEffective, filter(c.played(), (*verdict).success),
		func(v *verdict) int { return v.effective - v.task.Length })
	return m
}

// resolvedMetrics takes away what files do not tell whose back clicks were resolved before.
func (c *cell) resolvedMetrics() map[string]judge.Metric {
	m := c.walkMetrics()
	m[judge.MetricSuboptimal], m[judge.MetricSubMoves], m[judge.MetricInvalid] = judge.Metric{}, judge.Metric{},
		judge.Metric{}
	return m
}

// uncheckedMetrics takes away what needs distances or menus, and adds the length that a path shows.
func (c *cell) uncheckedMetrics() map[string]judge.Metric {
	m := c.metrics()
	for _, name := range []string{
		judge.MetricSuboptimal, judge.MetricSubMoves, judge.MetricMicro, judge.MetricMacro,
		judge.MetricDead, judge.MetricAvail,
	} {
		m[name] = judge.Metric{}
	}
	m[judge.MetricLength] = c.mean(judge.MetricLength, filter(c.played(), (*verdict).success),
		func(v *verdict) int { return v.moves })
	return m
}

// addAccuracy adds how many turns were optimal while the target could still be reached.
func addAccuracy(m map[string]judge.Metric, played []*verdict) {
	counted := total(played, func(v *verdict) int { return v.tally.counted })
	dead := total(played, func(v *verdict) int { return v.tally.dead })
	m[judge.MetricMicro] = judge.Ratio(total(played, func(v *verdict) int { return v.tally.optimal }), counted)
	m[judge.MetricMacro] = macro(played)
	m[judge.MetricDead] = judge.Ratio(dead, counted+dead)
}

// addExpense adds tokens and money per turn, which are known only if every game tells them.
func addExpense(m map[string]judge.Metric, games []*verdict) {
	turns, n := total(games, func(v *verdict) int { return v.turns }), int64(len(games))
	m[judge.MetricTokens], m[judge.MetricPrompt] = judge.Metric{Den: turns}, judge.Metric{Den: turns}
	if usage := schemas.SumUsage(games, (*verdict).told); usage != nil {
		m[judge.MetricTokens], m[judge.MetricPrompt] = judge.Ratio(usage.Output, turns), judge.Ratio(usage.Prompt,
			turns)
	}
	m[judge.MetricCostPerStep], m[judge.MetricCostPerGame] = judge.Metric{Den: turns}, judge.Metric{Den: n}
	if cost := sumCost(games); cost != nil {
		m[judge.MetricCostPerStep], m[judge.MetricCostPerGame] = judge.MeanOfSum(cost, turns), judge.MeanOfSum(cost, n)
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

// mean is a mean over games, with its bootstrap interval.
func (c *cell) mean(metric string, games []*verdict, value func(*verdict) int) judge.Metric {
	values := make([]int64, len(games))
	for i, v := range games {
		values[i] = int64(value(v))
	}
	return judge.MeanOf(c.seed, metric, c.stream, values)
}

// macro is the mean of the games' own step accuracies, an exact sum: no term is rounded.
func macro(games []*verdict) judge.Metric {
	sum, n := new(big.Rat), int64(0)
	for _, v := range games {
		if v.tally.counted > 0 {
			sum.Add(sum, big.NewRat(int64(v.tally.optimal), int64(v.tally.counted)))
			n++
		}
	}
	return judge.MeanOfSum(sum, n)
}
