package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// server is a running `serve`.
type server struct {
	t              *testing.T
	url            string
	stdout, stderr syncBuffer
	code           chan int
}

// syncBuffer is a buffer that is read while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// startServe runs serve on a free port until stop.
func startServe(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{t: t, code: make(chan int, 1)}
	args = append([]string{"serve", "--listen", "127.0.0.1:0", "--json"}, args...)
	go func() { s.code <- run(args, strings.NewReader(""), &s.stdout, &s.stderr) }()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(s.stdout.String(), "\n"); time.Sleep(5 * time.Millisecond) {
		select {
		case code := <-s.code:
			t.Fatalf("exit %d\n%s", code, s.stderr.String())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not start")
		}
	}
	var told struct{ URL, Release string }
	if err := json.Unmarshal([]byte(s.stdout.String()), &told); err != nil || !strings.HasPrefix(told.URL, "http://127.0.0.1:") {
		t.Fatalf("%v in %s", err, s.stdout.String())
	}
	s.url = told.URL
	return s
}

// stop sends this process the signal that a service manager sends.
func (s *server) stop() {
	s.t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	select {
	case code := <-s.code:
		if code != 0 {
			s.t.Errorf("exit %d, want 0\n%s", code, s.stderr.String())
		}
	case <-time.After(20 * time.Second):
		s.t.Fatal("the server does not end")
	}
}

func (s *server) post(path, body string, into any) int {
	s.t.Helper()
	res, err := http.Post(s.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		s.t.Fatalf("%v in %s", err, data)
	}
	return res.StatusCode
}

// win plays the instance of G9 from A to T on a shortest path, by titles or by replies.
func (s *server) win(client string, move func(title string, links []string) string) {
	s.t.Helper()
	var b struct {
		Game        string
		Observation struct{ Links []struct{ Title string } }
	}
	if code := s.post("/v1/games", fmt.Sprintf(`{"instance":"wr-tiny-0001","client_id":%q}`, client), &b); code != 201 {
		s.t.Fatalf("status %d", code)
	}
	for i, title := range []string{"B", "E", "G", "H", "T"} {
		var links []string
		for _, l := range b.Observation.Links {
			links = append(links, l.Title)
		}
		if code := s.post("/v1/games/"+b.Game+"/move", fmt.Sprintf(`{"step":%d,%s}`, i+1, move(title, links)), &b); code != 200 {
			s.t.Fatalf("step %d: status %d", i+1, code)
		}
	}
}

func byTitle(title string, _ []string) string { return fmt.Sprintf(`"title":%q`, title) }

func byReply(title string, links []string) string {
	for i, l := range links {
		if l == title {
			return fmt.Sprintf(`"reply":"<think>0</think>I choose \\boxed{%d}"`, i)
		}
	}
	return `"reply":""`
}

func TestServedGamesAreScored(t *testing.T) {
	rel, logs := newRelease(t, gametest.G9(), 1, 5), filepath.Join(t.TempDir(), "logs")
	s := startServe(t, "--release", rel, "--log", logs, "--accept-replies")
	s.win("alice", byTitle)
	s.win("bob", byReply)
	s.win("", byTitle)
	s.stop()
	if !strings.Contains(s.stderr.String(), "3 games begun, 3 ended, 0 left") {
		t.Errorf("got %s", s.stderr.String())
	}
	runs, err := os.ReadDir(logs)
	if err != nil || len(runs) != 3 {
		t.Fatalf("%v, %v; want three runs", runs, err)
	}
	for _, r := range runs {
		scores := scoresOf(t, eval("score", "--release", rel, "--trajectories", filepath.Join(logs, r.Name()), "--json").want(t, 0))
		sum := scores.Rows[0]
		if len(scores.Disagreements) > 0 || *sum.Metrics[judge.MetricSuccess].Num != 1 || sum.Missing != 0 || scores.Model.Kind != "http" {
			t.Errorf("%s: got %+v", r.Name(), scores)
		}
	}
}

func TestSIGTERMEndsTheServerOnceItsGamesAreOver(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	s := startServe(t, "--release", rel, "--drain", "300ms")
	var b struct{ Game string }
	s.post("/v1/games", `{"instance":"wr-tiny-0001"}`, &b)
	begin := time.Now()
	s.stop()
	if took := time.Since(begin); took < 300*time.Millisecond || !strings.Contains(s.stderr.String(), "1 left before their end") {
		t.Errorf("ended after %v: %s", took, s.stderr.String())
	}
}

func TestServeRefusesWhatItCannotServe(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	for _, args := range [][]string{
		{},
		{"--release", rel, "--compat", "x"},
		{"--release", rel, "--compat", "wikirace-llms", "--game-only"},
		{"--release", rel, "--option", "oracle=SPH"},
		{"--release", rel, "--option", "max_links=1"},
		{"--release", rel, "--attempts", "0"},
		{"--release", rel, "--max-games", "0"},
		{"--release", rel, "--read-timeout", "0s"},
		{"--release", rel, "--split", "none"},
	} {
		eval(append([]string{"serve"}, args...)...).want(t, 2)
	}
	eval("serve", "--release", rel, "--listen", "256.0.0.1:0").want(t, 1)
}

func TestFixedOptionsAreThoseOfTheServer(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	s := startServe(t, "--release", rel, "--drain", "0s", "--option", "max_steps=3", "--fixed-options")
	if code := s.post("/v1/games", `{"instance":"wr-tiny-0001","options":{"max_steps":4}}`, nil); code != 400 {
		t.Errorf("status %d, want 400", code)
	}
	var b struct{ Observation struct{ Steps_left int } }
	if s.post("/v1/games", `{"instance":"wr-tiny-0001"}`, &b); b.Observation.Steps_left != 3 {
		t.Errorf("got %+v", b)
	}
	s.stop()
}

// A Unix socket is taken over from a server that was killed, and no other file is removed for it.
func TestASocketTakesThePlaceOfASocketAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	first, err := listen("unix:" + path)
	must(t, err)
	first.(*net.UnixListener).SetUnlinkOnClose(false) // as one that was killed
	must(t, first.Close())
	second, err := listen("unix:" + path)
	must(t, err)
	defer second.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("%v, %v", info, err)
	}
	file := filepath.Join(t.TempDir(), "thesis.txt")
	must(t, os.WriteFile(file, []byte("years of work"), 0o644))
	if _, err := listen("unix:" + file); err == nil {
		t.Error("a file is listened at")
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "years of work" {
		t.Errorf("got %q, %v", data, err)
	}
}
