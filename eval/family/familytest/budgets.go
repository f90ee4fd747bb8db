package familytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// budgets allows every task one turn: what is not over then ends as spent, is not won, and its log
// agrees with the replay. Without a budget in the rules no log may say so.
func (s Subject) budgets(t *testing.T) {
	layout, tasks := s.Family.Layout(), s.all()
	var b family.Baseline
	for _, b = range s.Set.Baselines() {
		if b.Kind == schemas.KindOracle && b.Plays(tasks[0].Split) {
			break
		}
	}
	for _, budget := range []*schemas.GameBudget{{Turns: 1}, nil} {
		run := s.run(b.Name, schemas.KindLocal)
		run.Rules.Budget = &schemas.GameBudget{Turns: 1}
		run.RulesSHA256 = family.RulesSHA256(run.Rules)
		dir := s.playRun(t, tasks[:1], run, manner, b.Start)
		record := string(main(t, s, dir))
		if !strings.Contains(record, `"outcome":"`+schemas.OutcomeSpent+`"`) {
			return // over after one turn
		}
		if budget == nil {
			run.Rules.Budget = nil
			run.RulesSHA256 = family.RulesSHA256(run.Rules)
			if err := os.WriteFile(filepath.Join(dir, trace.RunFile), canon.MustMarshal(run), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		scores, err := s.Score(t, dir, family.Request{Partial: true})
		if scores == nil {
			t.Fatal(err)
		}
		if lying := len(scores.Disagreements) > 0; lying != (budget == nil) {
			t.Errorf("%s with budget %v: %v", layout.Main, budget, scores.Disagreements)
		}
		if len(scores.Results) != 1 || scores.Results[0].Success ||
			budget != nil && scores.Results[0].Outcome != schemas.OutcomeSpent {
			t.Errorf("a game that had one turn: %+v", scores.Results)
		}
	}
}
