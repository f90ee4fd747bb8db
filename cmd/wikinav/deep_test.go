package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/pipeline"
)

// TestADeepWikipediaBuilds: chains of number pages make distances that no byte tells. They are 254 in the columns,
// which equal those of a plain search up to there, and path knows them.
func TestADeepWikipediaBuilds(t *testing.T) {
	t.Parallel()
	dump := shared(t, "realwiki/nsowiki-20220701-pages-articles.xml.bz2")
	for _, recipe := range []string{"strict", "sdow-like"} {
		work := t.TempDir()
		must(t, "build", "--dump", dump, "--recipe", recipe, "--only", "distances", "--work", work)
		f := workFlags{work: work, build: "default"}
		err := f.look(func(v *view) error {
			g, err := v.graph()
			if err != nil {
				return err
			}
			set, err := v.distances(g)
			if err != nil {
				return err
			}
			defer set.Close()
			farthest, source, target, far := 0, uint32(0), uint32(0), 0
			for _, c := range set.Columns() {
				column, err := set.Column(c.Node)
				if err != nil {
					return err
				}
				for u, d := range plainSearch(g, c.Node) {
					told := min(d, 254)
					if d == math.MaxInt {
						told = 255
					}
					if int(column[u]) != told {
						return fmt.Errorf("from %d to %d: %d in the column, %d by a plain search", u, c.Node, column[u], d)
					}
					if told == 254 {
						far++
					}
					if d != math.MaxInt && d > farthest {
						farthest, source, target = d, uint32(u), c.Node
					}
				}
			}
			var route struct{ Distance int }
			out := must(t, "path", g.Title(source), g.Title(target), "--limit", "0", "--json", "--work", work)
			if err := json.Unmarshal([]byte(out), &route); err != nil {
				return err
			}
			if far == 0 || farthest < 400 || route.Distance != farthest {
				t.Errorf("%s: %d far pairs; path says %d, a plain search %d", recipe, far, route.Distance, farthest)
			}
			t.Logf("%s: %d pages, %d far pairs, the farthest at %d links", recipe, g.Len(), far, farthest)
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", recipe, err)
		}
	}
}

// TestRealWikisAreProvedUnderThePresets takes two real wikis from the dump to a release whose records are computed anew: each under the
// preset that asked most of the reader when it was first tried, or, with WIKINAV_REAL=all, under every preset, which takes ten minutes.
func TestRealWikisAreProvedUnderThePresets(t *testing.T) {
	t.Parallel()
	for wiki, presets := range map[string][]string{
		"nsowiki-20220701": {"llm-wikirace-compat"}, "gensinimpact-20230321": {"strict"},
	} {
		if os.Getenv("WIKINAV_REAL") == "all" {
			presets = pipeline.Presets()
		}
		dump := shared(t, "realwiki/"+wiki+"-pages-articles.xml.bz2")
		for _, preset := range presets {
			t.Run(wiki+" "+preset, func(t *testing.T) {
				dir := t.TempDir()
				work, out := filepath.Join(dir, "work"), filepath.Join(dir, "release")
				must(t, "build", "--dump", dump, "--recipe", preset, "--work", work, "--texts", "on", "--set",
					"aar.legs=0")
				must(t, "release", "--work", work, "--allow-short", "--out", out)
				var report release.Report
				if err := json.Unmarshal([]byte(must(t, "verify", out, "--level", "3", "--json")), &report); err != nil {
					t.Fatal(err)
				}
				unsigned := func(s string) bool { return strings.HasPrefix(s, "level 0, ") }
				if len(report.Failed) > 0 || len(report.Covered) < 15 ||
					len(slices.DeleteFunc(report.Skipped, unsigned)) > 0 {
					t.Errorf("%+v", report)
				}
			})
		}
	}
}

// plainSearch shares nothing with the kernels but the graph; math.MaxInt is no path.
func plainSearch(g *graph.Graph, target uint32) []int {
	dist := make([]int, g.Len())
	for u := range dist {
		dist[u] = math.MaxInt
	}
	dist[target] = 0
	for queue := []uint32{target}; len(queue) > 0; queue = queue[1:] {
		for _, u := range g.Pred.Row(queue[0]) {
			if dist[u] == math.MaxInt {
				dist[u] = dist[queue[0]] + 1
				queue = append(queue, u)
			}
		}
	}
	return dist
}
