package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// called is a call of a tool of mcp.
type called struct {
	tool      string
	arguments map[string]any
}

// requestsOf writes calls as a client pipes them.
func requestsOf(calls ...called) string {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}` + "\n")
	b.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for i, c := range calls {
		arguments, _ := json.Marshal(c.arguments)
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", i+2, c.tool, arguments)
	}
	return b.String()
}

// scoresOfRun scores a run directory by the family that it is of.
func scoresOfRun(t *testing.T, rel, dir string) (*family.Scores, error) {
	t.Helper()
	run, err := trace.ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	fam, err := families.Find(run.Family)
	if err != nil {
		t.Fatal(err)
	}
	opts, err := fam.ReadOptions(run.Rules.Options)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open.Open(rel)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	set, err := fam.Open(r, opts)
	if err != nil {
		t.Fatal(err)
	}
	log, err := trace.Open(dir, fam.Layout())
	if err != nil {
		t.Fatal(err)
	}
	return set.Score(log, family.Request{})
}

// TestProcessesOfOneLogKeepEveryGame lets real processes end games of the same instances in one log at once.
func TestProcessesOfOneLogKeepEveryGame(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	logs := filepath.Join(t.TempDir(), "logs")
	const processes, games, attempts = 4, 12, 5
	var calls []called
	for range games {
		calls = append(calls, called{"start_game", map[string]any{}}, called{"click_link", map[string]any{"step": 1, "title": "B"}}, called{"give_up", map[string]any{"step": 2}})
	}
	var running []*exec.Cmd
	outs := make([]bytes.Buffer, processes)
	for i := range processes {
		cmd := exec.Command(os.Args[0], "mcp", "--release", rel, "--log", logs, "--model", "m", "--instance", "wr-tiny-0001", "--attempts", fmt.Sprint(attempts))
		cmd.Env = append(os.Environ(), asProgram+"=1")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(requestsOf(calls...)), &outs[i], &outs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil || strings.Contains(outs[i].String(), `"isError":true`) {
			t.Fatalf("process %d: %v\n%s", i, err, &outs[i])
		}
	}
	dirs, err := filepath.Glob(filepath.Join(logs, "*"))
	if want := (processes*games + attempts - 1) / attempts; err != nil || len(dirs) != want {
		t.Fatalf("%d runs, want %d (%v)", len(dirs), want, err)
	}
	kept, names := 0, map[string]bool{}
	for _, dir := range dirs {
		scores, err := scoresOfRun(t, rel, dir)
		if err != nil || scores.Dropped != (family.Dropped{}) {
			t.Errorf("%s: %v, dropped %+v", dir, err, scores.Dropped)
		}
		data, err := os.ReadFile(filepath.Join(dir, trace.GamesFile))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for line := range bytes.Lines(data) {
			var g schemas.Game
			if err := json.Unmarshal(line, &g); err != nil {
				t.Fatal(err)
			}
			if g.Attempt < 1 || g.Attempt > attempts || seen[g.Attempt] || names[g.Game] || g.Outcome != schemas.OutcomeGaveUp {
				t.Errorf("%s: %s", dir, line)
			}
			seen[g.Attempt], names[g.Game] = true, true
			kept++
		}
	}
	if kept != processes*games {
		t.Errorf("%d games are kept, %d were played", kept, processes*games)
	}
}

// TestEveryFamilyIsServed ends a game of each family of a release that has it, over MCP, and scores it.
func TestEveryFamilyIsServed(t *testing.T) {
	rel := newWorlds(t)
	for _, c := range []struct {
		family, instance, prompt string
		calls                    []called
	}{
		{"wikirace", "wr-tiny-0001", "mcp.task/1", []called{{"click_link", map[string]any{"step": 1, "title": "B"}}, {"give_up", map[string]any{"step": 2}}}},
		{"lumina", "", "lumina/2", []called{
			{"answer", map[string]any{"step": 1, "reply": "hm"}},
			{"answer", map[string]any{"step": 2, "reply": "hm"}},
			{"answer", map[string]any{"step": 3, "reply": "hm"}},
		}},
	} {
		logs := filepath.Join(t.TempDir(), "logs")
		start := c.instance
		if start == "" {
			start = firstTask(t, rel, c.family)
		}
		var stdout, stderr bytes.Buffer
		calls := append([]called{{"start_game", map[string]any{"instance": start}}}, c.calls...)
		code := run([]string{"mcp", "--release", rel, "--family", c.family, "--log", logs, "--model", "m"}, strings.NewReader(requestsOf(calls...)), &stdout, &stderr)
		if code != 0 || strings.Contains(stdout.String(), `"isError":true`) || !strings.Contains(stdout.String(), `"done":true`) {
			t.Fatalf("%s: exit %d, %s\n%s", c.family, code, &stderr, &stdout)
		}
		dir := loggedRun(t, logs)
		scores, err := scoresOfRun(t, rel, dir)
		if err != nil || scores.Rules.Interface != schemas.InterfaceMCP || scores.Rules.Prompt == nil || scores.Rules.Prompt.Version != c.prompt || len(scores.Results) != 1 {
			t.Errorf("%s: %v, %+v", c.family, err, scores)
		}
	}
}

// firstTask is the first task of a family's first split.
func firstTask(t *testing.T, rel, name string) string {
	t.Helper()
	fam, err := families.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open.Open(rel)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	opts, err := fam.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := fam.Open(r, opts)
	if err != nil {
		t.Fatal(err)
	}
	return familytest.Tasks(t, set, set.Splits()[0].Name)[0].ID
}
