package mediawiki_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas/fault"
)

// revision is one revision in XML.
func revision(id int, time, text string) string {
	return fmt.Sprintf("<revision><id>%d</id><timestamp>%s</timestamp><text>%s</text></revision>", id, time, text)
}

func page(fields, revisions string) string { return "<page>" + fields + revisions + "</page>\n" }

var (
	goodFields = "<title>A</title><ns>0</ns><id>5</id>"
	goodRev    = revision(1, "2026-01-01T00:00:00Z", "x")
)

func TestNewestRevisionIsTaken(t *testing.T) {
	path := writeXML(t, page(goodFields,
		revision(7, "2020-01-01T00:00:00Z", "old")+
			revision(8, "2021-01-01T00:00:00Z", "newest time, smaller id")+
			revision(9, "2021-01-01T01:00:00+01:00", "newest time, larger id")+
			revision(99, "2019-01-01T00:00:00Z", "oldest")))
	r := readAll(t, path, mediawiki.Options{})
	if r.err != nil || len(r.pages) != 1 {
		t.Fatalf("got %d pages, error %v", len(r.pages), r.err)
	}
	p := r.pages[0]
	if p.RevID != 9 || p.Text != "newest time, larger id" || p.RevTime != "2021-01-01T00:00:00Z" || r.newest != p.RevTime {
		t.Errorf("got revision %d of %s with text %q, newest %s", p.RevID, p.RevTime, p.Text, r.newest)
	}
	wantCounts(t, r.counts, map[string]int64{"multi_revision_pages": 1})
}

func TestMalformedPagesAreRefusedOrSkippedAndListed(t *testing.T) {
	long := strings.Repeat("a", 256)
	for reason, bad := range map[string]string{
		"0 page ids":               page("<title>A</title><ns>0</ns>", goodRev),
		"2 page ids":               page(goodFields+"<id>6</id>", goodRev),
		`page id "0"`:              page("<title>A</title><ns>0</ns><id>0</id>", goodRev),
		`page id "-3"`:             page("<title>A</title><ns>0</ns><id>-3</id>", goodRev),
		`page id "4294967296"`:     page("<title>A</title><ns>0</ns><id>4294967296</id>", goodRev),
		"0 titles":                 page("<ns>0</ns><id>5</id>", goodRev),
		"2 titles":                 page(goodFields+"<title>B</title>", goodRev),
		"empty title":              page("<title> </title><ns>0</ns><id>5</id>", goodRev),
		`title "a[b"`:              page("<title>a[b</title><ns>0</ns><id>5</id>", goodRev),
		`title "a#b"`:              page("<title>a#b</title><ns>0</ns><id>5</id>", goodRev),
		`title "aaa`:               page("<title>"+long+"</title><ns>0</ns><id>5</id>", goodRev),
		"title longer than":        page("<title>"+strings.Repeat(long, 20)+"</title><ns>0</ns><id>5</id>", goodRev),
		"2 namespaces":             page(goodFields+"<ns>0</ns>", goodRev),
		`namespace "x"`:            page("<title>A</title><ns>x</ns><id>5</id>", goodRev),
		"no revision":              page(goodFields, ""),
		"revision id":              page(goodFields, revision(-1, "2026-01-01T00:00:00Z", "x")),
		`timestamp "yesterday"`:    page(goodFields, revision(1, "yesterday", "x")),
		"2 texts":                  page(goodFields, strings.Replace(goodRev, "</revision>", "<text/></revision>", 1)),
		"0 texts":                  page(goodFields, "<revision><id>1</id><timestamp>2026-01-01T00:00:00Z</timestamp></revision>"),
		`element "b" inside title`: page("<title><b>A</b></title><ns>0</ns><id>5</id>", goodRev),
		"text outside":             page(goodFields+"stray", goodRev),
		"nested deeper":            page(goodFields+strings.Repeat("<x>", 100)+strings.Repeat("</x>", 100), goodRev),
		"more attributes":          page(goodFields+"<x"+manyAttributes(65)+"/>", goodRev),
	} {
		t.Run(reason, func(t *testing.T) {
			path := writeXML(t, fixPage(1, "Before", ""), bad, fixPage(3, "After", ""))
			wantFault(t, readAll(t, path, mediawiki.Options{}).err, fault.Malformed, path, reason, "page 2", "--tolerate")
			r := readAll(t, path, mediawiki.Options{Tolerate: 1})
			if r.err != nil || len(r.pages) != 2 || r.pages[1].Title != "After" || len(r.skipped) != 1 {
				t.Fatalf("tolerated: got %d pages, %d skipped, error %v, want 2 and 1", len(r.pages), len(r.skipped), r.err)
			}
			if !strings.Contains(r.skipped[0].Reason, reason) {
				t.Errorf("reason: got %q, want it to contain %q", r.skipped[0].Reason, reason)
			}
			wantCounts(t, r.counts, map[string]int64{"pages_read": 3, "pages_malformed": 1})
		})
	}
}

func TestNegativeNamespaceIsPassedOverAndNothingAfterIt(t *testing.T) {
	path := writeXML(t, page("<title>Special:X</title><ns>-1</ns><id>5</id>", goodRev), fixPage(6, "Talk:B", ""), fixPage(7, "C", "z"))
	r := readAll(t, path, mediawiki.Options{})
	if r.err != nil || len(r.pages) != 2 || r.pages[1].Text != "z" || *r.skipped[0].PageID != 5 {
		t.Fatalf("got %d pages, skipped %v, error %v", len(r.pages), r.skipped, r.err)
	}
	wantCounts(t, r.counts, map[string]int64{"negative_ns": 1, "pages_skipped": 1, "ns_mismatch": 1})
}

func TestForeignElementsAreNoPages(t *testing.T) {
	path := writeXML(t, fixPage(1, "A", ""), "<logitem><id>3</id></logitem><!-- x --><?y z?>", fixPage(2, "B", ""))
	r := readAll(t, path, mediawiki.Options{})
	if r.err != nil || len(r.pages) != 2 || r.pages[1].ID != 2 {
		t.Fatalf("got %d pages, error %v, want 2", len(r.pages), r.err)
	}
	wantCounts(t, r.counts, map[string]int64{"elements_ignored": 1})
}

func TestNamespaceIsDerivedWhereTheDumpHasNone(t *testing.T) {
	r := readAll(t, writeXML(t, page("<title>Talk:A</title><id>5</id>", goodRev)), mediawiki.Options{})
	if r.err != nil || r.pages[0].NS != 1 {
		t.Fatalf("got %v, error %v, want namespace 1", r.pages, r.err)
	}
	wantCounts(t, r.counts, map[string]int64{"ns_absent": 1})
}

func TestStructuralDamageIsNeverTolerated(t *testing.T) {
	for part, pages := range map[string]string{
		"for the second time":   fixPage(1, "A", "") + fixPage(1, "B", ""),
		"text between pages":    fixPage(1, "A", "") + "stray" + fixPage(2, "B", ""),
		"E_XML_TRAILING":        fixPage(1, "A", "") + "</mediawiki><mediawiki>",
		"unknown or unfinished": fixPage(1, "A", "&nbsp;"),
		"control character":     fixPage(1, "A", "\x01"),
		"invalid UTF-8":         fixPage(1, "A", "\xff"),
		"outside of any page":   fixPage(1, "A", "") + strings.Repeat(" ", 2<<20),
		"siteinfo element":      fixPage(1, "A", "") + "<siteinfo/>",
		"CDATA":                 fixPage(1, "A", "<![CDATA[x]]>"),
		`"</id>" where`:         fixPage(1, "A", "</id>"),
		"last good page id 1":   fixPage(1, "A", "") + fixPage(2, "B", "&bad;"),
	} {
		path := writeXML(t, pages)
		wantFault(t, readAll(t, path, mediawiki.Options{Tolerate: 10}).err, fault.Malformed, path, part, "stream at 0: page ")
	}
}

func TestTextOfForbiddenOptionsIsUsage(t *testing.T) {
	wantFault(t, readAll(t, "x", mediawiki.Options{VerifyText: "maybe"}).err, fault.Usage, "", `"maybe"`)
	wantFault(t, readAll(t, "x", mediawiki.Options{Tolerate: -1}).err, fault.Usage, "", "-1")
	path := writeXML(t, fixPage(1, "A", ""))
	wantFault(t, readAll(t, path, mediawiki.Options{Index: path}).err, fault.Usage, path, "index")
}

func TestWhatIsExaminedComesWithItsPageAndTheFirstErrorInOrder(t *testing.T) {
	var xml strings.Builder
	xml.WriteString(fixHead)
	for id := 1; id <= 300; id++ {
		xml.WriteString(fixPage(id, fmt.Sprintf("Page %d", id), "text"))
	}
	xml.WriteString(fixFoot)
	path := write(t, []byte(xml.String()), "")
	for workers := 1; workers <= 4; workers++ {
		d, err := mediawiki.Open(t.Context(), path, mediawiki.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		d.Examine(func(p *mediawiki.Page) (any, error) {
			switch p.ID {
			case 150:
				time.Sleep(10 * time.Millisecond) // the later one is there first
				return nil, errors.New("bad page")
			case 290:
				return nil, errors.New("worse page")
			}
			return 2 * p.ID, nil
		})
		n := uint32(0)
		for {
			var p *mediawiki.Page
			if p, err = d.Next(t.Context()); err != nil {
				break
			}
			if n++; p.ID != n || p.Examined != 2*n {
				t.Fatalf("%d workers: got page %d with %v, want %d with %d", workers, p.ID, p.Examined, n, 2*n)
			}
		}
		if n != 149 || !strings.Contains(err.Error(), "bad page") || !strings.Contains(err.Error(), "page 150") {
			t.Errorf("%d workers: got %d pages, %v; want 149 and the error of page 150", workers, n, err)
		}
		if _, again := d.Next(t.Context()); again != err {
			t.Errorf("%d workers: got %v after %v", workers, again, err)
		}
		d.Close()
	}
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ` a%d="1"`, i)
	}
	return b.String()
}
