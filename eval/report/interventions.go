package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Intervention is what oracles change for one player on one split: runs that differ in nothing but their configuration, among the six. Plan is
// the strength of P, "" for the next link.
type Intervention struct {
	Model   string           `json:"model"`
	Split   string           `json:"split"`
	Plan    string           `json:"plan"`
	Configs []judge.ArmRow   `json:"configurations"` // in the order of the six
	Pairs   []judge.Contrast `json:"pairs"`
	Effects []judge.Change   `json:"effects"`
}

// six are the configurations that are compared. The extras are none of them.
var six = []string{game.OracleBase, "P", "S", "SP", "SH", "SPH"}

// family is the runs that are compared: one for each configuration.
type family struct {
	key, model, plan string
	runs             map[string]Run
}

func interventions(in Input) []Intervention {
	var out []Intervention
	for _, f := range families(in.Runs) {
		for _, s := range in.sets() {
			if arms := f.arms(s, in.Partial); len(arms) > 1 {
				v := Intervention{Model: f.model, Split: s.name, Plan: f.plan}
				v.Configs, v.Pairs, v.Effects = judge.Interventions(s.name, s.lengths, arms, in.Seed)
				out = append(out, v)
			}
		}
	}
	return out
}

// families groups the runs. Those without a plan stand beside plans of every strength; the second run of a configuration is of a second
// family.
func families(runs []Run) []*family {
	var list []*family
	for _, plan := range strengths(runs) {
		for _, r := range runs {
			o := r.Options
			if o == nil || !slices.Contains(six, o.Oracle) || game.TellsPlan(*o) && o.Plan != plan {
				continue
			}
			model, key := modelOf(r), keyOf(r)
			i := slices.IndexFunc(list, func(f *family) bool {
				_, taken := f.runs[o.Oracle]
				return f.key == key && f.plan == plan && !taken
			})
			if i < 0 {
				i, list = len(list), append(list, &family{key, model, plan, map[string]Run{}})
			}
			list[i].runs[o.Oracle] = r
		}
	}
	return list
}

// strengths lists those of P in the order of the runs.
func strengths(runs []Run) []string {
	var list []string
	for _, r := range runs {
		if r.Options != nil && game.TellsPlan(*r.Options) && !slices.Contains(list, r.Options.Plan) {
			list = append(list, r.Options.Plan)
		}
	}
	if list == nil {
		list = []string{""}
	}
	return list
}

func modelOf(r Run) string {
	if len(r.Scores.Summaries) == 0 || r.Scores.Summaries[0].Model == nil {
		return r.Name
	}
	return r.Scores.Summaries[0].Model.Name
}

// keyOf tells runs apart that differ in more than their configuration: another model, or other rules.
func keyOf(r Run) string {
	o := *r.Options
	o.Oracle, o.Plan, o.Renderer = "", "", ""
	if o.BanRules != nil {
		ban := *o.BanRules
		ban.History = ""
		o.BanRules = &ban
	}
	var model *schemas.Model
	if len(r.Scores.Summaries) > 0 {
		model = r.Scores.Summaries[0].Model
	}
	return fmt.Sprintf("%s %s", canon.MustMarshal(model), canon.MustMarshal(o))
}

// arms gives the family's games of a set. An instance that was played several times is no pair, so such runs are left out.
func (f *family) arms(s set, partial bool) []judge.Arm {
	var arms []judge.Arm
	for _, config := range six {
		r, ok := f.runs[config]
		if !ok || summary(r, s.name).Attempts != 1 {
			continue
		}
		a, of := judge.Arm{Config: config, Partial: partial}, results(r)
		for _, id := range s.ids {
			var g *judge.Played
			if r, ok := of[slot{id, 1}]; ok {
				g = &judge.Played{
					Infra: r.Outcome == schemas.OutcomeInfra, Success: r.Success(), Optimal: r.Optimal, Counted: r.Counted, MostSeen: r.Visits,
				}
			}
			a.Games = append(a.Games, g)
		}
		arms = append(arms, a)
	}
	return arms
}

func (v Intervention) heading() string {
	text := v.Model + " on " + v.Split
	if v.Plan != "" {
		text += ", plan " + v.Plan
	}
	return text
}

// tables gives the configurations, then the effects.
func (v Intervention) tables() []Table {
	configs := Table{Heading: "Configurations: " + v.heading(), Note: "sr pred is what independent errors of the same rate would give."}
	configs.Rows = [][]string{{"configuration", "n", "SR", "sr pred", "gap", "step accuracy", "loops", "recovery", "visits"}}
	for _, c := range v.Configs {
		row := []string{c.Config, strconv.Itoa(c.N)}
		for _, name := range []string{
			judge.MetricSuccess, judge.MetricPredicted, judge.MetricGap, judge.MetricMicro, judge.MetricLoops, judge.MetricRecovery, judge.MetricVisitation,
		} {
			row = append(row, Cell(c.Metrics[name]))
		}
		configs.Rows = append(configs.Rows, row)
	}
	effects := Table{Heading: "Oracles: " + v.heading(), Note: "With minus without, paired by instance; McNemar's exact test on success."}
	effects.Rows = [][]string{{"oracle", "with", "without", "pairs", "SR difference", "step accuracy difference", "p"}}
	for _, p := range v.Pairs {
		effects.Rows = append(effects.Rows, []string{p.Effect, p.With, p.Without, strconv.Itoa(p.N), Cell(p.Success), Cell(p.Accuracy), Cell(judge.Metric{Value: p.McNemar})})
	}
	for _, e := range v.Effects {
		effects.Rows = append(effects.Rows, []string{e.Effect, "mean", "", "", Cell(judge.Metric{Value: e.Value}), "", ""})
	}
	return []Table{configs, effects}
}
