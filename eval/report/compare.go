package report

import (
	"fmt"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Comparison is two runs on the same games of one split: B minus A. A game that failed for no fault of the player in either
// run is dropped from the pairs, and so is one that is missing in a partial score; else what is missing is a failure.
type Comparison struct {
	Split   string       `json:"split"`
	Rules   bool         `json:"same_options"` // else A and B are scores of two games
	A       string       `json:"a"`
	B       string       `json:"b"`
	Pairs   int          `json:"pairs"`
	Both    int          `json:"both"`   // won by both
	OnlyA   int          `json:"only_a"` // won by A alone
	OnlyB   int          `json:"only_b"`
	Success judge.Metric `json:"success_difference"`    // with a paired bootstrap interval
	Excess  judge.Metric `json:"suboptimal_difference"` // over the games that both won
	McNemar string       `json:"mcnemar_p"`             // exact, two-sided
}

// Names of the bootstrap's streams.
const (
	metricSuccessDifference = "success_difference"
	metricExcessDifference  = "suboptimal_difference"
)

// slot is a game that runs can share.
type slot struct {
	instance string
	attempt  int
}

func compareAll(in Input) []Comparison {
	var out []Comparison
	for _, s := range in.sets() {
		for i, a := range in.Runs {
			for _, b := range in.Runs[i+1:] {
				if n := min(summary(a, s.name).Attempts, summary(b, s.name).Attempts); n > 0 {
					out = append(out, compare(in, s, a, b, n))
				}
			}
		}
	}
	return out
}

// summary gives a run's score of a split, one of no attempts if it did not play the split.
func summary(r Run, split string) judge.Summary {
	for _, s := range r.Scores.Summaries {
		if s.Split == split {
			return s
		}
	}
	return judge.Summary{}
}

func compare(in Input, s set, a, b Run, attempts int) Comparison {
	c := Comparison{Split: s.name, A: a.Name, B: b.Name}
	c.Rules = summary(a, s.name).OptionsSHA256 == summary(b, s.name).OptionsSHA256
	ofA, ofB := results(a), results(b)
	var success, excess []int64
	for _, id := range s.ids {
		for k := 1; k <= attempts; k++ {
			x, hasA := ofA[slot{id, k}]
			y, hasB := ofB[slot{id, k}]
			if x.Outcome == schemas.OutcomeInfra || y.Outcome == schemas.OutcomeInfra || in.Partial && !(hasA && hasB) {
				continue
			}
			success = append(success, c.count(x.Success(), y.Success()))
			if x.Success() && y.Success() {
				excess = append(excess, int64(y.Excess-x.Excess))
			}
		}
	}
	c.Pairs = len(success)
	names := fmt.Sprint(a.Name, "\n", b.Name, "\n", s.name)
	c.Success = judge.MeanOf(in.Seed, metricSuccessDifference, names, success)
	c.Excess = judge.MeanOf(in.Seed, metricExcessDifference, names, excess)
	c.McNemar = judge.McNemar(c.OnlyA, c.OnlyB)
	return c
}

func (c *Comparison) count(a, b bool) int64 {
	switch {
	case a && b:
		c.Both++
	case a:
		c.OnlyA++
		return -1
	case b:
		c.OnlyB++
		return 1
	}
	return 0
}

func results(r Run) map[slot]judge.Result {
	out := map[slot]judge.Result{}
	for _, g := range r.Scores.Games() {
		out[slot{g.Instance, g.Attempt}] = g
	}
	return out
}
