package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Comparison is two runs on the same tasks of one split: B minus A. An item that failed for no
// fault of the player in either run is dropped from the pairs, and so is one that is missing in a
// partial score; else what is missing is a failure.
type Comparison struct {
	A       string       `json:"a"`
	B       string       `json:"b"`
	Pairs   int          `json:"pairs"`
	Both    int          `json:"both"`   // won by both
	OnlyA   int          `json:"only_a"` // won by A alone
	OnlyB   int          `json:"only_b"`
	Success judge.Metric `json:"success_difference"`    // with a paired bootstrap interval
	Excess  judge.Metric `json:"suboptimal_difference"` // over the items that both won
	McNemar string       `json:"mcnemar_p"`             // exact, two-sided
}

const (
	metricSuccessDifference = "success_difference"
	metricExcessDifference  = "suboptimal_difference"
)

// slot is an item that runs can share.
type slot struct {
	task    string
	attempt int
}

func bySlot(results []family.Result) map[slot]family.Result {
	out := map[slot]family.Result{}
	for _, x := range results {
		out[slot{x.Task, x.Attempt}] = x
	}
	return out
}

func compareAll(in Input, list []series, split string) []Comparison {
	out := []Comparison{}
	for i, a := range list {
		for _, b := range list[i+1:] {
			_, playedA := a.row(split)
			_, playedB := b.row(split)
			if playedA && playedB && a.variant == b.variant {
				out = append(out, compare(in, split, a, b))
			}
		}
	}
	return out
}

func compare(in Input, split string, a, b series) Comparison {
	c := Comparison{A: a.label(), B: b.label()}
	var success, excess []int64
	eachPair(in, split, a, b, func(x, y family.Result) {
		success = append(success, c.count(x.Success, y.Success))
		if x.Success && y.Success {
			excess = append(excess, int64(y.Excess-x.Excess))
		}
	})
	c.Pairs = len(success)
	names := fmt.Sprint(c.A, "\n", c.B, "\n", split)
	c.Success = judge.MeanOf(in.Seed, metricSuccessDifference, names, success)
	c.Excess = judge.MeanOf(in.Seed, metricExcessDifference, names, excess)
	c.McNemar = judge.McNemar(c.OnlyA, c.OnlyB)
	return c
}

// eachPair visits the items that two series of one variant share on a split. One that failed for no
// fault of the player in either is left out, and so is one that is missing in a partial score; else
// what is missing has the zero value.
func eachPair(in Input, split string, a, b series, visit func(x, y family.Result)) {
	ofA, ofB := bySlot(a.results), bySlot(b.results)
	for _, t := range a.tasks(split) {
		for k := 1; t.Variant == a.variant && k <= min(a.Scores.Attempts, b.Scores.Attempts); k++ {
			x, hasA := ofA[slot{t.ID, k}]
			y, hasB := ofB[slot{t.ID, k}]
			infra := x.Outcome == schemas.OutcomeInfra || y.Outcome == schemas.OutcomeInfra
			if !infra && (hasA && hasB || !in.Partial) {
				visit(x, y)
			}
		}
	}
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

// RulesDiffer lists the fields that differ, as "options.max_steps 20, not 30": b's value, not a's.
func RulesDiffer(a, b *schemas.Rules) []string {
	x, y := map[string]string{}, map[string]string{}
	leaves(x, "", a)
	leaves(y, "", b)
	for name := range x {
		if _, ok := y[name]; !ok {
			y[name] = ""
		}
	}
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(y)) {
		if x[name] != y[name] {
			list = append(list, fmt.Sprintf("%s %s, not %s", name, cmp.Or(y[name], "-"), cmp.Or(x[name], "-")))
		}
	}
	return list
}

// leaves lists the values of a record by their paths. What is null is not there.
func leaves(out map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			leaves(out, strings.TrimPrefix(path+"."+name, "."), field)
		}
	case nil:
	case string:
		out[path] = v
	case *schemas.Rules:
		var tree any
		data := canon.MustMarshal(v)
		if err := canon.Decode(data, len(data), &tree); err != nil {
			panic(err) // we wrote it
		}
		leaves(out, path, tree)
	default:
		out[path] = string(canon.MustMarshal(v))
	}
}

// HumanRow compares a run with people on what both won: means over instances of the mean over their
// games. People saw the whole page, models a menu.
type HumanRow struct {
	Run        string       `json:"run"`
	Pairs      int          `json:"pairs"`
	HumanGames int          `json:"human_games"`
	ModelGames int          `json:"model_games"`
	Human      judge.Metric `json:"human"` // suboptimal clicks
	Model      judge.Metric `json:"model"` // suboptimal steps
	Difference judge.Metric `json:"difference"`
}

// pair is what people and models played alike: a way between two nodes, or else an instance.
type pair struct {
	source, target uint32
	instance       string
}

func pairOf(g family.Result) pair {
	p := pair{g.Source, g.Target, ""}
	if g.Source == g.Target {
		p.instance = g.Instance
	}
	return p
}

// excesses sums up the games of a pair that were won.
type excesses struct{ sum, n int }

func (e excesses) mean() float64 { return float64(e.sum) / float64(e.n) }

func excessByPair(games []family.Result) map[pair]excesses {
	out := map[pair]excesses{}
	for _, g := range games {
		if !g.Success {
			continue
		}
		p := pairOf(g)
		out[p] = excesses{out[p].sum + g.Excess, out[p].n + 1}
	}
	return out
}

func againstPeople(people *family.Scores, run series, seed int64) HumanRow {
	row := HumanRow{Run: run.label()}
	human, model := excessByPair(people.Results), excessByPair(run.results)
	var ofHuman, ofModel, difference []float64
	pairs := slices.Collect(maps.Keys(model))
	order.Sort(pairs, comparePairs)
	for _, p := range pairs {
		h, ok := human[p]
		if !ok {
			continue
		}
		m := model[p]
		row.HumanGames, row.ModelGames = row.HumanGames+h.n, row.ModelGames+m.n
		ofHuman, ofModel, difference = append(ofHuman, h.mean()), append(ofModel, m.mean()), append(difference, m.mean()-h.mean())
	}
	row.Pairs = len(difference)
	row.Human = judge.MeanOfReals(seed, "human", row.Run, ofHuman)
	row.Model = judge.MeanOfReals(seed, "model", row.Run, ofModel)
	row.Difference = judge.MeanOfReals(seed, "human_difference", row.Run, difference)
	return row
}

// Apart says why no run can be compared with people; nil where one can, or where there are no
// people.
func (r *Report) Apart(in Input) *fault.Error {
	if in.Human == nil || slices.ContainsFunc(r.Human, func(h HumanRow) bool { return h.Pairs > 0 }) {
		return nil
	}
	people, played, won := map[pair]bool{}, 0, map[pair]bool{}
	for _, g := range in.Human.Results {
		people[pairOf(g)] = true
	}
	for _, run := range in.Runs {
		for _, g := range run.Scores.Results {
			if people[pairOf(g)] {
				played++
			}
		}
		for p := range excessByPair(run.Scores.Results) {
			won[p] = true
		}
	}
	return fault.New(fault.Failure, "nothing that people won was won by a run: people played %d games on %d pairs of pages and won on %d, "+
		"the runs won on %d, and %d of their games are on a pair that people played", len(in.Human.Results), len(people),
		len(excessByPair(in.Human.Results)), len(won), played).
		Hint("compare runs whose splits hold pairs that people played, with more of their games")
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target), cmp.Compare(a.instance, b.instance))
}

func (r *Report) humanTable() Table {
	t := Table{Heading: "People and models", Note: "What both won. People saw the whole page, models a menu."}
	t.add("run", "pairs", "games of people", "games of the model", "suboptimal, people", "suboptimal, model", "difference")
	for _, h := range r.Human {
		t.add(h.Run, h.Pairs, h.HumanGames, h.ModelGames, h.Human, h.Model, h.Difference)
	}
	return t
}
