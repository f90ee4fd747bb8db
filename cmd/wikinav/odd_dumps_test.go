package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const xmlHead = `<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>T</sitename><dbname>testwiki</dbname><case>first-letter</case></siteinfo>`

// xmlPage is one page of a dump.
func xmlPage(id int, title, inside, text string) string {
	return fmt.Sprintf("<page><title>%s</title><ns>0</ns><id>%d</id>%s<revision><id>%d</id><timestamp>2026-01-01T00:00:00Z</timestamp>"+
		"<text>%s</text></revision></page>\n", title, id, inside, id, text)
}

func xmlDump(t *testing.T, pages ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "testwiki-20260101-pages-articles.xml")
	if err := os.WriteFile(path, []byte(xmlHead+strings.Join(pages, "")+"</mediawiki>"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOddDumpsAreRefusedByEveryReader: what build refuses links refuses as well, with the same code, the place and the remedy, and
// prints no page of it.
func TestOddDumpsAreRefusedByEveryReader(t *testing.T) {
	good := xmlPage(1, "One", "", "[[Two]]")
	for name, c := range map[string]struct {
		dump string
		want []string
	}{
		"page in a page":   {xmlDump(t, good, xmlPage(2, "Two", xmlPage(3, "Three", "", ""), "")), []string{"page 2", "at byte", "in page id 2"}},
		"the same title":   {xmlDump(t, good, xmlPage(2, "one", "", "")), []string{"pages 1 and 2 have the same title \"One\""}},
		"text above 2 MiB": {xmlDump(t, good, xmlPage(2, "Two", "", strings.Repeat("x", 2<<20+1))), []string{"page id 2", "2097152 bytes: 2097153", "ingest.page_text", "--page-text"}},
		"quotes, as bytes": {xmlDump(t, good, xmlPage(2, "Two", "", strings.Repeat("&quot;", 2<<20+1))), []string{"page id 2", "2097152 bytes"}},
	} {
		for _, args := range [][]string{
			{"links", c.dump}, {"links", c.dump, "--reader", "wikiparse"}, {"build", "--only", "ingest", "--dump", c.dump, "--work", t.TempDir()},
		} {
			code, out, errs := wikinav(t, args...)
			if code != 14 || out != "" {
				t.Errorf("%s: %s: exit %d with %d bytes of output: %s", name, args[0], code, len(out), errs)
			}
			for _, w := range c.want {
				if !strings.Contains(errs, w) {
					t.Errorf("%s: %s: %q does not say %s", name, args[0], errs, w)
				}
			}
		}
	}
}

func TestALongTextIsReadWhereTheCapIsRaised(t *testing.T) {
	full := xmlDump(t, xmlPage(1, "One", "", strings.Repeat("&quot;", 2<<20)))
	long := xmlDump(t, xmlPage(1, "One", "", strings.Repeat("x", 3<<20)))
	must(t, "links", full)
	must(t, "links", long, "--page-text", "3MiB")
	must(t, "build", "--only", "ingest", "--dump", long, "--work", t.TempDir(), "--set", "ingest.page_text=3MiB")
	if code, _, errs := wikinav(t, "plan", "--dump", long, "--work", t.TempDir(), "--set", "ingest.page_text=65MiB"); code != 2 {
		t.Errorf("more than a stream may hold: exit %d: %s", code, errs)
	}
}

// TestADumpWithoutItsIndexIsSaidOnStandardError: a stream could be missing, as one is here.
func TestADumpWithoutItsIndexIsSaidOnStandardError(t *testing.T) {
	dump := smallDump(t)
	for _, args := range [][]string{{"links", dump, "--index", "none"}, {"build", "--only", "ingest", "--dump", dump, "--index", "none", "--work", t.TempDir()}} {
		if code, out, errs := wikinav(t, args...); code != 0 || out == "" || !strings.Contains(errs, "W_NO_INDEX") || !strings.Contains(errs, "--index") {
			t.Errorf("%s: exit %d: %s", args[0], code, errs)
		}
	}
	if _, _, errs := wikinav(t, "links", dump); strings.Contains(errs, "W_NO_INDEX") {
		t.Errorf("with the index: %s", errs)
	}
}
