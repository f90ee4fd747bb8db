package question

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// sums asks for the sum of two numbers; the number of its kind is how many digits the answer has.
func sums(t *testing.T) *Set {
	t.Helper()
	s := &Set{Family: "sums", Source: Source{Name: "r", ID: "id", ManifestSHA256: "sha"}, Unread: func(_ Question, _ family.Manner, text string) string {
		if strings.Trim(text, "0123456789") != "" || text == "" {
			return OutcomeUnparsed
		}
		return ""
	}}
	var list []Question
	for _, sum := range []int{4, 12, 8, 100} {
		id := fmt.Sprintf("sum-%d", sum)
		list = append(list, Question{
			Task: family.Task{ID: "q" + id, Instance: id, Info: struct{}{}}, ID: id,
			Ask: func() []schemas.Message {
				return []schemas.Message{{Role: schemas.RoleUser, Content: fmt.Sprintf("%d + 1?", sum-1)}}
			},
		})
	}
	if err := s.Add(Split{family.Split{Name: "all", Got: 4, Requested: 5}, list}); err != nil {
		t.Fatal(err)
	}
	return s
}

func layout() trace.Layout { return Layout(func(id string) string { return "q" + id }) }

// judged scores replies by whether they are the sum.
func judged(s *Set, path string, req family.Request) (*family.Scores, error) {
	log, err := trace.Open(path, layout())
	if err != nil {
		return nil, err
	}
	sc, err := s.Begin(log, req)
	if err != nil {
		return nil, err
	}
	replies, err := Read(log)
	if err != nil {
		return nil, err
	}
	err = Score(sc, Judge[bool]{
		Verdict: func(q Question, r *Reply) (bool, string, error) {
			if r == nil {
				return false, "", nil
			}
			if "sum-"+r.Reply == q.ID {
				return true, OutcomeRight, nil
			}
			return false, OutcomeWrong, nil
		},
		Groups: func(q Question) [][]family.Group {
			return [][]family.Group{{{Name: "digits", Value: fmt.Sprint(len(q.ID) - 4)}}}
		},
		Metrics: func(_ []family.Group, list []Verdict[bool]) (map[string]judge.Metric, int) {
			right := 0
			for _, v := range list {
				if v.Value {
					right++
				}
			}
			return map[string]judge.Metric{"right": judge.Share(right, len(list))}, len(list)
		},
		Success: func(right bool) bool { return right },
	}, replies, nil)
	if err != nil {
		return nil, err
	}
	return sc.End()
}

func write(t *testing.T, path string, records ...any) string {
	t.Helper()
	var data []byte
	for _, r := range records {
		data = append(append(data, canon.MustMarshal(r)...), '\n')
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func start(t *testing.T, s *Set, task int) family.Episode {
	t.Helper()
	tasks, err := s.Tasks("all", 0)
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Start(tasks[task], family.Options{}, family.Manner{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAQuestionHasOneTurn(t *testing.T) {
	e := start(t, sums(t), 0)
	four, text := 4, "I pass"
	if turn, err := e.Act(family.Reply{Choice: &four, Text: &text}); err != nil || turn.Valid || turn.Reason != OutcomeUnparsed || !turn.Counted {
		t.Errorf("a text before a choice: %+v, %v", turn, err)
	}
	var refusal *family.Refusal
	if _, err := e.Act(family.Reply{Choice: &four}); !errors.As(err, &refusal) || refusal.Code != family.CodeGameOver {
		t.Errorf("a second reply: %v", err)
	}
	if o := e.Observe().(Observation); !o.Done || len(o.Messages) > 0 || o.Outcome != OutcomeAnswered || e.Step() != 2 {
		t.Errorf("the end shows %+v", o)
	}
	if turn, err := start(t, sums(t), 0).Act(family.Reply{Choice: &four, Strict: true}); err != nil || !turn.Valid {
		t.Errorf("a choice is its number: %+v, %v", turn, err)
	}
	if turn, err := start(t, sums(t), 0).Act(family.Reply{Back: true}); err != nil || turn.Valid {
		t.Errorf("back: %+v, %v", turn, err)
	}
}

func TestWhatReplyAndPlayerCostStandsInTheRecord(t *testing.T) {
	s := sums(t)
	run := schemas.Run{
		Schema: schemas.RunSchema, Run: "r1", ReleaseID: "id", ManifestSHA256: "sha", Family: "sums", Splits: []string{"all"}, Attempts: 1,
		Price: &schemas.Price{PromptPerMTok: "1", OutputPerMTok: "2", Currency: "EUR"}, Instances: []string{"sum-4", "qsum-12", "sum-8"},
	}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	dir := t.TempDir()
	write(t, filepath.Join(dir, trace.RunFile), run)
	var lines []any
	right, why := "4", "no route"
	e := start(t, s, 0)
	if _, err := e.Act(family.Reply{Text: &right, Said: family.Said{Usage: &schemas.Usage{Prompt: 10, Output: 5}, Retries: 2}}); err != nil {
		t.Fatal(err)
	}
	lines = append(lines, e.Record(family.Recording{Run: &run}).Main)
	e = start(t, s, 1)
	e.Stop(schemas.OutcomeGaveUp)
	lines = append(lines, e.Record(family.Recording{Run: &run}).Main)
	e = start(t, s, 2)
	e.Stop(schemas.OutcomeInfra)
	lines = append(lines, e.Record(family.Recording{Run: &run, Reason: &why, Retried: true}).Main)
	write(t, filepath.Join(dir, trace.RepliesFile), lines...)
	if r := lines[0].(Reply); *r.Cost != "2.00000e-05" || !r.Retried || r.Infra != nil {
		t.Errorf("a reply: %+v", r)
	}
	if r := lines[1].(Reply); r.Reply != "" || r.Infra != nil {
		t.Errorf("given up: %+v", r)
	}
	if r := lines[2].(Reply); *r.Infra != why || !r.Retried {
		t.Errorf("the endpoint failed: %+v", r)
	}
	scores, err := judged(s, dir, family.Request{MaxInfra: 1})
	if err != nil {
		t.Fatal(err)
	}
	all := scores.Rows[0]
	if all.N != 2 || all.Missing != 0 || all.Infra != 1 || all.Outcomes["success"] != 1 || all.Usage != nil || all.Cost != nil || !all.Has(judge.FlagShort) || !all.Has("INFRA 1/3") {
		t.Errorf("three questions of four were to be played: %+v", all)
	}
	one := scores.Rows[1] // one digit: sum-4 and, failed, sum-8
	if one.N != 1 || one.Usage.Prompt != 10 || *one.Cost != "2.00000e-05" || *one.Currency != "EUR" {
		t.Errorf("one digit: %+v", one)
	}
	if len(scores.Results) != 3 || scores.Results[0].Task != "qsum-4" || !scores.Results[0].Success {
		t.Errorf("results %+v", scores.Results)
	}
	run.RulesSHA256 = "0"
	write(t, filepath.Join(dir, trace.RunFile), run)
	if scores, err = judged(s, dir, family.Request{MaxInfra: 1}); !errors.Is(err, fault.Mismatch) || len(scores.Disagreements) != 1 {
		t.Errorf("rules of another hash: %v", err)
	}
}

func TestRowsStandInTheOrderOfNumbersNotOfWords(t *testing.T) {
	var values []string
	for _, n := range []string{"10", "9", "100"} {
		values = append(values, groupKey([]family.Group{{Name: "distance", Value: n}}))
	}
	if !(values[1] < values[0] && values[0] < values[2]) {
		t.Errorf("keys %q", values)
	}
}

func TestRulesAreReadOverTheirDefaults(t *testing.T) {
	rules := Rules{{Name: "pace", Values: []string{"slow", "fast"}}, {Name: "depth", Default: "3", Says: "N", Check: func(v string) error {
		if v == "0" {
			return errors.New("want 1 or more")
		}
		return nil
	}}}
	values, err := rules.Read([]string{"pace=fast"})
	if got := string(Options(values).JSON); err != nil || got != `{"depth":"3","pace":"fast"}` {
		t.Errorf("got %s, %v", got, err)
	}
	for text, want := range map[string]string{
		"pace": "want NAME=VALUE", "speed=1": "options: pace=slow|fast, depth=N", "pace=x": "choose from slow, fast", "depth=0": "want 1 or more",
	} {
		if _, err := rules.Read([]string{text}); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{`{"pace":1}`, `[]`, `{"speed":"1"}`} {
		if _, err := rules.ReadJSON([]byte(text)); !errors.Is(err, fault.Usage) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRepliesAreReadStrictly(t *testing.T) {
	good := `{"id":"sum-4","reply":"4","prompt_sha256":null,"usage":null}`
	for _, bad := range []string{
		`{"id":"sum-4","reply":"4","answer":"4"}`, `{"id":4,"reply":"4"}`, `{"id":"sum-4","reply":4}`, `{"reply":"4"}`,
		`{"id":"sum-4","id":"sum-8","reply":"4"}`, `{"id":"sum-4","reply":"4"} {}`, `["sum-4"]`,
		`{"id":"sum-4","reply":"4","usage":{"prompt":-1,"output":0,"reasoning":0}}`,
	} {
		path := filepath.Join(t.TempDir(), trace.RepliesFile)
		if err := os.WriteFile(path, []byte(bad+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := judged(sums(t), path, family.Request{}); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	path := filepath.Join(t.TempDir(), trace.RepliesFile)
	if err := os.WriteFile(path, []byte(good+"\n"+good+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := judged(sums(t), path, family.Request{}); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "line 1 already") {
		t.Errorf("a second reply: %v", err)
	}
	if err := os.WriteFile(path, []byte(good+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := judged(sums(t), path, family.Request{}); err != nil {
		t.Errorf("%s: %v", good, err)
	}
}
