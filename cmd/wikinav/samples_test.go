package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDamagedDumpsAreRefusedWithTheirPlace(t *testing.T) {
	for name, want := range map[string][]string{
		"bgwiki-sample.xml.bz2":           {"E_XML_UTF16"},
		"enwiki-table.xml.bz2":            {"E_XML_NO_SITEINFO"},
		"negative-viwiki-truncated.xml":   {"page 11"},
		"negative-multiroot-fragment.xml": {"mediawiki"},
		"bad-ms.xml.bz2":                  {"112346", "page 4 of 10"},
	} {
		dump, work := shared(t, "dumps/"+name), t.TempDir()
		code, _, errs := wikinav(t, "build", "--dump", dump, "--work", work)
		if code != 14 || !strings.Contains(errs, name) {
			t.Errorf("%s: exit %d: %s", name, code, errs)
		}
		for _, w := range want {
			if !strings.Contains(errs, w) {
				t.Errorf("%s: %q does not say %s", name, errs, w)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(work, "stages", "*", "*", "*")); len(left) > 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
}

func TestLinksEqualTheReferenceList(t *testing.T) {
	t.Parallel()
	reference := shared(t, "dumps/enwiki-sample-links-ref.jsonl")
	got := strings.Split(strings.TrimSuffix(must(t, "links", shared(t, "dumps/enwiki-sample.xml.bz2")), "\n"), "\n")
	data, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		if g, w := linkLine(t, got[i]), linkLine(t, want[i]); !slices.Equal(g, w) {
			t.Errorf("line %d: got %.300s, want %.300s", i+1, g, w)
		}
	}
}

// linkLine returns the parts of a line that are compared.
func linkLine(t *testing.T, line string) []string {
	t.Helper()
	var r struct {
		ID       json.Number
		NS       json.Number
		Title    string
		Redirect *string
		Links    []string
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatal(err)
	}
	redirect := "null"
	if r.Redirect != nil {
		redirect = *r.Redirect
	}
	return append([]string{r.ID.String(), r.NS.String(), r.Title, redirect}, r.Links...)
}

func TestARealWikiGoesFromDumpToRelease(t *testing.T) {
	t.Parallel()
	dump, work := shared(t, "dumps/ltgwiki-20170901-pages-articles-multistream.xml.bz2"), t.TempDir()
	if out := must(t, "build", "--dump", dump, "--work", work); !strings.Contains(out, "SHORT") || !strings.Contains(out, "ltgwiki 20170901") {
		t.Errorf("summary:\n%s", out)
	}
	if must(t, "links", dump) != must(t, "inspect", "links", "--work", work) {
		t.Error("links of the dump and of the build differ")
	}
	must(t, "status", "--work", work)
	empty := []string{"onestep", "constrained", "infoboxes", "texts", "aar"} // no texts are asked for; no pair is left; nothing is banned without types; they have other names there
	for _, artifact := range artifactNames() {
		if slices.Contains([]string{"pagelinks", "crosscheck", "listed"}, artifact) { // of builds with SQL tables or lists of pairs
			continue
		}
		if out := must(t, "inspect", artifact, "--work", work, "--limit", "3"); out == "" && !slices.Contains(empty, artifact) || strings.Count(out, "\n") > 3 {
			t.Errorf("inspect %s --limit 3:\n%s", artifact, out)
		}
	}
	out := filepath.Join(t.TempDir(), "release")
	if code, _, _ := wikinav(t, "release", "--work", work, "--out", out); code != 15 {
		t.Errorf("release of short splits: exit %d, want 15", code)
	}
	must(t, "release", "--work", work, "--out", out, "--allow-short")
	must(t, "verify", out)
}

func TestWikispeediaGivesExactlyItsLinksInsideTheSCC(t *testing.T) {
	t.Parallel()
	dump, work := shared(t, "wikispeedia/wikispeedia-20090101-pages-articles-multistream.xml.bz2"), t.TempDir()
	must(t, "build", "--dump", dump, "--work", work, "--only", "scc")
	got := strings.Split(strings.TrimSuffix(must(t, "inspect", "graph", "--format", "tsv", "--work", work), "\n"), "\n")
	nodes := map[string]bool{}
	for _, edge := range got {
		from, to, _ := strings.Cut(edge, "\t")
		nodes[from], nodes[to] = true, true
	}
	if len(nodes) != 4051 || len(got) != 111795 {
		t.Errorf("%d nodes, %d edges; want 4051 and 111795", len(nodes), len(got))
	}
	var want []string
	for _, edge := range wikispeediaLinks(t) {
		if from, to, _ := strings.Cut(edge, "\t"); from != to && nodes[from] && nodes[to] {
			want = append(want, edge)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the edges differ from links.tsv: %d and %d", len(got), len(want))
	}
}

func TestTwinsOnWikispeediaTellNoTitle(t *testing.T) {
	if os.Getenv("WIKINAV_REAL") == "" {
		t.Skip("plays a thousand games, as the README's test does of the demo: set WIKINAV_REAL to any value")
	}
	dump := shared(t, "wikispeedia/wikispeedia-20090101-pages-articles-multistream.xml.bz2")
	types := shared(t, "wikispeedia/wikispeedia-instance-types.ttl.bz2")
	work, out := t.TempDir(), filepath.Join(t.TempDir(), "release")
	must(t, "build", "--dump", dump, "--types", types, "--work", work,
		"--set", "constrained.preset=small")
	must(t, "release", "--work", work, "--out", out, "--allow-short")
	playTwins(t, out)
}

// wikispeediaLinks reads links.tsv with the titles as the dump writes them: nine names have ": " for "__".
func wikispeediaLinks(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, line := range packedRows(t, shared(t, "wikispeedia/links.tsv.gz")) {
		text, err := url.PathUnescape(line)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.ReplaceAll(strings.ReplaceAll(text, "__", ": "), "_", " "))
	}
	return out
}

func TestAnEdgeListGivesTheGraphOfTheDump(t *testing.T) {
	t.Parallel()
	edges, nodes := shared(t, "wikispeedia/links.tsv.gz"), shared(t, "wikispeedia/articles.tsv.gz")
	dump := shared(t, "wikispeedia/wikispeedia-20090101-pages-articles-multistream.xml.bz2")
	matrices := make([]string, 2)
	for i, source := range [][]string{{"--edges", edges, "--nodes", nodes}, {"--dump", dump}} {
		work := t.TempDir()
		must(t, append([]string{"build", "--work", work, "--only", "distances"}, source...)...)
		for line := range strings.Lines(must(t, "inspect", "distances", "--format", "matrix", "--work", work)) {
			_, digits, _ := strings.Cut(line, "\t")
			matrices[i] += digits[:min(len(digits), 4051)] // the first line holds titles, of which nine differ
		}
	}
	if a, b := matrices[0][4051:], matrices[1][4051:]; a != b || len(a) != 4051*4051 {
		t.Errorf("matrices of %d and %d characters differ", len(a), len(b))
	}
}

func TestEveryShapeOfADumpGivesTheSameLinks(t *testing.T) {
	t.Parallel()
	plain := shared(t, "dumps/ltgwiki-20170901-pages-articles.xml.bz2")
	multi := shared(t, "dumps/ltgwiki-20170901-pages-articles-multistream.xml.bz2")
	folder := t.TempDir()
	for _, name := range []string{multi, strings.Replace(multi, ".xml.bz2", "-index.txt.bz2", 1)} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := must(t, "links", plain)
	for name, args := range map[string][]string{
		"multistream": {multi}, "without index": {multi, "--index", "none"}, "a folder": {folder},
		"go-wikiparse": {plain, "--reader", "wikiparse"}, "one worker": {multi, "--workers", "1"},
	} {
		if got := must(t, append([]string{"links"}, args...)...); got != want {
			t.Errorf("%s: other links than of the plain dump", name)
		}
	}
	data, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"links", "-"}, bytes.NewReader(data), &out, &errs); code != 0 || out.String() != want {
		t.Errorf("standard input: exit %d: %s", code, errs.String())
	}
	work := t.TempDir()
	args := []string{"build", "--dump", "-", "--work", work, "--only", "linkgraph"}
	if code := run(args, bytes.NewReader(data), &out, &errs); code != 0 {
		t.Errorf("a build from standard input: exit %d: %s", code, errs.String())
	}
	if left, _ := filepath.Glob(filepath.Join(work, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Acceptance of the inputs specification, 12, row 17, and with the faulty file the limit of 10.3.
func TestTheTypesOfWikispeediaCoverItsArticles(t *testing.T) {
	t.Parallel()
	dump, types := shared(t, "wikispeedia/wikispeedia-20090101-pages-articles-multistream.xml.bz2"), shared(t, "wikispeedia/wikispeedia-instance-types.ttl.bz2")
	work := t.TempDir()
	args := []string{"build", "--dump", dump, "--work", work, "--only", "labels", "--recipe", "sdow-like"}
	must(t, append(args, "--types", types)...)
	var got struct{ Counters map[string]map[string]int64 }
	if err := json.Unmarshal([]byte(must(t, append(args, "--types", types, "--json")...)), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{
		"nodes": 4604, "typed": 4359, "types_triples": 4359, "types_comments": 2, "types_bad": 0, "source_dbpedia": 4339, "source_dbpedia-redirect": 20,
		"types_unmatched": 0, "unknown_classes": 0,
	} {
		if n := got.Counters["labels"][name]; n != want {
			t.Errorf("%s: got %d, want %d", name, n, want)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.ttl")
	if err := os.WriteFile(bad, []byte("# started\nno triple\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := wikinav(t, append(args, "--types", types, "--types", bad)...); code != 14 || !strings.Contains(errs, "bad.ttl: line 2") {
		t.Errorf("a file of bad lines: exit %d: %s", code, errs)
	}
	faulty := shared(t, "dbpedia/instance-types_lang_ga-faulty.ttl.bz2")
	if code, _, errs := wikinav(t, append(args, "--types", faulty)...); code != 0 {
		t.Errorf("2 bad lines of 8,598 are fatal: exit %d: %s", code, errs)
	}
	lines := must(t, "inspect", "labels", "--work", work, "--limit", "1")
	if !strings.Contains(lines, `"node":0`) || !strings.Contains(lines, `"mask":`) {
		t.Errorf("inspect labels: %s", lines)
	}
}
