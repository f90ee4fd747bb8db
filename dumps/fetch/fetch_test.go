package fetch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/dumps/fetch"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestOptionsAreRefusedBeforeTheFirstRequest(t *testing.T) {
	for name, change := range map[string]func(*fetch.Options){
		"no contact":            func(o *fetch.Options) { o.Contact = " " },
		"a contact of lines":    func(o *fetch.Options) { o.Contact = "a\nb" },
		"latest":                func(o *fetch.Options) { o.Date = "latest" },
		"latest content":        func(o *fetch.Options) { o.Date, o.Latest, o.Source = "latest", true, fetch.Content },
		"no date":               func(o *fetch.Options) { o.Date = "20260230" },
		"a wiki of folders":     func(o *fetch.Options) { o.Wiki = "../x" },
		"an unknown table":      func(o *fetch.Options) { o.Tables = []string{"user"} },
		"tables of content":     func(o *fetch.Options) { o.Source, o.Tables = fetch.Content, []string{"page"} },
		"an unknown source":     func(o *fetch.Options) { o.Source = "torrent" },
		"four connections":      func(o *fetch.Options) { o.Connections = 4 },
		"http":                  func(o *fetch.Options) { o.Base = "http://dumps.example.org" },
		"http to a mirror":      func(o *fetch.Options) { o.Mirror = "http://mirror.example.org" },
		"a user in the base":    func(o *fetch.Options) { o.Base = "https://me:secret@example.org" },
		"a base without scheme": func(o *fetch.Options) { o.Base = "example.org" },
	} {
		s, _ := one(t, size)
		opts := s.options(t.TempDir())
		change(&opts)
		_, err := fetch.List(t.Context(), opts)
		if fault.KindOf(err) != fault.Usage || len(s.asked) > 0 {
			t.Errorf("%s: got %v after %d requests, want usage and none", name, err, len(s.asked))
		}
	}
}

func TestRequestsSayWhoAsks(t *testing.T) {
	s, _ := one(t, size)
	_, err := get(t, s.options(t.TempDir()))
	must(t, err)
	for _, a := range s.agents {
		if !strings.HasPrefix(a, "wikinav/test (https://github.com/wikinav/wikinav; me@example.org) go/1.") || !strings.HasSuffix(a, "|identity") {
			t.Errorf("got User-Agent|Accept-Encoding %q", a)
		}
	}
}

func TestWaitsThatTheSitePrescribes(t *testing.T) {
	date := time.Date(2026, 2, 1, 12, 0, 90, 0, time.UTC).Format(http.TimeFormat)
	for _, c := range []struct {
		header    string
		low, high time.Duration
	}{
		{"17", 17 * time.Second, 17 * time.Second},
		{"999999", time.Hour, time.Hour},
		{date, 90 * time.Second, 90 * time.Second},
		{"Thu, 01 Jan 1970 00:00:00 GMT", 0, 0},
		{"soon", 2 * time.Second, 3 * time.Second},
	} {
		for _, code := range []int{429, 503} {
			s, _ := one(t, size, status(code, "Retry-After", c.header))
			_, err := get(t, s.options(t.TempDir()))
			must(t, err)
			if got := s.clock.slept; len(got) != 1 || got[0] < c.low || got[0] > c.high {
				t.Errorf("%d with Retry-After %q: slept %v, want %s to %s", code, c.header, got, c.low, c.high)
			}
		}
	}
}

func TestWaitsDoubleWithASeededJitter(t *testing.T) {
	s, _ := one(t, size)
	waits := func(seed uint64) []time.Duration {
		s.clock.slept, s.scripts[tree+dumpName] = nil, times(50, status(502))
		opts := s.options(t.TempDir())
		opts.Seed = seed
		_, err := get(t, opts)
		wantFault(t, err, fault.Failure)
		return s.clock.slept
	}
	got := waits(1)
	if len(got) != 8 {
		t.Fatalf("slept %v, want 8 times", got)
	}
	for k, d := range got {
		if low := 2 * time.Second << k; d < low || d > min(low+low/2, 5*time.Minute) {
			t.Errorf("wait %d is %s, want %s and up to half more, at most 5m", k, d, low)
		}
	}
	if again := waits(1); !slices.Equal(got, again) {
		t.Errorf("the same seed gives the waits %v, then %v", got, again)
	}
	if slices.Equal(got, waits(2)) {
		t.Errorf("two seeds give the same waits %v", got)
	}
}

func TestAFileWithAWrongSumIsKeptAsideAndRepaired(t *testing.T) {
	s, content := one(t, size, func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		whole(s, w, r, packed(len(content), 99))
	})
	folder := t.TempDir()
	_, err := get(t, s.options(folder))
	wantFault(t, err, fault.Checksum, "sha1", dumpName+".bad")
	wantFiles(t, folder, dumpName+".bad")
	_, err = get(t, s.options(folder))
	must(t, err)
	wantDump(t, folder, content)
}

func TestAFileThatIsThereIsComparedAndKept(t *testing.T) {
	s, content := one(t, size)
	folder := t.TempDir()
	first, err := get(t, s.options(folder))
	must(t, err)
	before := len(s.requests(dumpName))
	inputs, err := os.ReadFile(filepath.Join(folder, fetch.InputsName))
	must(t, err)
	second, err := get(t, s.options(folder))
	must(t, err)
	again, err := os.ReadFile(filepath.Join(folder, fetch.InputsName))
	must(t, err)
	if len(s.requests(dumpName)) != before || string(inputs) != string(again) || first.Files[0].SHA256 != second.Files[0].SHA256 {
		t.Errorf("a second fetch asked %d more times and wrote\n%s\nafter\n%s", len(s.requests(dumpName))-before, again, inputs)
	}
	wantDump(t, folder, content)
	must(t, os.WriteFile(filepath.Join(folder, dumpName), content[1:], 0o644))
	_, err = get(t, s.options(folder))
	wantFault(t, err, fault.Checksum, "39999", "move it away")
	wantFiles(t, folder, dumpName, fetch.InputsName)
}

// stopping cuts the answer and stops the program, as a signal does.
func stopping(n int, stop context.CancelFunc) script {
	return func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		defer stop()
		cut(n)(s, w, r, content)
	}
}

func TestRunsThatAreCutGoOnWhereTheyStopped(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 25 {
		s, content := one(t, size)
		folder := t.TempDir()
		for range 10 {
			ctx, stop := context.WithCancel(t.Context())
			s.scripts[tree+dumpName] = []script{cut(1 + rnd.IntN(3000)), stopping(1+rnd.IntN(3000), stop)}
			l, err := fetch.List(ctx, s.options(folder))
			must(t, err)
			_, err = fetch.Get(ctx, s.options(folder), l)
			wantFault(t, err, fault.Interrupted)
		}
		s.scripts = nil
		_, err := get(t, s.options(folder))
		must(t, err)
		wantDump(t, folder, content)
		asked := s.requests(dumpName)
		last := asked[len(asked)-1]
		if asked[0] != "" || !strings.HasPrefix(last, "bytes=") {
			t.Errorf("asked for %q, want a range at the end", asked)
		}
	}
}

func TestAPartIsHashedAgainAndNeverTrusted(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(part, state string)
		kind   *fault.Kind
		ranges []string
	}{
		{"bytes changed", func(part, _ string) { flip(t, part) }, fault.Checksum, []string{"bytes=777-"}},
		{"more bytes than the state knows", func(part, _ string) { extend(t, part) }, nil, []string{"bytes=777-"}},
		{"fewer bytes", func(part, _ string) { must(t, os.Truncate(part, 5)) }, nil, []string{""}},
		{"no state", func(_, state string) { must(t, os.Remove(state)) }, nil, []string{""}},
		{"a torn state", func(_, state string) { must(t, os.Truncate(state, 20)) }, nil, []string{""}},
		{"no part", func(part, _ string) { must(t, os.Remove(part)) }, nil, []string{""}},
		{"complete", func(part, state string) { complete(t, part, state) }, nil, []string{"bytes=40000-"}},
	} {
		s, content := one(t, size, cut(777), status(404))
		folder := t.TempDir()
		_, err := get(t, s.options(folder))
		wantFault(t, err, fault.Failure)
		wantFiles(t, folder, dumpName+".part", dumpName+".part.json")
		c.change(filepath.Join(folder, dumpName+".part"), filepath.Join(folder, dumpName+".part.json"))
		before := len(s.requests(dumpName))
		_, err = get(t, s.options(folder))
		if c.kind == nil && err != nil || c.kind != nil && fault.KindOf(err) != c.kind {
			t.Errorf("%s: got %v, want kind %v", c.name, err, c.kind)
		}
		if got := s.requests(dumpName)[before:]; !slices.Equal(got, c.ranges) {
			t.Errorf("%s: asked for %q, want %q", c.name, got, c.ranges)
		}
		if c.kind == nil {
			wantDump(t, folder, content)
		}
	}
}

func flip(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(path, data, 0o644))
}

func extend(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append(data, packed(2*size, 8)...), 0o644))
}

// complete makes a part that lacks only its name.
func complete(t *testing.T, part, state string) {
	must(t, os.WriteFile(part, packed(size, 1), 0o644))
	text, err := os.ReadFile(state)
	must(t, err)
	must(t, os.WriteFile(state, []byte(strings.Replace(string(text), `"offset":777`, fmt.Sprintf(`"offset":%d`, size), 1)), 0o644))
}

func TestSpaceIsCheckedBeforeTheFirstByte(t *testing.T) {
	s, _ := one(t, size)
	opts := s.options(t.TempDir())
	opts.FreeSpace = func(string) (int64, error) { return size + size/50 - 1, nil }
	_, err := get(t, opts)
	wantFault(t, err, fault.NoSpace, "40800", "40799")
	if got := s.requests(dumpName); len(got) > 0 {
		t.Errorf("asked for %q, want nothing", got)
	}
	opts.FreeSpace = func(string) (int64, error) { return size + size/50, nil }
	_, err = get(t, opts)
	must(t, err)
}

func TestAFolderBelongsToOneFetchAndOneRun(t *testing.T) {
	s, content := one(t, size)
	folder := t.TempDir()
	var second error
	s.scripts[tree+dumpName] = []script{func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		_, second = fetch.Get(t.Context(), s.options(folder), fetch.Listing{Wiki: wiki, Date: date})
		whole(s, w, r, content)
	}}
	_, err := get(t, s.options(folder))
	must(t, err)
	wantFault(t, second, fault.Locked, folder)
	_, err = fetch.Get(t.Context(), s.options(folder), fetch.Listing{Wiki: wiki, Date: "20260201", Source: fetch.Classic})
	wantFault(t, err, fault.Usage, folder, "20260101")
	wantDump(t, folder, content)
}

func TestABuildComparesTheSumsOfInputs(t *testing.T) {
	s, _ := one(t, size)
	folder := t.TempDir()
	_, err := get(t, s.options(folder))
	must(t, err)
	path := filepath.Join(folder, dumpName)
	verified, err := files.VerifySums(t.Context(), path)
	if err != nil || verified != files.VerifiedSums {
		t.Errorf("got %q, %v, want %q", verified, err, files.VerifiedSums)
	}
	flip(t, path)
	_, err = files.VerifySums(t.Context(), path)
	wantFault(t, err, fault.Checksum, fetch.InputsName)
}
