package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/eval/serve/servetest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
)

const releaseID = "0123456789abcdef"

// pages is a world whose pages are found by id, as those of a release are.
type pages struct{ *gametest.World }

func (p pages) Node(id uint32) (uint32, bool) { return id - 100, id >= 100 && int(id) < 100+p.Len() }

// clock is a time that a test sets forward.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// config serves w with these instances as the split "easy"; the redirect "Bee" leads to the page B.
func config(w *gametest.World, instances ...schemas.WikiraceInstance) serve.Config {
	resolve := func(title string) (uint32, bool) {
		if title == "Bee" {
			title = "B"
		}
		return w.Node(title)
	}
	split := linkstest.Split{Name: "easy"}
	for _, inst := range instances {
		split.Tasks = append(split.Tasks, racetest.TaskOf(inst))
	}
	return serve.Config{
		Host: hostOf(w, game.Defaults, resolve, split), Manifest: manifest(), Pages: pages{w}, Resolve: resolve, Limits: serve.DefaultLimits(),
	}
}

func hostOf(w *gametest.World, rules func() schemas.GameOptions, resolve func(string) (uint32, bool), s linkstest.Split) *session.Host {
	h := &session.Host{
		Family: linkstest.Family(rules), Set: linkstest.Set(linkstest.World(w), resolve, rules(), s), Options: links.Packed(rules()),
		Manner: family.Manner{Interface: schemas.InterfaceHTTP}, Replies: true, Strict: true, Now: time.Now,
	}
	if err := h.Offer(nil, nil); err != nil {
		panic(err)
	}
	return h
}

func manifest() *release.Manifest {
	return &release.Manifest{
		ID: releaseID, Recipe: json.RawMessage("{}"), Files: []release.FileEntry{{Path: "secret"}},
		Counts: map[string]int64{}, Params: map[string]json.RawMessage{},
		Splits: map[string]release.SplitEntry{"easy": {N: 1, Distances: []int{5}}},
	}
}

func expose(c serve.Config) serve.Config {
	c.Host.Exposed = true
	return c
}

// g9 is the worked example with its instance from A to T.
func g9() serve.Config {
	w := gametest.G9()
	a, _ := w.Node("A")
	t, _ := w.Node("T")
	return config(w, racetest.Instance(w, "wr-easy-0001", a, t))
}

// client asks one server.
type client struct {
	t    testing.TB
	url  string
	http *http.Client

	read sync.Once
	doc  *servetest.Document // of the server: every answer must be as it says
}

// serving runs the server until the test ends, which it must survive.
func serving(t testing.TB, c serve.Config) *client {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	if c.Failed == nil {
		c.Failed = func(err error) { t.Errorf("the server failed: %v", err) }
	}
	c.Limits.Drain = 0
	go func() { ended <- serve.New(c).Run(ctx, l) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 2000}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return &client{t: t, url: "http://" + l.Addr().String(), http: &http.Client{Transport: transport}}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// document asks the server for its description, once.
func (c *client) document() *servetest.Document {
	c.read.Do(func() {
		res, err := c.http.Get(c.url + "/openapi.json")
		if err != nil {
			c.t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err == nil {
			c.doc, err = servetest.Read(data)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	})
	return c.doc
}

func (c *client) send(method, path, body string, headers ...string) answer {
	c.t.Helper()
	req, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.document().Check(method, path, []byte(body), res.StatusCode, res.Header, data); err != nil {
		c.t.Errorf("openapi.json: %v", err)
	}
	return answer{res.StatusCode, res.Header, data}
}

// ask sends a request that must succeed, and decodes its answer.
func (c *client) ask(method, path, body string, into any) answer {
	c.t.Helper()
	a := c.send(method, path, body)
	if a.status/100 != 2 {
		c.t.Fatalf("%s %s %s: status %d, %s", method, path, body, a.status, a.body)
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		c.t.Fatalf("%s %s: %v in %s", method, path, err, a.body)
	}
	return a
}

type begun struct {
	Game          string           `json:"game"`
	OptionsSHA256 string           `json:"options_sha256"`
	Observation   game.Observation `json:"observation"`
}

type moved struct {
	Observation game.Observation `json:"observation"`
	Valid       bool             `json:"valid"`
	Reason      string           `json:"reason"`
	Done        bool             `json:"done"`
	Outcome     string           `json:"outcome"`
}

func (c *client) start(instance, options string) begun {
	c.t.Helper()
	var b begun
	c.ask("POST", "/v1/games", fmt.Sprintf(`{"instance":%q,"options":%s}`, instance, options), &b)
	return b
}

func (c *client) move(id, body string) moved {
	c.t.Helper()
	var m moved
	c.ask("POST", "/v1/games/"+id+"/move", body, &m)
	return m
}

// refused sends a request that must be refused in the one form of an error.
func (c *client) refused(status int, code, field, method, path, body string, headers ...string) answer {
	c.t.Helper()
	a := c.send(method, path, body, headers...)
	var e struct {
		Error struct{ Code, Message, Field string }
	}
	dec := json.NewDecoder(bytes.NewReader(a.body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || a.status != status || e.Error.Code != code || e.Error.Field != field || e.Error.Message == "" {
		c.t.Errorf("%s %s %.80s: status %d, %s; want %d, code %s, field %q", method, path, body, a.status, a.body, status, code, field)
	}
	if got := a.header.Get("X-Wikinav-Release"); got != releaseID {
		c.t.Errorf("%s %s names release %q", method, path, got)
	}
	return a
}
