package report

import (
	"fmt"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Twins is what a player owes to a knowledge on one split: a run, and its twin, whose rules leave
// less to know and are equal besides.
type Twins struct {
	Model string         `json:"model"`
	Split string         `json:"split"`
	Less  string         `json:"less"` // the rule of the twin, as NAME=VALUE
	All   judge.Metric   `json:"all"`  // success of the pairs where there is all to know
	Twin  judge.Metric   `json:"twin"`
	Pairs judge.Contrast `json:"pairs"` // With is the run, Without its twin
}

// side is a series under rules that leave so much to know.
type side struct {
	series
	less, key string // series of one key differ in less alone
}

// twins pairs each series that has less to know with one that has all: the second of a kind with
// the second.
func twins(in Input, list []series) []Twins {
	var all, fewer []side
	for _, s := range list {
		switch one, ok := sideOf(in.Family, s); {
		case ok && one.less == "":
			all = append(all, one)
		case ok:
			fewer = append(fewer, one)
		}
	}
	var out []Twins
	seen := map[string]int{}
	for _, twin := range fewer {
		kind := twin.key + twin.less
		if a, ok := nth(all, twin.key, seen[kind]); ok {
			out = append(out, a.against(in, twin)...)
		}
		seen[kind]++
	}
	return out
}

func nth(list []side, key string, n int) (side, bool) {
	for _, s := range list {
		if s.key == key {
			if n == 0 {
				return s, true
			}
			n--
		}
	}
	return side{}, false
}

// sideOf returns a series that was played here by rules of which there are such with less to know.
func sideOf(f family.Family, s series) (one side, ok bool) {
	twinned, ok := f.(family.Twinned)
	if !ok || s.Scores.Rules == nil || s.Scores.Import != nil {
		return one, false
	}
	o, err := f.ReadOptions(s.Scores.Rules.Options)
	if err != nil {
		return one, false
	}
	t, rules := twinned.Twin(o), *s.Scores.Rules
	rules.Options = t.Rest
	model := canon.MustMarshal(s.Scores.Model)
	return side{s, t.Less, fmt.Sprintf("%s\n%s\n%s\n", s.variant, model, canon.MustMarshal(rules))}, true
}

// against compares a run with its twin on each split that both played.
func (a side) against(in Input, twin side) (list []Twins) {
	for _, split := range a.Set.Splits() {
		_, played := a.row(split.Name)
		_, played2 := twin.row(split.Name)
		if !played || !played2 {
			continue
		}
		with, without := judge.Arm{Config: a.label()}, judge.Arm{Config: twin.label()}
		eachPair(in, split.Name, a.series, twin.series, func(x, y family.Result) {
			with.Games = append(with.Games, playedOf(x))
			without.Games = append(without.Games, playedOf(y))
		})
		t := Twins{
			Model: modelOf(a.Run), Split: split.Name, Less: twin.less,
			All: with.Won(), Twin: without.Won(), Pairs: judge.ContrastOf(with, without, in.Seed),
		}
		t.Pairs.Effect = "knowledge"
		list = append(list, t)
	}
	return list
}

func playedOf(x family.Result) *judge.Played {
	return &judge.Played{
		Infra: x.Outcome == schemas.OutcomeInfra, Success: x.Success,
		Optimal: x.Optimal, Counted: x.Counted, MostSeen: x.Visits,
	}
}

func (r *Report) twinTable() Table {
	t := Table{
		Heading: "Twins",
		Note: "Each run with its twin, which has less to know; with minus without, paired by game; " +
			"McNemar's exact test on success.",
		Details: []int{1, 4, 8},
	}
	bare := func(m judge.Metric) judge.Metric { return judge.Metric{Value: m.Value} }
	t.add("run", "twin", "twin's rule", "split", "pairs", "SR", "SR of twin", "SR difference",
		"step accuracy difference", "p")
	for _, w := range r.Twins {
		p := w.Pairs
		t.add(p.With, p.Without, w.Less, w.Split, p.N, bare(w.All), bare(w.Twin), p.Success, p.Accuracy,
			chance{p.McNemar})
	}
	return t
}
