package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
