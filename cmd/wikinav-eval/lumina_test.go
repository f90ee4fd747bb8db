package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// newWorlds is a release with the first instances of the smallest level of each world.
func newWorlds(t *testing.T) string {
	t.Helper()
	dir := newRelease(t, gametest.G9(), 1, 5)
	for _, env := range schemas.LuminaEnvs {
		addWorld(t, dir, env, schemas.LuminaTest, draw.Levels(env)[0], []int{0, 1, 8})
		addWorld(t, dir, env, schemas.LuminaDev, draw.Levels(env)[0], []int{0})
		level, indices := draw.Examples(env)
		addWorld(t, dir, env, schemas.LuminaFewshot, level, indices)
	}
	return dir
}

// addWorld adds a file to a release, and to its manifest.
func addWorld(t *testing.T, dir, env, split, level string, indices []int) {
	t.Helper()
	var lines []string
	for _, i := range indices {
		_, line, err := draw.Line(draw.Name{Root: 42, Env: env, Split: split, Level: level, Index: i})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line)+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(idOf(a), idOf(b)) })
	addFile(t, dir, schemas.LuminaPath(env, split), strings.Join(lines, ""), nil)
}

// addFile adds a file to a release, and to its manifest, which change may change further.
func addFile(t *testing.T, dir, name, text string, change func(*release.Manifest)) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, name), text)
	m := manifestOf(t, dir)
	sum := digest.Bytes([]byte(text))
	role, _, _ := strings.Cut(name, "/")
	m.Files = append(m.Files, release.FileEntry{
		Path: name, Bytes: sum.Bytes, SHA256: sum.SHA256, XXH64: sum.XXH64, MediaType: "application/jsonl", Role: role,
	})
	slices.SortFunc(m.Files, func(a, b release.FileEntry) int { return strings.Compare(a.Path, b.Path) })
	if change != nil {
		change(m)
	}
	m.ID = release.ID(m)
	put(t, filepath.Join(dir, release.ManifestName), string(release.Encode(m)))
}

func manifestOf(t *testing.T, dir string) *release.Manifest {
	t.Helper()
	m, err := release.Decode([]byte(read(t, dir, release.ManifestName)))
	must(t, err)
	return m
}

func idOf(line string) string {
	_, rest, _ := strings.Cut(line, `"id":"`)
	return rest
}

func worldScores(t *testing.T, r result) family.Scores {
	t.Helper()
	var s family.Scores
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	return s
}

func TestTheThreeWorldsArePlayedAndScored(t *testing.T) {
	rel := newWorlds(t)
	for player, perfect := range map[string]bool{"optimal": true, "random": false} {
		out := filepath.Join(t.TempDir(), "run")
		played := eval("play", "--family", "lumina", "--release", rel, "--player", player, "--out", out, "--option", "oracle=all").want(t, 0)
		if !strings.Contains(played.stdout, "72 episodes") { // 12 instances, 6 configurations
			t.Errorf("play printed %q", played.stdout)
		}
		s := worldScores(t, eval("score", "--family", "lumina", "--release", rel, "--trajectories", out, "--json").want(t, 0))
		if want := 6 * 2 * 6; len(s.Rows) != want { // splits, levels with the row for all, configurations
			t.Errorf("%d rows, want %d", len(s.Rows), want)
		}
		won := true
		for _, r := range s.Rows {
			sr, micro := r.Metrics[judge.MetricSuccess], r.Metrics[judge.MetricMicro]
			won = won && *sr.Num == sr.Den && *micro.Num == micro.Den && sr.Den > 0
		}
		if won != perfect {
			t.Errorf("%s: perfect in every cell %t, want %t", player, won, perfect)
		}
		if kept, err := os.ReadFile(filepath.Join(out, trace.SummaryFile)); err != nil || len(kept) == 0 {
			t.Errorf("summary.json: %v", err)
		}
	}
}

func TestTheTableOfTheWorldsNamesCellsAndOracles(t *testing.T) {
	rel, out := newWorlds(t), filepath.Join(t.TempDir(), "run")
	eval("play", "--family", "lumina", "--release", rel, "--player", "random", "--split", "list", "--option", "oracle=base,P", "--out", out).want(t, 0)
	table := eval("score", "--family", "lumina", "--release", rel, "--trajectories", out, "--split", "list/test").want(t, 0).stdout
	for _, want := range []string{"list/test  P       k02 ", "irrecoverable", "Variants, paired by instance", "player random (local)"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	if strings.Contains(table, "list/dev") {
		t.Errorf("a split that was not asked for is in\n%s", table)
	}
}

func TestAFalseClaimAboutAWorldIsListed(t *testing.T) {
	rel, path := newWorlds(t), filepath.Join(t.TempDir(), "mine.jsonl")
	data, err := os.ReadFile(filepath.Join(rel, schemas.LuminaPath("list", "test")))
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(idOf(string(data)), `"`)
	put(t, path, `{"instance_id":"`+id+`","config":"base","steps":[{"reply":"`+"```\\ndone()\\n```"+`"}],"outcome":"success"}`)
	r := eval("score", "--family", "lumina", "--release", rel, "--trajectories", path).want(t, 3)
	if !strings.Contains(r.stdout, id+`/base, attempt 1, step 0, outcome: log "success", replay "wrong_terminal"`) {
		t.Errorf("got\n%s", r.stdout)
	}
	put(t, path, strings.Repeat(`{"instance_id":"`+id+`","config":"base","steps":[]}`+"\n", 2))
	eval("score", "--family", "lumina", "--release", rel, "--trajectories", path).want(t, 14)
}

func TestWrongUseOfTheWorldsIsExplained(t *testing.T) {
	rel := newWorlds(t)
	play := []string{"play", "--family", "lumina", "--release", rel, "--out", filepath.Join(t.TempDir(), "run")}
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{2, []string{"--player", "openai"}, "openai"},
		{2, []string{"--player", "shortest"}, "optimal"},
		{2, []string{"--player", "optimal", "--option", "oracle=H"}, "without the state oracle"},
		{2, []string{"--player", "optimal", "--option", "oracle=PH"}, "without the state oracle"},
		{2, []string{"--player", "optimal", "--option", "pruning=top"}, "oracle=NAME"},
		{2, []string{"--player", "optimal", "--option", "max_format_errors=0"}, "max_format_errors"},
		{2, []string{"--player", "optimal", "--split", "list/fewshot"}, "list/test"},
		{2, []string{"--player", "greedy-manhattan"}, "--split grid"},
		{2, []string{"--player", "optimal", "--attempts", "2"}, "once"},
		{10, []string{"--player", "optimal", "--resume"}, "no run"},
	} {
		if r := eval(append(slices.Clone(play), c.args...)...).want(t, c.code); !strings.Contains(r.stderr, c.says) {
			t.Errorf("%v: got %q, want %q in it", c.args, r.stderr, c.says)
		}
	}
	bare := newRelease(t, gametest.G9(), 1, 5)
	if r := eval("play", "--family", "lumina", "--release", bare, "--player", "optimal").want(t, 10); !strings.Contains(r.stderr, "nothing of the family lumina") {
		t.Errorf("got %q", r.stderr)
	}
}

func TestAChangedWorldIsRefused(t *testing.T) {
	rel := newWorlds(t)
	path := filepath.Join(rel, schemas.LuminaPath("grid", "test"))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.Replace(string(data), `"hole_pct":30`, `"hole_pct":31`, 1))
	eval("play", "--family", "lumina", "--release", rel, "--player", "optimal", "--out", t.TempDir()).want(t, 3)
}
