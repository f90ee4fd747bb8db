package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// g9 has four instances of G9 whose features differ.
func g9() judge.Release {
	w := gametest.G9()
	var list []schemas.WikiraceInstance
	for i, s := range []uint32{0, 1, 2, 3} {
		inst := w.Instance(fmt.Sprintf("wr-easy-%04d", i+1), s, 8)
		inst.Features.OutDegree, inst.Features.OptFirst, inst.Features.RWMenu = i, 1, fmt.Sprintf("%d.00000e-01", i)
		inst.Features.GreedyIn.Success = i > 1
		list = append(list, inst)
	}
	return judge.Release{
		Name: "g9", ID: "id", ManifestSHA256: "sum", World: w, Resolve: w.Node,
		Splits: []judge.Split{{Name: "easy", Requested: 4, Instances: list}},
	}
}

// score judges the paths of a run; a path that is "" is missing.
func score(t *testing.T, rel judge.Release, name string, paths ...string) report.Run {
	t.Helper()
	run := schemas.GameRun{
		Run: name, ReleaseID: "id", ManifestSHA256: "sum", Splits: []string{"easy"}, Attempts: 1, Options: game.Defaults(),
		OptionsSHA256: game.OptionsSHA256(game.Defaults()), Model: schemas.Model{Name: name},
	}
	log := &trace.GameLog{Path: name, Run: &run}
	infra, gaveUp := schemas.OutcomeInfra, schemas.OutcomeGaveUp
	for i, path := range paths {
		if path == "" {
			continue
		}
		g := trace.Game{Instance: rel.Splits[0].Instances[i].ID, Attempt: 1}
		for _, title := range strings.Split(strings.TrimSuffix(path, "!"), "") {
			g.Path = append(g.Path, trace.Page{Title: title, Named: true})
		}
		if g.Outcome = &gaveUp; strings.HasSuffix(path, "!") {
			g.Outcome = &infra
		} else if strings.HasSuffix(path, "T") {
			g.Outcome = nil
		}
		log.Games = append(log.Games, g)
	}
	scores, err := judge.Score(rel, log, judge.Request{MaxInfra: 4})
	if err != nil {
		t.Fatalf("%v: %+v", err, scores.Disagreements)
	}
	return report.Run{Name: name, Scores: scores}
}

func two(t *testing.T) report.Input {
	t.Helper()
	rel := g9()
	a := score(t, rel, "a|<x>", "ABEGHT", "BEGHT", "C", "")
	b := score(t, rel, "b", "ACEGHT", "BCEGHT", "CFGHT", "DFGHT")
	return report.Input{Release: rel, Runs: []report.Run{a, b}, Seed: 42}
}

func TestRunsAreComparedGameByGame(t *testing.T) {
	c := report.New(two(t)).Comparisons
	if len(c) != 1 {
		t.Fatalf("%d comparisons", len(c))
	}
	// Both won the first two, B by 0 and 1 steps more; B alone won the two others.
	got := c[0]
	if got.Pairs != 4 || got.Both != 2 || got.OnlyA != 0 || got.OnlyB != 2 || *got.Success.Num != 2 || *got.Excess.Num != 1 || got.Excess.Den != 2 || got.McNemar != "5.00000e-01" {
		t.Errorf("got %+v", got)
	}
	if *got.Success.Value != "5.00000e-01" || *got.Success.Lo != "0" || *got.Success.Hi != "1.00000e+00" {
		t.Errorf("difference %s [%s, %s]", *got.Success.Value, *got.Success.Lo, *got.Success.Hi)
	}
}

func TestInfraGamesLeaveThePairs(t *testing.T) {
	in := two(t)
	in.Runs[0] = score(t, in.Release, "a", "A!", "BEGHT", "C", "")
	if c := report.New(in).Comparisons[0]; c.Pairs != 3 || c.Both != 1 || c.OnlyB != 2 {
		t.Errorf("got %+v", c)
	}
}

func TestMissingGamesLeaveThePairsOfPartialScores(t *testing.T) {
	in := two(t)
	in.Partial = true
	if c := report.New(in).Comparisons[0]; c.Pairs != 3 || c.Both != 2 || c.OnlyB != 1 {
		t.Errorf("got %+v", c)
	}
}

func TestEachTwoOfManyRunsAreCompared(t *testing.T) {
	in := two(t)
	in.Runs = append(in.Runs, score(t, in.Release, "c", "A", "B", "C", "DFGHT"), score(t, in.Release, "d", "A", "B", "C", "D"))
	in.Runs[3].Scores.Summaries[0].OptionsSHA256 = "other"
	var got []string
	for _, c := range report.New(in).Comparisons {
		got = append(got, fmt.Sprintf("%s%s %d-%d %s %v", c.A, c.B, c.OnlyA, c.OnlyB, c.McNemar, c.Rules))
	}
	want := "a|<x>b 0-2 5.00000e-01 true, a|<x>c 2-1 1.00000e+00 true, a|<x>d 2-0 5.00000e-01 false, " +
		"bc 3-0 2.50000e-01 true, bd 4-0 1.25000e-01 false, cd 1-0 1.00000e+00 false"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

func TestCurvesCountEachGameOnce(t *testing.T) {
	r := report.New(two(t))
	if len(r.Distances.Groups) != 2 || r.Distances.Groups[0].Low != "4" || r.Distances.Groups[0].Success[0].Den != 2 || *r.Distances.Groups[0].Success[1].Num != 3 {
		t.Errorf("distances %+v", r.Distances)
	}
	names := map[string]bool{}
	for _, c := range r.Features {
		names[c.Name] = true
		games := int64(0)
		for _, g := range c.Groups {
			games += g.Success[1].Den
		}
		if games != 4 && c.Name != "opt_first_share" { // one instance has no link, and so no share
			t.Errorf("%s: %d games, want 4", c.Name, games)
		}
	}
	for _, want := range []string{"out_degree", "opt_first_share", "rw_menu", "greedy_in_success"} {
		if !names[want] {
			t.Errorf("no curve of %s among %v", want, names)
		}
	}
	if names["opt_first"] {
		t.Error("a feature that is equal everywhere has a curve")
	}
}

func TestEqualScoresGiveEqualBytes(t *testing.T) {
	a, b := report.New(two(t)), report.New(two(t))
	if !bytes.Equal(a.Markdown(), b.Markdown()) || !bytes.Equal(a.Text(), b.Text()) || !bytes.Equal(canon.MustMarshal(a), canon.MustMarshal(b)) {
		t.Error("two reports of the same scores differ")
	}
	x, y := a.Charts(), b.Charts()
	if len(x) < 4 || len(x) != len(y) {
		t.Fatalf("%d and %d charts", len(x), len(y))
	}
	for i := range x {
		if x[i].Name != y[i].Name || !bytes.Equal(x[i].Data, y[i].Data) {
			t.Errorf("chart %s differs", x[i].Name)
		}
		checkXML(t, x[i])
	}
}

// checkXML reads the whole chart, in which a hostile name is text.
func checkXML(t *testing.T, f report.File) {
	t.Helper()
	found := false
	for dec := xml.NewDecoder(bytes.NewReader(f.Data)); ; {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if text, ok := tok.(xml.CharData); ok && string(text) == "a|<x>" {
			found = true
		}
	}
	if !found {
		t.Errorf("%s does not name the run", f.Name)
	}
}

func TestMarkdownKeepsNamesInTheirCells(t *testing.T) {
	md := string(report.New(two(t)).Markdown())
	if !strings.Contains(md, `| a\|&lt;x> | easy |`) || !strings.Contains(md, "![success against distance](success-distance.svg)") {
		t.Errorf("got\n%s", md)
	}
	var tree map[string]any
	if err := json.Unmarshal(canon.MustMarshal(report.New(two(t))), &tree); err != nil || tree["schema"] != report.Schema {
		t.Errorf("JSON: %v", err)
	}
}

func TestPeopleAreComparedOnPairsThatBothWon(t *testing.T) {
	in := two(t)
	in.Human = &judge.Scores{}
	if h := report.New(in).Human; len(h) != 2 || h[0].Pairs != 0 || h[0].Difference.Value != nil {
		t.Errorf("no games of people: %+v", h)
	}
	in.Human = human(t, in.Release)
	h := report.New(in).Human[1]
	// A -> T: people 0 and 1 clicks too many, the model 0; B -> T: people 0, the model 1. C -> T: people never.
	if h.Pairs != 2 || h.HumanGames != 3 || h.ModelGames != 2 || *h.Human.Value != "2.50000e-01" || *h.Model.Value != "5.00000e-01" || *h.Difference.Value != "2.50000e-01" {
		t.Errorf("got %+v: %s, %s, %s", h, *h.Human.Value, *h.Model.Value, *h.Difference.Value)
	}
}

// human scores four games of people.
func human(t *testing.T, rel judge.Release) *judge.Scores {
	t.Helper()
	run := schemas.GameRun{Run: "h", ReleaseID: "id", ManifestSHA256: "sum", Splits: []string{}, Attempts: 1, Model: schemas.Model{Name: "human", Kind: schemas.KindHuman}}
	run.OptionsSHA256 = game.OptionsSHA256(run.Options)
	log := &trace.GameLog{Path: "h", Run: &run, Import: &schemas.Import{Human: true}}
	for i, path := range []string{"ABEGHT", "ABCEGHT", "BEGHT", "CEG"} {
		w := rel.World.(*gametest.World)
		rec := schemas.Game{Run: "h", Game: fmt.Sprint(i), Attempt: i + 1, Outcome: schemas.OutcomeSuccess}
		for _, title := range strings.Split(path, "") {
			u, _ := w.Node(title)
			rec.Path = append(rec.Path, u)
		}
		if !strings.HasSuffix(path, "T") {
			rec.Outcome = schemas.OutcomeGaveUp
		}
		rec.Moves = len(rec.Path) - 1
		rec.Turns, rec.Instance = rec.Moves, fmt.Sprintf("demowiki:%d:108", 100+rec.Path[0])
		told := trace.Game{Instance: rec.Instance, Attempt: rec.Attempt, Record: &rec, Outcome: &rec.Outcome}
		for _, u := range rec.Path {
			told.Path = append(told.Path, trace.NodePage(u))
		}
		log.Games = append(log.Games, told)
	}
	s, err := judge.Score(rel, log, judge.Request{})
	if err != nil {
		t.Fatalf("%v: %+v", err, s.Disagreements)
	}
	return s
}
