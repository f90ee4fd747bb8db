package tiny

import (
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Score adds up what the log says was added. An outcome that does not follow from it is a disagreement.
func (s *Set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	out := &family.Scores{
		Schema: family.ScoresSchema, Family: s.Called, Release: s.release, ManifestID: s.manifest, Attempts: max(1, req.Attempts),
		Partial: req.Partial, Options: map[string]any{}, Counts: map[string]int{"unknown": 0}, Disagreements: []family.Disagreement{},
	}
	r := rules{Max: 3}
	if run := log.Run; run != nil {
		out.Run, out.Model, out.Rules, out.RulesSHA256 = &run.Run, &run.Model, &run.Rules, run.RulesSHA256
		o, err := s.ReadOptions(run.Rules.Options)
		if err != nil {
			return nil, err
		}
		r = o.Value.(rules)
		if req.Attempts == 0 {
			out.Attempts = run.Attempts
		}
		if req.Splits == nil {
			req.Splits = run.Splits
		}
	}
	games := map[string][]Game{}
	err := log.Main(func(_ int, line []byte) error {
		g, err := decode(line)
		games[g.Instance] = append(games[g.Instance], g)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, split := range s.Splits() {
		if req.Splits == nil || slices.Contains(req.Splits, split.Name) {
			out.Rows = append(out.Rows, s.row(out, split, games, r, req))
		}
	}
	if len(out.Disagreements) > 0 {
		return out, fault.New(fault.Mismatch, "the log and the replay disagree in %d places", len(out.Disagreements))
	}
	return out, nil
}

func (s *Set) row(out *family.Scores, split family.Split, games map[string][]Game, r rules, req family.Request) family.Row {
	row := family.Row{Split: split.Name, SplitSHA256: split.SHA256, By: []family.Group{}, Outcomes: map[string]int{}, Flags: []string{judge.FlagUnfrozen}}
	if split.Short() {
		row.Flags = append(row.Flags, judge.FlagShort)
	}
	var excess []int64
	won := 0
	for _, t := range s.Tasks(split.Name) {
		row.Missing += out.Attempts - len(games[t.Instance])
		for _, g := range games[t.Instance] {
			x := s.replay(out, t, g, r)
			row.Outcomes[x.Outcome]++
			if x.Outcome == schemas.OutcomeInfra {
				row.Infra++
			}
			if x.Success {
				won++
				excess = append(excess, int64(x.Excess))
			}
			out.Results = append(out.Results, x)
		}
	}
	row.N = len(s.Goals)*out.Attempts - row.Infra
	if req.Partial {
		row.N -= row.Missing
	}
	if row.Infra <= req.MaxInfra {
		row.Metrics = map[string]judge.Metric{
			judge.MetricSuccess:    judge.Share(won, row.N),
			judge.MetricSuboptimal: judge.MeanOf(req.Seed, judge.MetricSuboptimal, split.Name, excess),
		}
	}
	return row
}

func (s *Set) replay(out *family.Scores, t family.Task, g Game, r rules) family.Result {
	e := &episode{set: s, rules: r, task: t, goal: s.goal(t.Instance)}
	for _, n := range g.Adds {
		if _, err := e.Act(family.Reply{Choice: &n}); err != nil {
			panic(err)
		}
	}
	if g.Reason != nil {
		e.Stop(schemas.OutcomeInfra)
	}
	if e.outcome != g.Outcome && g.Outcome != schemas.OutcomeGaveUp {
		out.Disagreements = append(out.Disagreements, family.Disagreement{
			Item: g.Item, Instance: g.Instance, Attempt: g.Attempt, Field: "outcome", Log: g.Outcome, Replay: e.outcome,
		})
	}
	fewest := s.fewest(t.Instance, r)
	return family.Result{
		Split: t.Split, Task: t.ID, Instance: t.Instance, Attempt: g.Attempt, Length: fewest, Outcome: e.outcome,
		Success: e.outcome == schemas.OutcomeSuccess, Excess: len(g.Adds) - fewest, Counted: len(g.Adds), Visits: 1,
	}
}
