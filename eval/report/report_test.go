package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// fam has four instances: one takes 1 turn at least, two take 2, one takes 3.
var fam = tiny.Family{Called: "tiny", Turns: 9, Goals: []int{3, 4, 6, 8}}

// played is a run of a name under options. Each word says how an instance was played: w and the turns too
// many of a success, l for a loss, i for an endpoint that failed, - for what is missing.
func played(t *testing.T, name, words string, options ...string) report.Run {
	t.Helper()
	o, err := fam.Options(options)
	if err != nil {
		t.Fatal(err)
	}
	set, err := fam.Open(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	rules := schemas.Rules{Options: o.JSON, Interface: schemas.InterfaceBuiltin}
	s := &family.Scores{
		Family: "tiny", Release: "demo", ManifestID: "id", Run: &name, Model: &schemas.Player{Name: name}, Rules: &rules,
		RulesSHA256: family.RulesSHA256(rules), Attempts: 1,
	}
	won, n := 0, 0
	for i, task := range familytest.Tasks(t, set, "easy") {
		word := strings.Fields(words)[i]
		d, _ := set.(family.Described).Difficulty(task.Instance)
		x := family.Result{
			Split: "easy", Task: task.ID, Instance: task.Instance, Attempt: 1, Source: uint32(i), Target: 99, Length: d.Length, Visits: 1,
			Outcome: map[byte]string{'w': schemas.OutcomeSuccess, 'l': schemas.OutcomeGaveUp, 'i': schemas.OutcomeInfra}[word[0]],
		}
		if x.Success = word[0] == 'w'; x.Success {
			_, err := fmt.Sscanf(word, "w%d", &x.Excess)
			if err != nil {
				t.Fatal(err)
			}
			won++
		}
		if word[0] != 'i' {
			n++
		}
		if word[0] != '-' {
			s.Results = append(s.Results, x)
		}
	}
	s.Rows = []family.Row{
		{Split: "easy", By: []family.Group{}, N: n, Metrics: map[string]judge.Metric{judge.MetricSuccess: judge.Share(won, n)}, Flags: []string{}},
		{Split: "easy", By: []family.Group{{Name: "length", Value: "2"}}, N: 2, Metrics: map[string]judge.Metric{judge.MetricSuccess: judge.Share(1, 2)}, Flags: []string{}},
	}
	return report.Run{Name: name, Scores: s, Set: set}
}

func two(t *testing.T) report.Input {
	t.Helper()
	return report.Input{Family: fam, Runs: []report.Run{played(t, "a|<x>", "w0 w0 l -"), played(t, "b", "w0 w1 w0 w0")}, Seed: 42}
}

func compared(t *testing.T, r *report.Report) []report.Comparison {
	t.Helper()
	var list []report.Comparison
	for _, g := range r.Groups {
		for _, s := range g.Splits {
			list = append(list, s.Comparisons...)
		}
	}
	return list
}

func TestRunsAreComparedGameByGame(t *testing.T) {
	c := compared(t, report.New(two(t)))
	if len(c) != 1 {
		t.Fatalf("%d comparisons", len(c))
	}
	// Both won the first two, B by 0 and 1 steps more; B alone won the two others.
	got := c[0]
	if got.Pairs != 4 || got.Both != 2 || got.OnlyA != 0 || got.OnlyB != 2 || *got.Success.Num != 2 || *got.Excess.Num != 1 || got.Excess.Den != 2 || got.McNemar != "5.00000e-01" {
		t.Errorf("got %+v", got)
	}
	if *got.Success.Value != "5.00000e-01" || *got.Success.Lo != "0" || *got.Success.Hi != "1.00000e+00" {
		t.Errorf("difference %s [%s, %s]", *got.Success.Value, *got.Success.Lo, *got.Success.Hi)
	}
}

func TestInfraGamesLeaveThePairs(t *testing.T) {
	in := two(t)
	in.Runs[0] = played(t, "a", "i w0 l -")
	if c := compared(t, report.New(in))[0]; c.Pairs != 3 || c.Both != 1 || c.OnlyB != 2 {
		t.Errorf("got %+v", c)
	}
}

func TestMissingGamesLeaveThePairsOfPartialScores(t *testing.T) {
	in := two(t)
	in.Partial = true
	if c := compared(t, report.New(in))[0]; c.Pairs != 3 || c.Both != 2 || c.OnlyB != 1 {
		t.Errorf("got %+v", c)
	}
}

func TestEachTwoRunsUnderTheSameRulesAreComparedAndOthersStandApart(t *testing.T) {
	in := two(t)
	in.Runs = append(in.Runs, played(t, "c", "l l l w0"), played(t, "d", "l l l l", "max=5"))
	r := report.New(in)
	var got []string
	for _, c := range compared(t, r) {
		got = append(got, fmt.Sprintf("%s%s %d-%d %s", c.A, c.B, c.OnlyA, c.OnlyB, c.McNemar))
	}
	if want := "a|<x>b 0-2 5.00000e-01, a|<x>c 2-1 1.00000e+00, bc 3-0 2.50000e-01"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	if len(r.Groups) != 2 || len(r.Groups[0].Splits[0].Rows) != 3 || len(r.Groups[1].Splits[0].Rows) != 1 || strings.Join(r.Groups[1].Differs, ";") != "options.max 5, not 3" {
		t.Fatalf("%d groups: %+v", len(r.Groups), r.Groups)
	}
	text := string(r.Text())
	for _, want := range []string{": a|<x>, b, c\n", ": d; options.max 5, not 3\n", "Runs on easy, rules " + r.Groups[1].RulesSHA256[:8]} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestRulesDifferFieldByField(t *testing.T) {
	zero, n := "0", int64(9)
	a := &schemas.Rules{Options: json.RawMessage(`{"x":1,"y":{"z":"u"}}`), Interface: "chat", Prompt: &schemas.Versioned{Version: "p/1", SHA256: "s"}}
	b := &schemas.Rules{Options: json.RawMessage(`{"x":2,"y":{"z":"u"}}`), Interface: "chat", Sampling: &schemas.Asked{Temperature: &zero, MaxTokens: &n}}
	want := "options.x 2, not 1; prompt.sha256 -, not s; prompt.version -, not p/1; sampling.max_tokens 9, not -; sampling.temperature 0, not -"
	if got := strings.Join(report.RulesDiffer(a, b), "; "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := report.RulesDiffer(a, a); len(got) != 0 {
		t.Errorf("equal rules differ in %q", got)
	}
}

func TestCurvesCountEachGameOnce(t *testing.T) {
	g := report.New(two(t)).Groups[0]
	if len(g.Lengths.Groups) != 3 || g.Lengths.Name != "fewest" || g.Lengths.Groups[1].Low != "2" || g.Lengths.Groups[1].Success[0].Den != 2 || *g.Lengths.Groups[1].Success[1].Num != 2 {
		t.Errorf("lengths %+v", g.Lengths)
	}
	names := map[string]bool{}
	for _, c := range g.Features {
		names[c.Name] = true
		games := int64(0)
		for _, b := range c.Groups {
			games += b.Success[1].Den
		}
		if games != 4 {
			t.Errorf("%s: %d games, want 4", c.Name, games)
		}
	}
	if !names["goal"] || !names["odd"] {
		t.Errorf("curves of %v", names)
	}
	for _, c := range g.Features {
		if c.Name == "odd" && (len(c.Groups) != 2 || c.Groups[0].Low != "no" || c.Groups[0].High != "no") {
			t.Errorf("names are grouped as %+v", c.Groups)
		}
	}
}

func TestGroupsOfInstancesHaveATableOfTheirOwn(t *testing.T) {
	text := string(report.New(two(t)).Text())
	if !strings.Contains(text, "Groups of easy: ") || strings.Count(text, "length 2") != 2 {
		t.Errorf("got\n%s", text)
	}
}

func TestEqualScoresGiveEqualBytes(t *testing.T) {
	a, b := report.New(two(t)), report.New(two(t))
	if !bytes.Equal(a.Markdown(), b.Markdown()) || !bytes.Equal(a.Text(), b.Text()) || !bytes.Equal(canon.MustMarshal(a), canon.MustMarshal(b)) {
		t.Error("two reports of the same scores differ")
	}
}

func TestMarkdownKeepsNamesInTheirCells(t *testing.T) {
	md := string(report.New(two(t)).Markdown())
	if !strings.Contains(md, `| a\|&lt;x> | 4 |`) {
		t.Errorf("got\n%s", md)
	}
	var tree map[string]any
	if err := json.Unmarshal(canon.MustMarshal(report.New(two(t))), &tree); err != nil || tree["schema"] != report.Schema {
		t.Errorf("JSON: %v", err)
	}
}

func TestPeopleAreComparedOnPairsThatBothPlayed(t *testing.T) {
	in := two(t)
	in.Human = &family.Scores{}
	if h := report.New(in).Human; len(h) != 2 || h[0].Pairs != 0 || h[0].Difference.Value != nil {
		t.Errorf("no games of people: %+v", h)
	}
	game := func(source uint32, won bool, excess int) family.Result {
		return family.Result{Source: source, Target: 99, Success: won, Excess: excess}
	}
	in.Human.Results = []family.Result{game(0, true, 0), game(0, true, 1), game(1, true, 0), game(2, false, 0)}
	h := report.New(in).Human[1]
	// The first pair: people 0 and 1 clicks too many, the model 0; the second: people 0, the model 1. The third: people never.
	if h.Pairs != 2 || h.HumanGames != 3 || h.ModelGames != 2 || *h.Human.Value != "2.50000e-01" || *h.Model.Value != "5.00000e-01" || *h.Difference.Value != "2.50000e-01" {
		t.Errorf("got %+v: %s, %s, %s", h, *h.Human.Value, *h.Model.Value, *h.Difference.Value)
	}
	// Of the third people won none of one game; what they played of a fourth nobody else did.
	in.Human.Results = append(in.Human.Results, game(0, false, 0), game(77, true, 0))
	h = report.New(in).Human[1]
	var won, n int
	for _, x := range in.Runs[1].Scores.Results {
		if x.Source < 3 {
			n++
			if x.Success {
				won++
			}
		}
	}
	if n != 3 || h.Played != 3 || *h.HumanSuccess.Value != "5.55556e-01" ||
		*h.ModelSuccess.Value != canon.Decimal(float64(won)/3) {
		t.Errorf("%d of %d: %+v, %s, %s", won, n, h, *h.HumanSuccess.Value, *h.ModelSuccess.Value)
	}
	in.Human.Results = []family.Result{game(77, true, 0)}
	const none = "no pair of pages was played by people and by a run"
	if err := report.New(in).Apart(in); err == nil || !strings.Contains(err.Error(), none) {
		t.Errorf("nothing in common: %v", err)
	}
}

// TestAScoreIsASheet has a group, a variant that is missing, a hostile name and an outcome that lost.
func TestAScoreIsASheet(t *testing.T) {
	s := played(t, "m\x1b", "w0 w1 l i").Scores
	s.Rows[0].Outcomes = map[string]int{"success": 2, "gave_up": 1}
	s.Counts, s.Notes, s.Unlisted = map[string]int{"unknown": 2, "none": 0}, []string{"so it is"}, 3
	s.FreshSince = "0123"
	s.Disagreements = []family.Disagreement{{Item: "x", Attempt: 1, Step: 2, Field: "f", Log: "l", Replay: "r\x1b"}}
	got := string(report.ScoreSheet(fam, s).Text())
	for _, want := range []string{
		"release  demo, manifest id id\n", "fresh since 0123, an older release",
		"rules    " + s.RulesSHA256 + "\n", "options  {\"max\":3}\n", "asked    interface builtin\n",
		"split  length  n  missing  infra  SR                       lost by    flags\neasy   all     3  0        0      0.6667 [0.2077, 0.9385]  gave_up 1  -\n",
		"counted: unknown 2\n", "so it is\n", `x, attempt 1, step 2, f: log l, replay r\x1b`, "and in 3 places more\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "suboptimal") || strings.Contains(got, "none 0") || strings.Contains(got, "\x1b") {
		t.Errorf("a column or count without a value, or a hostile name, is in\n%s", got)
	}
}
