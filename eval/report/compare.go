package report

import (
	"fmt"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Comparison is two runs on the same games of one split: B minus A. A game that failed for no fault of the player in either
// run is dropped from the pairs, one that is missing is a failure.
type Comparison struct {
	Split   string       `json:"split"`
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
				if n := min(attempts(a, s.name), attempts(b, s.name)); n > 0 {
					out = append(out, compare(s, a, b, n, in.Seed))
				}
			}
		}
	}
	return out
}

// attempts gives the games that a run played of each instance of a split, 0 if it did not play the split.
func attempts(r Run, split string) int {
	for _, s := range r.Scores.Summaries {
		if s.Split == split {
			return s.Attempts
		}
	}
	return 0
}

func compare(s set, a, b Run, attempts int, seed int64) Comparison {
	c := Comparison{Split: s.name, A: a.Name, B: b.Name}
	ofA, ofB := results(a), results(b)
	var success, excess []int64
	for _, id := range s.ids {
		for k := 1; k <= attempts; k++ {
			x, y := ofA[slot{id, k}], ofB[slot{id, k}]
			if x.Outcome == schemas.OutcomeInfra || y.Outcome == schemas.OutcomeInfra {
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
	c.Success = judge.MeanOf(seed, metricSuccessDifference, names, success)
	c.Excess = judge.MeanOf(seed, metricExcessDifference, names, excess)
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
