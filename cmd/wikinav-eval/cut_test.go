//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

const (
	graphFile = "graph/graph.arrow"
	shardFile = "distances/distances-0000.arrow"
)

// cutWhen cuts a file of the release in dir short as soon as another of its files was opened: by
// then it is mapped, and what was read of it was whole.
func cutWhen(t *testing.T, dir, opened, cut string) {
	t.Helper()
	before := arrowio.Opened
	t.Cleanup(func() { arrowio.Opened = before })
	arrowio.Opened = func(path string) {
		if path == filepath.Join(dir, opened) {
			must(t, os.Truncate(filepath.Join(dir, cut), 0))
		}
	}
}

// A file that is cut short while a verb has it mapped kills a program that does not guard every
// goroutine which reads it.
func TestAFileThatIsCutShortWhileItIsMappedIsAnErrorOfEveryVerb(t *testing.T) {
	honest := newRelease(t, gametest.G9(), 2, 3, 5)
	out := t.TempDir()
	run := filepath.Join(out, "honest")
	eval("play", "--release", honest, "--player", "random", "--out", run).want(t, 0)
	titles := filepath.Join(out, "titles.jsonl")
	put(t, titles, `{"instance":"wr-tiny-0001","path":["A","B"]}`)
	for _, verb := range []struct {
		args []string // RELEASE stands for its directory
		cut  []string
	}{
		{[]string{"verify", "RELEASE", "--level", "2"}, []string{graphFile, shardFile}},
		{[]string{"verify", "RELEASE", "--level", "3"}, []string{graphFile, shardFile}},
		{[]string{"play", "--release", "RELEASE", "--player", "random", "--workers", "2"}, []string{graphFile, shardFile}},
		{[]string{"play", "--release", "RELEASE", "--player", "shortest", "--workers", "1"}, []string{graphFile, shardFile}},
		{[]string{"play", "--release", "RELEASE", "--player", "lines"}, []string{graphFile}},
		{[]string{"score", "--trajectories", run, "--release", "RELEASE"}, []string{graphFile, shardFile}},
		{[]string{"report", "--trajectories", run, "--release", "RELEASE"}, []string{graphFile, shardFile}},
		{[]string{"import", "titles-jsonl", titles, "--release", "RELEASE"}, []string{graphFile}},
		{[]string{"serve", "--release", "RELEASE", "--listen", "127.0.0.1:0"}, []string{graphFile}},
		{[]string{"mcp", "--release", "RELEASE"}, []string{graphFile}},
	} {
		for _, cut := range verb.cut {
			dir := filepath.Join(t.TempDir(), "release")
			must(t, os.CopyFS(dir, os.DirFS(honest)))
			cutWhen(t, dir, shardFile, cut)
			args := strings.Split(strings.ReplaceAll(strings.Join(verb.args, "\n"), "RELEASE", dir), "\n")
			if args[0] == "play" || args[0] == "import" {
				args = append(args, "--out", filepath.Join(t.TempDir(), "out"))
			}
			r := eval(args...)
			if r.code != 3 || !strings.Contains(r.stdout+r.stderr, filepath.Base(cut)) {
				t.Errorf("%s, %s cut short: exit %d\n%s%s", strings.Join(verb.args, " "), cut, r.code, r.stdout, r.stderr)
			}
		}
	}
}

// A server that runs already answers with an error, says which file it was, and lives.
func TestAServerOutlivesAFileThatIsCutShort(t *testing.T) {
	dir := newRelease(t, gametest.G9(), 2, 3, 5)
	s := startServe(t, "--release", dir)
	must(t, os.Truncate(filepath.Join(dir, graphFile), 0))
	for range 2 {
		resp, err := http.Post(s.url+"/v1/games", "application/json", strings.NewReader(`{"instance":"wr-tiny-0001"}`))
		must(t, err)
		must(t, resp.Body.Close())
		if resp.StatusCode != http.StatusInternalServerError || !strings.Contains(s.stderr.String(), "graph.arrow") {
			t.Errorf("%s, standard error %q", resp.Status, s.stderr.String())
		}
	}
	resp, err := http.Get(s.url + "/healthz")
	must(t, err)
	must(t, resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		t.Error("the server does not answer any more:", resp.Status)
	}
}
