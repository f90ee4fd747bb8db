package mcp

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// site is a running Web.
type site struct {
	t    *testing.T
	url  string
	web  *Web
	stop func()
}

// serving runs a Web until the test ends, which it must survive, streams that are open included.
func serving(t *testing.T, h *session.Host, limits Limits) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	web, ended := NewWeb(Config{Host: h, Version: "test"}, limits), make(chan error, 1)
	go func() { ended <- web.Run(ctx, l) }()
	stop := sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Error("the server does not end")
		}
	})
	t.Cleanup(stop)
	return &site{t, "http://" + l.Addr().String(), web, stop}
}

// join begins a session with the SDK's own client, which holds a stream open.
func (s *site) join(at string) client {
	s.t.Helper()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(s.t.Context(),
		&sdk.StreamableClientTransport{Endpoint: s.url + at}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	return client{c, s.t, &sync.Map{}}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

// post sends what a client would that knows of no SDK.
func (s *site) post(at, body string, headers ...string) (int, string, http.Header) {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.url+at, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		if req.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			req.Host = headers[i+1]
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(data), res.Header
}

// settled waits until so many sessions are open.
func (s *site) settled(want int) {
	s.t.Helper()
	running := -1
	for range 200 {
		if _, running = s.web.Counts(); running == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("%d sessions are open, want %d", running, want)
}

func TestEachSessionHasATableOfItsOwn(t *testing.T) {
	log := &keeping{}
	s := serving(t, host(gametest.G9(), func(_ *schemas.GameOptions, h *session.Host) { h.Log = log }), DefaultLimits())
	first, second := s.join("/mcp"), s.join("/mcp")
	first.call("start_game", `{"instance":"wr-easy-0001"}`)
	if text, failed := second.try("observe", `{}`); !failed {
		t.Errorf("the second session sees the game of the first: %s", text)
	}
	second.call("start_game", `{"instance":"wr-easy-0001","options":{"back":"on"}}`)
	if strings.Contains(strings.Join(toolNames(t, first), " "), "go_back") {
		t.Error("the first session has a tool of the second one's rules")
	}
	first.with("click_link", `{"step":1,"title":"B"}`, `{"wikinav/usage":{"prompt":3,"output":2}}`)
	if o := second.see("observe", `{}`).Observation; o.Step != 1 {
		t.Errorf("the second game is at step %d", o.Step)
	}
	first.call("give_up", `{"step":2}`)
	second.call("give_up", `{"step":1}`)
	if len(log.records) != 2 {
		t.Fatalf("%d games were kept", len(log.records))
	}
	if u := log.records[0].Side[0].(schemas.Step).Usage; u == nil || u.Prompt != 3 || u.Output != 2 {
		t.Errorf("the turn has usage %+v", u)
	}
	s.settled(2)
	s.stop() // with two streams open
	s.settled(0)
}

func TestAnAddressNamesAnInstance(t *testing.T) {
	s := serving(t, host(gametest.G9(), nil), DefaultLimits())
	c := s.join("/mcp/wr-easy-0002")
	if o := c.see("start_game", `{}`).Observation; o.Instance != "wr-easy-0002" {
		t.Errorf("started %q", o.Instance)
	}
	if text, failed := c.try("start_game", `{"instance":"wr-easy-0001","restart":true}`); !failed || !strings.HasPrefix(text, "instance_not_found: ") {
		t.Errorf("another instance: %s", text)
	}
	if got := c.call("list_instances", `{}`); !strings.HasPrefix(got, `{"total":1,`) {
		t.Errorf("listed: %s", got)
	}
	if status, text, _ := s.post("/mcp", `{}`, "Mcp-Session-Id", c.ID()); status != http.StatusNotFound {
		t.Errorf("its session at another address: %d, %s", status, text)
	}
	if o := s.join("/mcp").see("start_game", `{"instance":"wr-easy-0001"}`).Observation; o.Instance != "wr-easy-0001" {
		t.Errorf("beside it %q is started", o.Instance)
	}
}

func TestAnAddressNamesAPlayer(t *testing.T) {
	log := &keeping{}
	s := serving(t, host(gametest.G9(), func(_ *schemas.GameOptions, h *session.Host) { h.Log = log }), DefaultLimits())
	for _, at := range []string{"/mcp/wr-easy-0001?model=gpt", "/mcp"} {
		c := s.join(at)
		c.call("start_game", `{"instance":"wr-easy-0001"}`)
		c.call("give_up", `{"step":1}`)
	}
	if got := strings.Join(log.clients, ", "); got != "gpt, "+session.Anonymous {
		t.Errorf("the games are those of %s", got)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	s := serving(t, host(gametest.G9(), nil), Limits{Sessions: 2, TTL: time.Minute})
	s.join("/mcp")
	last := s.join("/mcp/wr-easy-0001")
	status, text, header := s.post("/mcp", hello)
	if status != http.StatusTooManyRequests || header.Get("Retry-After") == "" || !strings.Contains(text, "2 sessions at a time") {
		t.Errorf("a third session: %d, %s", status, text)
	}
	if err := last.Close(); err != nil {
		t.Fatal(err)
	}
	s.settled(1)
	if status, text, _ := s.post("/mcp", hello); status != http.StatusOK {
		t.Errorf("after one has ended: %d, %s", status, text)
	}
}

func TestASessionThatNobodyCallsEnds(t *testing.T) {
	s := serving(t, host(gametest.G9(), nil), Limits{Sessions: 1, TTL: 300 * time.Millisecond})
	_, _, header := s.post("/mcp", hello)
	id := header.Get("Mcp-Session-Id")
	for range 6 { // who calls, keeps it
		time.Sleep(100 * time.Millisecond)
		if status, text, _ := s.post("/mcp", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Mcp-Session-Id", id); status != http.StatusOK {
			t.Fatalf("a session in use: %d, %s", status, text)
		}
	}
	s.settled(0)
	if status, text, _ := s.post("/mcp", `{"jsonrpc":"2.0","id":3,"method":"ping"}`, "Mcp-Session-Id", id); status != http.StatusNotFound ||
		!strings.Contains(text, "begin one with initialize") {
		t.Errorf("a session that ended: %d, %s", status, text)
	}
	s.join("/mcp")
}

// TestStrangersAreRefused wants no session of what is refused.
func TestStrangersAreRefused(t *testing.T) {
	s := serving(t, host(gametest.G9(), nil), DefaultLimits())
	for _, e := range []struct {
		status   int
		words    string
		at, body string
		headers  []string
	}{
		{421, "loopback names", "/mcp", hello, []string{"Host", "evil.example"}},
		{403, "other origins", "/mcp", hello, []string{"Origin", "http://evil.example"}},
		{403, "other origins", "/mcp", hello, []string{"Sec-Fetch-Site", "cross-site"}},
		{431, "headers", "/mcp", hello, []string{"X-Long", strings.Repeat("x", 17<<10)}},
		{413, "longer than", "/mcp", `"` + strings.Repeat("x", 4<<20) + `"`, nil},
		{404, "/mcp", "/", hello, nil},
		{404, "/mcp", "/mcpx", hello, nil},
		{404, "/mcp", "/mcp/none", hello, nil},
		{404, "/mcp", "/mcp/", hello, nil},
		{400, "?model=NAME", "/mcp?model=a/b", hello, nil},
		{400, "?model=NAME", "/mcp?model=a&model=b", hello, nil},
		{400, "?model=NAME", "/mcp/wr-easy-0001?client=a", hello, nil},
		{400, "query", "/mcp?model=%zz", hello, nil},
		{404, "no such session", "/mcp", hello, []string{"Mcp-Session-Id", "guessed"}},
		{400, "", "/mcp", `{`, nil},
		{400, "", "/mcp", `[]`, nil},
		{400, "", "/mcp", hello, []string{"Accept", "text/html"}},
		{415, "", "/mcp", hello, []string{"Content-Type", "text/plain"}},
		{200, "", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil}, // an error of the protocol, before initialize
	} {
		if status, text, _ := s.post(e.at, e.body, e.headers...); status != e.status || !strings.Contains(text, e.words) {
			t.Errorf("%s %.60s %.60q: %d, %.200s, want %d with %q", e.at, e.body, e.headers, status, text, e.status, e.words)
		}
	}
	s.settled(0)
	for _, name := range []string{"localhost", "127.0.0.1:80", "[::1]:9"} {
		if status, text, _ := s.post("/mcp", hello, "Host", name); status != http.StatusOK {
			t.Errorf("Host %s: %d, %s", name, status, text)
		}
	}
}

// TestManySessionsPlayAtOnce starts games in all of them side by side.
func TestManySessionsPlayAtOnce(t *testing.T) {
	s := serving(t, host(gametest.G9(), nil), DefaultLimits())
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			c := s.join("/mcp/wr-easy-0001")
			c.call("start_game", `{}`)
			for step, title := range []string{"B", "E", "G", "H", "T"} {
				o := c.see("click_link", strings.NewReplacer("N", string(rune('1'+step)), "P", title).Replace(`{"step":N,"title":"P"}`))
				if o.Done != (title == "T") {
					t.Errorf("after %s: %+v", title, o)
				}
			}
		})
	}
	wg.Wait()
	s.settled(30)
}
