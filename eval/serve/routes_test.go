package serve_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

func TestEveryRouteAnswers(t *testing.T) {
	conf := expose(g9())
	conf.Compat = true
	c := serving(t, conf)
	b := c.start("wr-easy-0001", `{"back":"on"}`)
	if b.Observation.Step != 1 || b.Observation.Current.Title != "A" || b.OptionsSHA256 != digest.SHA256(canon.MustMarshal(backOn())) || b.Game != b.Observation.Game {
		t.Errorf("got %+v", b)
	}
	at := "/v1/games/" + b.Game
	if m := c.move(b.Game, `{"step":1,"title":"Bee"}`); !m.Valid || m.Observation.Current.Title != "B" {
		t.Errorf("got %+v", m)
	}
	var m moved
	if c.ask("POST", at+"/back", `{"step":2}`, &m); m.Observation.Current.Title != "A" {
		t.Errorf("got %+v", m)
	}
	if m := c.move(b.Game, `{"step":3,"reply":"\\boxed{9}"}`); m.Valid || m.Reason != game.ReasonOutOfRange {
		t.Errorf("got %+v", m)
	}
	if m := c.move(b.Game, `{"step":4,"choice":0}`); !m.Valid || m.Observation.Step != 5 {
		t.Errorf("got %+v", m)
	}
	for _, want := range []struct{ method, path, body, answer string }{
		{"GET", "/healthz", "", `{"status":"ok","release":"` + releaseID + `","games":1}`},
		{"POST", at + "/give-up", `{"step":5}`, `{"done":true,"outcome":"gave_up"}`},
		{"GET", "/healthz", "", `{"status":"ok","release":"` + releaseID + `","games":0}`},
		{"GET", "/v1/instances", "", `{"total":1,"items":[{"id":"wr-easy-0001","split":"easy","source":{"page_id":100,"title":"A"},"target":{"page_id":108,"title":"T"},"max_steps":30,"max_links":50}]}`},
		{"GET", "/v1/instances?split=easy&limit=5&offset=1", "", `{"total":1,"items":[]}`},
		{"GET", "/v1/instances?offset=7", "", `{"total":1,"items":[]}`},
		{"GET", "/v1/pages/101/links", "", `{"page_id":101,"title":"B","links":[{"page_id":102,"title":"C"},{"page_id":104,"title":"E"}]}`},
		{"GET", "/v1/oracle/distance?from=100&to=108", "", `{"from":{"page_id":100,"title":"A"},"to":{"page_id":108,"title":"T"},"distance":5}`},
		{"GET", "/health", "", `{"status":"healthy","article_count":9}`},
		{"GET", "/get_all_articles", "", `["A","B","C","D","E","F","G","H","T"]`},
		{"GET", "/get_article_with_links/Bee", "", `{"title":"B","links":["C","E"]}`},
	} {
		a := c.send(want.method, want.path, want.body)
		if got := strings.TrimSpace(string(a.body)); a.status != 200 || got != want.answer || a.header.Get("X-Wikinav-Release") != releaseID {
			t.Errorf("%s %s: %d, %s; want %s", want.method, want.path, a.status, got, want.answer)
		}
	}
	var state struct {
		Game, Outcome string
		Turns         int
		Observation   game.Observation
	}
	if c.ask("GET", at, "", &state); state.Game != b.Game || state.Turns != 4 || state.Outcome != "gave_up" || !state.Observation.Done {
		t.Errorf("got %+v", state)
	}
	var trace struct{ Steps []schemas.Step }
	if c.ask("GET", at+"/trace", "", &trace); len(trace.Steps) != 4 || trace.Steps[0].DBefore != 5 || trace.Steps[2].Reply != `\boxed{9}` {
		t.Errorf("got %+v", trace)
	}
	var m2 map[string]any
	if c.ask("GET", "/v1/manifest", "", &m2); m2["id"] != releaseID || m2["files"] != nil {
		t.Errorf("got %v", m2)
	}
	if a := c.send("HEAD", "/healthz", ""); a.status != 200 || len(a.body) > 0 {
		t.Errorf("HEAD: %d, %s", a.status, a.body)
	}
	if a := c.send("GET", "/get_article_with_links/nothing", ""); a.status != 404 || strings.TrimSpace(string(a.body)) != `{"detail":"Article not found"}` {
		t.Errorf("got %d, %s", a.status, a.body)
	}
}

func backOn() schemas.GameOptions {
	opts := game.Defaults()
	opts.Back = game.BackOn
	return opts
}

func TestEveryErrorHasItsCodeAndLeavesTheGameAsItWas(t *testing.T) {
	conf := g9()
	conf.GameOnly = true
	c := serving(t, conf)
	b := c.start("wr-easy-0001", `{}`)
	c.move(b.Game, `{"step":1,"title":"B"}`)
	at := "/v1/games/" + b.Game
	before := c.send("GET", at, "")
	for _, e := range []struct {
		status                          int
		code, field, method, path, body string
	}{
		{400, "bad_json", "", "POST", at + "/move", `{"step":2,`},
		{400, "bad_json", "", "POST", at + "/move", `{"step":2,"choice":0} x`},
		{400, "bad_json", "", "POST", at + "/move", `{"step":2,"step":2,"choice":0}`},
		{400, "bad_json", "", "POST", at + "/move", `{"step":2,"choice":1.5}`},
		{400, "bad_json", "", "POST", at + "/move", `{"step":2,"choice":9007199254740993}`},
		{400, "bad_json", "", "POST", at + "/move", `{"step":2,"choice":1e400}`},
		{400, "bad_json", "", "POST", at + "/move", "{\"step\":2,\"title\":\"\xff\"}"},
		{400, "bad_json", "", "POST", at + "/move", strings.Repeat("[", 100)},
		{400, "bad_json", "", "POST", at + "/move", `[]`},
		{400, "bad_field", "choice", "POST", at + "/move", `null`},
		{400, "unknown_field", "Step", "POST", at + "/move", `{"Step":2,"choice":0}`},
		{400, "unknown_field", "stepp", "POST", at + "/move", `{"stepp":2}`},
		{400, "unknown_field", "choice", "POST", at + "/give-up", `{"step":2,"choice":0}`},
		{400, "bad_field", "step", "POST", at + "/move", `{"step":"2","choice":0}`},
		{400, "bad_field", "step", "POST", at + "/move", `{"choice":0}`},
		{400, "bad_field", "step", "POST", at + "/move", `{"step":null,"choice":0}`},
		{400, "bad_field", "step", "POST", at + "/move", `{"step":0,"choice":0}`},
		{400, "bad_field", "step", "POST", at + "/back", `{}`},
		{400, "bad_field", "step", "POST", at + "/give-up", `{}`},
		{400, "bad_field", "choice", "POST", at + "/move", `{"step":2}`},
		{400, "bad_field", "choice", "POST", at + "/move", `{"step":2,"choice":0,"title":"C"}`},
		{400, "bad_choice", "choice", "POST", at + "/move", `{"step":2,"choice":2}`},
		{400, "bad_choice", "choice", "POST", at + "/move", `{"step":2,"choice":-1}`},
		{400, "bad_choice", "title", "POST", at + "/move", `{"step":2,"title":"T"}`},
		{400, "bad_field", "instance", "POST", "/v1/games", `{}`},
		{400, "bad_field", "client_id", "POST", "/v1/games", `{"instance":"wr-easy-0001","client_id":"../x"}`},
		{400, "bad_field", "client_id", "POST", "/v1/games", `{"instance":"wr-easy-0001","client_id":null}`},
		{400, "bad_option", "options", "POST", "/v1/games", `{"instance":"wr-easy-0001","options":{"max_links":1}}`},
		{400, "bad_option", "options", "POST", "/v1/games", `{"instance":"wr-easy-0001","options":{"x":1}}`},
		{400, "bad_option", "options.oracle", "POST", "/v1/games", `{"instance":"wr-easy-0001","options":{"oracle":"SPH"}}`},
		{400, "bad_field", "split", "GET", "/v1/instances?split=none", ""},
		{400, "bad_field", "limit", "GET", "/v1/instances?limit=1001", ""},
		{400, "bad_field", "limit", "GET", "/v1/instances?limit=1&limit=2", ""},
		{400, "bad_field", "offset", "GET", "/v1/instances?offset=-1", ""},
		{400, "bad_field", "query", "GET", "/v1/instances?a=%zz", ""},
		{400, "unknown_field", "page", "GET", "/v1/instances?page=1", ""},
		{404, "instance_not_found", "instance", "POST", "/v1/games", `{"instance":"wr-easy-0002"}`},
		{404, "game_not_found", "id", "GET", "/v1/games/g-17", ""},
		{404, "game_not_found", "id", "GET", "/v1/games/g-17/trace", ""},
		{404, "game_not_found", "id", "POST", "/v1/games/g-17/move", `{"step":1,"choice":0}`},
		{404, "game_not_found", "id", "POST", "/v1/games/g-17/give-up", `{"step":1}`},
		{404, "not_found", "", "GET", "/v1/pages/100/links", ""},
		{404, "not_found", "", "GET", "/v1/oracle/distance?from=100&to=101", ""},
		{404, "not_found", "", "GET", "/get_all_articles", ""},
		{404, "not_found", "", "GET", "/", ""},
		{404, "not_found", "", "GET", "/v1//games", ""},
		{404, "not_found", "", "GET", "/v1/../healthz", ""},
		{404, "not_found", "", "GET", "/debug/pprof/", ""},
		{405, "method", "", "GET", "/v1/games", ""},
		{405, "method", "", "DELETE", at, ""},
		{405, "method", "", "PUT", at + "/move", `{"step":2,"choice":0}`},
		{413, "too_large", "", "POST", "/v1/games", `{"instance":"` + strings.Repeat("x", 4<<10) + `"}`},
		{413, "too_large", "", "POST", at + "/move", `{"step":2,"title":"` + strings.Repeat("x", 4<<10) + `"}`},
		{413, "too_large", "", "POST", at + "/move", `{"step":2,"reply":"` + strings.Repeat("x", 1<<20) + `"}`},
		{409, "step_played", "step", "POST", at + "/move", `{"step":1,"title":"C"}`},
		{409, "step_played", "step", "POST", at + "/give-up", `{"step":1}`},
		{409, "step_ahead", "step", "POST", at + "/move", `{"step":3,"choice":0}`},
		{409, "step_ahead", "step", "POST", at + "/give-up", `{"step":3}`},
		{409, "back_disabled", "", "POST", at + "/back", `{"step":2}`},
		{409, "game_running", "", "GET", at + "/trace", ""},
	} {
		c.refused(e.status, e.code, e.field, e.method, e.path, e.body)
	}
	c.refused(415, "media_type", "", "POST", at+"/move", `{"step":2,"choice":0}`, "Content-Type", "text/plain")
	c.refused(415, "media_type", "", "POST", at+"/move", `{"step":2,"choice":0}`, "Content-Encoding", "gzip")
	c.refused(431, "headers_too_large", "", "GET", at, "", "X-Long", strings.Repeat("x", 16<<10))
	if a := c.refused(405, "method", "", "GET", at+"/move", ""); a.header.Get("Allow") != "POST" {
		t.Errorf("Allow: %q", a.header.Get("Allow"))
	}
	if after := c.send("GET", at, ""); !reflect.DeepEqual(before.body, after.body) {
		t.Errorf("the game went from %s to %s", before.body, after.body)
	}
	var ended session.Ended
	c.ask("POST", at+"/give-up", `{"step":2}`, &ended)
	c.refused(409, "game_over", "step", "POST", at+"/move", `{"step":2,"choice":0}`)
	c.refused(409, "game_over", "step", "POST", at+"/give-up", `{"step":3}`)
}

func TestPagesThatAreNotThere(t *testing.T) {
	c := serving(t, expose(g9()))
	c.refused(404, "page_not_found", "page_id", "GET", "/v1/pages/99/links", "")
	c.refused(400, "bad_field", "page_id", "GET", "/v1/pages/A/links", "")
	c.refused(404, "page_not_found", "to", "GET", "/v1/oracle/distance?from=100&to=999", "")
	c.refused(400, "bad_field", "from", "GET", "/v1/oracle/distance?to=100", "")
}

func TestRepliesAreRefusedUnlessAccepted(t *testing.T) {
	conf := g9()
	conf.Host.Replies = false
	c := serving(t, conf)
	b := c.start("wr-easy-0001", `{}`)
	c.refused(400, "bad_field", "reply", "POST", "/v1/games/"+b.Game+"/move", `{"step":1,"reply":"0"}`)
	c.refused(413, "too_large", "", "POST", "/v1/games/"+b.Game+"/move", `{"step":1,"reply":"`+strings.Repeat("x", 4<<10)+`"}`)
}

// A large reply is a turn, and not an error of the client.
func TestALargeReplyIsRead(t *testing.T) {
	c := serving(t, g9())
	b := c.start("wr-easy-0001", `{}`)
	if m := c.move(b.Game, `{"step":1,"reply":"`+strings.Repeat("x", 1<<19)+` \\boxed{1}"}`); !m.Valid {
		t.Errorf("got %+v", m)
	}
}

type brokenLog struct{}

func (brokenLog) Keep(session.Finished) error {
	return errors.New("/var/secret: disk full")
}

func TestAFailureOfOursTellsNothingAndMayBeTriedAgain(t *testing.T) {
	conf := g9()
	conf.Host.Log = brokenLog{}
	var told []string
	conf.Failed = func(err error) { told = append(told, err.Error()) }
	c := serving(t, conf)
	b := c.start("wr-easy-0001", `{"max_steps":1}`)
	for range 2 {
		a := c.refused(500, "internal", "", "POST", "/v1/games/"+b.Game+"/move", `{"step":1,"choice":0}`)
		if strings.Contains(string(a.body), "secret") {
			t.Errorf("the answer tells %s", a.body)
		}
	}
	if len(told) != 2 || !strings.Contains(told[0], "secret") {
		t.Errorf("told %q", told)
	}
}

type panicking struct{ family.Chart }

func (panicking) Successors(uint32) []uint32 { panic("secret") }

func TestAPanicIsAFailureOfOurs(t *testing.T) {
	conf := g9()
	conf.Pages = panicking{conf.Pages}
	conf.Failed = func(error) {}
	c := serving(t, conf)
	if a := c.refused(500, "internal", "", "GET", "/v1/pages/100/links", ""); strings.Contains(string(a.body), "secret") {
		t.Errorf("the answer tells %s", a.body)
	}
}

// The table of games is bounded: games that ended make room for new ones after a while, games that run only once they are forgotten.
func TestTheTableOfGamesIsBounded(t *testing.T) {
	now := &clock{now: time.Unix(1_700_000_000, 0)}
	conf := g9()
	conf.Host.Now = now.Now
	conf.Limits.Sessions, conf.Limits.TTL = 2, 30*time.Minute
	c := serving(t, conf)
	one := `{"instance":"wr-easy-0001"}`
	full := func() {
		t.Helper()
		if a := c.refused(429, "too_many_games", "", "POST", "/v1/games", one); a.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	first, second := c.start("wr-easy-0001", `{}`), c.start("wr-easy-0001", `{}`)
	full()
	var ended session.Ended
	c.ask("POST", "/v1/games/"+first.Game+"/give-up", `{"step":1}`, &ended)
	full() // its client may ask again
	now.advance(2 * time.Minute)
	c.start("wr-easy-0001", `{}`)
	c.refused(404, "game_not_found", "id", "GET", "/v1/games/"+first.Game, "")
	c.move(second.Game, `{"step":1,"title":"B"}`)
	full()
}

func TestAGameThatNobodyAsksForIsForgotten(t *testing.T) {
	conf := g9()
	conf.Limits.TTL = 200 * time.Millisecond
	c := serving(t, conf)
	b := c.start("wr-easy-0001", `{}`)
	for range 10 { // who asks, keeps it
		time.Sleep(50 * time.Millisecond)
		c.ask("GET", "/v1/games/"+b.Game, "", new(any))
	}
	time.Sleep(time.Second)
	c.refused(404, "game_not_found", "id", "GET", "/v1/games/"+b.Game, "")
}

func TestTitlesOfTheCompatRoutesMayHoldAnything(t *testing.T) {
	w := gametest.Parse("AC/DC->T T->AC/DC")
	conf := config(w)
	conf.Compat = true
	c := serving(t, conf)
	a := c.send("GET", "/get_article_with_links/AC%2FDC", "")
	if got := strings.TrimSpace(string(a.body)); got != `{"title":"AC/DC","links":["T"]}` || a.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("got %s", got)
	}
}
