package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/verdict"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// newBans is a release with 20 instances under bans, and some pairs that their ban leaves without a path.
func newBans(t *testing.T) (dir string, infeasible int) {
	t.Helper()
	return newBansOf(t, gametest.Random(3, 150, 4, 60).Label(3, "Work", "Place"))
}

func newBansOf(t *testing.T, w *gametest.World) (dir string, infeasible int) {
	t.Helper()
	b := newBuilder(t, w, 3, 3)
	dir = b.release()
	labels := labelTable(t, w)
	feasible, without := bantest.BannedInstances(w, 3, 20, 3, "Work", "Place")
	var lines, others []byte
	for _, inst := range feasible {
		inst.GraphSHA256, inst.LabelsSHA256 = b.in.Graph.Digest.SHA256, digest.SHA256([]byte(labels))
		lines = append(append(lines, canon.MustMarshal(inst)...), '\n')
	}
	for _, inst := range without {
		pair := bantest.Infeasible(inst)
		pair.GraphSHA256, pair.LabelsSHA256 = b.in.Graph.Digest.SHA256, digest.SHA256([]byte(labels))
		others = append(append(others, canon.MustMarshal(pair)...), '\n')
	}
	addFile(t, dir, "constrained/instances.jsonl", string(lines), func(m *release.Manifest) {
		m.Splits["constrained"] = release.SplitEntry{
			N: 20, Requested: 25, Status: schemas.StatusShort, Distances: []int{3}, IDsSHA256: digest.SHA256(nil), SHA256: digest.SHA256(lines),
		}
	})
	addFile(t, dir, "constrained/infeasible.jsonl", string(others), nil)
	funnel := schemas.ConstrainedFunnel{Schema: schemas.ConstrainedFunnelSchema, Label: "constrained", Params: json.RawMessage(`{"multi":true}`)}
	addFile(t, dir, "constrained/funnel.json", string(canon.MustMarshal(funnel)), nil)
	addFile(t, dir, "labels/labels.arrow", labels, nil)
	return dir, len(without)
}

func labelTable(t *testing.T, w *gametest.World) string {
	t.Helper()
	var out bytes.Buffer
	p, err := arrowio.NewWriter(&out, schemas.LabelsTable, arrowio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for u := range uint32(w.Len()) {
		if err := p.Row(u, w.PageID(u), w.Mask(u), w.Primary(u), uint8(1), schemas.LabelManual, "", false); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// banArgs plays without the target's text, which these releases do not have.
func banArgs(verb, dir string, more ...string) []string {
	return append([]string{verb, "--family", "constrained", "--release", dir}, more...)
}

func banScores(t *testing.T, r result) family.Scores {
	t.Helper()
	var s family.Scores
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	return s
}

func TestGamesUnderABanArePlayedScoredAndReported(t *testing.T) {
	dir, _ := newBans(t)
	runs := map[string]string{}
	for player, want := range map[string]string{"shortest-legal": "20/20 20/20 0/20", "shortest": "20/20", "random": ""} {
		runs[player] = filepath.Join(t.TempDir(), player)
		eval(banArgs("play", dir, "--player", player, "--out", runs[player], "--option", "target_intro=0")...).want(t, 0)
		s := banScores(t, eval(banArgs("score", dir, "--trajectories", runs[player], "--json")...).want(t, 0))
		m := s.Rows[0].Metrics
		text := func(name string) string { return fmt.Sprintf("%d/%d", *m[name].Num, m[name].Den) }
		got := text(replay.MetricCR)
		if player == "shortest-legal" {
			got = text(replay.MetricSR) + " " + got + " " + text(replay.MetricCVR)
		}
		if want != "" && got != want {
			t.Errorf("%s: got %s, want %s", player, got, want)
		}
		if player == "shortest" && *m[replay.MetricCVR].Num == 0 {
			t.Error("the baseline breaks no ban: the test says nothing")
		}
	}
	table := eval(banArgs("score", dir, "--wide", "--trajectories", runs["shortest"])...).want(t, 0).stdout
	for _, want := range []string{"split      ban    binding  n", "instances  Place  all ", "instances  all    longer ", "SHORT 20/25, UNFROZEN, ORACLE", "CR - SR is CVR reach"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	out := filepath.Join(t.TempDir(), "report")
	text := eval(banArgs("report", dir, "--trajectories", runs["shortest"], "--trajectories", runs["shortest-legal"], "--out", out, "--format", "markdown")...).want(t, 0).stdout
	for _, want := range []string{
		"| run | n |", "CVR reach", "| shortest | binding longer |", "## Differences on instances",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !strings.Contains(read(t, out, "report.json"), `"name":"detour"`) {
		t.Error("no curve of the detour")
	}
	eval("score", "--release", dir, "--trajectories", runs["random"]).want(t, 2)
}

func TestPairsWithoutAPathAreAProtocolOfTheirOwn(t *testing.T) {
	dir, n := newBans(t)
	out := filepath.Join(t.TempDir(), "run")
	args := banArgs("play", dir, "--player", "lines", "--split", "infeasible", "--out", out, "--option", "target_intro=0")
	if r := eval(args...).want(t, 2); !strings.Contains(r.stderr, "no_path=on") {
		t.Errorf("got %q", r.stderr)
	}
	var stdout, stderr bytes.Buffer
	if code := run(append(args, "--option", "no_path=on"), strings.NewReader("NO_PATH\n"+strings.Repeat("quit\n", n)), &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	s := banScores(t, eval(banArgs("score", dir, "--trajectories", out, "--json")...).want(t, 0))
	if m := s.Rows[0].Metrics[replay.MetricRefusal]; *m.Num != 1 || m.Den != int64(n) {
		t.Errorf("correct refusals %d of %d, want 1 of %d", *m.Num, m.Den, n)
	}
}

func TestWrongUseOfTheBannedFamilyIsExplained(t *testing.T) {
	dir, _ := newBans(t)
	out := filepath.Join(t.TempDir(), "run")
	plain := newRelease(t, gametest.G9(), 1, 5)
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "target_intro=500: the release has no leads", banArgs("play", dir, "--player", "random", "--out", out)},
		{2, "violation", banArgs("play", dir, "--player", "random", "--out", out, "--option", "violation=end")},
		{2, "history=chat", banArgs("play", dir, "--player", "random", "--out", out, "--option", "oracle=P")},
		{2, "no split", banArgs("play", dir, "--player", "random", "--out", out, "--split", "easy", "--option", "target_intro=0")},
		{10, "constrained", banArgs("play", plain, "--player", "random", "--out", out)},
		{2, "--trajectories is required", []string{"judge", "--release", dir}},
		{2, "--judge", []string{"judge", "--release", dir, "--trajectories", out, "--judge", "me"}},
	} {
		if r := eval(c.args...).want(t, c.code); !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: no %q in %q", c.args, c.want, r.stderr)
		}
	}
}

func TestATamperedRunUnderABanIsListed(t *testing.T) {
	dir, _ := newBans(t)
	out := filepath.Join(t.TempDir(), "run")
	eval(banArgs("play", dir, "--player", "shortest", "--out", out, "--option", "target_intro=0")...).want(t, 0)
	path := filepath.Join(out, trace.StepsFile)
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte(`"violates":true`)) {
		t.Fatalf("no violation to hide: %v", err)
	}
	put(t, path, string(bytes.Replace(data, []byte(`"violates":true`), []byte(`"violates":false`), 1)))
	if r := eval(banArgs("score", dir, "--trajectories", out)...).want(t, 3); !strings.Contains(r.stdout, "violates: log false, replay true") {
		t.Errorf("got\n%s", r.stdout)
	}
	eval("judge", "--release", dir, "--trajectories", out).want(t, 3)
}

// reasoned plays every instance along the whole graph's shortest path, with a reason for each move: blank on first moves.
func reasoned(t *testing.T, dir string) string {
	t.Helper()
	out, bound := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "bound")
	eval(banArgs("play", dir, "--player", "shortest", "--out", bound, "--option", "target_intro=0")...).want(t, 0)
	log, err := openGames(bound)
	if err != nil {
		t.Fatal(err)
	}
	w := gametest.Random(3, 150, 4, 60)
	var input strings.Builder
	for _, g := range log.Games {
		for _, s := range g.Steps {
			why := "it keeps to the rule"
			if s.Step == 1 {
				why = ""
			}
			input.Write(canon.MustMarshal(map[string]string{"next_page": w.Title(*s.To), "reasoning": "near", "restriction_reasoning": why}))
			input.WriteString("\n")
		}
	}
	var stdout, stderr bytes.Buffer
	args := banArgs("play", dir, "--player", "lines", "--out", out, "--option", "target_intro=0")
	if code := run(args, strings.NewReader(input.String()), &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	return out
}

func TestReasonsAreJudgedElsewhereAndSummedUp(t *testing.T) {
	dir, _ := newBans(t)
	out := reasoned(t, dir)
	eval("judge", "--release", dir, "--trajectories", out, "--judge", "none").want(t, 0)
	data, err := os.ReadFile(filepath.Join(out, verdict.RequestsFile))
	if err != nil {
		t.Fatal(err)
	}
	requests, err := trace.Lines[verdict.Request](data, "requests")
	if err != nil || len(requests) < 10 {
		t.Fatalf("%d requests, %v", len(requests), err)
	}
	var lines []byte
	for i, q := range requests {
		raw, bad := "{}", i%2 == 0
		r := schemas.Reasoning{Sound: &bad, ErrorType: map[bool]string{true: schemas.ErrorNone, false: schemas.ErrorIrrelevant}[bad]}
		if q.Pool == schemas.PoolIII {
			r = schemas.Reasoning{Contradictory: &bad, ContradictionType: map[bool]string{true: schemas.ContradictHedging, false: schemas.ContradictOther}[bad]}
		}
		lines = append(append(lines, canon.MustMarshal(schemas.Verdict{
			Schema: schemas.VerdictSchema, Run: q.Run, Game: q.Game, Step: q.Step, Pool: q.Pool, Template: q.Template, TemplateSHA256: q.TemplateSHA256,
			PromptSHA256: q.PromptSHA256, Judge: schemas.Judge{Model: "elsewhere", EndpointKind: "openai", Params: map[string]string{}},
			Verdict: &r, Raw: raw, RawSHA256: digest.SHA256([]byte(raw)),
		})...), '\n')
	}
	file := filepath.Join(t.TempDir(), "verdicts.jsonl")
	put(t, file, string(lines))
	for range 2 { // the second time all are known
		r := eval("judge", "import", file, "--release", dir, "--trajectories", out, "--json").want(t, 0)
		var report verdict.Report
		if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
			t.Fatal(err)
		}
		judged, missing := 0, 0
		for _, x := range report.Rates {
			judged, missing = judged+x.Judged, missing+x.Missing
		}
		if byRule := report.Pools[0].ByRule + report.Pools[1].ByRule; judged != len(requests)+byRule || byRule == 0 || missing != 0 {
			t.Errorf("%d judged, %d missing, %d by rule, of %d requests", judged, missing, byRule, len(requests))
		}
	}
	table := eval("judge", "--release", dir, "--trajectories", out).want(t, 0).stdout
	for _, want := range []string{"elsewhere", "constrained.type2/1", "constrained.type3/1", "missing_justification", "judged by rule"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

// exported writes the games of a run as a harness of somebody else might log them.
func exported(t *testing.T, run string) string {
	t.Helper()
	log, err := openGames(run)
	if err != nil {
		t.Fatal(err)
	}
	var lines []byte
	for _, g := range log.Games {
		steps := []map[string]string{}
		for _, s := range g.Steps {
			steps = append(steps, map[string]string{"chosen_node": *s.NextPageRaw, "justification": *s.Reasoning, "restriction_justification": *s.RestrictionReasoning})
		}
		line := map[string]any{"instance": g.Instance, "steps": steps, "outcome": g.Outcome, "model": "theirs"}
		lines = append(append(lines, canon.MustMarshal(line)...), '\n')
	}
	file := filepath.Join(t.TempDir(), "theirs.jsonl")
	put(t, file, string(lines))
	return file
}

func TestGamesUnderABanComeFromOtherHarnesses(t *testing.T) {
	dir, _ := newBans(t)
	run := reasoned(t, dir)
	out := filepath.Join(t.TempDir(), "imported")
	file := exported(t, run)
	eval("import", "titles-jsonl", file, "--family", "constrained", "--release", dir, "--out", out).want(t, 0)
	want := banScores(t, eval(banArgs("score", dir, "--trajectories", run, "--json")...).want(t, 0))
	got := banScores(t, eval(banArgs("score", dir, "--trajectories", out, "--json")...).want(t, 0))
	if *got.Run == *want.Run || got.Model.Name != "theirs" {
		t.Errorf("run %s of %s", *got.Run, got.Model.Name)
	}
	got.Run, got.Model, got.Rules, got.RulesSHA256, got.Import = want.Run, want.Model, want.Rules, want.RulesSHA256, nil
	if x, y := string(canon.MustMarshal(want)), string(canon.MustMarshal(got)); x != y {
		t.Errorf("the scores differ\n%s\n%s", x, y)
	}
	requests := func(run string) int {
		eval("judge", "--release", dir, "--trajectories", run, "--judge", "none").want(t, 0)
		data, err := os.ReadFile(filepath.Join(run, verdict.RequestsFile))
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(data, []byte("\n"))
	}
	if a, b := requests(run), requests(out); a != b || a == 0 {
		t.Errorf("%d reasons to judge, %d after the import", a, b)
	}
	for _, args := range [][]string{
		{"import", "wikirace-llms", file, "--family", "constrained", "--release", dir},
		{"import", "titles-jsonl", file, "--family", "constrained", "--release", dir, "--no-edge-check"},
		{"import", "titles-jsonl", file, "--family", "lumina", "--release", dir},
	} {
		eval(args...).want(t, 2)
	}
	if r := eval("score", "--release", dir, "--trajectories", out).want(t, 2); !strings.Contains(r.stderr, "constrained") {
		t.Errorf("scored as another family: %s", r.stderr)
	}
}
