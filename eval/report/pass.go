package report

import (
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
)

// Passes is pass@k of a run on a split.
type Passes struct {
	Run      string        `json:"run"`
	Attempts int           `json:"attempts"` // of each task
	At       []family.Pass `json:"at"`
}

// passesOf returns pass@k of a run on a split; nothing for one attempt, or for a variant.
func passesOf(x series, split string) Passes {
	p := Passes{Run: x.Name, Attempts: x.Scores.Attempts}
	for _, at := range x.Scores.Passes {
		if at.Split == split && x.variant == "" {
			p.At = append(p.At, at)
		}
	}
	return p
}

// attempts returns pass@k over all splits as a curve: the share of the tasks that are won within k
// attempts. There is none without a run of several.
func attempts(list []series, seed int64) []Budget {
	var ks []int
	for _, s := range list {
		for _, p := range s.Scores.Passes {
			ks = append(ks, p.K)
		}
	}
	slices.Sort(ks)
	b := Budget{Unit: "attempts"}
	for _, k := range slices.Compact(ks) {
		point := BudgetPoint{Budget: strconv.Itoa(k)}
		for _, s := range list {
			m := judge.Metric{}
			if k <= s.Scores.Attempts && s.variant == "" {
				m, _ = judge.MeanPassAt(seed, "all", k, s.tries())
			}
			point.Success = append(point.Success, m)
		}
		b.Points = append(b.Points, point)
	}
	if b.Points == nil {
		return nil
	}
	return []Budget{b}
}

// tries counts the attempts at every task of the splits that were scored.
func (s series) tries() (list []judge.Tries) {
	for _, row := range s.Scores.Rows {
		if len(row.By) == 0 {
			list = append(list, s.Scores.Tries(row)...)
		}
	}
	return list
}

// passNote says what pass@k is.
const passNote = "pass@k: the chance that one of k attempts succeeds, mean over the tasks; 95 % bootstrap over tasks."

// passTable has a row for each split and a column for each k.
func passTable(list []family.Pass) Table {
	var rows []Passes
	for _, p := range list {
		i := slices.IndexFunc(rows, func(r Passes) bool { return r.Run == p.Split })
		if i < 0 {
			i, rows = len(rows), append(rows, Passes{Run: p.Split})
		}
		rows[i].At = append(rows[i].At, p)
	}
	return passesOver("split", rows)
}

// passesTable has a row for each run and a column for each k.
func passesTable(heading string, list []Passes) Table {
	t := passesOver("run", list)
	t.Heading = heading
	return t
}

func passesOver(first string, list []Passes) Table {
	t := Table{Heading: "Attempts", Note: passNote}
	head, ks := []any{first, "tasks"}, []int{}
	for _, r := range list {
		for _, p := range r.At {
			ks = append(ks, p.K)
		}
	}
	slices.Sort(ks)
	ks = slices.Compact(ks)
	for _, k := range ks {
		head = append(head, "pass@"+strconv.Itoa(k))
	}
	t.add(head...)
	for _, r := range list {
		cells := []any{r.Run, r.At[0].Den + int64(r.At[0].Left)}
		for _, k := range ks {
			m := judge.Metric{}
			if i := slices.IndexFunc(r.At, func(p family.Pass) bool { return p.K == k }); i >= 0 {
				m = r.At[i].Metric
			}
			cells = append(cells, m)
		}
		t.add(cells...)
	}
	return t
}
