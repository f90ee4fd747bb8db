package importer_test

import (
	"compress/gzip"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/replay"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/names"
)

// wiki is the graph of Wikispeedia in memory, with every distance by search.
type wiki struct {
	*graph.Graph
	columns *distances.Cached
}

func (w wiki) PageID(u uint32) uint32           { return w.PageIDs[u] }
func (w wiki) Successors(u uint32) []uint32     { return w.Succ.Row(u) }
func (w wiki) Column(t uint32) ([]uint8, error) { return w.columns.Column(t) }

// TestAllGamesOfWikispeediaAreImportedOrCounted: on the whole graph each of the 51,312 won games is a
// success, with the titles of the wiki as with those of a graph built from its edges, which lack nine
// colons; on the largest component the 478 that leave it are counted.
func TestAllGamesOfWikispeediaAreImportedOrCounted(t *testing.T) {
	whole := wikispeedia(t)
	ofEdges := &graph.Graph{
		PageIDs: whole.PageIDs, Titles: arrowio.MakeStrings(edgeTitles(t)), Succ: whole.Succ, Pred: whole.Pred,
	}
	components := graph.SCC(whole.Succ)
	members := components.Members(components.Largest())
	for _, c := range []struct {
		name            string
		g               *graph.Graph
		finished        string // rejected rows
		won, unfinished int
	}{
		{"whole graph", whole, "", 51_312, 24_875},
		{"whole graph of edges", ofEdges, "", 51_312, 24_875},
		{"largest component of edges", part(ofEdges, members), "outside_graph 478", 50_834, 24_875},
		{"largest component", part(whole, members), "outside_graph 478", 50_834, 24_875},
	} {
		w := wiki{c.g, distances.NewCached(nil, c.g, c.g.Len())}
		rel := releaseOf(w, c.g.NodeByTitle, "race", game.Defaults())
		r := fromFile(t, rel, "node-paths", "paths_finished_nodes.txt.gz")
		checkCounts(t, c.name, r.Import.Rejected, c.finished)
		won := 0
		for _, g := range r.Games {
			if g.Outcome == schemas.OutcomeSuccess {
				won++
			}
		}
		if r.Import.Rows != 51_312 || won != c.won || r.Import.Games != c.won {
			t.Errorf("%s: %d rows, %d games, %d won", c.name, r.Import.Rows, r.Import.Games, won)
		}
		r = fromFile(t, rel, "snap-paths", "paths_unfinished.tsv.gz")
		lost := 0
		for _, n := range r.Import.Rejected {
			lost += n
		}
		if r.Import.Rows != c.unfinished || r.Import.Games+lost != c.unfinished {
			t.Errorf("%s: %d unfinished rows, %+v", c.name, r.Import.Rows, r.Import)
		}
		t.Logf("%s: unfinished %+v", c.name, r.Import)
	}
}

func fromFile(t *testing.T, rel replay.Release, format, name string) *result {
	t.Helper()
	f, err := os.Open(filepath.Join(shared(t), "wikispeedia", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := importer.Read(formats[format], name, f)
	if err != nil {
		t.Fatal(err)
	}
	return imported(t, file, rel, game.Defaults())
}

// shared finds the project's real inputs, which are no part of the repository.
func shared(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("WIKINAV_SHARED"); dir != "" {
		return filepath.Join(dir, "data")
	}
	for dir := ".."; len(dir) < 30; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data", "wikispeedia")); err == nil {
			return filepath.Join(dir, "shared", "data")
		}
	}
	t.Skip("no shared data: set WIKINAV_SHARED to the folder that holds data/wikispeedia")
	return ""
}

func rows(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(shared(t), "wikispeedia", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for row := range strings.Lines(string(data)) {
		if row = strings.TrimSpace(row); row != "" && row[0] != '#' {
			out = append(out, row)
		}
	}
	return out
}

// edgeTitles are the titles that build gives to the names of the edges.
func edgeTitles(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range rows(t, "articles.tsv.gz") {
		title, err := names.Title(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, title)
	}
	return out
}

func wikispeedia(t *testing.T) *graph.Graph {
	t.Helper()
	node, titles, ids := map[string]uint32{}, []string{}, []uint32{}
	for i, name := range rows(t, "articles.tsv.gz") {
		title, err := url.PathUnescape(name)
		if err != nil {
			t.Fatal(err)
		}
		node[name] = uint32(i)
		titles, ids = append(titles, strings.ReplaceAll(strings.ReplaceAll(title, "__", ": "), "_", " ")), append(ids, uint32(i+1))
	}
	links := rows(t, "links.tsv.gz")
	succ := graphtest.From(len(ids), func(yield func(u, v uint32)) {
		for _, row := range links {
			from, to, _ := strings.Cut(row, "\t")
			if from != to {
				yield(node[from], node[to])
			}
		}
	})
	return &graph.Graph{PageIDs: ids, Titles: arrowio.MakeStrings(titles), Succ: succ, Pred: graph.Transpose(succ)}
}

// part is the graph that members induce.
func part(g *graph.Graph, members []bool) *graph.Graph {
	succ, _ := graph.Induced(g.Succ, members)
	var titles []string
	var ids []uint32
	for u, in := range members {
		if in {
			titles, ids = append(titles, g.Title(uint32(u))), append(ids, g.PageIDs[u])
		}
	}
	return &graph.Graph{PageIDs: ids, Titles: arrowio.MakeStrings(titles), Succ: succ, Pred: graph.Transpose(succ)}
}
