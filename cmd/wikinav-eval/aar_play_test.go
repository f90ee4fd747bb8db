package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/aar/aartest"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/endpoint"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// evalIn is eval with an input.
func evalIn(in string, args ...string) (r result) {
	var stdout, stderr bytes.Buffer
	r.code = run(args, strings.NewReader(in), &stdout, &stderr)
	r.stdout, r.stderr = stdout.String(), stderr.String()
	return r
}

// race is the arguments of a play of the family of races.
func race(rel, player, out string, more ...string) []string {
	return append([]string{"play", "--family", "aar", "--release", rel, "--player", player, "--out", out}, more...)
}

func modelRace(rel, out string, more ...string) []string {
	return append(race(rel, "openai", out, "--base-url", "https://host.test/v1", "--model", "m"), more...)
}

// episodesOf reads the episodes of a run without what only the clock decides, by instance.
func episodesOf(t *testing.T, dir string) map[string]schemas.AAREpisode {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "episodes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]schemas.AAREpisode{}
	for line := range strings.Lines(string(data)) {
		var e schemas.AAREpisode
		if err := canon.Decode([]byte(strings.TrimSpace(line)), canon.MaxLine, &e); err != nil {
			t.Fatal(err)
		}
		e.Millis = 0
		out[e.Instance] = e
	}
	return out
}

// golden returns what the baseline does at each leg, a list of calls a turn and then the answer.
func golden(t *testing.T, rel string) map[string]schemas.AAREpisode {
	t.Helper()
	out := filepath.Join(t.TempDir(), "golden")
	eval(race(rel, "golden", out)...).want(t, 0)
	return episodesOf(t, out)
}

// told finds the leg that a dialogue is about, and how many turns were made in it.
func told(known map[string]schemas.AAREpisode, m []schemas.Message) (e schemas.AAREpisode, turns int) {
	for _, one := range m {
		_, rest, _ := strings.Cut(one.Content, "# Puzzle ")
		id, _, _ := strings.Cut(rest, "\n")
		if known[id].Instance != "" && one.Role == schemas.RoleUser {
			e = known[id]
		}
		if one.Role == schemas.RoleAssistant {
			turns++
		}
	}
	return e, turns
}

// goldenModel is an endpoint whose model makes the golden calls, as fields or as blocks of its reply.
func goldenModel(known map[string]schemas.AAREpisode, blocks bool) *ep.Endpoint {
	e := &ep.Endpoint{Say: func(m []schemas.Message) string {
		e, turns := told(known, m)
		if calls := e.Turns[turns].Calls; len(calls) > 0 {
			text := "I look it up."
			for _, c := range calls {
				if blocks {
					text += fmt.Sprintf("\n```tool\n{\"name\":%q,\"arguments\":%s}\n```", c.Tool, c.Args)
				}
			}
			return text
		}
		return "So it is.\n**Final Answer: " + *e.Answer + "**"
	}}
	if !blocks {
		e.Call = func(m []schemas.Message) (calls []schemas.ToolCall) {
			e, turns := told(known, m)
			for i, c := range e.Turns[turns].Calls {
				calls = append(calls, schemas.ToolCall{
					ID: fmt.Sprintf("id-%d-%d", turns, i), Type: schemas.ToolFunction,
					Function: schemas.CalledByName{Name: c.Tool, Arguments: c.Args},
				})
			}
			return calls
		}
	}
	return e
}

// callsOf is what was called and returned, without names of calls.
func callsOf(e schemas.AAREpisode) (list []schemas.AARLogged) {
	for _, t := range e.Turns {
		for _, c := range t.Calls {
			c.ID = ""
			list = append(list, c)
		}
	}
	return list
}

func TestAModelThatMakesTheGoldenCallsInBothFormats(t *testing.T) {
	rel := raceRelease(t)
	known := golden(t, rel)
	for _, format := range []string{"openai", "text"} {
		e := goldenModel(known, format == "text")
		script(t, e)
		out := filepath.Join(t.TempDir(), "run")
		got := eval(modelRace(rel, out, "--tool-format", format, "--price-prompt", "1", "--price-output", "2")...).want(t, 0)
		played := episodesOf(t, out)
		if len(played) != 3*len(aartest.Splits) {
			t.Fatalf("%s: %d episodes\n%s", format, len(played), got.stdout)
		}
		var sum schemas.Usage
		for id, p := range played {
			if p.Outcome != schemas.OutcomeAnswered || *p.Answer != *known[id].Answer || !reflect.DeepEqual(callsOf(p), callsOf(known[id])) || p.Cost == nil {
				t.Errorf("%s: %+v, want %+v", format, p, known[id])
			}
			sum.Add(*p.Usage)
		}
		if books := e.Books(); books.Usage != sum {
			t.Errorf("%s: usage %+v, the endpoint counts %+v", format, sum, books.Usage)
		}
		scores := scoresOf(t, eval("score", "--family", "aar", "--release", rel, "--trajectories", out, "--json").want(t, 0))
		for _, row := range scores.Rows {
			for _, name := range []string{judge.MetricSuccess, "page_visit_rate", "tool_stop_rate"} {
				if v := row.Metrics[name].Value; v == nil || judge.Number(*v) != 1 {
					t.Errorf("%s, %s %v: %s is %+v", format, row.Split, row.By, name, row.Metrics[name])
				}
			}
		}
	}
}

func TestAnEndpointWithoutToolsIsToldOfTheOtherFormat(t *testing.T) {
	rel := raceRelease(t)
	known := golden(t, rel)
	for _, temper := range ep.Tempers() {
		e := goldenModel(known, false)
		e.Temper = temper
		if temper.Shape != nil || temper.Faults != nil {
			continue
		}
		script(t, e)
		out, want := filepath.Join(t.TempDir(), "run"), 0
		if temper.Name == "no tools" {
			want = 2
		}
		got := eval(modelRace(rel, out, "--split", "linear-easy")...).want(t, want)
		if want != 0 && !strings.Contains(got.stderr, "--tool-format text") {
			t.Errorf("%s: %s", temper.Name, got.stderr)
		}
	}
}

// TestARunThatBreaksOffGoesOn breaks at every request, and compares with the run that did not.
func TestARunThatBreaksOffGoesOn(t *testing.T) {
	rel := raceRelease(t)
	known := golden(t, rel)
	script(t, goldenModel(known, false))
	whole := filepath.Join(t.TempDir(), "whole")
	eval(modelRace(rel, whole, "--split", "linear-easy")...).want(t, 0)
	for n := 1; n < 13; n += 3 {
		e := goldenModel(known, false)
		e.Faults = nth(n, 1, ep.Unauthorized)
		script(t, e)
		out := filepath.Join(t.TempDir(), "run")
		args := modelRace(rel, out, "--split", "linear-easy", "--workers", "1")
		eval(args...).want(t, 1)
		eval(args...).want(t, 0)
		if got, want := episodesOf(t, out), episodesOf(t, whole); !reflect.DeepEqual(got, want) {
			t.Errorf("broken at %d: %+v, want %+v", n, got, want)
		}
	}
	e := goldenModel(known, false)
	e.Faults = nth(3, 3, ep.TooLong)
	script(t, e)
	out := filepath.Join(t.TempDir(), "run")
	args := modelRace(rel, out, "--split", "linear-easy", "--workers", "1", "--max-infra-errors", "9")
	eval(args...).want(t, 0)
	if got := episodesOf(t, out)["aar-linear-easy-001"]; got.Outcome != schemas.OutcomeInfra || len(got.Turns) != 2 {
		t.Errorf("got %+v", got)
	}
	eval(append(args, "--retry-infra")...).want(t, 0)
	for _, got := range episodesOf(t, out) {
		if got.Outcome != schemas.OutcomeAnswered || !got.Retried || len(got.Turns) != 7 {
			t.Errorf("got %+v", got)
		}
	}
}

// hanging is an endpoint that never answers.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestTheClockOfALegBoundsARequest(t *testing.T) {
	rel, out := raceRelease(t), filepath.Join(t.TempDir(), "run")
	e := goldenModel(golden(t, rel), false)
	script(t, e) // the first question is asked before the clock begins
	asked := 0
	outside.Transport = transport(func(r *http.Request) (*http.Response, error) {
		if asked++; asked == 1 {
			return e.RoundTrip(r)
		}
		return hanging{}.RoundTrip(r)
	})
	eval(modelRace(rel, out, "--instance", "aar-dag-easy-001", "--leg-timeout", "1s")...).want(t, 0)
	if got := episodesOf(t, out)["aar-dag-easy-001"]; got.Outcome != schemas.OutcomeTimeout || len(got.Turns) != 1 || got.Reason != nil {
		t.Errorf("got %+v", got)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestNothingIsDialledForAMiss plays with an empty cassette, and a dialer that fails the test.
func TestNothingIsDialledForAMiss(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	tape := filepath.Join(dir, "tape")
	put(t, tape, "")
	outside = endpoint.Config{Transport: transport(func(r *http.Request) (*http.Response, error) {
		t.Errorf("%s is asked", r.URL)
		return nil, context.Canceled
	})}
	network := http.DefaultTransport
	http.DefaultTransport = outside.Transport
	t.Cleanup(func() { outside, http.DefaultTransport = endpoint.Config{}, network })
	lines := `{"calls":[{"tool":"maps_directions","args":{"origin":"Town","destination":"Mill"}}]}` + "\n" + `{"answer":"1"}` + "\n"
	out := filepath.Join(dir, "run")
	got := evalIn(lines, race(rel, "lines", out, "--instance", "aar-dag-easy-001", "--cassette", tape)...).want(t, 0)
	const miss = `cassette: miss: maps_directions {\"destination\":\"Mill\",\"origin\":\"Town\"}`
	e := episodesOf(t, out)["aar-dag-easy-001"]
	if c := e.Turns[0].Calls[0]; c.Source != "cassette" || !strings.Contains(c.Preview, miss) || !strings.Contains(got.stdout, "cassette_miss") {
		t.Errorf("got %+v", c)
	}
	got = evalIn(`{"answer":"1"}`+"\n", race(rel, "lines", filepath.Join(dir, "python"), "--instance", "aar-dag-easy-001", "--python", "sh")...).want(t, 0)
	if !strings.Contains(got.stdout, `"minimum":0.1`) { // a number that canonical JSON has not
		t.Errorf("got %s", got.stdout)
	}
	eval(race(rel, "lines", filepath.Join(dir, "two"), "--tool-format", "xml")...).want(t, 2)
	eval("play", "--release", rel, "--player", "random", "--budget", "3k").want(t, 2)
}

// oneByOne are the golden calls of a leg, a call a turn.
func oneByOne(e schemas.AAREpisode) (list []schemas.AARLogged) {
	for _, turn := range e.Turns {
		list = append(list, turn.Calls...)
	}
	return list
}

// TestALegIsTheSameAtEveryDoor plays the golden calls over lines, HTTP and MCP.
func TestALegIsTheSameAtEveryDoor(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	const id = "aar-linear-easy-003"
	known := golden(t, rel)[id]
	out := filepath.Join(dir, "lines")
	var lines strings.Builder
	for _, c := range oneByOne(known) {
		fmt.Fprintf(&lines, `{"calls":[{"tool":%q,"args":%s}]}`+"\n", c.Tool, c.Args)
	}
	fmt.Fprintf(&lines, `{"answer":%q}`+"\n", *known.Answer)
	evalIn(lines.String(), race(rel, "lines", out, "--instance", id)...).want(t, 0)
	want := episodesOf(t, out)[id]
	if want.Outcome != schemas.OutcomeAnswered || !reflect.DeepEqual(callsOf(want), callsOf(known)) {
		t.Fatalf("got %+v", want)
	}
	for door, play := range map[string]func(*testing.T, string, string, string, schemas.AAREpisode){"http": raceOverHTTP, "mcp": raceOverMCP} {
		log := filepath.Join(dir, door)
		play(t, rel, log, id, known)
		runs, err := os.ReadDir(log)
		if err != nil || len(runs) != 1 {
			t.Fatalf("%s: %v, %d runs", door, err, len(runs))
		}
		if got := episodesOf(t, filepath.Join(log, runs[0].Name()))[id]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s\nwant %s", door, canon.MustMarshal(got), canon.MustMarshal(want))
		}
		eval("score", "--family", "aar", "--release", rel, "--trajectories", filepath.Join(log, runs[0].Name()), "--partial").want(t, 0)
	}
}

func raceOverHTTP(t *testing.T, rel, log, id string, known schemas.AAREpisode) {
	s := startServe(t, "--family", "aar", "--release", rel, "--log", log)
	var game struct{ Game string }
	if code := s.post("/v1/games", `{"instance":"`+id+`"}`, &game); code != http.StatusCreated {
		t.Fatalf("status %d", code)
	}
	at, step := "/v1/games/"+game.Game, 0
	var told struct {
		Observation struct {
			Results []struct{ Tool, Output string }
		}
		Error struct{ Code, Field string }
	}
	for _, bad := range []string{`{"step":1}`, `{"step":1,"calls":[]}`, `{"step":1,"calls":[{"name":"x"}]}`, `{"calls":[{"tool":"x"}]}`} {
		if code := s.post(at+"/calls", bad, &told); code != http.StatusBadRequest || told.Error.Code == "" {
			t.Errorf("%s: status %d, %+v", bad, code, told.Error)
		}
	}
	for _, c := range oneByOne(known) {
		step++
		body := fmt.Sprintf(`{"step":%d,"calls":[{"tool":%q,"args":%s}]}`, step, c.Tool, c.Args)
		for range 2 { // the same request twice is one turn
			if code := s.post(at+"/calls", body, &told); code != http.StatusOK || !strings.HasPrefix(told.Observation.Results[0].Output, c.Preview) {
				t.Errorf("step %d: status %d, %+v", step, code, told)
			}
		}
	}
	if code := s.post(at+"/answer", fmt.Sprintf(`{"step":%d}`, step+1), &told); code != http.StatusBadRequest {
		t.Errorf("no answer: status %d", code)
	}
	var ended struct{ Done bool }
	if code := s.post(at+"/answer", fmt.Sprintf(`{"step":%d,"answer":%q}`, step+1, *known.Answer), &ended); code != http.StatusOK || !ended.Done {
		t.Errorf("the answer: status %d, %+v", code, ended)
	}
	s.stop()
}

func raceOverMCP(t *testing.T, rel, log, id string, known schemas.AAREpisode) {
	var in strings.Builder
	n := 0
	send := func(method, params string) {
		n++
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", n, method, params)
	}
	call := func(tool, args string) { send("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args)) }
	send("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	fmt.Fprintln(&in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	call("fetch_webpage", `{"url":"/wiki/Town"}`) // before a game there is none
	call("start_game", `{"instance":"`+id+`"}`)
	send("tools/list", `{}`)
	for _, c := range oneByOne(known) {
		call(c.Tool, c.Args)
	}
	call("submit_answer", fmt.Sprintf(`{"answer":%q}`, *known.Answer))
	got := evalIn(in.String(), "mcp", "--family", "aar", "--release", rel, "--log", log).want(t, 0)
	answers := strings.Split(strings.TrimSpace(got.stdout), "\n")
	for i, part := range map[int]string{1: "game_not_found", 2: `"riddle\":`, 3: `"name":"submit_answer"`, 4: "# Town", n - 1: `"outcome\":\"answered`} {
		if len(answers) != n || !strings.Contains(answers[i], part) {
			t.Fatalf("answer %d of %d lacks %s: %s", i, len(answers), part, got.stdout)
		}
	}
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(answers[3]), &list); err != nil || !slices.ContainsFunc(list.Result.Tools, func(x struct{ Name string }) bool { return x.Name == "maps_elevation" }) {
		t.Errorf("%v: %+v", err, list)
	}
}

// A model that makes the golden calls over an endpoint is optimal in each of the six
// configurations, and told what the configuration says and no more.
func TestAModelRacesInEveryConfiguration(t *testing.T) {
	rel := raceRelease(t)
	known := golden(t, rel)
	for _, oracle := range family.ConfigNames() {
		done := map[string]int{} // turns by leg: where history is dropped, no prompt tells
		model := goldenModel(known, true)
		script(t, &ep.Endpoint{Say: func(m []schemas.Message) string {
			last := m[len(m)-1].Content
			if strings.Contains(last, calls.PlanHeader) != strings.Contains(oracle, "P") ||
				strings.Contains(last, calls.StateHeader) != strings.Contains(oracle, "S") {
				t.Errorf("%s: %s", oracle, last)
			}
			e, _ := told(known, m)
			before := slices.Repeat([]schemas.Message{{Role: schemas.RoleAssistant}}, done[e.Instance])
			done[e.Instance]++
			return model.Say(append(before,
				schemas.Message{Role: schemas.RoleUser, Content: "# Puzzle " + e.Instance + "\n"}))
		}})
		out := filepath.Join(t.TempDir(), "run")
		eval(modelRace(rel, out, "--tool-format", "text", "--option", "oracle="+oracle, "--parallel", "1")...).
			want(t, 0)
		said := eval("score", "--family", "aar", "--release", rel, "--trajectories", out, "--json").want(t, 0)
		scores := scoresOf(t, said)
		for _, row := range scores.Rows {
			for _, name := range []string{judge.MetricSuccess, judge.MetricMicro} {
				if v := row.Metrics[name].Value; v == nil || judge.Number(*v) != 1 {
					t.Errorf("%s, %s %v: %s is %+v", oracle, row.Split, row.By, name, row.Metrics[name])
				}
			}
		}
	}
}
