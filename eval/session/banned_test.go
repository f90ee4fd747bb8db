package session_test

import (
	"encoding/json"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// counting is K7, which counts the searches that bans take.
type counting struct {
	*gametest.World
	searches *atomic.Int32
}

func (c counting) Unbanned(target uint32, closed []bool) ([]uint8, error) {
	c.searches.Add(1)
	return c.World.Unbanned(target, closed)
}

// hostedBan returns a host of K7, where the one instance goes from S to T and bans Work, which is B.
func hostedBan(strict bool) (*session.Host, *atomic.Int32) {
	w := gametest.K7()
	w.Aliases = map[string]uint32{"Bee": 2}
	counted := counting{w, new(atomic.Int32)}
	task := bantest.TaskOf(bantest.Banned(w, "cw-0001", 0, 5, "Work"))
	h := hostOf(strict, game.BanDefaults, linkstest.World(counted), w.Node, linkstest.Split{Name: "instances", Tasks: []game.Task{task}})
	return h, counted.searches
}

func startBan(t *testing.T, h *session.Host, options string) *session.Session {
	t.Helper()
	s, err := h.Start(session.Request{Instance: "cw-0001", Options: json.RawMessage(options)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// because puts reasons beside a move.
func because(m family.Reply, why, keeps string) family.Reply {
	m.Stated = map[string]string{"reasoning": why, "restriction_reasoning": keeps}
	return m
}

const (
	toA = `{"next_page":"A","reasoning":"on","restriction_reasoning":"an event"}`
	toB = "```json\n" + `{"chosen_node":"b","justification":"near"}` + "\n```"
)

func TestAMoveUnderABanMeansTheSameInEachForm(t *testing.T) {
	h, _ := hostedBan(true)
	for name, moves := range map[string][]family.Reply{
		"titles":  {because(title("A"), "on", "an event"), {Title: new("_B"), Stated: map[string]string{"reasoning": "near"}}},
		"choices": {because(choice(0), "on", "an event"), {Choice: new(0), Stated: map[string]string{"reasoning": "near"}}},
		"replies": {reply(toA), reply(toB)},
		"alias":   {because(title("a"), "on", "an event"), {Title: new("Bee"), Stated: map[string]string{"reasoning": "near"}}},
	} {
		s := startBan(t, h, `{"order":"title"}`)
		for i, m := range moves {
			if r := mustMove(t, s, i+1, m); !r.Valid {
				t.Errorf("%s, step %d: %+v", name, i+1, r)
			}
		}
		o := s.Observe().Observation.(game.Observation)
		want := []game.Choice{{From: "S", Chosen: "A", Justification: "on"}, {From: "A", Chosen: "B", Justification: "near"}}
		if o.Banned != "Work" || !reflect.DeepEqual(o.Recent, want) || o.Intro == nil {
			t.Errorf("%s: got %+v", name, o)
		}
		_, _ = s.GiveUp(3)
		steps := traced(t, s)
		if steps[0]["reasoning"] != "on" || steps[0]["restriction_reasoning"] != "an event" || steps[1]["missing_field"] != true || steps[1]["reasoning"] != "near" {
			t.Errorf("%s: got %v", name, steps)
		}
		if want := map[string]string{"titles": "_B", "choices": "B", "replies": "b", "alias": "Bee"}[name]; steps[1]["next_page_raw"] != want {
			t.Errorf("%s: next_page_raw is %v, want %s", name, steps[1]["next_page_raw"], want)
		}
	}
}

func TestWhatIsNoLinkUnderABan(t *testing.T) {
	h, _ := hostedBan(true)
	s := startBan(t, h, "")
	refused(t, s, 1, because(title("B"), "", ""), family.CodeBadChoice)
	refused(t, s, 1, because(choice(1), "", ""), family.CodeBadChoice)
	refused(t, s, 1, because(reply(toA), "", ""), family.CodeBadField)
	refused(t, s, 1, family.Reply{Title: new("A"), Stated: map[string]string{"restriction_reasoning": ""}}, family.CodeBadField)
	refused(t, s, 1, back(), family.CodeBackDisabled)
	if r := mustMove(t, s, 1, because(title("NO_PATH"), "", "")); r.Outcome != schemas.OutcomeNoPath {
		t.Errorf("got %+v", r)
	}
	h.Strict = false
	if r := mustMove(t, startBan(t, h, ""), 1, because(title("B"), "", "")); r.Reason != game.ReasonNotALink || r.Outcome != schemas.OutcomeInvalidAction {
		t.Errorf("got %+v", r)
	}
	plain := start(t, hosted(true), "")
	refused(t, plain, 1, because(title("B"), "", ""), family.CodeBadField)
	refused(t, plain, 1, family.Reply{Title: new("B"), Stated: map[string]string{"restriction_reasoning": ""}}, family.CodeBadField)
}

func TestAnUnreadableReplyMayBeAskedForAgain(t *testing.T) {
	h, _ := hostedBan(true)
	s := startBan(t, h, `{"format_retries":1}`)
	if r := mustMove(t, s, 1, reply("A")); r.Done || r.Reason != game.ReasonFormat {
		t.Errorf("got %+v", r)
	}
	if r := mustMove(t, s, 1, reply("A")); r.Outcome != schemas.OutcomeInvalidAction {
		t.Errorf("got %+v", r)
	}
}

func TestOptionsOfAGameUnderABanAreItsOwn(t *testing.T) {
	h, _ := hostedBan(true)
	usual := startBan(t, h, "").OptionsSHA256()
	changed := startBan(t, h, `{"history":"chat","target_intro":0,"no_path":"on"}`)
	if o := changed.Observe().Observation.(game.Observation); o.Intro != nil || changed.OptionsSHA256() == usual {
		t.Errorf("got %+v", o)
	}
	if got := startBan(t, h, "").OptionsSHA256(); got != usual {
		t.Error("the options of one game became those of the next")
	}
	for _, options := range []string{
		`{"back":"on"}`, `{"titles":"anon"}`, `{"violation":"end"}`, `{"target_intro":"0"}`, `{"renderer":"chat"}`, `{"oracle":"P","history":"chat"}`,
		`{"oracle":"S","history":"chat"}`, `{"oracle":"SH"}`,
	} {
		_, err := h.Start(session.Request{Instance: "cw-0001", Options: json.RawMessage(options)})
		wantCode(t, err, family.CodeBadOption)
	}
	h.Fixed = true
	startBan(t, h, `{"target_intro":500}`)
	_, err := h.Start(session.Request{Instance: "cw-0001", Options: json.RawMessage(`{"target_intro":499}`)})
	wantCode(t, err, family.CodeBadOption)
}

// TestLabelsAreTheOraclesAlone plays onto a banned page.
func TestLabelsAreTheOraclesAlone(t *testing.T) {
	h, _ := hostedBan(true)
	for _, exposed := range []bool{false, true} {
		h.Exposed = exposed
		s := startBan(t, h, "")
		for i, name := range []string{"A", "B", "T"} {
			mustMove(t, s, i+1, title(name))
		}
		step := traced(t, s)[1]
		if told := step["violates"] == true && step["labels"] != nil && step["d_before"] == 3.0; told != exposed || (step["violates"] != nil) != exposed || (step["labels"] != nil) != exposed {
			t.Errorf("exposed %v: got %v", exposed, step)
		}
	}
	s := startBan(t, h, `{"oracle":"SP","history":"chat"}`)
	mustMove(t, s, 1, title("A"))
	mustMove(t, s, 2, title("B"))
	if o, err := oracle(s); err != nil || o.Plan == nil || len(o.State.Violations) != 1 {
		t.Errorf("got %+v, %v", o, err)
	}
}

// A search is as long as the graph is large: neither games nor requests that come again may make one each.
func TestGamesOfAnInstanceShareTheSearch(t *testing.T) {
	h, searches := hostedBan(true)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			s := startBan(t, h, "")
			mustMove(t, s, 1, title("A"))
			mustMove(t, s, 2, title("C"))
			mustMove(t, s, 1, title("A")) // again
		})
	}
	wait.Wait()
	if n := searches.Load(); n != 1 {
		t.Errorf("%d searches, want 1", n)
	}
}

func TestLoggedGamesUnderABanAreScoredWithoutADisagreement(t *testing.T) {
	dir := t.TempDir()
	h, _ := hostedBan(true)
	runs := session.NewRuns(dir, h, schemas.Run{
		ReleaseID: "r", Splits: []string{"instances"}, Attempts: 9, Model: schemas.Player{Kind: schemas.KindHTTP}, Tool: "test",
	}, time.Now)
	h.Log = runs
	for _, moves := range [][]family.Reply{
		{because(title("A"), "", ""), title("C"), because(choice(0), "on", ""), title("T")},
		{title("A"), because(title("B"), "near", "no work"), title("T")},
		{because(title("NO_PATH"), "", "")},
		{reply(toA), reply(toB), reply(`{"next_page":"Paris","reasoning":""}`)},
		{reply(toA), reply("?")},
		{reply(toA), choice(0), reply("x")},
	} {
		s := startBan(t, h, `{"order":"title"}`)
		for i, m := range moves {
			mustMove(t, s, i+1, m)
		}
		if !s.Done() {
			t.Fatalf("%v: not over", moves)
		}
	}
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, log := range scored(t, dir, h) {
		parser := "none"
		if log.Run.Rules.Parser != nil {
			parser = log.Run.Rules.Parser.Version
		}
		got[parser] += len(log.games)
	}
	if want := map[string]int{"none": 4, "constrained/1": 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("games by parser: %v, want %v", got, want)
	}
}
