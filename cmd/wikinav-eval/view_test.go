package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/retell"
	"github.com/wikinav/wikinav/eval/view"
)

// looked is a page that is served, of a release and a folder of runs.
type looked struct {
	t   *testing.T
	at  *httptest.Server
	log string
	of  *view.Runs
}

func lookAt(t *testing.T, rel string, runs ...string) *looked {
	t.Helper()
	cmd := newView()
	cmd.SetErr(io.Discard)
	f := &viewFlags{Release: rel, Runs: runs, Log: filepath.Join(t.TempDir(), "log")}
	r, err := open.Open(rel)
	must(t, err)
	s, logs, err := f.server(cmd, r)
	must(t, err)
	at := httptest.NewServer(s)
	t.Cleanup(func() {
		at.Close()
		must(t, logs.close())
		must(t, r.Close())
	})
	return &looked{t, at, f.Log, s.Runs}
}

// ask returns the status and the body of an answer; headers are names and values.
func (l *looked) ask(method, path, body string, headers ...string) (int, string) {
	l.t.Helper()
	req, err := http.NewRequest(method, l.at.URL+path, strings.NewReader(body))
	must(l.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	must(l.t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	must(l.t, err)
	if csp := resp.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp,
		"default-src 'none'; script-src 'self';") {
		l.t.Errorf("%s has the policy %q", path, csp)
	}
	return resp.StatusCode, string(data)
}

func (l *looked) get(path string, into any) {
	l.t.Helper()
	status, body := l.ask("GET", path, "")
	if status != 200 {
		l.t.Fatalf("%s: %d %s", path, status, body)
	}
	must(l.t, json.Unmarshal([]byte(body), into))
}

func (l *looked) post(path, body string, into any) {
	l.t.Helper()
	status, text := l.ask("POST", path, body)
	if status != 200 && status != 201 {
		l.t.Fatalf("%s %s: %d %s", path, body, status, text)
	}
	must(l.t, json.Unmarshal([]byte(text), into))
}

// TestOnlyItsOwnPageAsksAView sends what browsers send for pages of others: a name that leads here,
// an origin, a site.
func TestOnlyItsOwnPageAsksAView(t *testing.T) {
	l := lookAt(t, newRelease(t, gametest.G9(), 1, 5))
	host := strings.TrimPrefix(l.at.URL, "http://")
	_, port, _ := strings.Cut(host, ":")
	for _, c := range []struct {
		method, path string
		status       int
		headers      []string
	}{
		{"GET", "/", 200, nil},
		{"GET", "/", 200, []string{"Host", "localhost:" + port}},
		{"GET", "/", 200, []string{"Host", "[::1]:" + port}},
		{"GET", "/", 200, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}},
		{"GET", "/api/release", 200, []string{"Sec-Fetch-Site", "same-origin", "Origin", l.at.URL}},
		{"GET", "/", 421, []string{"Host", "evil.example"}},
		{"GET", "/", 421, []string{"Host", "localhost.evil.example:" + port}},
		{"GET", "/", 421, []string{"Host", "192.0.2.1"}},
		{"GET", "/api/release", 421, []string{"Sec-Fetch-Site", "cross-site"}},
		{"GET", "/api/release", 421, []string{
			"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode",
			"navigate",
		}},
		{"GET", "/api/release", 421, []string{"Origin", "http://evil.example"}},
		{"GET", "/api/release", 421, []string{"Origin", "null"}},
		{"POST", "/play/wikirace/v1/games", 421, []string{"Origin", "http://localhost:1"}},
		{"POST", "/play/wikirace/v1/games", 421, []string{"Sec-Fetch-Site", "same-site"}},
		{"GET", "/api/nothing", 404, nil},
		{"GET", "/api/run?n=0", 404, nil},
		{"GET", "/api/run?n=x", 400, nil},
		{"GET", "/api/list?family=none&split=x", 404, nil},
		{"POST", "/api/list", 405, nil},
	} {
		body := ""
		if c.method == "POST" {
			body = `{"instance":"wr-tiny-0001"}`
		}
		if status, text := l.ask(c.method, c.path, body, c.headers...); status != c.status {
			t.Errorf("%s %s with %q: %d %s, want %d", c.method, c.path, c.headers, status, text, c.status)
		}
	}
	if _, err := os.Stat(l.log); err == nil {
		t.Error("a stranger has begun a log")
	}
}

// TestNothingIsToldOfWhatIsPlayed asks in a game for all that the page knows of its instance.
func TestNothingIsToldOfWhatIsPlayed(t *testing.T) {
	rel, run := newRelease(t, gametest.G9(), 1, 5), filepath.Join(t.TempDir(), "run")
	eval("play", "--release", rel, "--player", "shortest", "--out", run).want(t, 0)
	l := lookAt(t, rel, run)
	paths := []string{
		"/api/instance?task=wr-tiny-0001", "/api/list?family=wikirace&split=tiny", "/api/run?n=0",
		"/api/game?n=0&item=wr-tiny-0001-a1", "/api/played?task=wr-tiny-0001",
		"/api/task?task=wr-tiny-0001",
	}
	secret := []string{
		`"name":"distance"`, `"length":5`, `"n_shortest_paths":"`, `"drawing":{`,
		`"before":`, `"optimal":5`, `"key"`, `"H"`,
	}
	tells := func() (told []string) {
		for _, path := range paths {
			_, body := l.ask("GET", path, "")
			for _, word := range secret {
				if strings.Contains(body, word) {
					told = append(told, path+" "+word)
				}
			}
		}
		return told
	}
	if told := tells(); len(told) < 8 {
		t.Fatalf("before the game only %q is told", told)
	}
	var begun struct{ Game string }
	l.post("/play/wikirace/v1/games", `{"instance":"wr-tiny-0001","client_id":"me"}`, &begun)
	if told := tells(); len(told) > 0 {
		t.Errorf("in the game is told: %q", told)
	}
	if status, body := l.ask("GET", "/api/game?n=0&item=wr-tiny-0001-a1", ""); status != 409 ||
		!strings.Contains(body, "being played") {
		t.Errorf("the game of another: %d %s", status, body)
	}
	l.post("/play/wikirace/v1/games/"+begun.Game+"/give-up", `{"step":1}`, &struct{}{})
	if told := tells(); len(told) < 8 {
		t.Errorf("after the game only %q is told", told)
	}
}

// TestAGameOfAViewIsLoggedAndScored plays A to T by the page's requests and looks at it afterwards.
func TestAGameOfAViewIsLoggedAndScored(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	l := lookAt(t, rel)
	var begun struct{ Game string }
	l.post("/play/wikirace/v1/games", `{"instance":"wr-tiny-0001","client_id":"me"}`, &begun)
	for i, to := range []string{"B", "E", "G", "H", "T"} {
		l.post("/play/wikirace/v1/games/"+begun.Game+"/move",
			fmt.Sprintf(`{"step":%d,"title":%q}`, i+1, to), &struct{}{})
	}
	var g struct {
		N       int
		Item    string
		Dir     string
		Success bool
		Steps   int
	}
	l.get("/api/played?task=wr-tiny-0001&game="+begun.Game, &g)
	if !g.Success || g.Steps != 5 || g.Item != begun.Game {
		t.Errorf("played was %+v", g)
	}
	s := scoresOf(t, eval("score", "--release", rel, "--trajectories", g.Dir, "--json").want(t, 0))
	if len(s.Disagreements) != 0 || s.Model.Name != "me" || s.Rows[0].Outcomes["success"] != 1 {
		t.Errorf("scored is %+v", s)
	}
	var told struct {
		Game struct {
			Turns []struct{ Place, Done string }
			Lost  int
		}
		Best struct{ Turns []struct{ Done string } }
	}
	l.get(fmt.Sprintf("/api/game?n=%d&item=%s", g.N, url.QueryEscape(g.Item)), &told)
	if n := len(told.Game.Turns); n != 5 || told.Game.Turns[1].Place != "B" ||
		told.Game.Turns[4].Done != "T" || told.Game.Lost != 0 ||
		len(told.Best.Turns) != 5 {
		t.Errorf("told is %+v", told)
	}
}

// TestAGameThatEndsWhileItsRunIsReadIsSeenTheNextTime lets a run grow right after it was read.
func TestAGameThatEndsWhileItsRunIsReadIsSeenTheNextTime(t *testing.T) {
	rel, run := newRelease(t, gametest.Random(3, 60, 3, 2), 6, 2, 3), filepath.Join(t.TempDir(), "run")
	eval("play", "--release", rel, "--player", "random", "--out", run).want(t, 0)
	games := read(t, run, "games.jsonl")
	first, _, _ := strings.Cut(games, "\n")
	put(t, filepath.Join(run, "games.jsonl"), first+"\n")
	l := lookAt(t, rel, run)
	whole := l.of.Read
	l.of.Read = func(dir string) (*retell.Run, error) {
		r, err := whole(dir)
		put(t, filepath.Join(run, "games.jsonl"), games)
		return r, err
	}
	for look, want := range []int{1, 12} {
		var shown struct{ Games []struct{ Item string } }
		if l.get("/api/run?n=0", &shown); len(shown.Games) != want {
			t.Errorf("look %d shows %d games, want %d", look, len(shown.Games), want)
		}
	}
}

// TestRunsOfEqualRulesShareWhatIsReadOfTheRelease takes the splits away once a run was shown.
func TestRunsOfEqualRulesShareWhatIsReadOfTheRelease(t *testing.T) {
	rel, runs := newRelease(t, gametest.G9(), 1, 5), t.TempDir()
	for _, player := range []string{"random", "shortest"} {
		eval("play", "--release", rel, "--player", player, "--out", filepath.Join(runs, player)).want(t, 0)
	}
	l := lookAt(t, rel, runs)
	for n := range 2 {
		if status, body := l.ask("GET", fmt.Sprint("/api/run?n=", n), ""); status != 200 {
			t.Errorf("run %d: %d %s", n, status, body)
		}
		must(t, os.RemoveAll(filepath.Join(rel, "splits")))
	}
}

func TestAListIsSearchedSortedAndPaged(t *testing.T) {
	l := lookAt(t, newRelease(t, gametest.Random(3, 60, 3, 2), 6, 2, 3))
	list := func(query string) (total int, tasks []string, lengths []int) {
		var r struct {
			Total int
			Rows  []struct {
				Task   string
				Length int
			}
		}
		l.get("/api/list?family=wikirace&split=tiny&"+query, &r)
		for _, x := range r.Rows {
			tasks, lengths = append(tasks, x.Task), append(lengths, x.Length)
		}
		return r.Total, tasks, lengths
	}
	total, all, _ := list("")
	if total != 12 || len(all) != 12 {
		t.Fatalf("%d of %d instances", len(all), total)
	}
	if n, some, _ := list("limit=5&offset=10"); n != 12 || fmt.Sprint(some) != fmt.Sprint(all[10:]) {
		t.Errorf("the last page is %v of %d", some, n)
	}
	if n, some, _ := list("q=TINY-0003+tiny"); n != 1 || some[0] != "wr-tiny-0003" {
		t.Errorf("found were %v", some)
	}
	for _, by := range []string{"length", "out_degree"} {
		_, up, lengths := list("sort=" + by)
		_, down, _ := list("desc=1&sort=" + by)
		if by == "length" && (lengths[0] != 2 || lengths[11] != 3) || fmt.Sprint(up) == fmt.Sprint(down) {
			t.Errorf("by %s: %v, %v, down %v", by, up, lengths, down)
		}
	}
}
