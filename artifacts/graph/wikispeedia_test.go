package graph_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

// The figures are those of the shared data's README: 119,882 rows, 110 of them self loops.
func TestTheWikispeediaGraphHasItsPublishedComponent(t *testing.T) {
	t.Parallel()
	c := wikispeedia(t)
	components := graph.SCC(c)
	if other := kosaraju(c); !reflect.DeepEqual(components, other) {
		t.Error("Tarjan and Kosaraju differ")
	}
	sub, _ := graph.Induced(c, components.Members(components.Largest()))
	if sub.Nodes() != 4051 || sub.Edges() != 111_795 {
		t.Errorf("largest component: %d nodes, %d edges; want 4051 and 111795", sub.Nodes(), sub.Edges())
	}
	if whole := graph.SCC(sub); len(whole.Sizes) != 1 {
		t.Errorf("the largest component falls into %d", len(whole.Sizes))
	}
	dist := make([]uint8, sub.Nodes())
	for _, adj := range []graph.CSR{sub, graph.Transpose(sub)} {
		graph.DistancesFrom(adj, 0, dist, nil)
		if u := bytes.IndexByte(dist, 255); u >= 0 {
			t.Errorf("node %d and node 0 do not reach each other", u)
		}
	}
}

// wikispeedia returns the graph of all articles, in the order of articles.tsv, without self loops.
func wikispeedia(t *testing.T) graph.CSR {
	t.Helper()
	node := map[string]uint32{}
	for _, row := range rows(t, "articles.tsv.gz", "7fc8b38d46beb889b3d8a2b4436af2d31e043fff9125ab688ad2880422bb3e4b") {
		node[row] = uint32(len(node))
	}
	links := rows(t, "links.tsv.gz", "8abcc18c60689d66290370333f3ca6a14e7a6ff9638b32663528c9fab8584362")
	if len(node) != 4604 || len(links) != 119_882 {
		t.Fatalf("%d articles, %d links; want 4604 and 119882", len(node), len(links))
	}
	var edges []graphtest.Edge
	for _, row := range links {
		from, to, _ := strings.Cut(row, "\t")
		u, known := node[from]
		v, alsoKnown := node[to]
		if !known || !alsoKnown {
			t.Fatalf("link %q names no article", row)
		}
		if u != v {
			edges = append(edges, graphtest.Edge{u, v})
		}
	}
	return graphtest.Build(len(node), edges)
}

// rows returns the lines of a shared file, without comments and blank lines, after a look at its digest.
func rows(t *testing.T, name, sha256 string) []string {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join(shared(t), "data", "wikispeedia", name))
	if err != nil {
		t.Skipf("no wikispeedia data: %v", err)
	}
	if got := digest.SHA256(packed); got != sha256 {
		t.Fatalf("%s: sha256 %s, want %s", name, got, sha256)
	}
	unzip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// shared finds the folder of shared inputs: WIKINAV_SHARED, else the one beside the repository.
func shared(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("WIKINAV_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if found := filepath.Join(dir, "shared"); isDir(filepath.Join(found, "data")) {
			return found
		}
	}
	t.Skip("no shared/data above this package and WIKINAV_SHARED is not set")
	return ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func TestEveryPairOfTheWikispeediaComponentHasItsDistance(t *testing.T) {
	t.Parallel()
	whole := wikispeedia(t)
	components := graph.SCC(whole)
	members := components.Members(components.Largest())
	succ, _ := graph.Induced(whole, members)
	pred := graph.Transpose(succ)
	n := succ.Nodes()
	many, search := graph.NewMany(pred, graph.MaxLanes, 2), graph.NewSearch(succ, pred)
	want, got, queue := make([]uint8, n), make([]uint8, n), make([]uint32, n)
	for targets := range slices.Chunk(everyNode(n), graph.MaxLanes) {
		columns := columnsTo(t, many, n, targets)
		for i, target := range targets {
			far := graph.DistancesTo(pred, target, want, queue)
			if gotFar := search.DistancesTo(target, got); gotFar != far || !bytes.Equal(got, want) || !bytes.Equal(columns[i], want) {
				t.Fatalf("target %d: one search %t, many %t, want the queue's", target, bytes.Equal(got, want), bytes.Equal(columns[i], want))
			}
		}
	}
}
