package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// TestARunThatWasLimitedHasNoScore: what was not played yet is no failure of the player.
func TestARunThatWasLimitedHasNoScore(t *testing.T) {
	b := newBuilder(t, gametest.G9(), 5, 4)
	rel := b.release()
	out := filepath.Join(t.TempDir(), "run")
	eval("play", "--release", rel, "--player", "shortest", "--limit", "1", "--out", out).want(t, 0)
	for _, args := range [][]string{{"score"}, {"score", "--json"}, {"report"}} {
		args = append(args, "--release", rel, "--trajectories", out)
		got := eval(args...).want(t, 1)
		if got.stdout != "" || !strings.Contains(got.stderr, "items are missing") ||
			!strings.Contains(got.stderr, "--partial") {
			t.Errorf("%s: %q, %q", args[0], got.stdout, got.stderr)
		}
		shown := eval(append(args, "--partial")...).want(t, 0).stdout
		if !strings.Contains(shown, "PARTIAL 1/") {
			t.Errorf("%s --partial: %s", args[0], shown)
		}
	}
}

// TestTablesFitThePage: the lines above the tables, which name digests and options, are as long as these.
func TestTablesFitThePage(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 5, 4, 5)
	out := filepath.Join(t.TempDir(), "run")
	eval("play", "--release", rel, "--player", "random", "--out", out).want(t, 0)
	for _, verb := range []string{"score", "report"} {
		args := []string{verb, "--release", rel, "--trajectories", out}
		if n := widest(t, eval(args...).want(t, 0).stdout); n > 100 {
			t.Errorf("%s: a line of %d characters", verb, n)
		}
		if n := widest(t, eval(append(args, "--wide")...).want(t, 0).stdout); n <= 100 {
			t.Errorf("%s --wide: no line above %d characters", verb, n)
		}
	}
}

// widest returns the characters of the longest line below the head.
func widest(t *testing.T, text string) (most int) {
	t.Helper()
	_, tables, found := strings.Cut(text, "\n\n")
	if !found {
		t.Fatalf("no table in\n%s", text)
	}
	for line := range strings.Lines(tables) {
		most = max(most, utf8.RuneCountInString(line)-1)
	}
	return most
}
