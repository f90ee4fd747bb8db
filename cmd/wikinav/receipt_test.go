package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// editCounter raises a counter of a stage's receipt by a digit, and returns the file.
func editCounter(t *testing.T, work, stage string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(work, "stages", stage, "*", "receipt.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("receipts of %s: %v, %v", stage, found, err)
	}
	before, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	after := regexp.MustCompile(`("counters":\{"[a-z_0-9]+":)`).ReplaceAll(before, []byte("${1}7"))
	if bytes.Equal(before, after) {
		t.Fatalf("no counter in %s", before)
	}
	if err := os.WriteFile(found[0], after, 0o644); err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// A number that somebody wrote into a receipt is believed by no verb that reads receipts, and is published by none; build makes the
// result again, as plan says.
func TestAnEditedReceiptIsBelievedByNoVerb(t *testing.T) {
	const edited = "receipt.json was changed since it was written"
	honest := buildG9(t)
	edges := []string{"--edges", filepath.Join(filepath.Dir(honest), "g9.tsv"), "--manual-labels", filepath.Join(filepath.Dir(honest), "labels.tsv"), "--split", "tiny:4:2,3"}
	release := []string{"release", "--allow-short", "--licence", "CC0-1.0", "--attribution", "nobody"}
	for _, c := range []struct {
		args  []string
		stage string // whose receipt is edited
		code  int
	}{
		{[]string{"status"}, "scc", 3},
		{[]string{"status", "--fast"}, "wikirace", 3},
		{[]string{"inspect", "graph"}, "scc", 3},
		{[]string{"inspect", "wikirace"}, "wikirace", 3},
		{[]string{"path", "A", "T"}, "scc", 3},
		{[]string{"audit", "--graph"}, "scc", 3},
		{release, "scc", 3},
		{release, "wikirace", 3},
		{append([]string{"plan"}, edges...), "scc", 0},
		{append([]string{"build", "--progress", "plain"}, edges...), "scc", 0},
		{append([]string{"build", "--check"}, edges...), "scc", 3},
		{append([]string{"build", "--only", "scc", "--progress", "plain"}, edges...), "scc", 0},
	} {
		t.Run(strings.Join(c.args[:min(2, len(c.args))], " ")+" "+c.stage, func(t *testing.T) {
			work, out := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "release")
			if err := os.CopyFS(work, os.DirFS(honest)); err != nil {
				t.Fatal(err)
			}
			receipt := editCounter(t, work, c.stage)
			forged, err := os.ReadFile(receipt)
			if err != nil {
				t.Fatal(err)
			}
			args := append(c.args[:len(c.args):len(c.args)], "--work", work)
			if args[0] == "release" {
				args = append(args, "--out", out)
			}
			code, stdout, stderr := wikinav(t, args...)
			if code != c.code || !strings.Contains(stdout+stderr, edited) {
				t.Errorf("exit %d, want %d and %q\n%s%s", code, c.code, edited, stdout, stderr)
			}
			if _, err := os.Lstat(out); err == nil {
				t.Error("a release was made")
			}
			if now, err := os.ReadFile(receipt); args[0] == "build" && code == 0 && (err != nil || bytes.Equal(now, forged)) {
				t.Errorf("the forged receipt stands: %v", err)
			}
		})
	}
}
