package aar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/eval/aar/aartest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// printer stands for Python: it prints how long the code is, or what a test asks for.
// closing closes at the end of the test what a release would close.
func closing(t testing.TB) func(io.Closer) error {
	return func(c io.Closer) error {
		t.Cleanup(func() { _ = c.Close() })
		return nil
	}
}

func printer(prints string) aar.Interpreter {
	return func(_ context.Context, code string, _ time.Duration) (aar.Printed, error) {
		if prints == "" {
			prints = fmt.Sprintln(len(code))
		}
		return aar.Printed{Stdout: prints}, nil
	}
}

// opened is the set of the release of aartest, with an interpreter where one is given.
func opened(t testing.TB, python aar.Interpreter, texts ...string) (*Set, family.Options) {
	t.Helper()
	o, err := Family{}.Options(texts)
	if err != nil {
		t.Fatal(err)
	}
	r := rulesOf(o)
	if python != nil {
		r.python = python
		r.Tools = offered(&aar.Tools{Cassette: r.cassette, Python: python})
		if o, err = checked(r); err != nil {
			t.Fatal(err)
		}
	}
	s, err := newSet(family.Source{Name: "toy", ID: "0123", ManifestSHA256: strings.Repeat("a", 64)}, r,
		aartest.Folder(t).Files, closing(t))
	if err != nil {
		t.Fatal(err)
	}
	return s, o
}

func begin(t testing.TB, s *Set, instance, at string) *Episode {
	t.Helper()
	e, err := s.Start(family.Task{ID: instance, Instance: instance}, family.Options{}, family.Manner{Interface: at})
	if err != nil {
		t.Fatal(err)
	}
	return e.(*Episode)
}

func act(t testing.TB, e *Episode, r family.Reply) family.Turn {
	t.Helper()
	turn, err := e.Act(r)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return turn
}

func words(text string) family.Reply { return family.Reply{Text: &text} }

func calls(list ...family.Call) family.Reply { return family.Reply{Calls: list} }

func fetching(title string) family.Call {
	return family.Call{Name: "fetch_webpage", Arguments: json.RawMessage(`{"url":"/wiki/` + title + `"}`)}
}

const (
	linearLeg = "aar-linear-easy-001"
	dagLeg    = "aar-dag-easy-003"
)

// TestTheLegsOfTheTestsAreGolden checks the tests' own legs: the executor computes them again.
func TestTheLegsOfTheTestsAreGolden(t *testing.T) {
	s, _ := opened(t, nil)
	if err := s.readAll(); err != nil {
		t.Fatal(err)
	}
	for id := range s.legs {
		l, err := s.leg(id)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := s.tools(schemas.TextLimit)
		if err != nil {
			t.Fatal(err)
		}
		for _, stop := range tools.Execute(t.Context(), l).Stops {
			if stop.Status != aar.StopMatch && !(stop.Index == 3 && strings.Contains(id, "dag")) { // Python is not run there
				t.Errorf("%s: %+v", id, stop)
			}
		}
	}
	if n := len(familytest.Tasks(t, s, aartest.Splits[0])); n != 3 || s.Splits()[0].Name != aartest.Splits[0] || s.Splits()[0].Got != 3 {
		t.Errorf("%d tasks, splits %+v", n, s.Splits())
	}
}

func TestTheMessagesAreThoseOfTheSpecification(t *testing.T) {
	s, _ := opened(t, nil)
	e := begin(t, s, linearLeg, schemas.InterfaceChat)
	l, _ := s.leg(linearLeg)
	want := []schemas.Message{
		{Role: "system", Content: systemText},
		{Role: "user", Content: "# Puzzle " + linearLeg + "\n\n# Seed URL\n\nhttps://demo.invalid/wiki/Town\n\n# Riddle\n\n" + l.Riddle +
			"\n\n# Instructions\n\nYou have 10 turns. When you are done, write on a line of its own: Final Answer: X, where X is one digit (0-9)."},
	}
	if got := string(canon.MustMarshal(e.Messages())); got != string(canon.MustMarshal(want)) {
		t.Errorf("got %s", got)
	}
	var names []string
	for _, tl := range e.Tools() {
		names = append(names, tl.Name)
	}
	if !slices.Equal(names, e.rules.Tools) || len(names) != 10 {
		t.Errorf("tools %v", names)
	}
	text, _ := opened(t, printer(""), "tool_format=text")
	e = begin(t, text, linearLeg, schemas.InterfaceChat)
	system := e.Messages()[0].Content
	if e.Tools() != nil || !strings.Contains(system, "\n\n"+blockText+"\n{\"type\":\"function\",\"function\":{\"name\":\"fetch_webpage\",") ||
		strings.Count(system, "\n{") != 11 {
		t.Errorf("got %s", system)
	}
}

func TestCallsOfATurnAreAnsweredWithTheirNames(t *testing.T) {
	s, _ := opened(t, nil)
	e := begin(t, s, linearLeg, schemas.InterfaceChat)
	text := "I read two pages."
	turn := act(t, e, family.Reply{Text: &text, Calls: []family.Call{
		{ID: "a", Name: "fetch_webpage", Arguments: json.RawMessage(`{"url":"/wiki/Town"}`)},
		{ID: "a", Name: "no tool!", Arguments: json.RawMessage(`"not JSON"`)},
		{Name: "maps_geocode", Arguments: json.RawMessage(`{"address":"Mill"}`)},
	}})
	if !turn.Valid || !turn.Counted || e.Step() != 2 {
		t.Errorf("%+v, step %d", turn, e.Step())
	}
	got := e.Messages()[2:]
	if len(got) != 4 || got[0].Content != text || len(got[0].ToolCalls) != 3 {
		t.Fatalf("got %+v", got)
	}
	for i, c := range got[0].ToolCalls {
		if m := got[i+1]; m.Role != schemas.RoleTool || m.ToolCallID != c.ID || c.Type != "function" {
			t.Errorf("call %+v is answered by %+v", c, m)
		}
	}
	if c := got[0].ToolCalls[1]; c.ID == "a" || c.Function.Name != "unknown" || c.Function.Arguments != "{}" {
		t.Errorf("a call that is none is repeated as %+v", c)
	}
	if l := e.turns[0].Calls[1]; l.Tool != "no tool!" || l.Args != "not JSON" || l.Source != aar.SourceNone || !strings.Contains(l.Preview, aar.NotOffered) {
		t.Errorf("and is logged as %+v", l)
	}
	if got[1].Content != e.results[0].Output || !strings.HasPrefix(got[1].Content, "# Town") {
		t.Errorf("got %q", got[1].Content)
	}
	if act(t, e, words("I think.")); e.Messages()[7].Content != onText || len(e.turns[1].Calls) != 0 {
		t.Errorf("a reply without a call: %+v", e.Messages()[6:])
	}
}

func TestBlocksOfAReplyAreCalls(t *testing.T) {
	s, _ := opened(t, nil, "tool_format=text")
	e := begin(t, s, linearLeg, schemas.InterfaceChat)
	act(t, e, words("First:\n```tool\n{\"name\":\"fetch_webpage\",\"arguments\":{\"url\":\"/wiki/Mill\"}}\n```\nthen\r\n"+
		"```tool\r\nnot JSON\r\n```\r\n  ```tool\n{\"name\":\"maps_geocode\"}\n  ```\n```tool\n{\"name\":\"open\",\"arguments\":{}}"))
	m := e.Messages()
	want := fmt.Sprintf("Result of call 1 (fetch_webpage):\n%s\n\nResult of call 2 ():\n%s\n\nResult of call 3 (maps_geocode):\n%s",
		e.results[0].Output, e.results[1].Output, e.results[2].Output)
	if len(e.results) != 3 || m[3].Role != schemas.RoleUser || m[3].Content != want || !strings.HasPrefix(e.results[0].Output, "# Mill") {
		t.Errorf("got %+v", m[3])
	}
	if l := e.turns[0].Calls; strings.TrimSpace(l[1].Args) != "not JSON" || !strings.Contains(l[2].Preview, aar.BadArguments) {
		t.Errorf("got %+v", l)
	}
}

func TestALineWithTheAnswerEndsALeg(t *testing.T) {
	for text, want := range map[string]string{
		"Final Answer: 7":                             "7",
		"Sum 12.\n**Final answer: 3.**\n":             "3",
		"_FINAL ANSWER_: **4**":                       "4",
		"Final Answer: 1\nno, Final Answer: 5":        "1",
		"Final Answer: 1\nFinal Answer: 2\r\nthe end": "2",
		"Final Answer: seven or so.":                  "seven or so",
		"The final answer is 7":                       "",
		"Final Answer:":                               "",
	} {
		s, _ := opened(t, nil)
		e := begin(t, s, linearLeg, schemas.InterfaceChat)
		act(t, e, family.Reply{Text: &text, Calls: []family.Call{fetching("Town")}})
		got := ""
		if e.answer != nil {
			got = *e.answer
		}
		if got != want || (e.Outcome() == schemas.OutcomeAnswered) != (want != "") || (len(e.turns[0].Calls) == 0) != (want != "") {
			t.Errorf("%q: answer %q, outcome %q, calls %d", text, got, e.Outcome(), len(e.turns[0].Calls))
		}
	}
}

func TestAPlayerThatNeverAnswersStopsAtTheBudget(t *testing.T) {
	for rule, want := range map[string]int{schemas.AARBudget: 10, schemas.AARBudgetLong: 21} {
		s, _ := opened(t, nil, "budget="+rule)
		e := begin(t, s, linearLeg, schemas.InterfaceChat)
		for e.Outcome() == "" {
			act(t, e, words("I think."))
		}
		if e.Outcome() != schemas.OutcomeStepLimit || len(e.turns) != want {
			t.Errorf("%s: %s after %d turns", rule, e.Outcome(), len(e.turns))
		}
		if _, err := e.Act(words("Final Answer: 3")); err == nil {
			t.Error("a turn after the end")
		}
	}
	for k, want := range map[int]int{4: 10, 7: 10, 8: 12, 33: 49} {
		if got := budget(schemas.AARBudget, k); got != want {
			t.Errorf("%d stops: %d turns, want %d", k, got, want)
		}
	}
}

func TestSixteenCallsOfATurnAreAnswered(t *testing.T) {
	s, _ := opened(t, nil)
	for _, at := range []string{schemas.InterfaceChat, schemas.InterfaceHTTP} {
		e := begin(t, s, linearLeg, at)
		act(t, e, calls(slices.Repeat([]family.Call{fetching("Town")}, 20)...))
		sources := map[string]int{}
		for i, c := range e.turns[0].Calls {
			if sources[c.Source]++; (i >= maxCalls) != strings.Contains(e.results[i].Output, `"code":"too_many_calls"`) {
				t.Errorf("call %d: %+v", i, c)
			}
		}
		if sources[aar.SourceNative] != 16 || sources[aar.SourceNone] != 4 {
			t.Errorf("%s: %v", at, sources)
		}
	}
}

func TestNoOutputIsLongerThanTheCut(t *testing.T) {
	const notice = "\n...[truncated]"
	for limit, texts := range map[int][]string{8000: nil, 500: {"max_output=500"}, 1: {"max_output=1"}} {
		s, _ := opened(t, printer(strings.Repeat("é", 50_000)), texts...)
		e := begin(t, s, linearLeg, schemas.InterfaceLines)
		act(t, e, calls(
			family.Call{Name: "maps_search_places", Arguments: json.RawMessage(`{"query":"museums near Town"}`)},
			family.Call{Name: "python_execute_code", Arguments: json.RawMessage(`{"code":"1"}`)}, fetching("Town"),
			family.Call{Name: strings.Repeat("x", 20_000), Arguments: json.RawMessage(`{}`)},
		))
		for i, r := range e.results {
			n := utf8.RuneCountInString(r.Output)
			if n > limit+utf8.RuneCountInString(notice) || n > limit && !strings.HasSuffix(r.Output, notice) || i < 2 && n < limit {
				t.Errorf("limit %d, %.20s: %d characters", limit, r.Tool, n)
			}
			if l := e.turns[0].Calls[i]; l.Chars != n || (l.Output != nil) != (l.Source == aar.SourcePython) ||
				utf8.RuneCountInString(l.Preview) != min(n, previewChars) || !strings.HasPrefix(r.Output, l.Preview) {
				t.Errorf("limit %d, %.20s: logged as %+v", limit, r.Tool, l)
			}
		}
	}
}

func TestTheClockEndsALeg(t *testing.T) {
	s, _ := opened(t, nil, "leg_timeout=30s")
	now := time.Unix(0, 0)
	s.clock = func() time.Time { return now }
	e := begin(t, s, linearLeg, schemas.InterfaceLines)
	if act(t, e, calls(fetching("Town"))); e.Outcome() != "" || !e.Deadline().Equal(time.Unix(30, 0)) {
		t.Errorf("%s, %v", e.Outcome(), e.Deadline())
	}
	now = time.Unix(30, 0)
	if turn := act(t, e, words("Final Answer: 3")); turn.Counted || e.Outcome() != schemas.OutcomeTimeout || e.answer != nil || len(e.turns) != 1 {
		t.Errorf("%+v, %s", turn, e.Outcome())
	}
}

func TestARecordThatOutgrowsItsLineIsInfra(t *testing.T) {
	s, _ := opened(t, nil)
	e := begin(t, s, linearLeg, schemas.InterfaceLines)
	long := strings.Repeat("\x01", 600_000)
	if act(t, e, words(long)); e.Outcome() != "" {
		t.Errorf("got %s", e.Outcome())
	}
	if act(t, e, words(long)); e.Outcome() != schemas.OutcomeInfra || e.reason == nil {
		t.Errorf("got %s", e.Outcome())
	}
	line := canon.MustMarshal(e.Record(family.Recording{Run: &schemas.Run{}, Attempt: 1}).Main)
	if _, err := decodeEpisode(line); err != nil {
		t.Error(err)
	}
}

func TestOptionsAreRead(t *testing.T) {
	dir := t.TempDir()
	tape, python := filepath.Join(dir, "tape"), filepath.Join(dir, "python")
	for path, mode := range map[string]os.FileMode{tape: 0o644, python: 0o755} {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Family{}.Options([]string{"budget=3k", "leg_timeout=90", "max_output=100", "tool_format=text", "cassette=" + tape, "python=" + python})
	if err != nil {
		t.Fatal(err)
	}
	r := rulesOf(o)
	if r.Budget != "3k" || r.LegTimeout != 90 || r.MaxOutput != 100 || r.ToolFormat != "text" || len(r.Tools) != 19 || len(r.Cassette) != 64 {
		t.Errorf("got %+v", r.AAROptions)
	}
	again, err := Family{}.ReadOptions(o.JSON)
	if err != nil || string(again.JSON) != string(o.JSON) {
		t.Errorf("%s is read as %s, %v", o.JSON, again.JSON, err)
	}
	s, _ := opened(t, nil)
	var kind *fault.Error
	if _, err := s.Start(family.Task{Instance: linearLeg}, again, family.Manner{}); !errors.As(err, &kind) || fault.KindOf(err) != fault.Usage {
		t.Errorf("a game with tools that the host has not: %v", err)
	}
	for _, text := range []string{
		"budget=2k", "budget", "leg_timeout=0", "leg_timeout=1.5s", "leg_timeout=x", "max_output=0", "max_output=1e9", "max_output=x",
		"tool_format=json", "python=/no/such/python", "rcr=all", "",
	} {
		if o, err := (Family{}).Options([]string{text}); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %s, %v", text, o.JSON, err)
		}
	}
	if _, err := (Family{}).Options([]string{"cassette=/no/such/tape"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no such cassette: %v", err)
	}
	for _, text := range []string{`{"tools":["web_search"]}`, `{"tools":["x"]}`, `{"cassette":"x"}`, `{"budget":3}`, `{"python":"x"}`, `7`} {
		if o, err := (Family{}).ReadOptions(json.RawMessage(text)); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %s, %v", text, o.JSON, err)
		}
	}
}

// TestGoldenMakesTheCallsOfTheLeg plays the baseline: every page and every tool that is offered.
func TestGoldenMakesTheCallsOfTheLeg(t *testing.T) {
	for _, python := range []aar.Interpreter{nil, printer("")} {
		s, _ := opened(t, python)
		e := begin(t, s, dagLeg, schemas.InterfaceBuiltin)
		next := s.Baselines()[0].Start(e, family.Seat{Task: e.task, Attempt: 1, Player: "golden"})
		for e.Outcome() == "" {
			r, err := next()
			if err != nil {
				t.Fatal(err)
			}
			act(t, e, r)
		}
		var made []string
		for _, turn := range e.turns {
			for _, c := range turn.Calls {
				if strings.HasPrefix(c.Preview, `{"error"`) {
					t.Errorf("%s %s: %s", c.Tool, c.Args, c.Preview)
				}
				made = append(made, c.Tool)
			}
		}
		want := "fetch_webpage maps_geocode maps_elevation maps_search_places python_execute_code fetch_webpage fetch_webpage countries_population"
		if python == nil {
			want = strings.Replace(want, " python_execute_code", "", 1)
		}
		if got := strings.Join(made, " "); got != want || *e.answer != "3" || e.Outcome() != schemas.OutcomeAnswered {
			t.Errorf("got %s, answer %s", got, *e.answer)
		}
	}
}

func TestAnObservationTellsTheTaskOnce(t *testing.T) {
	s, _ := opened(t, nil)
	e := begin(t, s, linearLeg, schemas.InterfaceLines)
	o := e.Observe().(Observation)
	if o.Schema != observationSchema || o.Step != 1 || o.StepsLeft != 10 || o.SeedURL == "" || o.Riddle == "" || len(o.Tools) != 10 || o.Done {
		t.Errorf("got %+v", o)
	}
	if turn := act(t, e, words(`{"calls":[{"tool":"maps_elevation","args":{"locations":[{"latitude":1.0,"longitude":2.0}]}}]}`)); !turn.Valid {
		t.Errorf("got %+v", turn)
	}
	o = e.Observe().(Observation)
	if o.Step != 2 || o.StepsLeft != 9 || o.SeedURL+o.Riddle != "" || o.Tools != nil || len(o.Results) != 1 || !strings.Contains(o.Results[0].Output, "893") {
		t.Errorf("got %+v", o)
	}
	if c := e.turns[0]; c.Reply != "" || c.Calls[0].Args != `{"locations":[{"latitude":1.0,"longitude":2.0}]}` {
		t.Errorf("got %+v", c)
	}
	for _, line := range []string{`{"calls":[],"answer":"3"}`, `{"answer":3}`, `{"answer":null}`, `{"calls":[{"name":"x"}]}`, `{}`, `7`, ``} {
		if turn := act(t, e, words(line)); turn.Valid || len(e.results) != 0 {
			t.Errorf("%s: %+v", line, turn)
		}
	}
	if act(t, e, words(`{"answer":"3"}`)); e.Outcome() != schemas.OutcomeAnswered || *e.answer != "3" || !e.Observe().(Observation).Done {
		t.Errorf("got %s", e.Outcome())
	}
}

func TestAPersonCallsByLines(t *testing.T) {
	s, _ := opened(t, nil)
	e := begin(t, s, linearLeg, schemas.InterfaceHuman)
	if m := e.Messages(); len(m) != 1 || !strings.Contains(m[0].Content, lineText) || !strings.Contains(m[0].Content, "# Riddle") {
		t.Errorf("got %+v", m)
	}
	act(t, e, words(`{"calls":[{"tool":"maps_geocode","args":{"address":"Mill"}}]}`))
	if m := e.Messages(); !strings.HasPrefix(m[len(m)-1].Content, "Result of call 1 (maps_geocode):\n{\"location\"") {
		t.Errorf("got %+v", m)
	}
	if act(t, e, words("Final Answer: 3")); e.Outcome() != schemas.OutcomeAnswered {
		t.Errorf("got %s", e.Outcome())
	}
}

func TestDamagedListsOfLegsAreRefused(t *testing.T) {
	for what, line := range map[string]string{
		"no sample":      `{"metadata":{}}`,
		"another form":   `{"metadata":{"sample_id":"x"}}`,
		"no digits":      `{"metadata":{"sample_id":"sample_"}}`,
		"stands in it":   `{"riddle":"\"sample_id\":\"sample_001\""}`,
		"the same twice": string(aar.EncodeLine(aartest.Leg("dag", "sample_003"))),
	} {
		f := aartest.Folder(t)
		lines := string(aar.EncodeLine(aartest.Leg("dag", "sample_003"))) + "\n" + line + "\n"
		f.Text(aar.LegsFile("dag", "easy"), []byte(lines), 2)
		s, err := newSet(family.Source{}, rulesOf(family.Options{}), f.Files, closing(t))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tasks("dag-easy", 1); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: %v", what, err)
		}
		if tasks, err := s.Tasks("linear-easy", 1); err != nil || len(tasks) != 1 {
			t.Errorf("%s: another list has %d tasks, %v", what, len(tasks), err)
		}
	}
}

func TestTheContractIsKept(t *testing.T) {
	s, o := opened(t, nil)
	nonsense := "I give no call."
	familytest.Check(t, familytest.Subject{
		Family: Family{}, Options: o, Set: s, Run: schemas.Run{ReleaseID: s.source.ID, ManifestSHA256: s.source.ManifestSHA256},
		Wrong: family.Reply{Text: &nonsense},
	})
}
