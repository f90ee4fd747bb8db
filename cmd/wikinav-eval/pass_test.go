package main

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
)

// TestPassAtKIsThatOfTheItems recomputes pass@k from the file of items, by trying every draw of k
// attempts, and reads it in the score, in its table and in a report.
func TestPassAtKIsThatOfTheItems(t *testing.T) {
	rel := newRelease(t, gametest.Random(5, 300, 90, 60), 20, 3, 4)
	out, items := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "items.jsonl")
	eval("play", "--release", rel, "--player", "noisy-shortest-70", "--attempts", "5", "--out", out, "--option", "max_steps=8").want(t, 0)
	s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--items", items, "--json").want(t, 0))
	won, attempt := map[string]uint{}, map[string]int{} // bits of the attempts that were won
	data, err := os.ReadFile(items)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var r schemas.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Success {
			won[r.Task] |= 1 << attempt[r.Task]
		}
		attempt[r.Task]++
	}
	if len(s.Passes) != 5 || len(attempt) != 40 {
		t.Fatalf("%d pass@k of %d tasks", len(s.Passes), len(attempt))
	}
	for k := 1; k <= 5; k++ {
		sum := 0.0
		for task := range attempt {
			passed, draws := 0, 0
			for draw := range uint(1 << 5) {
				if bits.OnesCount(draw) == k {
					draws++
					passed += judge.One(draw&won[task] != 0)
				}
			}
			sum += float64(passed) / float64(draws)
		}
		p := s.Passes[k-1]
		if got, want := fmt.Sprintf("%.5f", judge.Number(*p.Value)), fmt.Sprintf("%.5f", sum/40); p.K != k || got != want || p.Den != 40 || p.Lo == nil {
			t.Errorf("pass@%d is %s of %d, every draw says %s", k, got, p.Den, want)
		}
	}
	if one := s.Rows[0].Metrics[judge.MetricSuccess]; *one.Value != *s.Passes[0].Value {
		t.Errorf("pass@1 is %s, the success rate %s", *s.Passes[0].Value, *one.Value)
	}
	few := eval("score", "--release", rel, "--trajectories", out, "--pass-at", "1,5").want(t, 0).stdout
	if !strings.Contains(few, "tasks  pass@1") || strings.Contains(few, "pass@2") {
		t.Errorf("--pass-at 1,5: %s", few)
	}
	for flag, want := range map[string]string{"6": "at most 5 attempts", "0": "want numbers of attempts", "x": "want numbers of attempts"} {
		for _, verb := range []string{"score", "report"} {
			if r := eval(verb, "--release", rel, "--trajectories", out, "--pass-at", flag).want(t, 2); !strings.Contains(r.stderr, want) {
				t.Errorf("%s --pass-at %s: %s", verb, flag, r.stderr)
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "report")
	eval("report", "--release", rel, "--trajectories", out, "--out", dir).want(t, 0)
	var r struct {
		Groups []struct {
			Splits []struct {
				Passes []struct{ At []family.Pass } `json:"pass_at"`
			}
			Budgets []struct {
				Unit   string
				Points []struct{ Success []judge.Metric }
			}
		}
	}
	if data, err = os.ReadFile(filepath.Join(dir, "report.json")); err != nil || json.Unmarshal(data, &r) != nil {
		t.Fatal(err)
	}
	g := r.Groups[0]
	curve := g.Budgets[len(g.Budgets)-1]
	if got := g.Splits[0].Passes[0].At; len(got) != 5 || *got[2].Value != *s.Passes[2].Value || curve.Unit != "attempts" || *curve.Points[4].Success[0].Value != *s.Passes[4].Value {
		t.Errorf("the report has %+v and %+v", got, curve)
	}
}
