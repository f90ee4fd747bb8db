package fetch_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/dumps/fetch"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	wiki, date = "testwiki", "20260101"
	dumpName   = wiki + "-" + date + "-pages-articles-multistream.xml.bz2"
	tree       = "/" + wiki + "/" + date + "/"
)

// script answers one request for a file in a way of its own; whole gives the ordinary answer.
type script func(s *site, w http.ResponseWriter, r *http.Request, content []byte)

// site is a dump site that plays scripts, one for each request of a file, and then behaves.
type site struct {
	*httptest.Server
	clock   *clock
	mu      sync.Mutex
	files   map[string][]byte // by path
	scripts map[string][]script
	asked   []string // method, path and Range of each request
	agents  []string
}

func newSite(t *testing.T) *site {
	s := &site{clock: &clock{now: time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)}, files: map[string][]byte{}, scripts: map[string][]script{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("Range")))
	s.agents = append(s.agents, r.UserAgent()+"|"+r.Header.Get("Accept-Encoding"))
	content, ok := s.files[r.URL.Path]
	play := script(whole)
	if next := s.scripts[r.URL.Path]; len(next) > 0 {
		play, s.scripts[r.URL.Path] = next[0], next[1:]
	}
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	play(s, w, r, content)
}

// requests gives what was asked about paths that end in suffix.
func (s *site) requests(suffix string) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if method, rest, _ := strings.Cut(a, " "); method == "GET" {
			path, span, _ := strings.Cut(rest, " ")
			if strings.HasSuffix(path, suffix) {
				out = append(out, span)
			}
		}
	}
	return out
}

func etag(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// whole is the standard library's server of files: ranges, If-Range and 416.
func whole(_ *site, w http.ResponseWriter, r *http.Request, content []byte) {
	w.Header().Set("ETag", etag(content))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// packed gives n bytes that look like a bzip2 file.
func packed(n int, seed uint64) []byte {
	out := []byte("BZh9")
	rnd := rand.New(rand.NewPCG(seed, 0))
	for len(out) < n {
		out = append(out, byte(rnd.Uint32()))
	}
	return out
}

// classic makes the site a complete classic run with these files of the multistream job.
func (s *site) classic(files map[string][]byte) map[string]any {
	listed := map[string]any{}
	for name, content := range files {
		a, b := sha1.Sum(content), md5.Sum(content)
		s.files[tree+name] = content
		listed[name] = map[string]any{"size": len(content), "url": tree + name, "sha1": hex.EncodeToString(a[:]), "md5": hex.EncodeToString(b[:])}
	}
	jobs := map[string]any{"articlesmultistreamdump": map[string]any{"status": "done", "files": listed}}
	s.status(jobs)
	return jobs
}

func (s *site) status(jobs map[string]any) {
	text, err := json.Marshal(map[string]any{"version": "0.8", "jobs": jobs})
	if err != nil {
		panic(err)
	}
	s.files[tree+"dumpstatus.json"] = text
}

// one makes the site a run of one dump of n bytes, for which it plays the scripts.
func one(t *testing.T, n int, scripts ...script) (*site, []byte) {
	s, content := newSite(t), packed(n, 1)
	s.classic(map[string][]byte{dumpName: content})
	s.scripts[tree+dumpName] = scripts
	return s, content
}

func (s *site) options(folder string) fetch.Options {
	return fetch.Options{
		Wiki: wiki, Date: date, Base: s.URL, Contact: "me@example.org", Version: "test", Folder: folder, Clock: s.clock, Seed: 1,
	}
}

// get lists and gets.
func get(t *testing.T, opts fetch.Options) (fetch.Inputs, error) {
	t.Helper()
	l, err := fetch.List(t.Context(), opts)
	if err != nil {
		return fetch.Inputs{}, err
	}
	return fetch.Get(t.Context(), opts, l)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantFault(t *testing.T, err error, kind *fault.Kind, texts ...string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind {
		t.Fatalf("got error %v of kind %v, want %v", err, fault.KindOf(err), kind)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got error %q, want %q in it", err, text)
		}
	}
}

// wantFiles compares the names in a folder.
func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("folder holds %q, want %q", got, want)
	}
}

// wantDump compares the file with what the site has, and the folder with what a complete fetch leaves.
func wantDump(t *testing.T, folder string, content []byte) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(folder, dumpName))
	must(t, err)
	if !bytes.Equal(got, content) {
		t.Errorf("got %d bytes unlike the site's %d", len(got), len(content))
	}
	wantFiles(t, folder, dumpName, fetch.InputsName)
}

// clock passes when somebody sleeps. fire lets everything that waits for it stall.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	slept  []time.Duration
	nextID int
	timers map[int]func()
}

func (c *clock) Now() time.Time { return c.now }

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	return ctx.Err()
}

func (c *clock) AfterFunc(d time.Duration, f func()) func() bool {
	if d != time.Minute {
		panic(fmt.Sprintf("a stall of %s, want a minute", d))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timers == nil {
		c.timers = map[int]func(){}
	}
	id := c.nextID
	c.nextID++
	c.timers[id] = f
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, armed := c.timers[id]
		delete(c.timers, id)
		return armed
	}
}

func (c *clock) fire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, f := range c.timers {
		delete(c.timers, id)
		f()
	}
}
