package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas/canon"
)

// TestLegsAreScoredReportedAndRanked scores a golden play, forges it in the ways that only a log of
// calls can be, and takes it to the report and the leaderboard.
func TestLegsAreScoredReportedAndRanked(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	out := filepath.Join(dir, "golden")
	eval(race(rel, "golden", out)...).want(t, 0)
	score := func(run string, code int, more ...string) result {
		return eval(append([]string{"score", "--family", "aar", "--release", rel, "--trajectories", run, "--json"}, more...)...).want(t, code)
	}
	fa := func(r result) (n, won int) {
		var s family.Scores
		if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
			t.Fatal(err)
		}
		row := s.Rows[0]
		return row.N, row.Outcomes["success"]
	}
	if n, won := fa(score(out, 0, "--rcr", "all", "--urls", "exact", "--budget", "3k", "--missing", "zero")); n != 3 || won != 3 {
		t.Errorf("%d of %d legs are right", won, n)
	}
	episodes := filepath.Join(out, "episodes.jsonl")
	data, err := os.ReadFile(episodes)
	must(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	forge := func(name, text string) string {
		run := filepath.Join(dir, name)
		must(t, os.CopyFS(run, os.DirFS(out)))
		put(t, filepath.Join(run, "episodes.jsonl"), text)
		return run
	}
	preview := regexp.MustCompile(`"preview":"# Town`).ReplaceAllString(lines[0], `"preview":"# Moon`)
	r := score(forge("preview", preview+strings.Join(lines[1:], "")), 3)
	if n, won := fa(r); n != 3 || won != 3 || !strings.Contains(r.stdout, `"field":"call 1, preview"`) {
		t.Errorf("another preview: %d of %d, %.300s", won, n, r.stdout)
	}
	r = score(forge("sha256", regexp.MustCompile(`"sha256":"[0-9a-f]{64}"`).ReplaceAllString(lines[0], `"sha256":"`+strings.Repeat("0", 64)+`"`)+strings.Join(lines[1:], "")), 3)
	if !strings.Contains(r.stdout, `"calls_refused":`) || !strings.Contains(r.stderr, "line 1") {
		t.Errorf("other outputs: %s", r.stderr)
	}
	for name, text := range map[string]string{
		"twice": string(data) + lines[0], "unknown": strings.ReplaceAll(string(data), "easy-003", "easy-999"),
	} {
		if r := score(forge(name, text), 3); r.stdout != "" || !strings.Contains(r.stderr, "line ") {
			t.Errorf("%s: %q, %s", name, r.stdout, r.stderr)
		}
	}
	if text := eval("report", "--family", "aar", "--release", rel, "--trajectories", out).want(t, 0).stdout; !strings.Contains(text, "Groups of all") {
		t.Errorf("the report lacks groups: %s", text)
	}
	random := filepath.Join(dir, "random") // no board takes an oracle
	eval(race(rel, "random", random)...).want(t, 0)
	text := enter(rel, filepath.Join(dir, "board"), "--family", "aar", "--trajectories", random, "--unfrozen").want(t, 0).stdout
	if !strings.Contains(text, "linear-easy") || !strings.Contains(text, "FA") {
		t.Errorf("the leaderboard lacks the legs: %s", text)
	}
}

// TestForeignRunsOfLegsAreImported reads both forms at the command line.
func TestForeignRunsOfLegsAreImported(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	results, task := filepath.Join(dir, "results.json"), filepath.Join(dir, "aar-linear-easy-003")
	put(t, results, `{"summary":{},"results":[{"task_id":"aar-linear-easy-001","answer":"3","tool_calls":[`+
		`{"tool_name":"fetch_webpage","arguments":{"url":"/wiki/Town"},"result_preview":"1718"}]}]}`)
	must(t, os.MkdirAll(task, 0o755))
	put(t, filepath.Join(task, "tool_log.jsonl"), `{"tool":"web_search","args":{"query":"x"},"success":true,"result_preview":"","result_len":0,"ts":1,"url":null}`+"\n")
	put(t, filepath.Join(task, "answer.txt"), "3")
	for format, path := range map[string]string{"reference-results": results, "harbor-tool-log": task} {
		run := filepath.Join(dir, format)
		eval("import", format, path, "--family", "aar", "--release", rel, "--out", run, "--model", "m").want(t, 0)
		r := eval("score", "--family", "aar", "--release", rel, "--trajectories", run, "--partial").want(t, 0)
		if !strings.Contains(r.stdout, "UNCHECKED") || !strings.Contains(r.stdout, "another harness answered the calls") {
			t.Errorf("%s: %s", format, r.stdout)
		}
		if r := eval("report", "leaderboard", "--family", "aar", "--release", rel, "--out", filepath.Join(dir, "b"), "--trajectories", run); r.code == 0 {
			t.Errorf("%s: an unchecked run is ranked", format)
		}
	}
}

// TestLegsPlayedWithOraclesAreComparedPairedByLeg reports the six configurations of one player.
func TestLegsPlayedWithOraclesAreComparedPairedByLeg(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	args := []string{"report", "--family", "aar", "--release", rel}
	for _, oracle := range []string{"base", "P", "S", "SP", "SH", "SPH"} {
		out := filepath.Join(dir, oracle)
		eval(race(rel, "random", out, "--option", "oracle="+oracle)...).want(t, 0)
		args = append(args, "--trajectories", out)
	}
	text := eval(args...).want(t, 0).stdout
	for _, want := range []string{"Configurations: random on linear-easy", "SPH", "step accuracy", "H       mean"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q: %s", want, text)
		}
	}
	if got := enter(rel, filepath.Join(dir, "board"), "--family", "aar", "--trajectories", filepath.Join(dir, "S"), "--unfrozen"); got.code == 0 {
		t.Error("a board takes a run with an oracle")
	}
}

// TestBaselinesScoreAsTheReportSays plays what the report of a release says of players.
func TestBaselinesScoreAsTheReportSays(t *testing.T) {
	rel, dir := raceRelease(t), t.TempDir()
	var report aar.Report
	data, err := os.ReadFile(filepath.Join(rel, "aar", aar.ReportFile))
	must(t, err)
	must(t, canon.Decode(data, canon.MaxLine, &report))
	players := map[string]bool{}
	for _, b := range report.Baselines {
		players[b.Player] = true
	}
	if len(players) != 6 {
		t.Fatalf("the report has the players %v", players)
	}
	for player := range players { // each by itself
		out := filepath.Join(dir, player)
		eval(race(rel, player, out)...).want(t, 0)
		var s family.Scores
		text := eval("score", "--family", "aar", "--release", rel, "--trajectories", out, "--json").want(t, 0).stdout
		must(t, json.Unmarshal([]byte(text), &s))
		for _, b := range report.Baselines {
			split := b.Variant + "-" + b.Level
			i := slices.IndexFunc(s.Rows, func(r family.Row) bool { return r.Split == split })
			if b.Player != player || b.Legs == 0 || b.Variant == "all" {
				continue
			}
			m := s.Rows[i].Metrics
			for name, want := range map[string]string{judge.MetricSuccess: b.FA, "page_visit_rate": b.PVR, "tool_stop_rate": b.RCR} {
				if got := fmt.Sprintf("%.4f", judge.Number(*m[name].Value)); got != want {
					t.Errorf("%s at %s: %s %s, the report has %s", player, split, name, got, want)
				}
			}
		}
		note := "last-clue " + shareOf(report, "last-clue")
		if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, note) }) {
			t.Errorf("no note has %q: %q", note, s.Notes)
		}
	}
}

// shareOf is the share of all legs that a player has right.
func shareOf(r aar.Report, player string) string {
	i := slices.IndexFunc(r.Baselines, func(b aar.ReportPlayer) bool { return b.Player == player && b.Variant == "all" })
	return r.Baselines[i].FA
}
