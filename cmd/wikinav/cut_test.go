//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
)

// A file of the work directory that is cut short while a verb has it mapped is an error of the verb, in whatever goroutine it is read.
func TestAnArtifactThatIsCutShortWhileItIsMappedIsAnErrorOfEveryVerb(t *testing.T) {
	honest := buildG9(t)
	edges := []string{"--edges", filepath.Join(filepath.Dir(honest), "g9.tsv"), "--split", "tiny:4:2,3"}
	before := arrowio.Opened
	t.Cleanup(func() { arrowio.Opened = before })
	for _, c := range []struct {
		args        []string
		opened, cut string // cut is cut short as soon as opened was opened
	}{
		{[]string{"path", "A", "T", "--avoid", "label:Place"}, "labels.arrow", "graph.arrow"},
		{[]string{"inspect", "graph"}, "graph.arrow", "graph.arrow"},
		{[]string{"inspect", "distances", "--format", "matrix"}, "distances-0000.arrow", "distances-0000.arrow"},
		{[]string{"inspect", "nodes"}, "nodes.arrow", "nodes.arrow"},
		{[]string{"audit", "--graph"}, "graph.arrow", "graph.arrow"},
		{append([]string{"build", "--set", "wikirace.game_seed=7"}, edges...), "distances-0000.arrow", "graph.arrow"},
		{append([]string{"build", "--set", "wikirace.game_seed=7"}, edges...), "distances-0000.arrow", "distances-0000.arrow"},
		{append([]string{"build", "--targets", "random:3"}, edges...), "targets.arrow", "graph.arrow"},
	} {
		work, cut := filepath.Join(t.TempDir(), "work"), false
		if err := os.CopyFS(work, os.DirFS(honest)); err != nil {
			t.Fatal(err)
		}
		arrowio.Opened = func(path string) {
			if filepath.Base(path) != c.opened || !strings.HasPrefix(path, work) {
				return
			}
			found, _ := filepath.Glob(filepath.Join(work, "stages", "*", "*", c.cut))
			for _, path := range found {
				cut = true
				if err := os.Truncate(path, 0); err != nil {
					t.Error(err)
				}
			}
		}
		code, stdout, stderr := wikinav(t, append(c.args[:len(c.args):len(c.args)], "--work", work)...)
		if code != 3 || !cut || !strings.Contains(stderr, c.cut) {
			t.Errorf("%v, %s cut short (%v) at %s: exit %d\n%.300s%s", c.args, c.cut, cut, c.opened, code, stdout, stderr)
		}
	}
}
