package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/serve"
)

func newHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2000}}
}

// hasty gives limits that a test can wait for.
func hasty(c serve.Config) serve.Config {
	c.Limits.ReadHeader, c.Limits.Read, c.Limits.Write, c.Limits.Idle = 200*time.Millisecond, 400*time.Millisecond, 500*time.Millisecond, 300*time.Millisecond
	return c
}

func dial(t *testing.T, c *client) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// cut fails unless the server ends the connection within so long; what it sends before is dropped.
func cut(t *testing.T, conn net.Conn, within time.Duration) {
	t.Helper()
	begin := time.Now()
	if err := conn.SetReadDeadline(begin.Add(within)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
		t.Errorf("the connection is open after %v", time.Since(begin))
	}
}

func TestSlowClientsAreCutAndCostOthersNothing(t *testing.T) {
	c := serving(t, hasty(g9()))
	b := c.start("wr-easy-0001", `{}`)
	move := "POST /v1/games/" + b.Game + "/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n"
	before := c.send("GET", "/v1/games/"+b.Game, "")
	for _, slow := range []struct{ what, sent string }{
		{"nothing", ""},
		{"half a line", "GET /healthz HT"},
		{"half the headers", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: "},
		{"no body", move},
		{"half a body", move + `{"step":1,"cho`},
		{"no second request", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"},
	} {
		t.Run(slow.what, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, c)
			if _, err := io.WriteString(conn, slow.sent); err != nil {
				t.Fatal(err)
			}
			cut(t, conn, 3*time.Second)
			if after := c.send("GET", "/v1/games/"+b.Game, ""); string(after.body) != string(before.body) {
				t.Errorf("the game went from %s to %s", before.body, after.body)
			}
		})
	}
}

// A client that sends its turn and closes its side still gets the answer.
func TestAHalfClosedConnectionIsAnswered(t *testing.T) {
	c := serving(t, hasty(g9()))
	b := c.start("wr-easy-0001", `{}`)
	conn := dial(t, c)
	body := `{"step":1,"title":"B"}`
	fmt.Fprintf(conn, "POST /v1/games/%s/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", b.Game, len(body), body)
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("%v, %v", res, err)
	}
	if m := c.move(b.Game, body); m.Observation.Current.Title != "B" {
		t.Errorf("got %+v", m)
	}
}

// A client that does not read is cut by the write timeout, however much it was sent.
func TestASlowReaderIsCut(t *testing.T) {
	w := gametest.Random(1, 300, 5, 5)
	for u := range w.Titles {
		w.Titles[u] = fmt.Sprintf("%d %s", u, strings.Repeat("x", 100_000)) // 30 MB, more than the kernel keeps
	}
	conf := hasty(config(w))
	conf.Compat = true
	c := serving(t, conf)
	conn := dial(t, c)
	if _, err := io.WriteString(conn, "GET /get_all_articles HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, conn); n >= 30_000_000 || err != nil && strings.Contains(err.Error(), "timeout") {
		t.Errorf("%d bytes, %v; want the answer to be cut", n, err)
	}
}
