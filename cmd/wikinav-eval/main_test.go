package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
)

func TestShortestIsPerfectAndRandomIsNot(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 10, 3, 4)
	eval("verify", rel).want(t, 0)
	for player, perfect := range map[string]bool{"shortest": true, "random": false} {
		out := filepath.Join(t.TempDir(), "run")
		played := eval("play", "--release", rel, "--player", player, "--out", out).want(t, 0)
		if played.stderr != "" || !strings.Contains(played.stdout, "20 games") {
			t.Errorf("play printed %q and %q", played.stdout, played.stderr)
		}
		s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0))
		m := s.Rows[0].Metrics
		if got := *m[judge.MetricSuccess].Num == 20 && *m[judge.MetricSuboptimal].Num == 0; got != perfect {
			t.Errorf("%s: success %d of %d, perfect %v, want %v", player, *m[judge.MetricSuccess].Num, m[judge.MetricSuccess].Den, got, perfect)
		}
	}
}

func scoresOf(t *testing.T, r result) family.Scores {
	t.Helper()
	var s family.Scores
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	return s
}

func TestScoreTableNamesReleaseOptionsAndFlags(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 5, 4, 5) // G9 has one pair at distance 5
	out := filepath.Join(t.TempDir(), "run")
	eval("play", "--release", rel, "--player", "shortest", "--out", out).want(t, 0)
	args := []string{"score", "--wide", "--release", rel, "--trajectories", filepath.Join(out, trace.GamesFile)}
	table := eval(args...).want(t, 0).stdout
	for _, want := range []string{string(game.OptionsJSON(game.Defaults())), "demowiki-20260101-strict-v1.0.0", "SHORT 6/10, UNFROZEN, ORACLE", "1.0000 [0.6097, 1.0000]"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	printed := eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0).stdout
	if kept, err := os.ReadFile(filepath.Join(out, trace.SummaryFile)); err != nil || string(kept) != printed {
		t.Errorf("summary.json %q, %v; want what was printed", kept, err)
	}
}

func TestTitlesAreResolvedThroughRedirects(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	path := filepath.Join(t.TempDir(), "mine.jsonl")
	put(t, path, `{"instance":"wr-tiny-0001","path":["Start","B",4,"G","H","T"]}`)
	eval("score", "--release", rel, "--trajectories", path).want(t, 0)
	put(t, path, `{"instance":"wr-tiny-0001","path":["Start","E"]}`)
	listed := eval("score", "--release", rel, "--trajectories", path).want(t, 3)
	if !strings.Contains(listed.stdout, `wr-tiny-0001, attempt 1, step 1, path: log "E", replay no link from 0`) || !strings.Contains(listed.stdout, "0.0000") {
		t.Errorf("got\n%s", listed.stdout)
	}
}

func TestHostileNamesDoNotReachTheTerminal(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	path := filepath.Join(t.TempDir(), "mine.jsonl")
	put(t, path, `{"instance":"\u001b[2J\u202e","path":["\u001b"]}`)
	got := eval("score", "--release", rel, "--trajectories", path).want(t, 3)
	if strings.ContainsAny(got.stdout+got.stderr, "\x1b\u202e") || !strings.Contains(got.stdout, `\x1b[2J\u202e`) {
		t.Errorf("got %q and %q", got.stdout, got.stderr)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestATrajectoryOfAnotherReleaseIsAMismatch(t *testing.T) {
	one, other := newRelease(t, gametest.G9(), 1, 5), newRelease(t, gametest.G9(), 2, 4)
	out := filepath.Join(t.TempDir(), "run")
	eval("play", "--release", one, "--player", "random", "--out", out).want(t, 0)
	if got := eval("score", "--release", other, "--trajectories", out).want(t, 3); got.stdout != "" {
		t.Errorf("scores were printed: %s", got.stdout)
	}
}

func TestAnEditedReleaseIsAMismatch(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	path := filepath.Join(rel, "splits", "tiny.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(bytes.Replace(data, []byte(`"distance":5`), []byte(`"distance":4`), 1)))
	eval("verify", rel, "--level", "1").want(t, 3)
	eval("play", "--release", rel, "--player", "random", "--out", t.TempDir()).want(t, 3)
}

func TestInterruptedPlayExits130AndGoesOn(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 3, 3, 4)
	out := filepath.Join(t.TempDir(), "run")
	args := []string{"play", "--release", rel, "--player", "random", "--out", out}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	if code := runContext(ctx, args, nil, &bytes.Buffer{}, &stderr); code != 130 {
		t.Errorf("exit %d, want 130: %s", code, stderr.String())
	}
	eval(append(args, "--resume")...).want(t, 0)
	eval("score", "--release", rel, "--trajectories", out).want(t, 0)
}

func TestUsageErrors(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	out := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct {
		code int
		args string
	}{
		{2, "fly"},
		{2, "play --fast"},
		{2, "play extra"},
		{2, "play --player random"},
		{2, "play --release R"},
		{2, "play --release R --player best"},
		{2, "play --release R --player random --family chess"},
		{10, "play --release R --player random --family mango"},
		{2, "play --release R --player random --split hard"},
		{2, "play --release R --player random --attempts 0"},
		{2, "play --release R --player random --workers 0"},
		{2, "play --release R --player random --workers two"},
		{2, "play --release R --player random --progress loud"},
		{2, "play --release R --player random --option oracle=S"},
		{2, "play --release R --player random --option pruning=best"},
		{2, "play --release R --player random --option speed=1"},
		{2, "play --release R --player random --option pruning"},
		{10, "play --release R --player random --resume"},
		{10, "play --release R/none --player random"},
		{2, "score --release R"},
		{2, "score --release R --trajectories X --attempts -1"},
		{2, "score --release R --trajectories X --max-infra-errors -1"},
		{10, "score --release R --trajectories X"},
		{10, "score --release R/none --trajectories X"},
		{2, "verify"},
		{2, "verify R --level 0"},
		{2, "verify R --level 9"},
		{10, "verify R/none"},
	} {
		args := strings.Fields(strings.NewReplacer("R", rel, "X", out+".jsonl").Replace(c.args))
		if args[0] == "play" {
			args = append(args, "--out", out)
		}
		got := eval(args...)
		if got.code != c.code || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.HasPrefix(got.stderr, "wikinav-eval: ") {
			t.Errorf("%s: exit %d, want %d\nstdout %q\nstderr %q", c.args, got.code, c.code, got.stdout, got.stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("%s: left a run directory", c.args)
		}
	}
}

func TestErrorsAsJSONNameTheirPlace(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	path := filepath.Join(t.TempDir(), "mine.jsonl")
	put(t, path, "{}\n")
	got := eval("score", "--release", rel, "--trajectories", path, "--json-errors").want(t, 14)
	var f cli.Failure
	if err := json.Unmarshal([]byte(got.stderr), &f); err != nil {
		t.Fatalf("%v: %s", err, got.stderr)
	}
	if want := (cli.Failure{Code: 14, Stage: "score", File: path, Where: "line 1", What: "no instance is named"}); f != want {
		t.Errorf("got %+v, want %+v", f, want)
	}
	text := eval("score", "--release", rel, "--trajectories", path).want(t, 14)
	if want := "wikinav-eval: score: --trajectories " + path + ": line 1: no instance is named\n"; text.stderr != want {
		t.Errorf("got %q, want %q", text.stderr, want)
	}
	if usage := eval("score", "--speed", "--json-errors").want(t, 2); !strings.HasPrefix(usage.stderr, `{"code":2,`) {
		t.Errorf("a bad flag before --json-errors: %s", usage.stderr)
	}
}

func TestPlainProgressIsPrintedWhenAskedFor(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 2, 3)
	got := eval("play", "--release", rel, "--player", "random", "--out", t.TempDir(), "--progress", "plain").want(t, 0)
	if !strings.HasPrefix(got.stderr, "2 of 2 games") {
		t.Errorf("got %q", got.stderr)
	}
}

func TestHelpHasExamples(t *testing.T) {
	for _, verb := range []string{"mcp", "play", "score", "verify"} {
		if help := eval(verb, "--help").want(t, 0).stdout; !strings.Contains(help, "wikinav-eval "+verb) || !strings.Contains(help, "Examples:") {
			t.Errorf("%s: %s", verb, help)
		}
	}
}

// TestNoSQLiteDumpsOrStagesAreLinked keeps the evaluator small enough to be trusted: only what reads a release is in it.
func TestNoSQLiteDumpsOrStagesAreLinked(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	deps, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dep := range strings.FieldsSeq(string(deps)) {
		for _, bad := range []string{"sqlite", "go-wikiparse", "wikinav/dumps", "wikinav/stages", "wikinav/pipeline", "runtime/cgo"} {
			if strings.Contains(dep, bad) {
				t.Errorf("the evaluator depends on %s", dep)
			}
		}
	}
}

func runContext(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.RunContext(ctx, newRoot(), args, stdin, stdout, stderr)
}
