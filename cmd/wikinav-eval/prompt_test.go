package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// TestAPromptOfTheUsersOwnIsPlayedAndReplayed plays with templates, of which a model understands
// only those, and scores the run after the file is gone: the run keeps the text.
func TestAPromptOfTheUsersOwnIsPlayedAndReplayed(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	const mine = "GOAL {{target}} HERE {{current}} PAST {{visited}} STEP {{step}} LEFT {{left}}\n{{links}}\n0..{{last}}\n"
	for _, c := range []struct{ options, text, later string }{
		{"", mine, "GOAL T HERE"},
		{"--option renderer=chat", mine, "You are now on"},
		{"--option renderer=chat", mine + "[[turn]]\nNOW {{current}}\n{{links}}", "NOW "},
		{"--option oracle=SPH", "[[system]]\n[[user]]\n" + mine + "{{notes}}\nanswer!", "[STATE]"},
	} {
		file := filepath.Join(t.TempDir(), "mine.txt")
		put(t, file, c.text)
		turns := 0
		e := &ep.Endpoint{Say: func(m []schemas.Message) string {
			if turns++; !strings.Contains(m[len(m)-1].Content, c.later) && turns > 1 || strings.Contains(c.text, "[[system]]") == (m[0].Role == "system") {
				t.Errorf("%s: turn %d reads %+v", c.options, turns, m)
			}
			return best(m)
		}}
		script(t, e)
		out := filepath.Join(t.TempDir(), "run")
		args := modelArgs(rel, out, append(strings.Fields(c.options), "--prompt", file)...)
		eval(args...).want(t, 0)
		run, err := trace.ReadRun(out)
		if err != nil || run.Rules.Prompt == nil || run.Rules.Prompt.Version != "file/1" || run.Rules.Prompt.SHA256 != digest.SHA256([]byte(c.text)) {
			t.Fatalf("%s: %+v, %v", c.options, run.Rules.Prompt, err)
		}
		eval(args...).want(t, 0) // goes on
		put(t, file, c.text+"x")
		if r := eval(args...).want(t, 2); !strings.Contains(r.stderr, "another run") {
			t.Errorf("another prompt: %s", r.stderr)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0)).Rows[0]
		if *s.Metrics[judge.MetricSuccess].Num != 1 {
			t.Errorf("%s: %+v", c.options, s)
		}
		shown := eval("show", "--release", rel, out, "wr-tiny-0001-a1", "--full").want(t, 0).stdout
		if !strings.Contains(shown, "GOAL T") {
			t.Errorf("%s: show tells of other words: %s", c.options, shown)
		}
		steps := filepath.Join(out, trace.StepsFile)
		data, err := os.ReadFile(steps)
		if err != nil {
			t.Fatal(err)
		}
		put(t, steps, strings.Replace(string(data), `"prompt_sha256":"`, `"prompt_sha256":"0`, 1))
		if forged := eval("score", "--release", rel, "--trajectories", out).want(t, 3); !strings.Contains(forged.stdout, "prompt_sha256") {
			t.Errorf("%s: a forged digest: %s", c.options, forged.stdout)
		}
		put(t, filepath.Join(out, trace.PromptFile), c.text+"x")
		if r := eval("score", "--release", rel, "--trajectories", out).want(t, 3); !strings.Contains(r.stderr, "the prompt has SHA-256") {
			t.Errorf("another prompt.txt: %s", r.stderr)
		}
		if err := os.Remove(filepath.Join(out, trace.PromptFile)); err != nil {
			t.Fatal(err)
		}
		if r := eval("score", "--release", rel, "--trajectories", out); r.code == 0 || !strings.Contains(r.stderr, "prompt.txt") {
			t.Errorf("no prompt.txt: exit %d, %s", r.code, r.stderr)
		}
	}
}

func TestWrongPromptsAreRefusedBeforeAnythingIsAsked(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	for text, want := range map[string]string{
		"{{targt}}":                                  "did you mean target?",
		"Hello {{current}}":                          "section user has no {{target}}",
		"{{target}} {{links}} {{lead}}":              "no field is called {{lead}}",
		"{{target}}\n{{links}}\n[[turn]]\n{{links}}": "line 3",
	} {
		script(t, &ep.Endpoint{Say: func([]schemas.Message) string { t.Error("asked"); return "" }})
		file, out := filepath.Join(t.TempDir(), "mine.txt"), filepath.Join(t.TempDir(), "run")
		put(t, file, text)
		if r := eval(modelArgs(rel, out, "--prompt", file)...).want(t, 2); !strings.Contains(r.stderr, want) || !strings.Contains(r.stderr, "mine.txt") {
			t.Errorf("%q: %s", text, r.stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q: a directory was made", text)
		}
	}
	file := filepath.Join(t.TempDir(), "mine.txt")
	put(t, file, "{{prompt}}")
	for player, want := range map[string]string{"random": "this player reads no words"} {
		if r := eval("play", "--release", rel, "--player", player, "--prompt", file).want(t, 2); !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %s", player, r.stderr)
		}
	}
	eval("play", "--release", rel, "--player", "human", "--prompt", filepath.Join(t.TempDir(), "no.txt")).want(t, 10)
}

// TestProgramsReadThePromptOfTheUser plays over lines, whose observations then have the words.
func TestProgramsReadThePromptOfTheUser(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	file, out := filepath.Join(t.TempDir(), "mine.txt"), filepath.Join(t.TempDir(), "run")
	put(t, file, "GOAL {{target}}\n{{links}}\n")
	got := evalIn("0\n0\nquit\n", "play", "--release", rel, "--player", "lines", "--prompt", file, "--out", out).want(t, 0)
	if n := strings.Count(got.stdout, `"content":"GOAL T\n0. `); n != 3 {
		t.Errorf("%d observations in the user's words: %s", n, got.stdout)
	}
	eval("score", "--release", rel, "--trajectories", out).want(t, 0)
	call := `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}` + "\n"
	mcp := fmt.Sprintf(call, 1, "initialize", `{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`) +
		fmt.Sprintf(call, 2, "tools/call", `{"name":"start_game","arguments":{"instance":"wr-tiny-0001"}}`)
	put(t, file, "MINE: from {{source}} to {{target}} in {{turns}}.")
	if got := evalIn(mcp, "mcp", "--release", rel, "--prompt", file).want(t, 0); !strings.Contains(got.stdout, "MINE: from A to T in 30.") {
		t.Errorf("over MCP: %s", got.stdout)
	}
	put(t, file, "{{target}} {{links}}")
	if got := evalIn("", "mcp", "--release", rel, "--prompt", file).want(t, 2); !strings.Contains(got.stderr, "no field is called {{links}}") {
		t.Errorf("over MCP: %s", got.stderr)
	}
}

// TestThePageOnPromptsIsRight plays with the prompt that the page shows.
func TestThePageOnPromptsIsRight(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	p := openPage(t, "prompts.md", rel)
	file := filepath.Join(t.TempDir(), "mine.txt")
	put(t, file, p.block("prompt"))
	script(t, &ep.Endpoint{Say: best})
	eval(modelArgs(rel, filepath.Join(t.TempDir(), "run"), "--prompt", file)...).want(t, 0)
}
