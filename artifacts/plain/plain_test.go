package plain_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/schemas/rng"
)

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// The pages A to H and T of the graph of the wikirace specification, 5.7, are 0 to 8; four shortest paths lead from A to T.
func TestSearchesOfTheWorkedExample(t *testing.T) {
	succ, _ := graphtest.G9()
	g := plain.Of(succ)
	dist := g.To(8, plain.Open)
	same(t, "distances to T", dist, []int{5, 4, 4, 4, 3, 3, 2, 1, 0})
	same(t, "smallest path", g.Smallest(0, dist), []uint32{0, 1, 4, 6, 7, 8})
	same(t, "paths", g.Count(0, dist, plain.Open), 4)
	same(t, "paths without E", g.Count(0, dist, func(u uint32) bool { return u == 4 }), 2)
	same(t, "layers", g.Layers(0, dist), [][]uint32{{0}, {1, 2, 3}, {4, 5}, {6}, {7}, {8}})
	same(t, "without H", g.Distance(0, 8, func(u uint32) bool { return u == 7 }), -1)
	same(t, "without B and E", g.Distance(0, 8, func(u uint32) bool { return u == 1 || u == 4 }), 5)
	same(t, "links to G", g.In[6], []uint32{4, 5, 7})
}

func TestADistanceIsToldAsColumnsDo(t *testing.T) {
	for dist, want := range map[int]int{-1: 255, 0: 0, 253: 253, 254: 254, 2000: 254} {
		same(t, fmt.Sprint("told ", dist), plain.Told(dist), want)
	}
}

// A menu is checked by its definition: as many links as fit, none farther than one that is left out, the same at every visit.
func TestAMenuKeepsTheNearestLinksAndShowsEachOnce(t *testing.T) {
	r := rng.New(1, "plain")
	var links []uint32
	var dist []int
	for u := range uint32(40) {
		links, dist = append(links, u), append(dist, r.Below(4)-1)
	}
	ties := map[string]bool{}
	for i := range 50 {
		game := plain.Game{Seed: 42, Instance: fmt.Sprint("x-", i), MaxLinks: 1 + i%39}
		kept := game.Keep(7, links, dist)
		same(t, "links kept", len(kept), game.MaxLinks)
		same(t, "at another visit", game.Keep(7, links, dist), kept)
		for _, u := range links {
			for _, v := range kept {
				if !slices.Contains(kept, u) && plain.Told(dist[u]) < plain.Told(dist[v]) {
					t.Errorf("%d links: %d is kept, %d is nearer", game.MaxLinks, v, u)
				}
			}
		}
		shown := game.Show(1, kept)
		same(t, "links shown", slices.Sorted(slices.Values(shown)), kept)
		if game.MaxLinks == 3 {
			ties[fmt.Sprint(kept)] = true
		}
	}
	if len(ties) < 2 {
		t.Error("ties do not depend on the instance")
	}
	same(t, "a page without a cut", plain.Game{MaxLinks: 40}.Keep(7, links, dist), links)
}

func TestDifferNamesFields(t *testing.T) {
	type record struct {
		A int      `json:"a"`
		B []string `json:"b"`
	}
	var found []string
	plain.Differ(record{1, []string{"x"}}, &record{2, []string{"y"}}, func(field string, want, got any) { found = append(found, fmt.Sprint(field, want, got)) })
	same(t, "fields", found, `[a12 b["x"]["y"]]`)
}

// stageCode are packages whose results are what proofs are about.
var stageCode = []string{
	"artifacts/menu", "artifacts/prompt", "artifacts/wilson", "artifacts/wikirace/difficulty", "artifacts/constrained/bans", "artifacts/mango/maze",
	"artifacts/lumina/worlds", "artifacts/lumina/worlds/draw",
}

func TestProofsShareNothingWithWhatTheyProve(t *testing.T) {
	files, err := filepath.Glob("../*/prove*.go")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d proofs, %v", len(files), err)
	}
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, own...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, data, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range parsed.Imports {
			name, _ := strconv.Unquote(in.Path.Value)
			if slices.Contains(stageCode, strings.TrimPrefix(name, "github.com/wikinav/wikinav/")) {
				t.Errorf("%s imports %s, which computed what it is to prove", file, name)
			}
		}
	}
	// Functions of this package may use the rows of a graph, not what graph computes from them.
	data, err := os.ReadFile("plain.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, use := range strings.Split(string(data), "graph.")[1:] {
		if !strings.HasPrefix(use, "CSR") && !strings.HasPrefix(use, "\n") && !strings.HasPrefix(use, " ") {
			t.Errorf("plain.go uses graph.%.20s", use)
		}
	}
}
