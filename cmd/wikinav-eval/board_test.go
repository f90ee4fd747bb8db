package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// playedBy is the run directory of a player; "" for one that the family has not.
func playedBy(t *testing.T, rel, name string, players ...string) string {
	t.Helper()
	for _, player := range players {
		out := filepath.Join(t.TempDir(), player)
		args := []string{"play", "--release", rel, "--family", name, "--player", player, "--out", out}
		if name == "constrained" {
			args = append(args, "--option", "target_intro=0") // the release has no leads
		}
		if eval(args...).code == 0 {
			return out
		}
	}
	return ""
}

// seers lists players that see what others do not, whichever a family has.
var seers = []string{"shortest-legal", "shortest", "golden", "optimal"}

// disguised returns a run of a player that sees distances as the run of a model: nobody can know.
func disguised(t *testing.T, dir string) string {
	t.Helper()
	run := read(t, dir, trace.RunFile)
	at := strings.Index(run, `"model":{`)
	end := at + strings.Index(run[at:], "}") + 1
	put(t, filepath.Join(dir, trace.RunFile), run[:at]+`"model":{"kind":"pipe","name":"clever"}`+run[end:])
	return dir
}

// handIn packs a run.
func handIn(t *testing.T, rel, dir string, more ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "submission.tar")
	eval(append([]string{"submit", dir, "--release", rel, "--out", out}, more...)...).want(t, 0)
	return out
}

// adding enters submissions into the board of a release.
func adding(rel string, args ...string) result {
	return eval(append([]string{"board", "add", "--release", rel, "--submitted", "2026-01-31", "--unfrozen"}, args...)...)
}

// tree returns the files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[strings.TrimPrefix(path, dir)] = read(t, path)
		}
		return err
	}))
	return files
}

func TestEveryFamilysRunsAreHandedInReplayedEnteredAndShown(t *testing.T) {
	rel := wholeRelease(t)
	lb := filepath.Join(rel, "leaderboard")
	for _, f := range families.All {
		name := f.Name()
		oracle := playedBy(t, rel, name, seers...)
		file := handIn(t, rel, oracle)
		if text := eval("submit", oracle, "--release", rel, "--out", file+"2").want(t, 0).stdout; !strings.Contains(text, "ORACLE") || !strings.Contains(text, "UNFROZEN") {
			t.Errorf("%s: flags are not said: %s", name, text)
		}
		if read(t, file) != read(t, file+"2") {
			t.Errorf("%s: the same run was packed in other bytes", name)
		}
		if got := adding(rel, file).want(t, 2); !strings.Contains(got.stderr, "oracle") {
			t.Errorf("%s: got %s", name, got.stderr)
		}
		if board.Exists(lb, name, true) {
			t.Errorf("%s: a board was written for what was refused", name)
		}
		clever, random := handIn(t, rel, disguised(t, oracle)), handIn(t, rel, playedBy(t, rel, name, "random"))
		adding(rel, random, clever).want(t, 0)
		before := tree(t, lb)
		if got := adding(rel, clever).want(t, 0); !strings.Contains(got.stdout, "already") {
			t.Errorf("%s: the second time nothing is said: %s", name, got.stdout)
		}
		eval("board", "add", random, "--release", rel, "--submitted", "2026-02-02", "--unfrozen").want(t, 0)
		for path, data := range tree(t, lb) {
			if before[path] != data {
				t.Errorf("%s: the second time changed %s", name, path)
			}
		}
		lines := strings.SplitAfter(read(t, lb, name+".unfrozen.jsonl"), "\n")
		for _, line := range lines[:len(lines)-1] {
			var entry struct {
				Model, Verified string
				Manifest        string `json:"manifest_id"`
			}
			must(t, json.Unmarshal([]byte(line), &entry))
			if entry.Manifest == "" || entry.Verified != board.Replayed {
				t.Errorf("%s: got %s", name, line)
			}
		}
		md := eval("board", "show", "--release", rel, "--family", name, "--format", "markdown").want(t, 0).stdout
		if strings.Index(md, "| clever |") > strings.Index(md, "| random |") || md != read(t, lb, name+".unfrozen.md") {
			t.Errorf("%s: got %s", name, md)
		}
	}
	for format, word := range map[string]string{"table": "UNFROZEN", "csv": "manifest_id,rules_sha256,", "json": `"boards":[{`, "markdown": "# Leaderboard"} {
		all := eval("board", "show", "--release", rel, "--format", format).want(t, 0).stdout
		for _, f := range families.All {
			if format != "csv" && !strings.Contains(all, f.Name()+".unfrozen") || !strings.Contains(all, word) {
				t.Errorf("%s lacks %s or %s", format, f.Name(), word)
			}
		}
	}
	got := eval("board", "verify", "--release", rel, "--json").want(t, 0).stdout
	if n := strings.Count(got, `"state":"replayed"`); n != 2*len(families.All) {
		t.Errorf("%d entries were replayed: %s", n, got)
	}
	results := filepath.Join(t.TempDir(), "results")
	eval("board", "results", "--release", rel, "--dataset", "me/d", "--revision", "v1", "--out", results).want(t, 0)
	for _, f := range families.All {
		if !strings.Contains(read(t, results, "wikinav-clever.yaml"), f.Name()+"_") {
			t.Errorf("no result of %s", f.Name())
		}
	}
	if text := eval("verify", rel, "--level", "1").stdout; !strings.Contains(text, "leaderboard/: ") {
		t.Errorf("level 1 does not say that it leaves the leaderboard out: %s", text)
	}
}

// Of a release whose pairs an older one cannot answer, the board of every family that draws pairs
// marks its entries, and no other does.
func TestBoardsOfEveryFamilyMarkFreshSplits(t *testing.T) {
	w := newTown(t)
	var older strings.Builder
	for i, line := range strings.SplitAfter(w.edges, "\n") {
		if i%7 != 0 {
			older.WriteString(line)
		}
	}
	old := w.release("old", older.String())
	rel := w.release("new", w.edges, "--fresh-since", old)
	m := manifestOf(t, rel)
	fresh := 0
	for _, f := range families.All {
		name := f.Name()
		adding(rel, handIn(t, rel, playedBy(t, rel, name, "random"))).want(t, 0)
		for _, format := range []string{"table", "markdown", "csv", "json"} {
			text := eval("board", "show", "--release", rel, "--family", name, "--format", format).want(t, 0).stdout
			want := m.FreshSince(name) != ""
			plain := strings.ToLower(strings.ReplaceAll(text, "`", ""))
			got := strings.Contains(plain, "fresh since "+manifestOf(t, old).ID)
			if got != want || !strings.Contains(text, "random") {
				t.Errorf("%s: want a mark %v in\n%s", name, want, text)
			}
		}
		if m.FreshSince(name) != "" {
			fresh++
		}
	}
	if fresh < 3 || fresh == len(families.All) {
		t.Errorf("%d of %d families draw pairs", fresh, len(families.All))
	}
	eval("board", "verify", "--release", rel).want(t, 0)
}

// forge packs a run directory with a summary and a proof of one's own, all digests right.
func forge(t *testing.T, dir string, l trace.Layout, summary string, change func(*board.Proof)) string {
	t.Helper()
	var scores family.Scores
	must(t, canon.Decode([]byte(summary), canon.MaxManifest, &scores))
	log, err := trace.Open(dir, l)
	must(t, err)
	sum, err := log.SHA256(t.Context())
	must(t, err)
	files, err := board.Files(t.Context(), dir, l)
	must(t, err)
	p := board.NewPack(dir, files, board.Submission{Scores: &scores, Summary: []byte(summary), Trajectories: &sum}, family.Request{Seed: 42})
	if change != nil {
		change(&p.Proof)
	}
	var out bytes.Buffer
	must(t, p.Write(&out))
	path := filepath.Join(t.TempDir(), "forged.tar")
	put(t, path, out.String())
	return path
}

func TestForgedSubmissionsOfEveryFamilyAreRefusedByName(t *testing.T) {
	rel := wholeRelease(t)
	other := newRelease(t, gametest.G9(), 5, 4, 5)
	for _, f := range families.All {
		dir, clever := playedBy(t, rel, f.Name(), "random"), disguised(t, playedBy(t, rel, f.Name(), seers...))
		eval("score", "--release", rel, "--family", f.Name(), "--trajectories", dir).want(t, 0)
		eval("score", "--release", rel, "--family", f.Name(), "--trajectories", clever).want(t, 0)
		honest, better := read(t, dir, trace.SummaryFile), read(t, clever, trace.SummaryFile)
		metric := f.Columns()[0].Metric
		edited := func(edit func(forged) forged) string {
			out := filepath.Join(t.TempDir(), "edited")
			edit(readForged(t, dir, f.Layout())).write(t, out)
			return out
		}
		for _, c := range []struct {
			name, file, says string
			code             int
			rel              string
		}{
			{"a number", forge(t, dir, f.Layout(), betterMetric(t, honest, metric), nil), "metrics." + metric, 3, rel},
			{"the summary of another run", forge(t, dir, f.Layout(), better, nil), trace.SummaryFile + " claims ", 3, rel},
			{"the trajectories of another run", forge(t, clever, f.Layout(), honest, nil), trace.SummaryFile + " claims ", 3, rel},
			{"a name", forge(t, dir, f.Layout(), honest, func(p *board.Proof) { p.Model = "clever" }), board.ProofFile + " claims model", 3, rel},
			{"a digest", forge(t, dir, f.Layout(), honest, func(p *board.Proof) { p.SummarySHA256 = digest.SHA256(nil) }), board.ProofFile + " claims summary_sha256", 3, rel},
			{"a seed", forge(t, dir, f.Layout(), honest, func(p *board.Proof) { p.Seed = 43 }), "", 3, rel},
			{"a foreign release", forge(t, dir, f.Layout(), honest, nil), "", 0, other},
			{"a game that was removed", forge(t, edited(func(h forged) forged {
				h.main = h.main[1:]
				return h
			}), f.Layout(), honest, nil), "", 0, rel},
			{"another digest of the rules", forge(t, edited(func(h forged) forged {
				h.run = field("rules_sha256", `"`+strings.Repeat("0", 64)+`"`)(h.run)
				return h
			}), f.Layout(), honest, nil), "rules_sha256", 3, rel},
			{"other rules", forge(t, edited(func(h forged) forged {
				var run schemas.Run
				must(t, canon.Decode([]byte(h.run), canon.MaxManifest, &run))
				run.Rules.Interface = schemas.InterfaceMCP
				run.RulesSHA256 = family.RulesSHA256(run.Rules)
				h.run = string(canon.MustMarshal(run))
				return h
			}), f.Layout(), honest, nil), "rules", 3, rel},
			{"a claim in the log", forge(t, edited(func(h forged) forged {
				return h.edit(field("instance", `"x"`)).edit(field("id", `"x"`))
			}), f.Layout(), honest, nil), "", 0, rel},
		} {
			got := adding(c.rel, c.file)
			if got.code == 0 || c.code != 0 && got.code != c.code || !strings.Contains(got.stderr, c.says) || !strings.Contains(got.stderr, c.file) {
				t.Errorf("%s: %s: exit %d, want %d and %q: %s", f.Name(), c.name, got.code, c.code, c.says, got.stderr)
			}
			if strings.Contains(got.stderr, "wikinav-board-") {
				t.Errorf("%s: %s: a folder of ours is named: %s", f.Name(), c.name, got.stderr)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(rel, "leaderboard")); err == nil {
		t.Error("a forgery left a leaderboard")
	}
}

// betterMetric returns a summary with another value of the first metric of that name.
func betterMetric(t *testing.T, summary, metric string) string {
	t.Helper()
	var s family.Scores
	must(t, canon.Decode([]byte(summary), canon.MaxManifest, &s))
	i := slices.IndexFunc(s.Rows, func(r family.Row) bool { return r.Metrics[metric].Value != nil })
	m, value := s.Rows[i].Metrics[metric], "0.987654"
	m.Value = &value
	s.Rows[i].Metrics[metric] = m
	return string(canon.MustMarshal(&s)) + "\n"
}

// TestTheCommandsOfTheLeaderboardPageWork runs them as a reader would.
func TestTheCommandsOfTheLeaderboardPageWork(t *testing.T) {
	p := openPage(t, "leaderboard.md", newRelease(t, gametest.G9(), 5, 4, 5))
	p.shell(p.block("sh"))
	if yaml := read(t, p.folder, ".eval_results", "wikinav-random.yaml"); !strings.Contains(yaml, "UNFROZEN") || !strings.Contains(yaml, `revision: "v1.0.0"`) {
		t.Errorf("got %s", yaml)
	}
}
