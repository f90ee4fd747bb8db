package mango

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/mango/walk"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func (m folder) walks(t testing.TB, options ...string) familytest.Subject {
	t.Helper()
	sub := m.subject(t, append(options, "mode=walk")...)
	wrong := calls.Fence(`move("no such way")`)
	sub.Wrong = family.Reply{Text: &wrong}
	return sub
}

func workedWalks(t testing.TB) folder {
	return importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
}

func TestWalksAreAFamily(t *testing.T) {
	m := workedWalks(t)
	for _, config := range family.ConfigNames() {
		familytest.Check(t, m.walks(t, "oracle="+config))
	}
	familytest.Check(t, m.walks(t, "told=place", "prefix=17", "rule=released"))
}

func allTasks(t testing.TB, s family.Set) (tasks []family.Task) {
	for _, split := range s.Splits() {
		tasks = append(tasks, familytest.Tasks(t, s, split.Name)...)
	}
	return tasks
}

func started(t testing.TB, sub familytest.Subject, task family.Task) family.Episode {
	t.Helper()
	e, err := sub.Set.Start(task, sub.Options, family.Manner{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// obey plays what the plan block of the last message names.
func obey(t testing.TB, e family.Episode) string {
	t.Helper()
	messages := e.Messages()
	_, plan, found := strings.Cut(messages[len(messages)-1].Content, calls.PlanHeader+"\nnext: call ")
	if !found {
		t.Fatalf("no plan in %q", messages[len(messages)-1].Content)
	}
	line, _, _ := strings.Cut(plan, "\n")
	return calls.Fence(line)
}

func TestWhoeverObeysThePlanIsOptimal(t *testing.T) {
	m := workedWalks(t)
	for _, config := range []string{"P", "SP", "SPH"} {
		sub := m.walks(t, "oracle="+config)
		follow := func(e family.Episode, _ family.Seat) func() (family.Reply, error) {
			return func() (family.Reply, error) {
				text := obey(t, e)
				return family.Reply{Text: &text}, nil
			}
		}
		s, err := sub.Score(t, sub.Play(t, allTasks(t, sub.Set), "follower", schemas.KindLocal, follow), family.Request{})
		if err != nil || len(s.Rows) < 4 {
			t.Fatalf("%s: %v, %d rows", config, err, len(s.Rows))
		}
		for _, r := range s.Rows {
			if *r.Metrics[judge.MetricSuccess].Value != "1.00000e+00" || *r.Metrics[judge.MetricMicro].Value != "1.00000e+00" ||
				*r.Metrics[metricExcess].Num != 0 || !r.Has(judge.FlagOracle) {
				t.Errorf("%s: %s", config, canon.MustMarshal(r))
			}
		}
	}
}

func TestTheOptimalPlayerWinsAndTheRandomOneMostlyLoses(t *testing.T) {
	sub := workedWalks(t).walks(t)
	rate := func(player string) (success, steps float64) {
		b := baseline(t, sub, player)
		s, err := sub.Score(t, sub.Play(t, allTasks(t, sub.Set), b.Name, b.Kind, b.Start), family.Request{})
		if err != nil {
			t.Fatal(err)
		}
		r := row(t, s, "walk/rf")
		return judge.Number(*r.Metrics[judge.MetricSuccess].Value), judge.Number(*r.Metrics[judge.MetricMicro].Value)
	}
	if success, steps := rate("optimal"); success != 1 || steps != 1 {
		t.Errorf("optimal: %v, %v", success, steps)
	}
	if success, steps := rate("random"); success > 0.5 || steps > 0.7 {
		t.Errorf("random: %v, %v", success, steps)
	}
}

// The log of a run says what the replay says, or the replay counts: no field of it moves a metric.
func TestAForgedWalkMovesNoMetric(t *testing.T) {
	sub := workedWalks(t).walks(t)
	b := baseline(t, sub, "random")
	dir := sub.Play(t, allTasks(t, sub.Set), b.Name, b.Kind, b.Start)
	honest, err := sub.Score(t, dir, family.Request{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, trace.RepliesFile)
	original, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for field, forged := range map[string]any{
		"outcome": schemas.OutcomeSuccess, "easy": true, "rule": "released", "config": "SPH", "manifest_sha256": "x", "template_sha256": "x",
		"steps/optimal": true, "steps/status": schemas.StatusIllegal, "steps/a_star": []string{`move("up")`}, "steps/place": "elsewhere",
		"steps/obs": "You have won.", "steps/action": `done()`, "steps/t": 7, "steps/prompt_sha256": "x",
	} {
		put(t, file, forge(t, original, field, forged))
		s, err := sub.Score(t, dir, family.Request{})
		if !errors.Is(err, fault.Mismatch) || len(s.Disagreements) == 0 {
			t.Errorf("%s: %v", field, err)
			continue
		}
		if !bytes.Equal(canon.MustMarshal(s.Rows), canon.MustMarshal(honest.Rows)) {
			t.Errorf("%s moves a metric", field)
		}
	}
}

// A walk whose replies stop before its end is lost, whatever outcome the log tells.
func TestAWalkThatStopsBeforeItsEndIsNoSuccess(t *testing.T) {
	sub := workedWalks(t).walks(t)
	b := baseline(t, sub, "optimal")
	dir := sub.Play(t, allTasks(t, sub.Set), b.Name, b.Kind, b.Start)
	file := filepath.Join(dir, trace.RepliesFile)
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, forge(t, log, "steps", []any{}))
	s, err := sub.Score(t, dir, family.Request{})
	if !errors.Is(err, fault.Mismatch) {
		t.Fatalf("got %v", err)
	}
	if r := row(t, s, "walk/rf"); *r.Metrics[judge.MetricSuccess].Num != 0 || r.Outcomes[outcomeIncomplete] != r.N {
		t.Errorf("got %s", canon.MustMarshal(r))
	}
}

// forge sets a field of every record, or of every step, that has another value.
func forge(t testing.TB, log []byte, field string, value any) (out []byte) {
	t.Helper()
	for line := range bytes.Lines(log) {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatal(err)
		}
		of, in := []any{record}, field
		if name, inSteps := strings.CutPrefix(field, "steps/"); inSteps {
			of, in = record["steps"].([]any), name
		}
		for _, x := range of {
			x.(map[string]any)[in] = value
		}
		out = append(append(out, canon.MustMarshal(record)...), '\n')
	}
	return out
}

// Submissions of nothing but replies are scored as the runs are.
func TestRepliesAloneAreAWalk(t *testing.T) {
	sub := workedWalks(t).walks(t)
	var text []byte
	for _, task := range allTasks(t, sub.Set) {
		e := started(t, sub, task)
		var steps []any
		for e.Outcome() == "" {
			reply := calls.Fence(e.(interface{ Best() string }).Best())
			steps = append(steps, map[string]any{"reply": reply})
			if _, err := e.Act(family.Reply{Text: &reply}); err != nil {
				t.Fatal(err)
			}
		}
		text = append(text, lines(map[string]any{"id": task.ID, "steps": steps})...)
	}
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	put(t, path, text)
	s, err := sub.Score(t, path, family.Request{})
	if err != nil || *row(t, s, "walk/df").Metrics[judge.MetricSuccess].Value != "1.00000e+00" {
		t.Errorf("%v", err)
	}
}

func TestRulesOfWalksAreNoneOfQuestions(t *testing.T) {
	o, err := Family.Options(nil)
	if err != nil || string(o.JSON) != `{"prefix":"full","rule":"paper"}` {
		t.Errorf("the options of questions are %s, %v", o.JSON, err)
	}
	for _, bad := range [][]string{
		{"oracle=P"}, {"told=place"}, {"max_format_errors=4"}, {"mode=walk", "oracle=PH"}, {"mode=walk", "max_format_errors=0"}, {"mode=run"},
	} {
		if _, err := Family.Options(bad); !errors.Is(err, fault.Usage) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	m := workedWalks(t)
	walked, asked := m.walks(t), m.subject(t)
	if _, err := walked.Set.Start(allTasks(t, walked.Set)[0], asked.Options, family.Manner{}); !errors.Is(err, fault.Usage) {
		t.Errorf("a walk under the options of questions: %v", err)
	}
	if _, err := asked.Set.Start(allTasks(t, asked.Set)[0], walked.Options, family.Manner{}); !errors.Is(err, fault.Usage) {
		t.Errorf("a question under the options of walks: %v", err)
	}
	for _, i := range Family.(family.Importer).Imports() {
		path := t.TempDir()
		if i.Format != "mango-samples" { // which are a folder
			path = filepath.Join(path, "answers.jsonl")
			put(t, path, nil)
		}
		if _, err := i.Read(walked.Set, path, family.ImportRequest{Model: "m", Options: walked.Options}); !errors.Is(err, fault.Usage) {
			t.Errorf("%s into walks: %v", i.Format, err)
		}
	}
}

func TestWalksInOneConfigurationEachAreArms(t *testing.T) {
	m := workedWalks(t)
	armed := Family.(family.Armed)
	p, ok := armed.Arm(m.walks(t, "oracle=P").Options)
	base, ok2 := armed.Arm(m.walks(t).Options)
	other, _ := armed.Arm(m.walks(t, "told=place").Options)
	if !ok || !ok2 || p.Config != "P" || !p.Planned || base.Planned || string(p.Rest) != string(base.Rest) || string(other.Rest) == string(base.Rest) {
		t.Errorf("got %+v, %+v, %+v", p, base, other)
	}
	if _, ok := armed.Arm(m.subject(t).Options); ok {
		t.Error("questions that are answered are an arm")
	}
	reveals := Family.(family.Revealing).Reveals
	if reveals(m.walks(t, "oracle=SP").Options) != "oracle=SP" || reveals(m.walks(t, "oracle=SH").Options) != "" {
		t.Error("a plan reveals, and nothing else does")
	}
}

// The six configurations show the same walk: they differ in the blocks, and in what H rewrites.
func TestTheConfigurationsDifferInWhatTheirOraclesSayAlone(t *testing.T) {
	m := workedWalks(t)
	for _, split := range []string{"df", "rf"} {
		id := idOf("905", m.find(t, "905", split, "driveway", "bathroom"), walkTo)
		var out bytes.Buffer
		for _, config := range family.ConfigNames() {
			sub := m.walks(t, "oracle="+config)
			tasks := familytest.Tasks(t, sub.Set, "walk/"+split)
			i := slices.IndexFunc(tasks, func(x family.Task) bool { return x.ID == id })
			if i < 0 {
				t.Fatalf("no walk %s", id)
			}
			e := started(t, sub, tasks[i])
			shown := e.(*walk.Episode).Shown()
			for _, reply := range []string{calls.Fence(`move("north")`), calls.Fence(`move("fly")`), "prose"} {
				if _, err := e.Act(family.Reply{Text: &reply}); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Fprintf(&out, "##### %s\n", config)
			for _, m := range e.Messages() {
				fmt.Fprintf(&out, "=== %s\n%s\n", m.Role, strings.ReplaceAll(m.Content, shown, "{walk}"))
			}
		}
		golden(t, split, out.Bytes())
	}
}

func golden(t *testing.T, split string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "walk-"+split+".txt")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		put(t, file, got)
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs from what is shown, %v:\n%s", file, err, got)
	}
}
