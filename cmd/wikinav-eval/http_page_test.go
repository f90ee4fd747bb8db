package main

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/serve"
)

func pageText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/evaluator/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// block gives the first fenced block of a language.
func block(t *testing.T, text, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "\n```"+language+"\n")
	body, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatalf("the page has no block of %s", language)
	}
	return body
}

var curl = regexp.MustCompile(`^curl -X (\w+) (\S+) -H 'Content-Type: (\S+)' -d '(.*)'$`)

// TestTheCallsOfTheHTTPPage makes every call of the page and wants the answer that stands below it.
func TestTheCallsOfTheHTTPPage(t *testing.T) {
	b := newBuilder(t, gametest.G9(), 1, 5)
	b.quotas = nil
	b.splits = []splitInput{b.split("easy", 1, []int{5})}
	s := startServe(t, "--release", b.release())
	game, calls := "", 0
	lines := strings.Split(block(t, pageText(t, "http.md"), "sh"), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "curl ") {
			continue
		}
		m := curl.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("not read by this test: %s", line)
		}
		req, err := http.NewRequest(m[1], strings.NewReplacer("$URL", s.url, "$GAME", game).Replace(m[2]), strings.NewReader(m[4]))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", m[3])
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if game == "" {
			game = regexp.MustCompile(`g-[0-9a-f]{16}`).FindString(string(answer))
		}
		got := strings.TrimSpace(strings.ReplaceAll(string(answer), game, "$GAME"))
		if want := lines[i+1]; got != want {
			t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
		}
		calls++
	}
	if calls < 4 {
		t.Errorf("%d calls", calls)
	}
	s.stop()
}

func TestTheHTTPPageShowsTheClientThatIsRun(t *testing.T) {
	if got, want := block(t, pageText(t, "http.md"), "python"), pageText(t, "http_client.py"); got != want {
		t.Errorf("the page shows\n%s\nthe file is\n%s", got, want)
	}
}

// TestTheHTTPPageNamesEveryFlagAndLimit keeps the page's tables true.
func TestTheHTTPPageNamesEveryFlagAndLimit(t *testing.T) {
	text := pageText(t, "http.md")
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(eval("serve", "--help").want(t, 0).stdout, -1) {
		if !strings.Contains(text, flag) && !strings.Contains("--help --family --split --json --json-errors", flag) {
			t.Errorf("the page does not name %s", flag)
		}
	}
	if l := serve.DefaultLimits(); l.Sessions != 20_000 || l.Header != 16<<10 || l.Body != 4<<10 || l.Reply != 1<<20 || l.TTL.Minutes() != 30 ||
		l.ReadHeader.Seconds() != 2 || l.Read.Seconds() != 5 || l.Write.Seconds() != 10 || l.Idle.Seconds() != 30 || l.Drain.Seconds() != 10 {
		t.Errorf("the page gives other limits than %+v", l)
	}
}
