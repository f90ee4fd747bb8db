package mcp

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// kept is a log in memory.
type kept struct {
	games []family.Episode
	fails error
}

func (k *kept) Keep(g session.Finished) error {
	if k.fails != nil {
		return k.fails
	}
	k.games = append(k.games, g.Episode)
	return nil
}

const parallel = 50

// TestFiftyCallsAtOnceAreOneMove sends fifty calls for each turn, with different choices and then fifty times the same one.
func TestFiftyCallsAtOnceAreOneMove(t *testing.T) {
	w := gametest.Random(5, 400, 120, 80)
	log := &kept{}
	h := host(w, nil)
	h.Log = log
	c := connect(t, h)
	seen := c.see("start_game", `{"instance":"wr-easy-0001"}`).Observation
	var path []string
	for !seen.Done {
		step := seen.Step
		answers := c.all(func(i int) string { return fmt.Sprintf(`{"step":%d,"choice":%d}`, step, i%len(seen.Links)) })
		// The choices repeat where a page has fewer links than there are calls: then the calls with the winner's choice agree.
		won := map[string]int{}
		for i, a := range answers {
			if !a.failed {
				won[a.text]++
			} else if !strings.HasPrefix(a.text, family.CodeStepPlayed+": ") && !strings.HasPrefix(a.text, family.CodeGameOver+": ") {
				t.Fatalf("step %d, call %d: %s", step, i, a.text)
			}
		}
		if len(won) != 1 {
			t.Fatalf("step %d: %d different moves were made, want one", step, len(won))
		}
		seen = c.see("observe", `{}`).Observation
		if seen.Step != step+1 {
			t.Fatalf("after step %d comes step %d", step, seen.Step)
		}
		path = append(path, seen.Current.Title)
	}
	race := log.games[0].(*links.Episode)
	if len(log.games) != 1 || race.Step()-1 != len(path) || len(race.Trace("", false).([]links.TraceStep)) != len(path) {
		t.Fatalf("%d games in the log, the first at step %d; %d were seen", len(log.games), race.Step(), len(path))
	}
	for i, s := range race.Trace("", false).([]links.TraceStep) {
		if w.Title(*s.To) != path[i] {
			t.Errorf("step %d went to %s, the client saw %s", i+1, w.Title(*s.To), path[i])
		}
	}
}

func TestTheSameCallFiftyTimesIsOneMove(t *testing.T) {
	c := connect(t, host(gametest.G9(), nil))
	c.see("start_game", `{"instance":"wr-easy-0001"}`)
	answers := c.all(func(int) string { return `{"step":1,"title":"B"}` })
	for _, a := range answers {
		if a != answers[0] || a.failed {
			t.Fatalf("got %+v and %+v", a, answers[0])
		}
	}
	if o := c.see("observe", `{}`).Observation; o.Step != 2 || !reflect.DeepEqual(o.Visited, []string{"A", "B"}) {
		t.Errorf("afterwards: %+v", o)
	}
}

// TestFiftyStartsAtOnceAreOneGame lets one of them begin a game, which takes a while, so that the others come in between.
func TestFiftyStartsAtOnceAreOneGame(t *testing.T) {
	w := gametest.G9()
	c := connect(t, hostIn(func(schemas.GameOptions) (game.World, error) {
		time.Sleep(5 * time.Millisecond)
		return w, nil
	}, w, nil))
	began := 0
	for _, a := range c.run("start_game", func(int) string { return `{"instance":"wr-easy-0001"}` }) {
		if !a.failed {
			began++
		} else if !strings.HasPrefix(a.text, family.CodeGameRunning) {
			t.Errorf("got %s", a.text)
		}
	}
	if began != 1 {
		t.Errorf("%d games began", began)
	}
}

func TestARestartedGameWasGivenUp(t *testing.T) {
	log := &kept{}
	h := host(gametest.G9(), nil)
	h.Log = log
	c := connect(t, h)
	c.see("start_game", `{"instance":"wr-easy-0001"}`)
	c.see("click_link", `{"step":1,"title":"B"}`)
	if text, failed := c.try("start_game", `{"instance":"nowhere","restart":true}`); !failed || len(log.games) > 0 {
		t.Errorf("%s; %d games ended; a game that cannot begin must end none", text, len(log.games))
	}
	c.see("start_game", `{"instance":"wr-easy-0002","restart":true}`)
	if len(log.games) != 1 || log.games[0].Outcome() != schemas.OutcomeGaveUp || log.games[0].Step() != 2 {
		t.Fatalf("%d games ended, want the first one given up after a turn", len(log.games))
	}
	c.see("give_up", `{"step":1}`)
	c.see("start_game", `{"instance":"wr-easy-0001"}`)
	if len(log.games) != 2 {
		t.Errorf("%d games ended, want 2", len(log.games))
	}
}

func TestAGameThatCannotBeLoggedIsNotOver(t *testing.T) {
	log := &kept{fails: errors.New("/secret/place: no space left")}
	h := host(gametest.G9(), nil)
	h.Log = log
	c := connect(t, h)
	c.see("start_game", `{"instance":"wr-easy-0001"}`)
	if text, failed := c.try("give_up", `{"step":1}`); !failed || text != "internal: the server failed; the same call may work later" {
		t.Errorf("a full disk is told as %s", text)
	}
	log.fails = nil
	if got := c.call("give_up", `{"step":1}`); got != `{"done":true,"outcome":"gave_up"}` || len(log.games) != 1 {
		t.Errorf("the same call later: %s, %d games in the log", got, len(log.games))
	}
}

// answer is a text, and whether it was an error.
type answer struct {
	text   string
	failed bool
}

// all calls click_link many times at once.
func (c client) all(arguments func(int) string) []answer { return c.run("click_link", arguments) }

func (c client) run(tool string, arguments func(int) string) []answer {
	c.t.Helper()
	answers := make([]answer, parallel)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i].text, answers[i].failed = c.try(tool, arguments(i)) })
	}
	wait.Wait()
	return answers
}
