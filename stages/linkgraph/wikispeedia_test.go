package linkgraph_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/ingest"
	"github.com/wikinav/wikinav/stages/linkgraph"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// The files, with the sums of the shared data's README.
const (
	dumpFile, dumpSum         = "wikispeedia-20090101-pages-articles-multistream.xml.bz2", "386277646750024974adfa0717cfce0873141561ba6cc9bf9329f0c34655f437"
	articlesFile, articlesSum = "articles.tsv.gz", "7fc8b38d46beb889b3d8a2b4436af2d31e043fff9125ab688ad2880422bb3e4b"
	linksFile, linksSum       = "links.tsv.gz", "8abcc18c60689d66290370333f3ca6a14e7a6ff9638b32663528c9fab8584362"
)

// sample reads a file of the shared data: in the folder WIKINAV_SHARED, else in shared/ beside the repository.
func sample(t *testing.T, name, sum string) []byte {
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
	return data
}

// rows returns the lines of a packed table without its comments.
func rows(t *testing.T, name, sum string) []string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(sample(t, name, sum)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" || line[0] == '#' })
}

// strict is the default recipe; nothing in this wiki is a disambiguation page.
func strict(hops int) linkgraph.Params {
	return linkgraph.Params{Thresholds: linkgraph.DefaultThresholds(), Recipe: schemas.Recipe{
		Name: "strict", Version: 1, Namespaces: []int{0}, LinkSource: schemas.SourceWikitext, LinkParts: schemas.ProvenanceNames,
		Redirects: schemas.RedirectsResolve, RedirectHops: hops, Dab: schemas.ClassDrop, Lists: schemas.ClassNoEndpoint,
		Dates: schemas.ClassNoEndpoint, SelfLoops: schemas.LoopsDropAfter, TitleFilter: schemas.TitlesAny, Component: schemas.ComponentSCC,
	}}
}

// ingested returns a world with the artifacts of the derived dump.
func ingested(t *testing.T) *stagetest.Env {
	t.Helper()
	reading := stagetest.New(t)
	reading.GiveExternal(schemas.Dump, dumpFile, "dump", sample(t, dumpFile, dumpSum))
	reading.MustRun(ingest.New(ingest.Params{VerifyText: "strict"}, ""))
	env := stagetest.New(t)
	for _, a := range []schemas.Artifact{schemas.Pages, schemas.Redirects, schemas.Links, schemas.LinkAnchors} {
		for _, name := range reading.OutputNames() {
			if a.Holds(name) {
				env.GiveBytes(a, name, reading.Read(name))
			}
		}
	}
	return env
}

func TestWikispeediaHasExactlyItsPublishedLinks(t *testing.T) {
	t.Parallel()
	env := ingested(t)
	env.MustRun(linkgraph.New(strict(5)))
	for name, want := range map[string]int64{ // acceptance checks 14 to 16 of the inputs specification
		"nodes": 4604, "pages_redirect": 116, "edges": 119_772,
		"edges_only_refs": 9271, "edges_only_captions": 4446, "edges_only_template_args": 12_137, "edges_only_tables": 7204,
		"edges_only_body": 86_714, "edges_mixed_parts": 0,
		"redirects_ok": 99, "redirects_loop": 5, "redirects_self": 1, "redirects_missing": 2, "redirects_non_main": 1,
		"redirects_interwiki": 1, "redirects_too_long": 7, "redirects_bad_target": 0, "title_hash_collisions": 0,
	} {
		if got := env.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	node := map[string]uint32{}
	for i, name := range rows(t, articlesFile, articlesSum) {
		node[name] = uint32(i)
	}
	want := make([][]uint32, len(node))
	for _, line := range rows(t, linksFile, linksSum) {
		from, to, _ := strings.Cut(line, "\t")
		if from != to {
			want[node[from]] = append(want[node[from]], node[to])
		}
	}
	graph := open(t, env, "linkgraph.arrow", schemas.LinkGraphTable)
	defer graph.Close()
	if int(graph.Rows()) != len(node) {
		t.Fatalf("got %d nodes, want %d", graph.Rows(), len(node))
	}
	titles, succ := graph.Strings(0, 1), graph.Lists(0, 3)
	for u := range want {
		slices.Sort(want[u])
		if got := succ.At(u); !slices.Equal(got, slices.Compact(want[u])) {
			t.Fatalf("node %d, %s: got %v, want %v", u, titles.At(u), got, want[u])
		}
	}
	unlike := 0
	for name, u := range node {
		if plain, err := url.PathUnescape(name); err != nil || titles.At(int(u)) != strings.ReplaceAll(plain, "_", " ") {
			unlike++
		}
	}
	if unlike != 9 { // those with a colon, which the file names lack
		t.Errorf("%d titles are not those of their rows, want 9", unlike)
	}
}

func open(t *testing.T, env *stagetest.Env, name string, layout schemas.Table) *arrowio.File {
	t.Helper()
	file, err := env.Written(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := file.Open(layout)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWikispeediaNeedsItsRedirects(t *testing.T) {
	t.Parallel()
	env := ingested(t)
	env.MustRun(linkgraph.New(strict(5)))
	edges := env.Counters["edges"]
	hops := map[uint8]int{}
	aliases := open(t, env, "aliases.arrow", schemas.AliasesTable)
	defer aliases.Close()
	for i, h := range aliases.Uint8s(0, 5) {
		if aliases.Strings(0, 6).At(i) == schemas.AliasOK {
			hops[h]++
		}
	}
	if hops[1] != 85 || hops[2] != 11 || hops[3] != 1 || hops[4] != 1 || hops[5] != 1 {
		t.Errorf("redirects that lead somewhere, by hops: got %v, want 85, 11, 1, 1, 1", hops)
	}
	env.MustRun(linkgraph.New(strict(8)))
	if got := env.Counters["redirects_too_long"]; got != 4 {
		t.Errorf("too long for 8 hops: got %d, want 4", got)
	}
	if through := edges - direct(t, env); through != 5657 {
		t.Errorf("edges that exist only through a redirect: got %d, want 5657", through)
	}
}

// Every page's list again from the links before resolution, in the plain way.
func TestWikispeediaListsAreInTheOrderOfTheirLinks(t *testing.T) {
	t.Parallel()
	env := ingested(t)
	env.MustRun(linkgraph.New(strict(5)))
	graph := open(t, env, "linkgraph.arrow", schemas.LinkGraphTable)
	defer graph.Close()
	id := map[string]uint32{}
	for u, page := range graph.Uint32s(0, 0) {
		id[graph.Strings(0, 1).At(u)] = page
	}
	isNode := map[uint32]bool{}
	for _, page := range id {
		isNode[page] = true
	}
	aliases := open(t, env, "aliases.arrow", schemas.AliasesTable)
	defer aliases.Close()
	for i, target := range aliases.Uint32s(0, 3) {
		if target != 0 {
			id[aliases.Strings(0, 0).At(i)] = target
		}
	}
	links, titles := input(t, env, "links.arrow", schemas.LinksTable), input(t, env, "link-titles.arrow", schemas.LinkTitlesTable)
	defer links.Close()
	defer titles.Close()
	got := open(t, env, "anchors.arrow", schemas.AnchorsTable)
	defer got.Close()
	row, order, last := 0, uint32(0), uint32(0)
	seen := map[[2]uint32]bool{}
	for b := range links.Batches() {
		for i, from := range links.Uint32s(b, 0) {
			title := titles.Strings(b, 0).At(i)
			to := id[title]
			if !isNode[from] || to == 0 || to == from || seen[[2]uint32{from, to}] {
				continue
			}
			seen[[2]uint32{from, to}] = true
			if from != last {
				order, last = 0, from
			}
			gb, gi := row/schemas.BatchRows, row%schemas.BatchRows
			via := got.Strings(gb, 5).At(gi)
			if got.Uint32s(gb, 0)[gi] != from || got.Uint32s(gb, 1)[gi] != to || got.Uint32s(gb, 2)[gi] != order ||
				got.Uint8s(gb, 3)[gi] != links.Uint8s(b, 2)[i] || via != title && via != "" {
				t.Fatalf("row %d: got %d>%d #%d via %q, want %d>%d #%d for a link to %q", row, got.Uint32s(gb, 0)[gi],
					got.Uint32s(gb, 1)[gi], got.Uint32s(gb, 2)[gi], via, from, to, order, title)
			}
			row, order = row+1, order+1
		}
	}
	if row != 119_772 || got.Rows() != int64(row) {
		t.Errorf("got %d rows, want %d, which are 119772", got.Rows(), row)
	}
	if n := env.Counters["anchors_via_redirect"]; n < 5657 {
		t.Errorf("%d edges begin with a redirect, want the 5657 at least that have nothing else", n)
	}
}

// direct counts the links between two different nodes that name their target by its own title.
func direct(t *testing.T, env *stagetest.Env) (n int64) {
	t.Helper()
	graph := open(t, env, "linkgraph.arrow", schemas.LinkGraphTable)
	defer graph.Close()
	id := map[string]uint32{}
	isNode := map[uint32]bool{}
	for u, page := range graph.Uint32s(0, 0) {
		id[graph.Strings(0, 1).At(u)], isNode[page] = page, true
	}
	links, titles := input(t, env, "links.arrow", schemas.LinksTable), input(t, env, "link-titles.arrow", schemas.LinkTitlesTable)
	defer links.Close()
	defer titles.Close()
	for b := range links.Batches() {
		for i, from := range links.Uint32s(b, 0) {
			if to, ok := id[titles.Strings(b, 0).At(i)]; ok && isNode[from] && to != from {
				n++
			}
		}
	}
	return n
}

func input(t *testing.T, env *stagetest.Env, name string, layout schemas.Table) *arrowio.File {
	t.Helper()
	files, err := env.Input(schemas.Links)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Name == name {
			f, err := file.Open(layout)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	t.Fatalf("no input %s", name)
	return nil
}
