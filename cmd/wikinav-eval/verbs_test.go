package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
)

func TestImportedGamesAreScored(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	dir := t.TempDir()
	file, out := filepath.Join(dir, "paths.tsv"), filepath.Join(dir, "run")
	put(t, file, "h\t1\t2\tA;B;<;C;E\t5\nh\t1\t2\tStart;B\tT\ttimeout\nh\t1\t2\tA;X\tNULL\n")
	got := eval("import", "snap-paths", file, "--release", rel, "--out", out).want(t, 0)
	if want := "import:snap-paths: 2 of 3 games in " + out + "; rejected: outside_graph 1; unfinished: timeout 1\n"; got.stdout != want {
		t.Errorf("got %q, want %q", got.stdout, want)
	}
	table := eval("score", "--release", rel, "--trajectories", out).want(t, 0).stdout
	for _, want := range []string{"without back clicks", "outside_graph 1", "HUMAN"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	eval("import", "snap-paths", file, "--release", rel, "--out", out).want(t, 2)
	s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0))
	if *s.Rows[0].Metrics[judge.MetricSuccess].Num != 1 || s.Import.Rejected["outside_graph"] != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestPeopleWithoutAPairOfTheRunsAreNoComparison(t *testing.T) {
	rel, dir := newRelease(t, gametest.G9(), 1, 5), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, at("paths.tsv"), "h\t1\t2\tC;E\t5\nh\t1\t2\tB;E\t4\n")
	eval("import", "snap-paths", at("paths.tsv"), "--release", rel, "--out", at("people")).want(t, 0)
	eval("play", "--release", rel, "--player", "shortest", "--out", at("run")).want(t, 0)
	args := []string{"report", "--release", rel, "--trajectories", at("run"), "--human", at("people")}
	got := eval(args...).want(t, 1)
	const want = "people played 2 games on 2 pairs, the runs on 1, and none is among both"
	if !strings.Contains(got.stderr, want) || !strings.Contains(got.stdout, "People and models") {
		t.Errorf("got %s%s", got.stdout, got.stderr)
	}
	put(t, at("paths.tsv"), "h\t1\t2\tA;B;E;G;H;T\t5\n")
	eval("import", "snap-paths", at("paths.tsv"), "--release", rel, "--out", at("met")).want(t, 0)
	eval(append(args[:len(args)-1], at("met"))...).want(t, 0)

	// Those who gave up are people, too.
	put(t, at("paths.tsv"), "h\t1\t2\tA;B\tT\trestart\nh\t1\t2\tA;B\tT\ttimeout\n")
	eval("import", "snap-paths", at("paths.tsv"), "--release", rel, "--out", at("lost")).want(t, 0)
	var r report.Report
	text := eval(append(args[:len(args)-1], at("met"), "--human", at("lost"), "--json")...).want(t, 0).stdout
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if h := r.Human[0]; h.Played != 1 || *h.HumanSuccess.Value != "3.33333e-01" || *h.ModelSuccess.Value != "1.00000e+00" || h.HumanGames != 1 {
		t.Errorf("with those who gave up: %+v", h)
	}
}

func TestAFileOfSeveralModelsNeedsAChoice(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.jsonl")
	put(t, file, `{"start":"A","target":"T","path":["A","B"],"model":"x"}`+"\n"+`{"start":"A","target":"T","path":["A","B"],"model":"y"}`+"\n")
	if got := eval("import", "titles-jsonl", file, "--release", rel, "--out", dir+"/a").want(t, 2); !strings.Contains(got.stderr, "x, y") {
		t.Errorf("got %q", got.stderr)
	}
	if got := eval("import", "titles-jsonl", file, "--release", rel, "--out", dir+"/b", "--model", "y").want(t, 0); !strings.Contains(got.stdout, "1 of 2 games") || !strings.Contains(got.stdout, "other_model 1") {
		t.Errorf("got %q", got.stdout)
	}
}

func TestReportComparesRuns(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 10, 3, 4)
	dir := t.TempDir()
	args := []string{"report", "--release", rel, "--out", dir + "/plots", "--wide"}
	for _, player := range []string{"random", "shortest", "greedy-degree"} {
		out := filepath.Join(dir, player)
		eval("play", "--release", rel, "--player", player, "--out", out).want(t, 0)
		args = append(args, "--trajectories", out)
	}
	table := eval(args...).want(t, 0).stdout
	for _, want := range []string{"Differences", "shortest", "UNFROZEN, ORACLE"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	for _, name := range []string{"report.md", "report.json"} {
		first, err := os.ReadFile(filepath.Join(dir, "plots", name))
		if err != nil {
			t.Fatal(err)
		}
		eval(args...).want(t, 0)
		if second, err := os.ReadFile(filepath.Join(dir, "plots", name)); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s differs the second time, %v", name, err)
		}
	}
	if md := eval(append(args, "--format", "markdown")...).want(t, 0).stdout; !strings.HasPrefix(md, "# demowiki") {
		t.Errorf("got %s", md)
	}
	if js := eval(append(args, "--json")...).want(t, 0).stdout; !strings.HasPrefix(js, `{"columns":[{"better":1,`) {
		t.Errorf("got %s", js)
	}
}

func TestAReportOnAForgedLogSaysSo(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	path := filepath.Join(t.TempDir(), "mine.jsonl")
	put(t, path, `{"instance":"wr-tiny-0001","path":["A","B"],"outcome":"success"}`)
	if got := eval("report", "--release", rel, "--trajectories", path).want(t, 3); !strings.Contains(got.stdout, "0.0000") {
		t.Errorf("got %s", got.stdout)
	}
}

// TestGamesUnderEveryOptionAreScored plays each option that is not the default, and replays it.
func TestGamesUnderEveryOptionAreScored(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 60, 70, 40), 3, 3)
	for _, options := range []string{
		"renderer=chat", "back=on", "titles=anon", "titles=anon order=title", "revisit=hide", "revisit=fail",
		"renderer=chat oracle=base", "renderer=chat oracle=P", "renderer=chat oracle=S", "renderer=chat oracle=SP", "oracle=SH", "oracle=SPH",
	} {
		out := filepath.Join(t.TempDir(), "run")
		args := []string{"play", "--release", rel, "--player", "random", "--out", out}
		for o := range strings.FieldsSeq(options) {
			args = append(args, "--option", o)
		}
		eval(args...).want(t, 0)
		s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0))
		if oracle := strings.Contains(options, "oracle"); oracle != strings.Contains(strings.Join(s.Rows[0].Flags, " "), "ORACLE") {
			t.Errorf("%s: flags %q", options, s.Rows[0].Flags)
		}
	}
	for _, bad := range []string{"oracle=H", "oracle=PH", "oracle=S", "context=lead"} {
		out := filepath.Join(t.TempDir(), "run")
		eval("play", "--release", rel, "--player", "random", "--out", out, "--option", bad).want(t, 2)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: left a run directory", bad)
		}
	}
}

func TestAPersonPlaysInTheTerminal(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 1)
	out := filepath.Join(t.TempDir(), "run")
	args := []string{"play", "--release", rel, "--player", "human", "--out", out}
	var stdout, stderr bytes.Buffer
	if code := run(args, strings.NewReader("nothing\n"), &stdout, &stderr); code != 130 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	stdout.Reset()
	if code := run(args, strings.NewReader("nothing\nquit\n"), &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	if text := stdout.String(); !strings.Contains(text, "The Wikipedia link game") || !strings.Contains(text, "Game over: gave_up after 1 steps.") {
		t.Errorf("got %s", text)
	}
	s := scoresOf(t, eval("score", "--release", rel, "--trajectories", filepath.Join(out, trace.StepsFile), "--json").want(t, 0))
	if s.Rows[0].Outcomes["gave_up"] != 1 || s.Model.Kind != "human" {
		t.Errorf("got %+v", s.Rows[0])
	}
}

func TestSetsThatTheReleaseHasNotAreUsageErrors(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	put(t, path, `{"id":"pr-d2-0001","reply":"\\boxed{no}"}`)
	for _, args := range []string{"--family probe", "--family onestep", "--family onestep --split other", "--family onestep --option reward=double"} {
		eval(append([]string{"score", "--release", rel, "--trajectories", path}, strings.Fields(args)...)...).want(t, 10)
	}
	for flag, now := range map[string]string{"--reward=graded": "--option reward=VALUE", "--mazes=x": "--folder DIR", "--rule=paper": "--option rule=VALUE"} {
		if got := eval("score", "--release", rel, "--trajectories", path, flag).want(t, 2); !strings.Contains(got.stderr, now) {
			t.Errorf("%s: got %s", flag, got.stderr)
		}
	}
}

// TestEveryFamilysScoresComeInThreeForms holds the table and the page to the same cells, and --json to --format json.
func TestEveryFamilysScoresComeInThreeForms(t *testing.T) {
	dir, _ := newBans(t)
	rel := newRelease(t, gametest.G9(), 3, 4, 5)
	plain, bans := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "bans")
	eval("play", "--release", rel, "--player", "random", "--out", plain).want(t, 0)
	eval(banArgs("play", dir, "--player", "shortest", "--out", bans, "--option", "target_intro=0")...).want(t, 0)
	worlds, episodes := newWorlds(t), filepath.Join(t.TempDir(), "worlds")
	eval("play", "--family", "lumina", "--release", worlds, "--player", "random", "--split", "list", "--option", "oracle=base,P", "--out", episodes).want(t, 0)
	mazes, df, _ := mangoFolder(t)
	answers := filepath.Join(t.TempDir(), "answers.jsonl")
	put(t, answers, `{"model":"a|b","maze_id":"g","question_id":"`+df+`","task":"df","prefix_step":3,"response":"[{'prev_node': 'a', 'action': 'go', 'node': 'b'}]"}`)
	asked, replies := probeRelease(t), filepath.Join(t.TempDir(), "replies.jsonl")
	put(t, replies, `{"id":"pr-connected-0001","reply":"\\boxed{yes}"}`)
	for name, args := range map[string][]string{
		"wikirace":    {"--release", rel, "--trajectories", plain},
		"constrained": {"--release", dir, "--family", "constrained", "--trajectories", bans},
		"lumina":      {"--release", worlds, "--family", "lumina", "--trajectories", episodes},
		"mango":       {"--folder", mazes, "--family", "mango", "--trajectories", answers},
		"probe":       {"--release", asked, "--family", "probe", "--trajectories", replies},
	} {
		form := func(more ...string) string {
			return eval(append(append([]string{"score"}, args...), more...)...).want(t, 0).stdout
		}
		table, page := form("--wide"), form("--format", "markdown")
		if form("--format", "table", "--wide") != table || form("--json") != form("--format", "json") || !strings.HasPrefix(form("--json"), "{") {
			t.Errorf("%s: the forms differ by the flag that asks for them", name)
		}
		if !strings.HasPrefix(page, "# Scores") || strings.Contains(table, " | ") {
			t.Errorf("%s: got\n%s\n%s", name, table, page)
		}
		if x, y := cellsOf(table), cellsOf(page); x == "" || x != y {
			t.Errorf("%s: the cells are\n%s\nand on the page\n%s", name, x, y)
		}
		eval(append(append([]string{"score"}, args...), "--format", "csv")...).want(t, 2)
	}
}

// cellsOf returns the numbers of tables, in either form.
func cellsOf(text string) string {
	return strings.Join(regexp.MustCompile(`\d\.\d{4}`).FindAllString(text, -1), " ")
}
