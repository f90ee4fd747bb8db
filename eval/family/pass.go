package family

import (
	"slices"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Pass is pass@k on a split: the chance that one of k attempts at a task succeeds, as the mean over
// its tasks. Den of the metric is the tasks, Left those that were left out for want of k attempts.
type Pass struct {
	Split string `json:"split"`
	K     int    `json:"k"`
	judge.Metric
	Left int `json:"left_out"`
}

// everyK is up to how many attempts each k has a pass@k where nobody asks for others; beyond it are
// those of a rule with few marks, and the last.
const everyK = 20

// passes lists pass@k of each whole split of a run with several attempts, for the asked k, or for
// all. Attempts on which the endpoint failed are none; missing ones failed, or are none under
// Partial.
func (sc *Scoring) passes() (list []Pass) {
	if sc.Request.Attempts < 2 {
		return nil
	}
	for _, row := range sc.Scores.Rows {
		if len(row.By) > 0 || row.Metrics == nil {
			continue
		}
		tasks := sc.Scores.Tries(row)
		for _, k := range sc.ks() {
			p := Pass{Split: row.Split, K: k}
			p.Metric, p.Left = judge.MeanPassAt(sc.Request.Seed, row.Split, k, tasks)
			list = append(list, p)
		}
	}
	return list
}

// ks lists the k that are asked for, as far as there are so many attempts.
func (sc *Scoring) ks() []int {
	most := sc.Request.Attempts
	if sc.Request.PassAt != nil {
		asked := slices.Compact(slices.Sorted(slices.Values(sc.Request.PassAt)))
		return slices.DeleteFunc(asked, func(k int) bool { return k > most })
	}
	var list []int
	for k := 1; k <= min(most, everyK); k++ {
		list = append(list, k)
	}
	for ten := 10; ten < most; ten *= 10 {
		for _, mark := range []int{2, 5, 10} {
			if k := mark * ten; k > everyK && k < most {
				list = append(list, k)
			}
		}
	}
	if most > everyK {
		list = append(list, most)
	}
	return list
}

// Tries counts the attempts at each task of the split of a row, in the order of the results; the
// tasks that nobody played come last. Without Partial a missing attempt counts as made, and failed.
func (s *Scores) Tries(row Row) []judge.Tries {
	tasks := row.Missing
	for _, n := range row.Outcomes {
		tasks += n
	}
	tasks /= max(1, s.Attempts)
	var order []string
	made := map[string]*judge.Tries{}
	for _, x := range s.Results {
		if x.Split != row.Split {
			continue
		}
		t := made[x.Task]
		if t == nil {
			t = &judge.Tries{}
			if !s.Partial {
				t.N = s.Attempts
			}
			made[x.Task], order = t, append(order, x.Task)
		}
		switch infra := x.Outcome == schemas.OutcomeInfra; {
		case infra && !s.Partial:
			t.N-- // no attempt
		case !infra && x.Outcome != OutcomeMissing:
			t.N, t.Won = t.N+judge.One(s.Partial), t.Won+judge.One(x.Success)
		}
	}
	list := make([]judge.Tries, 0, tasks)
	for _, id := range order {
		list = append(list, *made[id])
	}
	for len(list) < tasks && !s.Partial {
		list = append(list, judge.Tries{N: s.Attempts})
	}
	return list
}
