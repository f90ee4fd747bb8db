package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// contaminate gives the release a training set that was drawn without regard to the split.
func (b *builder) contaminate() {
	b.oneStep = &schemas.OneStepReport{
		Schema: schemas.OneStepReportSchema, Policy: schemas.OverlapAllow, Contaminated: true, Against: map[string]int{"tiny": 6},
		Kinds: map[string]schemas.OneStepOverlapping{},
	}
}

// played gives a release with a split that is short and contaminated, and run directories of players on it.
func played(t *testing.T, players ...string) (rel, dir string) {
	t.Helper()
	b := newBuilder(t, gametest.G9(), 5, 4, 5)
	b.contaminate()
	rel, dir = b.release(), t.TempDir()
	for _, player := range players {
		eval("play", "--release", rel, "--player", player, "--out", filepath.Join(dir, player)).want(t, 0)
	}
	return rel, dir
}

func enter(rel, out string, more ...string) result {
	return eval(append([]string{"report", "leaderboard", "--release", rel, "--out", out, "--submitted", "2026-01-31"}, more...)...)
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func entriesOf(t *testing.T, lines string) []board.Entry {
	t.Helper()
	var out []board.Entry
	for line := range strings.Lines(lines) {
		var e board.Entry
		if err := canon.Decode([]byte(line), canon.MaxLine, &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func TestResultsEnterTheLeaderboard(t *testing.T) {
	rel, dir := played(t, "random", "greedy-degree")
	out, results := filepath.Join(dir, "board"), filepath.Join(dir, "results")
	random, greedy := filepath.Join(dir, "random"), filepath.Join(dir, "greedy-degree")
	if got := enter(rel, out, "--trajectories", random).want(t, 2); !strings.Contains(got.stderr, "--unfrozen") {
		t.Errorf("got %s", got.stderr)
	}
	md := enter(rel, out, "--trajectories", random, "--trajectories", greedy, "--unfrozen", "--eval-results", results, "--dataset", "me/d", "--revision", "v1").want(t, 0).stdout
	for _, want := range []string{"SHORT 6/10, UNFROZEN, CONTAMINATED | replayed | 2026-01-31 |", "the published options", "| random |", "| greedy-degree |"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	if yaml := read(t, results, "wikinav-random.yaml"); !strings.Contains(yaml, `revision: "v1"`) || !strings.Contains(yaml, "CONTAMINATED") {
		t.Errorf("got %s", yaml)
	}
	// What score writes is what the entry names.
	eval("score", "--release", rel, "--trajectories", random).want(t, 0)
	kept := read(t, random, trace.SummaryFile)
	entries := entriesOf(t, read(t, out, "wikirace.unfrozen.jsonl"))
	i := 0
	if entries[1].Model == "random" {
		i = 1
	}
	if len(entries) != 2 || kept != read(t, out, "wikirace.unfrozen", entries[i].SummarySHA256+".json") {
		t.Errorf("got %+v", entries)
	}
	// The same again changes nothing, and no input draws the same tables.
	before := read(t, out, "wikirace.unfrozen.jsonl")
	enter(rel, out, "--trajectories", greedy, "--trajectories", random, "--unfrozen").want(t, 0)
	again := eval("report", "leaderboard", "--out", out, "--unfrozen").want(t, 0).stdout
	if read(t, out, "wikirace.unfrozen.jsonl") != before || again != md || read(t, out, "wikirace.unfrozen.md") != md {
		t.Errorf("got %s", again)
	}
}

func TestClaimsAndImportsAreMarked(t *testing.T) {
	rel, dir := played(t, "random")
	random, file := filepath.Join(dir, "random"), filepath.Join(dir, "mine.jsonl")
	eval("score", "--release", rel, "--trajectories", random).want(t, 0)
	claim := filepath.Join(dir, "claim.json")
	put(t, claim, read(t, random, trace.SummaryFile))
	put(t, file, `{"start":"A","target":"T","path":["A","B","E","G","H","T"]}`+"\n")
	foreign := filepath.Join(dir, "foreign")
	eval("import", "titles-jsonl", file, "--release", rel, "--out", foreign).want(t, 0)
	out := filepath.Join(dir, "board")
	enter(rel, out, "--unfrozen", "--summary", claim, "--trajectories", foreign, "--source", "https://example.org/x").want(t, 0)
	got := map[string]board.Entry{}
	for _, e := range entriesOf(t, read(t, out, "wikirace.unfrozen.jsonl")) {
		got[e.Verified] = e
	}
	if c := got[board.Claimed]; len(got) != 2 || c.TrajectoriesSHA256 != nil || c.Source != "https://example.org/x" {
		t.Errorf("claim %+v", c)
	}
	if i := got[board.Imported]; i.TrajectoriesSHA256 == nil || i.Source != "import:titles-jsonl" {
		t.Errorf("import %+v", i)
	}
	put(t, claim, strings.Replace(read(t, claim), `"missing":0`, `"missing":1`, 1))
	enter(rel, out, "--unfrozen", "--summary", claim).want(t, 3)
	put(t, claim, "{}")
	enter(rel, out, "--unfrozen", "--summary", claim).want(t, 14)
	enter(rel, out, "--unfrozen", "--summary", filepath.Join(dir, "none.json")).want(t, 10)
	other := newRelease(t, gametest.G9(), 1, 5)
	put(t, claim, read(t, random, trace.SummaryFile))
	enter(other, out, "--unfrozen", "--summary", claim).want(t, 3)
}

func TestNothingEntersIfOneDoesNot(t *testing.T) {
	rel, dir := played(t, "random", "shortest")
	out := filepath.Join(dir, "board")
	random := filepath.Join(dir, "random")
	if got := enter(rel, out, "--unfrozen", "--trajectories", random, "--trajectories", filepath.Join(dir, "shortest")).want(t, 2); !strings.Contains(got.stderr, "oracle") {
		t.Errorf("got %s", got.stderr)
	}
	if _, err := os.Stat(filepath.Join(out, "wikirace.unfrozen.jsonl")); err == nil {
		t.Error("a board was written")
	}
	path := filepath.Join(random, trace.GamesFile)
	put(t, path, strings.Replace(read(t, path), `"moves":`, `"moves":1`, 1))
	enter(rel, out, "--unfrozen", "--trajectories", random).want(t, 3)
}

// TestTheCommandsOfTheReportingPageWork runs them as a reader would.
func TestTheCommandsOfTheReportingPageWork(t *testing.T) {
	page := read(t, "../../docs/evaluator/reporting.md")
	rel := newRelease(t, gametest.G9(), 5, 4, 5)
	t.Chdir(t.TempDir())
	if err := os.Rename(rel, "demo-release"); err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(page, "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	n := 0
	for line := range strings.Lines(block) {
		args := strings.Fields(line)
		if args[0] != "wikinav-eval" {
			t.Fatalf("%q is no command of ours", line)
		}
		eval(args[1:]...).want(t, 0)
		n++
	}
	if n < 7 || !strings.Contains(read(t, ".eval_results", "wikinav-greedy-degree.yaml"), "2026-02-02") {
		t.Errorf("%d commands", n)
	}
}

func TestFlagsOfTheLeaderboard(t *testing.T) {
	rel, dir := played(t, "random")
	random := filepath.Join(dir, "random")
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{"--release", rel, "--trajectories", random, "--unfrozen"}},
		{2, []string{"--trajectories", random, "--unfrozen", "--submitted", "2026-01-31"}},
		{2, []string{"--release", rel, "--trajectories", random, "--unfrozen", "--submitted", "today"}},
		{2, []string{"--release", rel, "--trajectories", random, "--unfrozen", "--submitted", "2026-01-31", "--split", "other"}},
		{2, []string{"--release", rel, "--trajectories", random, "--unfrozen", "--submitted", "2026-01-31", "--family", "mango"}},
		{2, []string{"--release", rel, "--trajectories", random, "--unfrozen", "--submitted", "2026-01-31", "--eval-results", dir, "--dataset", "a/b"}},
		{2, []string{"--eval-results", dir, "--dataset", "a/b", "--revision", "v1"}},
		{10, nil},
	} {
		eval(append([]string{"report", "leaderboard", "--out", filepath.Join(dir, "none")}, c.args...)...).want(t, c.code)
	}
}
