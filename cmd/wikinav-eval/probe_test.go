package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// probeRelease asks A->B (yes), A->E and B->G (no) of G9.
func probeRelease(t *testing.T) string {
	b := newBuilder(t, gametest.G9(), 1, 5)
	b.addProbe([2]uint32{0, 1}, [2]uint32{0, 4}, [2]uint32{1, 6})
	return b.release()
}

func probeScores(t *testing.T, rel, path string, more ...string) family.Scores {
	t.Helper()
	var s family.Scores
	args := []string{"score", "--release", rel, "--family", "probe", "--trajectories", path, "--json"}
	out := eval(append(args, more...)...).want(t, 0).stdout
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAProgramAnswersTheProbeAndGoesOnAfterAnInterruption(t *testing.T) {
	rel, out := probeRelease(t), filepath.Join(t.TempDir(), "run")
	args := []string{"play", "--release", rel, "--family", "probe", "--player", "lines", "--out", out}
	var stdout, stderr bytes.Buffer
	if code := run(args, strings.NewReader("\\boxed{yes}\nI think \\boxed{no}\n"), &stdout, &stderr); code != 130 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	tear(t, filepath.Join(out, trace.RepliesFile), `{"id":"pr-d2`)
	if s := probeScores(t, rel, out, "--partial"); s.Rows[0].Missing != 1 || s.Counts["prompted"] != 2 || s.Counts["tp"]+s.Counts["fp"] != 1 {
		t.Errorf("after the interruption: got %+v", s)
	}
	stdout.Reset()
	if code := run(args, strings.NewReader("No idea\n"), &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	var asked struct {
		Messages     []schemas.Message `json:"messages"`
		PromptSHA256 string            `json:"prompt_sha256"`
	}
	question, end, _ := bytes.Cut(stdout.Bytes(), []byte("\n"))
	if !bytes.Contains(end, []byte(`"done":true`)) {
		t.Errorf("the last observation is %s", end)
	}
	if err := json.Unmarshal(question, &asked); err != nil {
		t.Fatalf("%v: %s", err, stdout.String())
	}
	// Questions come in the order of opaque ids: the first two of the three were answered before.
	if want := prompt.Hash(probe.Messages("A", "B")); asked.PromptSHA256 != want || prompt.Hash(asked.Messages) != want {
		t.Errorf("asked %+v, want the question from A to B", asked)
	}
	if text := stdout.String(); strings.Contains(text, "pr-") || strings.Contains(text, "connected") {
		t.Errorf("the question tells its class: %s", text)
	}
	if s := probeScores(t, rel, out); s.Rows[0].Missing != 0 || s.Counts["prompted"] != 3 || s.Counts["foreign"] != 0 || *s.Rows[0].Metrics["parse_rate"].Num != 2 {
		t.Errorf("got %+v", s)
	}
}

func tear(t *testing.T, path, part string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(data)+part)
}

func TestRandomAnswersOfTheProbeDependOnTheSeedAlone(t *testing.T) {
	rel, dir := probeRelease(t), t.TempDir()
	replies := map[string]string{}
	for _, seed := range []string{"1", "2", "3", "4", "5", "6"} {
		for _, again := range []string{"a", "b"} {
			out := filepath.Join(dir, seed+again)
			eval("play", "--release", rel, "--family", "probe", "--player", "random", "--seed", seed, "--out", out).want(t, 0)
			data, err := os.ReadFile(filepath.Join(out, trace.RepliesFile))
			if err != nil {
				t.Fatal(err)
			}
			if first, ok := replies[seed]; ok && first != string(data) {
				t.Errorf("seed %s: got %s, then %s", seed, first, data)
			}
			replies[seed] = string(data)
		}
	}
	different := map[string]bool{}
	for _, text := range replies {
		different[text] = true
	}
	if len(different) < 2 {
		t.Errorf("six seeds answer the same: %v", different)
	}
}

func TestRepliesUnderAnotherWordingAreCounted(t *testing.T) {
	rel, path := probeRelease(t), filepath.Join(t.TempDir(), "replies.jsonl")
	put(t, path, `{"id":"pr-connected-0001","reply":"\\boxed{yes}","prompt_sha256":"0"}`+"\n"+`{"id":"pr-d2-0002","reply":"\\boxed{no}"}`)
	s := probeScores(t, rel, path)
	if s.Counts["foreign"] != 1 || s.Counts["prompted"] != 0 || s.Rows[0].Missing != 1 || s.Counts["tp"] != 1 || s.Counts["tn"] != 1 {
		t.Errorf("got %+v", s)
	}
	if text := eval("score", "--release", rel, "--family", "probe", "--trajectories", path).want(t, 0).stdout; !strings.Contains(text, "foreign 1, ") {
		t.Errorf("got %s", text)
	}
}

func TestWhatTheProbeHasNotIsRefused(t *testing.T) {
	rel, out := probeRelease(t), filepath.Join(t.TempDir(), "run")
	for _, args := range []string{"--player shortest", "", "--player random --option pruning=none", "--player random --attempts 2", "--player random --split easy"} {
		eval(append([]string{"play", "--release", rel, "--family", "probe", "--out", out}, strings.Fields(args)...)...).want(t, 2)
	}
	other := newRelease(t, gametest.G9(), 1, 5)
	eval("play", "--release", other, "--family", "probe", "--player", "random", "--out", out).want(t, 10)
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused play left a run directory")
	}
	eval("play", "--release", rel, "--family", "probe", "--player", "random", "--out", out).want(t, 0)
	eval("score", "--release", other, "--family", "probe", "--trajectories", out).want(t, 10)
}
