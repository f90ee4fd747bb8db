package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Intervention is what oracles change for one player on one split: its configurations, which are
// variants of one run, or runs that differ in nothing else.
type Intervention struct {
	Model   string           `json:"model"`
	Split   string           `json:"split"`
	Plan    string           `json:"plan"`           // how far the oracle P looks, "" for one step
	Configs []judge.ArmRow   `json:"configurations"` // in the order of the six
	Pairs   []judge.Contrast `json:"pairs"`
	Effects []judge.Change   `json:"effects"`
	Levels  []Level          `json:"levels"` // groups of instances of equal difficulty
}

// Level is what oracles change on the instances of one difficulty.
type Level struct {
	Name    string         `json:"level"` // of the family, or the turns of an optimal player
	Base    judge.Metric   `json:"base"`  // success without any oracle
	Effects []judge.Change `json:"effects"`
}

func interventions(in Input) []Intervention {
	var out []Intervention
	for _, run := range in.Runs {
		out = append(out, variants(run)...)
	}
	for _, l := range lineups(in) {
		for _, split := range l.first.Set.Splits() {
			lengths, arms := l.arms(split.Name, in.Partial)
			if len(arms) > 1 {
				v := Intervention{Model: l.model, Split: split.Name, Plan: l.plan}
				v.Configs, v.Pairs, v.Effects = judge.Interventions(split.Name, lengths, arms, in.Seed)
				v.Levels = levelsOf(lengths, arms, in.Seed)
				out = append(out, v)
			}
		}
	}
	return out
}

// variants are the configurations of a run that has all of them, as its score compares them.
func variants(run Run) (out []Intervention) {
	for _, p := range run.Scores.Pairs {
		if len(p.By) > 0 {
			continue
		}
		i := slices.IndexFunc(out, func(v Intervention) bool { return v.Split == p.Split })
		if i < 0 {
			i, out = len(out), append(out, Intervention{
				Model: modelOf(run), Split: p.Split, Configs: []judge.ArmRow{}, Effects: []judge.Change{},
				Levels: run.levels(p.Split),
			})
			for _, row := range run.Scores.Rows {
				if row.Split == p.Split && len(row.By) == 1 && row.Whole() {
					out[i].Configs = append(out[i].Configs, judge.ArmRow{Config: row.By[0].Value, N: row.N, Metrics: row.Metrics})
				}
			}
		}
		out[i].Pairs = append(out[i].Pairs, p.Contrast)
	}
	for _, e := range run.Scores.Effects {
		for i := range out {
			if len(e.By) == 0 && out[i].Split == e.Split {
				out[i].Effects = append(out[i].Effects, e.Change)
			}
		}
	}
	return out
}

// levels lists the levels of a split that the score compares configurations on.
func (r Run) levels(split string) []Level {
	out := []Level{}
	base := family.ConfigNames()[0]
	for _, e := range r.Scores.Effects {
		if e.Split != split || len(e.By) != 1 {
			continue
		}
		i := slices.IndexFunc(out, func(l Level) bool { return l.Name == e.By[0].Value })
		if i < 0 {
			i, out = len(out), append(out, Level{Name: e.By[0].Value, Effects: []judge.Change{}})
			for _, row := range r.Scores.Rows {
				if row.Split == split && len(row.By) == 2 && row.By[0] == e.By[0] && row.By[1].Value == base {
					out[i].Base = row.Metrics[judge.MetricSuccess]
				}
			}
		}
		out[i].Effects = append(out[i].Effects, e.Change)
	}
	return out
}

// levelsOf makes a level of the instances of each length.
func levelsOf(lengths []int, arms []judge.Arm, seed int64) []Level {
	out := []Level{}
	for _, length := range slices.Compact(slices.Sorted(slices.Values(lengths))) {
		l, at := Level{Name: strconv.Itoa(length)}, []judge.Arm{}
		for _, a := range arms {
			of := judge.Arm{Config: a.Config, Partial: a.Partial}
			for i, n := range lengths {
				if n == length {
					of.Games = append(of.Games, a.Games[i])
				}
			}
			if at = append(at, of); a.Config == family.ConfigNames()[0] {
				l.Base = of.Metrics(slices.Repeat([]int{length}, len(of.Games)))[judge.MetricSuccess]
			}
		}
		_, l.Effects = judge.Compare(at, seed)
		out = append(out, l)
	}
	return out
}

// lineup is the runs that are compared: one for each configuration.
type lineup struct {
	key, model, plan string
	first            Run
	runs             map[string]Run
}

// lineups groups the runs. Those without a plan stand beside plans of every strength; the second
// run of a configuration begins a second lineup.
func lineups(in Input) (list []*lineup) {
	armed, ok := in.Family.(family.Armed)
	if !ok {
		return nil
	}
	arms, plans := map[string]family.Arm{}, []string{}
	for _, r := range in.Runs {
		if a, ok := armOf(in.Family, armed, r); ok {
			arms[r.Name] = a
			if a.Planned && !slices.Contains(plans, a.Plan) {
				plans = append(plans, a.Plan)
			}
		}
	}
	if len(plans) == 0 {
		plans = []string{""}
	}
	for _, plan := range plans {
		for _, r := range in.Runs {
			a, ok := arms[r.Name]
			if !ok || a.Planned && a.Plan != plan {
				continue
			}
			key := fmt.Sprintf("%s %s %s %s", canon.MustMarshal(r.Scores.Model), r.Scores.Rules.Interface, canon.MustMarshal(r.Scores.Rules.Sampling), a.Rest)
			i := slices.IndexFunc(list, func(l *lineup) bool {
				_, taken := l.runs[a.Config]
				return l.key == key && l.plan == plan && !taken
			})
			if i < 0 {
				i, list = len(list), append(list, &lineup{key, modelOf(r), plan, r, map[string]Run{}})
			}
			list[i].runs[a.Config] = r
		}
	}
	return list
}

// armOf returns the configuration of a run that was played here.
func armOf(f family.Family, armed family.Armed, r Run) (family.Arm, bool) {
	if r.Scores.Rules == nil || r.Scores.Import != nil {
		return family.Arm{}, false
	}
	o, err := f.ReadOptions(r.Scores.Rules.Options)
	if err != nil {
		return family.Arm{}, false
	}
	a, ok := armed.Arm(o)
	return a, ok && slices.Contains(family.ConfigNames(), a.Config)
}

func modelOf(r Run) string {
	if r.Scores.Model == nil {
		return r.Name
	}
	return r.Scores.Model.Name
}

// arms returns the games of a split. A run that played an instance several times has no pairs.
func (l *lineup) arms(split string, partial bool) (lengths []int, arms []judge.Arm) {
	tasks := l.first.tasks(split)
	lengths = make([]int, len(tasks))
	for _, config := range family.ConfigNames() {
		r, ok := l.runs[config]
		if !ok || r.Scores.Attempts != 1 {
			continue
		}
		s := series{r, "", r.Scores.Results}
		if _, ok := s.row(split); !ok {
			continue
		}
		a, of := judge.Arm{Config: config, Partial: partial}, bySlot(s.results)
		for i, t := range tasks {
			if known, ok := difficulty(l.first.Set, t.Instance); ok {
				lengths[i] = known.Length
			}
			var g *judge.Played
			if x, ok := of[slot{t.ID, 1}]; ok {
				g = playedOf(x)
			}
			a.Games = append(a.Games, g)
		}
		arms = append(arms, a)
	}
	return lengths, arms
}

func (v Intervention) heading() string {
	text := v.Model + " on " + v.Split
	if v.Plan != "" {
		text += ", plan " + v.Plan
	}
	return text
}

// configColumns are the metrics by which configurations are compared.
var configColumns = []family.Column{
	{Heading: "SR", Metric: judge.MetricSuccess},
	{Heading: "sr pred", Metric: judge.MetricPredicted},
	{Heading: "gap", Metric: judge.MetricGap},
	{Heading: "step accuracy", Metric: judge.MetricMicro},
	{Heading: "loops", Metric: judge.MetricLoops},
	{Heading: "recovery", Metric: judge.MetricRecovery},
	{Heading: "visits", Metric: judge.MetricVisitation},
}

// tables shows the configurations, then the effects.
func (v Intervention) tables() []Table {
	var list []metricRow
	for _, c := range v.Configs {
		list = append(list, metricRow{[]string{c.Config, strconv.Itoa(c.N)}, c.Metrics, nil})
	}
	configs := metricTable(metricRow{names: []string{"configuration", "n"}}, configColumns, list)
	configs.Heading = "Configurations: " + v.heading()
	configs.Note = "sr pred is what independent errors of the same rate would give."
	effects := Table{Heading: "Oracles: " + v.heading(), Note: "With minus without, paired by instance; McNemar's exact test on success."}
	effects.add("oracle", "with", "without", "pairs", "SR difference", "step accuracy difference", "p")
	for _, p := range v.Pairs {
		effects.contrast(p)
	}
	for _, e := range v.Effects {
		effects.change(e)
	}
	return []Table{configs, effects}
}
