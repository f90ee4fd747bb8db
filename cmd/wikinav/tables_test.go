package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/demo"
)

// smallTables writes the SQL tables that belong to smallDump beside it, and gives their folder.
func smallTables(t *testing.T) (dump string, table func(name string) string) {
	t.Helper()
	dump = smallDump(t)
	table = func(name string) string {
		return filepath.Join(filepath.Dir(dump), "smallwiki-20260101-"+name+".sql.bz2")
	}
	to := map[string]io.Writer{}
	for _, name := range demo.Tables {
		f, err := os.Create(table(name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		to[name] = f
	}
	if err := demo.WriteTables(context.Background(), to, demo.Options{Seed: 1, Pages: 300}); err != nil {
		t.Fatal(err)
	}
	return dump, table
}

// TestTheLinksOfTheTextAreAmongThoseOfPagelinks builds the same wiki from both sources.
func TestTheLinksOfTheTextAreAmongThoseOfPagelinks(t *testing.T) {
	dump, table := smallTables(t)
	work := t.TempDir()
	edges := map[string]map[string]bool{}
	for _, source := range []string{"wikitext", "pagelinks"} {
		out := must(t, "build", "--work", work, "--build", source, "--dump", dump, "--recipe", "sdow-like", "--link-source", source, "--only", "scc",
			"--sql", table("pagelinks"), "--sql", table("linktarget"))
		if want := map[string]string{"wikitext": "recipe sdow-like+wikitext\n", "pagelinks": "recipe sdow-like\n"}[source]; !strings.Contains(out, want) {
			t.Errorf("%s: the summary does not say %q:\n%s", source, want, out)
		}
		edges[source] = map[string]bool{}
		for line := range strings.Lines(must(t, "inspect", "graph", "--format", "tsv", "--work", work, "--build", source)) {
			edges[source][line] = true
		}
	}
	for line := range edges["wikitext"] {
		if !edges["pagelinks"][line] {
			t.Errorf("only in the wikitext: %q", line)
		}
	}
	if len(edges["wikitext"]) < 1000 {
		t.Errorf("%d edges of the wikitext: too few to tell", len(edges["wikitext"]))
	}
}

func TestTablesAreKnownByTheirContent(t *testing.T) {
	dump, table := smallTables(t)
	odd := filepath.Join(t.TempDir(), "categorylinks.sql")
	if err := os.WriteFile(odd, []byte("CREATE TABLE `categorylinks` (`cl_from` int);\nUNLOCK TABLES;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	args := []string{"build", "--work", work, "--dump", dump, "--only", "crosscheck", "--sql", odd, "--sql", table("pagelinks")}
	for _, name := range []string{"redirect", "page_props", "page"} {
		args = append(args, "--sql", table(name))
	}
	code, out, errs := wikinav(t, args...)
	if code != 0 || !strings.Contains(errs, `no stage reads the table "categorylinks"`) || !strings.Contains(errs, "links come from the wikitext") {
		t.Errorf("exit %d: %s", code, errs)
	}
	for _, want := range []string{"table page: ", ", 0 titles, 0 redirects and 0 models differ", "table redirect: ", "0 targets differ", "precision "} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary does not say %q:\n%s", want, out)
		}
	}
	if code, _, errs := wikinav(t, "build", "--work", work, "--dump", dump, "--sql", odd, "--sql", odd); code != 2 || !strings.Contains(errs, "categorylinks") {
		t.Errorf("a table twice: exit %d: %s", code, errs)
	}
}

// TestWhatPagelinksNeedsIsToldBeforeAnythingIsRead is acceptance row 6 of the inputs specification on the way.
func TestWhatPagelinksNeedsIsToldBeforeAnythingIsRead(t *testing.T) {
	dump, table := smallTables(t)
	work := filepath.Join(t.TempDir(), "work")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--link-source", "pagelinks", "--sql", table("pagelinks")}, 10, "smallwiki-20260101-linktarget.sql.bz2"},
		{[]string{"--link-source", "pagelinks"}, 10, "--sql <wiki>-<date>-pagelinks.sql.gz"},
		{[]string{"--link-source", "elsewhere"}, 2, "choose from wikitext, pagelinks"},
		{[]string{"--link-source", "pagelinks", "--set", "graph.link_parts=body", "--sql", table("pagelinks")}, 2, "link_parts"},
		{[]string{"--link-source", "pagelinks", "--hatnotes", "--sql", table("pagelinks"), "--sql", table("linktarget")}, 2, "--hatnotes"},
	} {
		code, _, errs := wikinav(t, append([]string{"build", "--work", work, "--dump", dump}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %s; want exit %d naming %q", c.args, code, errs, c.code, c.says)
		}
	}
	if _, err := os.Stat(work); err == nil {
		t.Error("a work directory was made for a build that cannot be")
	}
}

func TestAawikiWithoutLinktargetNamesIt(t *testing.T) {
	dump, links := shared(t, "dumps/aawiki-20260101-pages-meta-current.xml.bz2"), shared(t, "dumps/aawiki-20260101-pagelinks.sql.gz")
	code, _, errs := wikinav(t, "build", "--work", t.TempDir(), "--dump", dump, "--sql", links, "--link-source", "pagelinks")
	if code != 10 || !strings.Contains(errs, "aawiki-20260101-linktarget.sql.gz") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
