package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// emptyProgram writes the head of a static program for Linux.
func emptyProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	must(t, os.WriteFile(path, append([]byte("\x7fELF\x02"), make([]byte, 64)...), 0o755))
	return path
}

// An export that cannot be made says which flag is to blame, and leaves nothing behind.
func TestAnExportThatFailsLeavesNothing(t *testing.T) {
	rel, without, dir := raceRelease(t), newRelease(t, gametest.G9(), 1, 3), t.TempDir()
	there := filepath.Join(dir, "there")
	must(t, os.Mkdir(there, 0o755))
	for name, c := range map[string]struct {
		release, out, want string
		code               int
		more               []string
	}{
		"there already":   {rel, there, "--out", 2, nil},
		"no folder above": {rel, filepath.Join(dir, "a", "b"), "--out", 2, nil},
		"no such leg": {
			rel, filepath.Join(dir, "x"), `--leg "aar-dag-easy-999"`, 10, []string{"--leg", "aar-dag-easy-999"},
		},
		"no legs":    {without, filepath.Join(dir, "x"), "no legs", 10, nil},
		"no release": {filepath.Join(dir, "none"), filepath.Join(dir, "x"), "none", 10, nil},
		"mode":       {rel, filepath.Join(dir, "x"), "--harbor-mode", 2, []string{"--harbor-mode", "both"}},
		"program": {
			rel, filepath.Join(dir, "x"), "aar_harbor_test.go", 2, []string{"--binary", "aar_harbor_test.go"},
		},
	} {
		args := []string{"harbor", "export", "--release", c.release, "--out", c.out, "--binary", emptyProgram(t)}
		got := eval(append(args, c.more...)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%s: exit %d, want %d: %s", name, got.code, c.code, got.stderr)
		}
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Errorf("%s: there is %v", name, list)
		}
	}
}

// cutAfter is a context that is cancelled once it was asked for its error so many times.
type cutAfter struct {
	context.Context
	cancel context.CancelFunc
	asked  int
}

func (c *cutAfter) Err() error {
	if c.asked--; c.asked < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// An export that is interrupted leaves nothing, whenever it is, and the next one removes what a
// killed one left.
func TestAnInterruptedExportLeavesNothing(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	out := filepath.Join(dir, "tasks")
	args := []string{"harbor", "export", "--release", rel, "--out", out, "--binary", emptyProgram(t)}
	for asked := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		var stderr bytes.Buffer
		code := runContext(&cutAfter{ctx, cancel, asked}, args, nil, &bytes.Buffer{}, &stderr)
		if list, _ := os.ReadDir(dir); code != 130 || len(list) > 0 {
			t.Errorf("after %d: exit %d, there is %v: %s", asked, code, list, stderr.String())
		}
	}
	must(t, os.MkdirAll(filepath.Join(dir, ".tmp-tasks", "aar-dag-easy-001"), 0o755))
	eval(args...).want(t, 15)
	if _, err := os.Stat(filepath.Join(out, "registry.json")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".tmp-tasks")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what the killed one left: %v", err)
	}
}

// The small world's legs are not worded as a reader understands them: each is named with its gate,
// and counted by it.
func TestAnExportCountsWhatItRefuses(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	args := []string{"harbor", "export", "--release", rel, "--binary", emptyProgram(t), "--progress", "plain"}
	text := eval(append(args, "--out", filepath.Join(dir, "a"))...).want(t, 15)
	if !strings.Contains(text.stdout, "refused by reader: ") || !strings.Contains(text.stderr, "legs") {
		t.Errorf("%s\n%s", text.stdout, text.stderr)
	}
	var said struct {
		Tasks, Failed []any
		Refused       map[string]int
		Bytes         int64
	}
	out := eval(append(args, "--out", filepath.Join(dir, "b"), "--json")...).want(t, 15).stdout
	must(t, json.Unmarshal([]byte(out), &said))
	if said.Refused["reader"] < 1 || said.Refused["reader"] > len(said.Failed) || len(said.Tasks) > 0 ||
		said.Bytes < 1 {
		t.Errorf("%s", out)
	}
}
