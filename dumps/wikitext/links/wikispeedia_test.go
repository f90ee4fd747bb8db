package links

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"net/url"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

type edge struct{ source, target string }

// articleTitle gives the title that the derived dump has for a name of articles.tsv.
func articleTitle(t *testing.T, name string) string {
	t.Helper()
	decoded, err := url.PathUnescape(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("__", ": ", "_", " ").Replace(decoded)
}

// rows gives the columns of a gzipped table, comments and blank lines left out.
func rows(t *testing.T, data []byte) [][]string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if line := lines.Text(); line != "" && line[0] != '#' {
			all = append(all, strings.Split(line, "\t"))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// resolve follows redirects for at most five steps; it gives "" where no node is reached.
func resolve(title string, nodes map[string]bool, redirects map[string]string) string {
	for range 6 {
		if nodes[title] {
			return title
		}
		title = redirects[title]
	}
	return ""
}

func TestWikispeediaEdgesAndProvenanceAreExact(t *testing.T) {
	want := map[edge]bool{}
	for _, row := range rows(t, wikitest.Shared(t, wikitest.SpeediaLinks, wikitest.SpeediaLinksSum)) {
		if row[0] != row[1] {
			want[edge{articleTitle(t, row[0]), articleTitle(t, row[1])}] = true
		}
	}
	site, pages := wikitest.ReadDump(t, wikitest.Shared(t, wikitest.Speedia, wikitest.SpeediaSum))
	nodes, redirects, fromTexts := map[string]bool{}, map[string]string{}, 0
	for _, p := range pages {
		title := wikitest.PageTitle(t, site, p)
		if r, fromText, _, ok := site.Redirect(p.Redirect.Title, p.Text); ok {
			redirects[site.FullTitle(title)] = r.Target
			if fromText {
				fromTexts++
			}
		} else if p.NS == 0 && p.Model == schemas.ModelWikitext {
			nodes[title.Text] = true
		}
	}
	if len(pages) != 4_871 || len(nodes) != 4_604 || len(redirects) != 116 || fromTexts != 2 {
		t.Errorf("got %d pages, %d nodes, %d redirects, %d of them from text; want 4871, 4604, 116, 2",
			len(pages), len(nodes), len(redirects), fromTexts)
	}
	got := edges(t, site, pages, func(title string) string { return resolve(title, nodes, redirects) })
	compareEdges(t, got, want)
	compareProvenance(t, got)
}

// edges extracts the links of all nodes and resolves them; self links are left out.
func edges(t *testing.T, site *titles.Site, pages []wikitest.DumpPage, resolve func(string) string) map[edge]schemas.Provenance {
	t.Helper()
	all := map[edge]schemas.Provenance{}
	x := NewExtractor(site)
	for _, p := range pages {
		if resolve(p.Title) != p.Title {
			continue
		}
		for _, l := range x.Links(wikitest.PageTitle(t, site, p), p.Text) {
			if target := resolve(l.Target); target != "" && target != p.Title {
				all[edge{p.Title, target}] |= l.Provenance
			}
		}
	}
	CheckBalance(t, x.Counts())
	return all
}

func compareEdges(t *testing.T, got map[edge]schemas.Provenance, want map[edge]bool) {
	t.Helper()
	if len(want) != 119_772 {
		t.Fatalf("links.tsv has %d edges, want 119772", len(want))
	}
	missing, invented := 0, 0
	for e := range want {
		if _, ok := got[e]; !ok {
			missing++
			t.Logf("missing %q", e)
		}
	}
	for e := range got {
		if !want[e] {
			invented++
			t.Logf("invented %q", e)
		}
	}
	if missing+invented > 0 {
		t.Errorf("got %d edges, %d missing, %d invented; want %d", len(got), missing, invented, len(want))
	}
}

func compareProvenance(t *testing.T, got map[edge]schemas.Provenance) {
	t.Helper()
	exact := map[schemas.Provenance]int{}
	for _, mask := range got {
		exact[mask]++
	}
	want := map[schemas.Provenance]int{
		schemas.ProvRefs: 9_271, schemas.ProvCaptions: 4_446, schemas.ProvTemplateArgs: 12_137,
		schemas.ProvTables: 7_204, schemas.ProvBody: 86_714,
	}
	for mask, n := range want {
		if exact[mask] != n {
			t.Errorf("edges of %s alone: got %d, want %d", schemas.BitNames(mask, schemas.ProvenanceNames), exact[mask], n)
		}
	}
	if len(exact) != len(want) {
		t.Errorf("edges by mask: got %v, want %v", exact, want)
	}
}
