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

// HumanRow compares a run with people on the pairs that both played: shares of games won, and on
// the pairs that both won what is more than the shortest way. Each is the mean over pairs of the
// mean over the games on one. People saw the whole page, models a menu.
type HumanRow struct {
	Run               string       `json:"run"`
	Played            int          `json:"played"` // pairs that both played
	HumanSuccess      judge.Metric `json:"human_success"`
	ModelSuccess      judge.Metric `json:"model_success"`
	SuccessDifference judge.Metric `json:"success_difference"`
	Pairs             int          `json:"pairs"`       // that both won
	HumanGames        int          `json:"human_games"` // won, on these
	ModelGames        int          `json:"model_games"`
	Human             judge.Metric `json:"human"` // suboptimal clicks
	Model             judge.Metric `json:"model"` // suboptimal steps
	Difference        judge.Metric `json:"difference"`
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

// tally counts the games on a pair, and sums up what those that were won took too much.
type tally struct{ played, won, excess int }

func (t tally) success() float64 { return float64(t.won) / float64(t.played) }

func (t tally) mean() float64 { return float64(t.excess) / float64(t.won) }

// byPair leaves out games that failed for no fault of the player.
func byPair(games []family.Result) map[pair]tally {
	out := map[pair]tally{}
	for _, g := range games {
		if g.Outcome == schemas.OutcomeInfra {
			continue
		}
		t := out[pairOf(g)]
		t.played++
		if g.Success {
			t.won, t.excess = t.won+1, t.excess+g.Excess
		}
		out[pairOf(g)] = t
	}
	return out
}

// contrast is values of people and of a model, pair by pair.
type contrast struct{ human, model, difference []float64 }

func (c *contrast) add(human, model float64) {
	c.human, c.model, c.difference = append(c.human, human), append(c.model, model), append(c.difference, model-human)
}

func againstPeople(people *family.Scores, run series, seed int64) HumanRow {
	row := HumanRow{Run: run.label()}
	human, model := byPair(people.Results), byPair(run.results)
	var success, excess contrast
	pairs := slices.Collect(maps.Keys(model))
	order.Sort(pairs, comparePairs)
	for _, p := range pairs {
		h, m := human[p], model[p]
		if h.played == 0 {
			continue
		}
		success.add(h.success(), m.success())
		if h.won > 0 && m.won > 0 {
			row.HumanGames, row.ModelGames = row.HumanGames+h.won, row.ModelGames+m.won
			excess.add(h.mean(), m.mean())
		}
	}
	mean := func(name string, values []float64) judge.Metric {
		return judge.MeanOfReals(seed, name, row.Run, values)
	}
	row.Played, row.Pairs = len(success.human), len(excess.human)
	row.HumanSuccess, row.ModelSuccess = mean("human_success", success.human), mean("model_success", success.model)
	row.SuccessDifference = mean("human_success_difference", success.difference)
	row.Human, row.Model = mean("human", excess.human), mean("model", excess.model)
	row.Difference = mean("human_difference", excess.difference)
	return row
}

// Apart says why no run can be compared with people; nil where one can, or where there are no
// people.
func (r *Report) Apart(in Input) *fault.Error {
	if in.Human == nil || slices.ContainsFunc(r.Human, func(h HumanRow) bool { return h.Played > 0 }) {
		return nil
	}
	people, played := byPair(in.Human.Results), map[pair]bool{}
	for _, run := range in.Runs {
		for p := range byPair(run.Scores.Results) {
			played[p] = true
		}
	}
	return fault.New(fault.Failure, "no pair of pages was played by people and by a run: people played %d games on "+
		"%d pairs, the runs on %d, and none is among both", len(in.Human.Results), len(people), len(played)).
		Hint("compare runs whose splits hold pairs that people played: wikinav build --pairs makes such a split")
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target), cmp.Compare(a.instance, b.instance))
}

func (r *Report) humanTables() []Table {
	won := Table{Heading: "People and models, games won", Note: "On pairs that both played."}
	won.add("run", "pairs", "people", "model", "difference")
	excess := Table{
		Heading: "People and models, steps beyond the shortest way",
		Note:    "On pairs that both won. People saw the whole page, models a menu.",
	}
	excess.add("run", "pairs", "games of people", "games of the model", "people", "model", "difference")
	for _, h := range r.Human {
		won.add(h.Run, h.Played, h.HumanSuccess, h.ModelSuccess, h.SuccessDifference)
		excess.add(h.Run, h.Pairs, h.HumanGames, h.ModelGames, h.Human, h.Model, h.Difference)
	}
	return []Table{won, excess}
}
