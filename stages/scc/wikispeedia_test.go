package scc

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// rows returns the lines of a packed table of the shared data, which is in the folder WIKINAV_SHARED or in shared/ beside
// the repository.
func rows(t *testing.T, name, sum string) []string {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for up := ".."; root == "" && len(up) < 30; up = filepath.Join("..", up) {
		if _, err := os.Stat(filepath.Join(up, "shared", "data")); err == nil {
			root = filepath.Join(up, "shared")
		}
	}
	data, err := os.ReadFile(filepath.Join(root, "data", "wikispeedia", name))
	if err != nil {
		t.Skipf("no shared data: set WIKINAV_SHARED, or put shared/ beside the repository: %v", err)
	}
	if got := digest.SHA256(data); got != sum {
		t.Fatalf("%s has SHA-256 %s, want %s", name, got, sum)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" || line[0] == '#' })
}

// The figures are those of the shared data's README.
func TestWikispeediaHasItsPublishedComponent(t *testing.T) {
	t.Parallel()
	node := map[string]uint32{}
	for i, name := range rows(t, "articles.tsv.gz", "7fc8b38d46beb889b3d8a2b4436af2d31e043fff9125ab688ad2880422bb3e4b") {
		node[name] = uint32(i)
	}
	var edges []graphtest.Edge
	for _, line := range rows(t, "links.tsv.gz", "8abcc18c60689d66290370333f3ca6a14e7a6ff9638b32663528c9fab8584362") {
		if from, to, _ := strings.Cut(line, "\t"); from != to {
			edges = append(edges, graphtest.Edge{node[from], node[to]})
		}
	}
	env := envOf(t, stagetest.NewWiki(graphtest.Build(len(node), edges)))
	got := run(t, env, largest)
	if len(got.ids) != 4051 || got.succ.Edges() != 111_795 || len(env.Warnings) != 0 {
		t.Errorf("got %d nodes, %d edges, warnings %v; want 4051, 111795 and none", len(got.ids), got.succ.Edges(), env.Warnings)
	}
	if n := env.Counters; n["nodes_before"] != 4604 || n["edges_before"] != 119_772 || n["component_01"] != 4051 {
		t.Errorf("counters %v, want 4604 nodes and 119772 edges before", n)
	}
	members := 0
	for _, in := range run(t, env, whole).inSCC {
		if in {
			members++
		}
	}
	if members != 4051 {
		t.Errorf("the whole graph has %d members of the component, want 4051", members)
	}
}
