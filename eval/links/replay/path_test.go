package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// tell writes lines to a file, as a user would, and opens it.
func tell(t *testing.T, lines ...string) *replay.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := replay.Read(&trace.Log{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// g9 is a release with the one instance A -> T of G9, at distance 5, under the redirect "Start" of A.
func g9() replay.Release {
	w := gametest.G9()
	rel := release(w, []schemas.WikiraceInstance{racetest.Instance(w, "wr-easy-0001", 0, 8)})
	rel.Resolve = func(bool) (func(string) (uint32, bool), error) { return fromStart(w), nil }
	return rel
}

func fromStart(w *gametest.World) func(title string) (uint32, bool) {
	return func(title string) (uint32, bool) {
		if title == "Start" {
			return 0, true
		}
		return w.Node(title)
	}
}

func TestPathsAreScoredAsTheGraphSays(t *testing.T) {
	long := `["A","B","C"` + strings.Repeat(`,"A","B","C"`, 9) + `,"E"]` // 30 moves in a circle
	for _, c := range []struct {
		name, game string
		outcome    string
		turns      string // numerator of suboptimal steps + 5, "" for no success
		listed     string // part of the one disagreement, "" for none
	}{
		{"titles", `{"instance":"wr-easy-0001","path":["A","B","E","G","H","T"]}`, "success", "0", ""},
		{"nodes", `{"instance":"wr-easy-0001","path":[0,1,4,6,7,8]}`, "success", "0", ""},
		{"both, and a redirect", `{"instance":"wr-easy-0001","path":["Start",3,"F",6,"H","T"]}`, "success", "0", ""},
		{"a way round", `{"instance":"wr-easy-0001","path":["A","B","C","A","D","F","G","H","T"],"outcome":"success"}`, "success", "3", ""},
		{"gave up", `{"instance":"wr-easy-0001","path":["A","B"],"outcome":"gave_up"}`, "gave_up", "", ""},
		{"no outcome told", `{"instance":"wr-easy-0001","path":["A","B"]}`, "gave_up", "", ""},
		{"format", `{"instance":"wr-easy-0001","path":["A","B"],"outcome":"format"}`, "format", "", ""},
		{"30 moves", `{"instance":"wr-easy-0001","path":` + strings.Replace(long, `,"E"]`, `]`, 1) + `}`, "gave_up", "", ""},
		{"skipped page", `{"instance":"wr-easy-0001","path":["A","E","G","H","T"]}`, "invalid_action", "", "no link from 0"},
		{"skipped page, outcome claimed", `{"instance":"wr-easy-0001","path":["A","T"],"outcome":"success"}`, "invalid_action", "", "no link from 0"},
		{"wrong start", `{"instance":"wr-easy-0001","path":["B","E","G","H","T"]}`, "invalid_action", "", "the source is 0"},
		{"unknown page", `{"instance":"wr-easy-0001","path":["A","Z"]}`, "invalid_action", "", "no such page"},
		{"node outside", `{"instance":"wr-easy-0001","path":["A",4294967295]}`, "invalid_action", "", "no such page"},
		{"unknown start", `{"instance":"wr-easy-0001","path":["Z"]}`, "invalid_action", "", "the source is 0"},
		{"changed outcome", `{"instance":"wr-easy-0001","path":["A","B"],"outcome":"success"}`, "gave_up", "", `gave_up`},
		{"denied success", `{"instance":"wr-easy-0001","path":["A","B","E","G","H","T"],"outcome":"step_limit"}`, "success", "0", "success"},
		{"infra after a success", `{"instance":"wr-easy-0001","path":["A","B","E","G","H","T"],"outcome":"infra"}`, "success", "0", "success"},
		{"limit claimed too early", `{"instance":"wr-easy-0001","path":["A","B"],"outcome":"step_limit"}`, "gave_up", "", "gave_up"},
		{"beyond the target", `{"instance":"wr-easy-0001","path":["A","B","E","G","H","T","A"]}`, "success", "0", "over: success"},
		{"31st step", `{"instance":"wr-easy-0001","path":` + strings.Replace(long, `"E"]`, `"A","B","C"]`, 1) + `}`, "step_limit", "", "over: step_limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			scores, err := tell(t, c.game).Score(g9(), family.Request{})
			sum := scores.Rows[0]
			if sum.Outcomes[c.outcome] != 1 {
				t.Errorf("outcomes %v, want %s", sum.Outcomes, c.outcome)
			}
			checkListed(t, scores, err, c.listed)
			won := *sum.Metrics[judge.MetricSuccess].Num == 1
			if won != (c.turns != "") {
				t.Errorf("success %v, want %v", won, !won)
			}
			if num := *sum.Metrics[judge.MetricSuboptimal].Num; won && num != int64(c.turns[0]-'0') {
				t.Errorf("%d suboptimal steps, want %s", num, c.turns)
			}
		})
	}
}

func checkListed(t *testing.T, scores *family.Scores, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil || len(scores.Disagreements) > 0 {
			t.Errorf("got %v with %+v, want no disagreement", err, scores.Disagreements)
		}
		return
	}
	if !errors.Is(err, fault.Mismatch) || len(scores.Disagreements) == 0 || !strings.Contains(scores.Disagreements[0].Replay, want) {
		t.Errorf("got %v with %+v, want a mismatch with %q", err, scores.Disagreements, want)
	}
}

// TestALinkThatTheMenuCutIsNoMove goes from a page with more links than a menu to one that was not offered.
func TestALinkThatTheMenuCutIsNoMove(t *testing.T) {
	w := gametest.Random(seed, 200, 150, 100)
	inst := racetest.Instances(w, seed, 1, 3)[0]
	for i := uint64(0); len(w.Successors(inst.Source.Node)) < 60; i++ {
		inst = racetest.Instances(w, i, 1, 3)[0]
	}
	g, err := game.Start(w, racetest.TaskOf(inst), game.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range w.Successors(inst.Source.Node) {
		if _, ok := g.Offers(v); !ok {
			line := `{"instance":"` + inst.ID + `","path":["` + inst.Source.Title + `","` + w.Title(v) + `"]}`
			scores, err := tell(t, line).Score(release(w, []schemas.WikiraceInstance{inst}), family.Request{})
			checkListed(t, scores, err, "link not shown")
			return
		}
	}
	t.Fatal("the menu shows every link")
}

// TestRecordsWithoutStepsKeepTheirInvalidTurns scores a game record alone: what it admits against the player counts.
func TestRecordsWithoutStepsKeepTheirInvalidTurns(t *testing.T) {
	record := func(turns, invalid, outcome string) string {
		return `{"schema":"wikirace.game/1","run":"r","game":"g","instance":"wr-easy-0001","attempt":1,"outcome":"` + outcome +
			`","turns":` + turns + `,"moves":5,"invalid":` + invalid +
			`,"path":[0,1,4,6,7,8],"usage":null,"cost":null,"started":"","ended":""}`
	}
	scores, err := tell(t, record("7", "2", "success")).Score(g9(), family.Request{})
	checkListed(t, scores, err, "")
	if m := scores.Rows[0].Metrics; *m[judge.MetricSuboptimal].Num != 2 || *m[judge.MetricInvalid].Num != 2 || m[judge.MetricMicro].Den != 7 {
		t.Errorf("got %+v", m)
	}
	scores, err = tell(t, record("31", "26", "success")).Score(g9(), family.Request{})
	checkListed(t, scores, err, "step_limit")
	scores, err = tell(t, record("5", "2", "success")).Score(g9(), family.Request{})
	checkListed(t, scores, err, "7")
}

// FuzzScore looks for games in the short form that crash the judge, or that win without being a walk to the target.
func FuzzScore(f *testing.F) {
	for _, path := range []string{`["A","B","E","G","H","T"]`, `[0,1,4,6,7,8]`, `["A","T"]`, `["T"]`, `[0,0,4294967295]`} {
		f.Add(`{"instance":"wr-easy-0001","path":` + path + `,"outcome":"success"}`)
	}
	f.Add(`{"schema":"wikirace.game/1","run":"r","game":"g","instance":"wr-easy-0001","attempt":1,"outcome":"success","turns":9,"moves":5,"invalid":4,"path":[0,1,4,6,7,8],"usage":null,"cost":null,"started":"","ended":""}`)
	rel := g9()
	file := filepath.Join(f.TempDir(), "mine.jsonl")
	f.Fuzz(func(t *testing.T, line string) {
		if err := os.WriteFile(file, []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
		log, err := replay.Read(&trace.Log{Path: file})
		if err != nil {
			return
		}
		scores, err := log.Score(rel, family.Request{MaxInfra: 1})
		if scores == nil || err != nil && !errors.Is(err, fault.Mismatch) {
			t.Fatalf("%q: %v", line, err)
		}
		if scores.Rows[0].Outcomes[schemas.OutcomeSuccess] > 0 && !reachesT(rel, log.Games) {
			t.Fatalf("%q wins", line)
		}
	})
}

// reachesT tells whether one of the games starts with a walk from A to T.
func reachesT(rel replay.Release, games []replay.Game) bool {
	w, _ := rel.World(rel.Defaults)
	resolve, _ := rel.Resolve(true)
	for _, g := range games {
		at := uint32(0)
		for i, p := range g.Path {
			to := p.Node
			if p.Named {
				to, _ = resolve(p.Title)
			}
			if i > 0 && !slices.Contains(w.Successors(at), to) {
				break
			}
			if at = to; at == 8 {
				return true
			}
		}
	}
	return false
}
