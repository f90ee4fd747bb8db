package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// TestWalksOfMazesPassEveryDoor plays questions call by call, by baselines, lines and the Model
// Context Protocol, and takes the runs to score, report and leaderboard.
func TestWalksOfMazesPassEveryDoor(t *testing.T) {
	rel, dir := newWorlds(t), t.TempDir()
	addMazes(t, rel, false)
	play := func(player, oracle string, more ...string) string {
		out := filepath.Join(dir, player+"-"+oracle)
		eval(append([]string{
			"play", "--release", rel, "--family", "mango", "--player", player, "--option", "mode=walk", "--option", "oracle=" + oracle,
			"--out", out,
		}, more...)...).want(t, 0)
		return out
	}
	runs := []string{"report", "--release", rel, "--family", "mango"}
	for _, oracle := range []string{"base", "P", "S", "SP", "SH", "SPH"} {
		out := play("random", oracle)
		text := eval("score", "--release", rel, "--family", "mango", "--trajectories", out).want(t, 0).stdout
		if !strings.Contains(text, "walk/rf") || !strings.Contains(text, "step accuracy") {
			t.Errorf("%s: %s", oracle, text)
		}
		runs = append(runs, "--trajectories", out)
	}
	text := eval(runs...).want(t, 0).stdout
	for _, want := range []string{"Configurations: random on walk/df", "SPH", "H       mean"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q: %s", want, text)
		}
	}
	board := []string{"--family", "mango", "--unfrozen", "--trajectories"}
	text = enter(rel, filepath.Join(dir, "board"), append(board, filepath.Join(dir, "random-base"))...).want(t, 0).stdout
	if !strings.Contains(text, "walk/df") {
		t.Errorf("the leaderboard lacks walks: %s", text)
	}
	refused := enter(rel, filepath.Join(dir, "board"), append(board, filepath.Join(dir, "random-S"))...)
	if refused.code == 0 || !strings.Contains(refused.stderr, "oracle") {
		t.Errorf("a walk with an oracle: %d, %s", refused.code, refused.stderr)
	}
	if got := eval("mcp", "--release", rel, "--family", "mango", "--option", "mode=walk", "--option", "oracle=P"); got.code == 0 ||
		!strings.Contains(got.stderr, "oracle=P") {
		t.Errorf("a host that tells the plan unasked: %d, %s", got.code, got.stderr)
	}
	walkOverMCP(t, rel, taskOf(t, filepath.Join(dir, "random-base")), filepath.Join(dir, "logs"))
}

// taskOf returns the id of the first line of a run.
func taskOf(t *testing.T, run string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(run, "replies.jsonl"))
	must(t, err)
	var line struct{ ID string }
	must(t, json.Unmarshal(data[:bytes.IndexByte(data, '\n')], &line))
	return line.ID
}

func walkOverMCP(t *testing.T, rel, task, logs string) {
	t.Helper()
	calls := []called{{"start_game", map[string]any{"instance": task}}}
	for i, call := range []string{`move("up")`, `move("go")`, `answer("b")`} {
		calls = append(calls, called{"answer", map[string]any{"step": i + 1, "reply": "```python\n" + call + "\n```"}})
	}
	var stdout, stderr bytes.Buffer
	args := []string{"mcp", "--release", rel, "--family", "mango", "--option", "mode=walk", "--log", logs, "--model", "m"}
	code := run(args, strings.NewReader(requestsOf(calls...)), &stdout, &stderr)
	if code != 0 || strings.Contains(stdout.String(), `"isError":true`) || !strings.Contains(stdout.String(), "success") {
		t.Fatalf("exit %d, %s\n%s", code, &stderr, &stdout)
	}
	text := eval("score", "--release", rel, "--family", "mango", "--trajectories", loggedRun(t, logs), "--partial").want(t, 0).stdout
	if !strings.Contains(text, "0.6667") {
		t.Errorf("two of three turns are optimal: %s", text)
	}
}

// fenced is a reply that makes a call.
func fenced(call string) string { return "I walk.\n```python\n" + call + "\n```" }

// guided walks the way of the mazes of addMazes: by the plan where there is one, else by what it is
// told of its place, in the chat or, where history is dropped, in the task that is stated anew.
func guided(m []schemas.Message) string {
	last, all := m[len(m)-1].Content, ""
	for _, one := range m {
		all += one.Content
	}
	if _, plan, found := strings.Cut(last, "next: call "); found {
		call, _, _ := strings.Cut(plan, "\n")
		return fenced(call)
	}
	switch {
	case !strings.Contains(last, "You went") && !strings.Contains(last, `You are at "b"`):
		return fenced(`move("go")`)
	case strings.Contains(all, `"name":"done"`):
		return fenced("done()")
	}
	return fenced(`answer("b")`)
}

// A model walks over an endpoint and over HTTP in each of the six configurations: the same
// questions, each with optimal calls alone, told what the configuration says and no more.
func TestAModelWalksInEveryConfigurationAtEveryDoor(t *testing.T) {
	rel, dir := newWorlds(t), t.TempDir()
	addMazes(t, rel, false)
	for _, oracle := range []string{"base", "P", "S", "SP", "SH", "SPH"} {
		out := filepath.Join(dir, oracle)
		var heard []string
		script(t, &ep.Endpoint{Say: func(m []schemas.Message) string {
			heard = append(heard, m[len(m)-1].Content)
			return guided(m)
		}})
		walk := []string{"--family", "mango", "--option", "mode=walk", "--option", "oracle=" + oracle}
		eval(modelArgs(rel, out, append(walk, "--parallel", "1")...)...).want(t, 0)
		for _, prompt := range heard {
			if strings.Contains(prompt, "next: call ") != strings.Contains(oracle, "P") ||
				strings.Contains(prompt, "Moves made: ") != strings.Contains(oracle, "S") {
				t.Fatalf("%s: %s", oracle, prompt)
			}
		}
		wantPerfect(t, rel, out)
		log := filepath.Join(dir, oracle+"-http")
		s := startServe(t, append(walk, "--release", rel, "--log", log, "--expose-oracle", "--accept-replies")...)
		ids := tasksOf(t, out)
		for _, id := range ids {
			walkOverHTTP(t, s, id)
		}
		s.stop()
		served := loggedRun(t, log)
		wantPerfect(t, rel, served)
		if got := tasksOf(t, served); len(ids) < 6 ||
			!slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(ids))) {
			t.Errorf("%s: served %q, want %q", oracle, got, ids)
		}
	}
}

// walkOverHTTP plays a question with what guided says to the texts that the server shows.
func walkOverHTTP(t *testing.T, s *server, id string) {
	t.Helper()
	var game struct {
		Game        string
		Done        bool
		Error       struct{ Message string }
		Observation struct{ Rules, Message string }
	}
	if code := s.post("/v1/games", `{"instance":"`+id+`"}`, &game); code != http.StatusCreated {
		t.Fatalf("%s: status %d", id, code)
	}
	at := "/v1/games/" + game.Game + "/move"
	for step := 1; !game.Done; step++ {
		shown := []schemas.Message{{Content: game.Observation.Rules}, {Content: game.Observation.Message}}
		body := canon.MustMarshal(map[string]any{"step": step, "reply": guided(shown)})
		if code := s.post(at, string(body), &game); code != http.StatusOK {
			t.Fatalf("%s: step %d: status %d: %s", id, step, code, game.Error.Message)
		}
	}
}

// tasksOf returns the ids of the lines of a run.
func tasksOf(t *testing.T, run string) (ids []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(run, "replies.jsonl"))
	must(t, err)
	for line := range strings.Lines(string(data)) {
		var l struct{ ID string }
		must(t, json.Unmarshal([]byte(line), &l))
		ids = append(ids, l.ID)
	}
	return ids
}

// wantPerfect holds every row of a run's scores to success and optimal steps alone.
func wantPerfect(t *testing.T, rel, run string) {
	t.Helper()
	said := eval("score", "--release", rel, "--family", "mango", "--trajectories", run, "--partial", "--json").
		want(t, 0)
	got := worldScores(t, said)
	if len(got.Rows) == 0 {
		t.Error("no rows")
	}
	for _, r := range got.Rows {
		for _, name := range []string{"success_rate", "step_accuracy_micro"} {
			if m := r.Metrics[name]; m.Value == nil || *m.Value != "1.00000e+00" {
				t.Errorf("%s: %s of %s is %v", run, name, r.Split, m)
			}
		}
	}
}
