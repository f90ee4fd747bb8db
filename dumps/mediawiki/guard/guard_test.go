package guard_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
)

const (
	head = `<mediawiki version="0.11" xml:lang="en"><siteinfo><dbname>t</dbname></siteinfo>`
	foot = `</mediawiki>`
	rev  = `<revision><id>1</id><timestamp>2026-01-01T00:00:00Z</timestamp><contributor><ip>::1</ip></contributor><model>wikitext</model>` +
		`<text bytes="3" sha1="abc">a &amp; &#x62;</text><sha1>def</sha1></revision>`
	page = `<page><title>A &quot;B&quot;</title><ns>0</ns><id>7</id><redirect title="C &lt; D" />` + rev + `</page>`
)

// trace is all that a guard says of a document, for comparisons.
func trace(r io.Reader, part guard.Part) string {
	var b strings.Builder
	pages := guard.NewPages(r, part, guard.DefaultLimits)
	if part.Opens {
		in, err := pages.Intro(true)
		fmt.Fprintf(&b, "%s %s %q %v\n", in.Version, in.Lang, in.SiteInfo, err)
		if err != nil {
			return b.String()
		}
	}
	for {
		rec, err := pages.Next()
		if err != nil {
			fmt.Fprintf(&b, "%v", err)
			return b.String()
		}
		fmt.Fprintf(&b, "%+v %q\n", *rec, rec.Text)
	}
}

func read(t *testing.T, doc string, part guard.Part) (n int, err error) {
	t.Helper()
	pages := guard.NewPages(strings.NewReader(doc), part, guard.DefaultLimits)
	if part.Opens {
		if _, err := pages.Intro(true); err != nil {
			return 0, err
		}
	}
	for {
		if _, err := pages.Next(); err != nil {
			return n, err
		}
		n++
	}
}

func TestRecordHoldsTheFieldsAndTheReducedPage(t *testing.T) {
	pages := guard.NewPages(strings.NewReader(head+"\n"+page+foot), guard.Whole, guard.DefaultLimits)
	pages.KeepXML = true
	in, err := pages.Intro(true)
	if err != nil || in.Version != "0.11" || in.Lang != "en" || string(in.SiteInfo) != "<siteinfo><dbname>t</dbname></siteinfo>" {
		t.Fatalf("intro: got %+v, %v", in, err)
	}
	rec, err := pages.Next()
	if err != nil || rec.Malformed != "" {
		t.Fatalf("got %v, %v", rec, err)
	}
	if rec.ID != 7 || rec.Title != `A "B"` || rec.RedirectTitle != "C < D" || !rec.HasNS || rec.Offset != int64(len(head))+1 ||
		rec.Model != "wikitext" || rec.SHA1 != "abc" || rec.Bytes != 3 || rec.RevID != 1 || rec.Revisions != 1 {
		t.Errorf("record: got %+v", rec)
	}
	want := `<page><title>A &quot;B&quot;</title><ns>0</ns><id>7</id><redirect title="C &lt; D" /><revision><id>1</id>` +
		`<timestamp>2026-01-01T00:00:00Z</timestamp><text bytes="3" sha1="abc">a &amp; &#x62;</text></revision></page>`
	if got := string(pages.XML()); got != want {
		t.Errorf("XML:\ngot  %s\nwant %s", got, want)
	}
	if _, err := pages.Next(); err != io.EOF {
		t.Errorf("end: got %v, want io.EOF", err)
	}
}

func TestDocumentsThatAreReadOrRefused(t *testing.T) {
	for _, c := range []struct {
		doc  string
		want string // part of the error; "" for a good end
	}{
		{head + page + foot, ""},
		{"\uFEFF<?xml version='1.0' encoding='UTF-8'?>\n<!-- x --> " + head + page + foot + " \n", ""},
		{strings.NewReplacer("<page", "<m:page", "</page", "</m:page").Replace(head + page + foot), ""},
		{"\xff\xfe" + head, "E_XML_UTF16"},
		{"\xfe\xff" + head, "E_XML_UTF16"},
		{"<?xml version='1.0' encoding='latin1'?>" + head + foot, `encoding "latin1"`},
		{"<!DOCTYPE x [<!ENTITY a 'b'>]>" + head + foot, "document type declaration"},
		{"<!ENTITY a 'b'>" + head + foot, "document type declaration"},
		{"stray" + head + foot, "text before the root"},
		{"", "no root element"},
		{"<feed></feed>", `root element "feed"`},
		{"<mediawiki/>", "E_XML_NO_SITEINFO"},
		{"<mediawiki>" + page + foot, "E_XML_NO_SITEINFO"},
		{"<mediawiki>" + strings.Repeat(" ", 70_000) + "<siteinfo/>" + foot, "E_XML_NO_SITEINFO"},
		{head + page + foot + head, "E_XML_TRAILING"},
		{head + page + foot + "x", "E_XML_TRAILING"},
		{head + page, `"mediawiki" is not closed`},
		{head + page[:len(page)-9], `unexpected end`},
		{head + page[:len(page)-3], `unexpected end inside a tag`},
		{head + "<page><title>A</id></page>" + foot, `end tag "</id>" where "title" is open`},
		{head + "<page a=b></page>" + foot, "malformed attribute"},
		{head + "<page a='1'b='2'></page>" + foot, "malformed attribute"},
		{head + "<page a='&x;'></page>" + foot, "attribute"},
		{head + "<1></1>" + foot, "no element name"},
		{head + "<page><title>&nbsp;</title></page>" + foot, "unknown or unfinished entity"},
		{head + "<page><title>&#0;</title></page>" + foot, "unknown or unfinished entity"},
		{head + "<page><title>&#xD800;</title></page>" + foot, "unknown or unfinished entity"},
		{head + "<page><title>&amp</title></page>" + foot, "unknown or unfinished entity"},
		{head + "<page><title>]]></title></page>" + foot, `"]]>" in text`},
		{head + "<page><title>\uFFFE</title></page>" + foot, "U+FFFE"},
		{head + "<page><title>\xc3(</title></page>" + foot, "invalid UTF-8"},
		{head + "<page><title>\x00</title></page>" + foot, "control character"},
		{head + "<x a='" + strings.Repeat("1", 70_000) + "'/>" + foot, "tag longer than"},
		{head + strings.Repeat("<x>", 1_000_000), "nested deeper"},
		{head + "<!-- never closed", "inside a comment"},
		{"<mediawiki><siteinfo>" + strings.Repeat("x", 2<<20) + "</siteinfo>" + foot, "siteinfo longer than"},
	} {
		_, err := read(t, c.doc, guard.Whole)
		var syntax *guard.SyntaxError
		switch {
		case c.want == "" && err != io.EOF:
			t.Errorf("%.80q: got %v, want a good end", c.doc, err)
		case c.want != "" && (!errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%.80q: got %v, want %q", c.doc, err, c.want)
		}
	}
}

// An element that stands where none is looked for would be passed over, and with it a page or a text.
func TestAnElementInTheWrongPlaceIsDamage(t *testing.T) {
	open, rest, _ := strings.Cut(page, "<revision>")
	rest = "<revision>" + rest
	inner := strings.NewReplacer("<id>7<", "<id>8<", "A &quot;B&quot;", "C").Replace(page)
	for name, doc := range map[string]string{
		"page in a page":             head + open + inner + rest + foot,
		"page in a revision":         head + open + strings.Replace(rev, "<model>", inner+"<model>", 1) + "</page>" + foot,
		"page in an unknown element": head + "<logitem>" + page + "</logitem>" + foot,
		"page deeper than the limit": head + open + strings.Repeat("<x>", 70) + inner + strings.Repeat("</x>", 70) + rest + foot,
		"page in siteinfo":           "<mediawiki><siteinfo>" + page + "</siteinfo>" + foot,
		"root in the root":           head + "<mediawiki>" + page + "</mediawiki>" + foot,
		"root in a page":             head + open + "<mediawiki/>" + rest + foot,
		"siteinfo in a page":         head + open + "<siteinfo/>" + rest + foot,
		"revision in a revision":     head + open + strings.Replace(rev, "<model>", rev+"<model>", 1) + "</page>" + foot,
		"revision between pages":     head + page + rev + foot,
		"text in a page":             head + open + "<text>[[B]]</text>" + rest + foot,
		"text in a contributor":      head + strings.Replace(page, "<ip>", "<text>[[B]]</text><ip>", 1) + foot,
		"title in a revision":        head + strings.Replace(page, "<model>", "<title>D</title><model>", 1) + foot,
		"attribute twice":            head + strings.Replace(page, `title="C`, `title="D" title="C`, 1) + foot,
	} {
		n, err := read(t, doc, guard.Whole)
		var syntax *guard.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset == 0 {
			t.Errorf("%s: %d pages, then %v; want damage with its offset", name, n, err)
		}
	}
	slot := "<content><role>x</role><text>more</text></content>"
	if n, err := read(t, head+strings.Replace(page, "</revision>", slot+"</revision>", 1)+"<logitem><text/></logitem>"+foot, guard.Whole); n != 1 || err != io.EOF {
		t.Errorf("further slot and log: %d pages, %v", n, err)
	}
}

func TestPartsMustEndAsTheirPlaceSays(t *testing.T) {
	for _, c := range []struct {
		name string
		doc  string
		part guard.Part
		n    int
		ok   bool
	}{
		{"head", head, guard.Head, 0, true},
		{"head that closes", head + foot, guard.Head, 0, false},
		{"body", page + page, guard.Body, 2, true},
		{"body that closes", page + foot, guard.Body, 1, false},
		{"body that ends in a page", page + "<page>", guard.Body, 1, false},
		{"foot", foot, guard.Foot, 0, true},
		{"foot that stays open", " ", guard.Foot, 0, false},
	} {
		n, err := read(t, c.doc, c.part)
		if n != c.n || (err == io.EOF) != c.ok {
			t.Errorf("%s: got %d pages, %v, want %d, good end %v", c.name, n, err, c.n, c.ok)
		}
	}
}

func TestFailedReadIsTheErrorAndNotASyntaxError(t *testing.T) {
	broken := errors.New("disk")
	for cut := range len(head + page) {
		src := io.MultiReader(strings.NewReader((head + page)[:cut]), iotest.ErrReader(broken))
		if got := trace(src, guard.Whole); !strings.HasSuffix(strings.TrimSpace(got), "disk") {
			t.Fatalf("cut at %d: got %q, want the disk's error", cut, got)
		}
	}
}

func TestLimitsOfTextAndRevisionsMakeAPageMalformed(t *testing.T) {
	lim := guard.DefaultLimits
	lim.Text, lim.Revisions = 1000, 3
	for want, revs := range map[string]string{
		"text longer than 1000 bytes: 6009": strings.Replace(rev, "a &amp;", strings.Repeat("&quot;", 1000)+"aa", 1),
		"more than 3 revisions":             strings.Repeat(rev, 4),
		"":                                  strings.Repeat(rev, 3),
	} {
		doc := "<page><title>A</title><ns>0</ns><id>1</id>" + revs + "</page>" + page
		pages := guard.NewPages(strings.NewReader(doc), guard.Body, lim)
		rec, err := pages.Next()
		if err != nil || rec.Malformed != want {
			t.Errorf("got %+v, %v, want malformed %q", rec, err, want)
		}
		if rec, err := pages.Next(); err != nil || rec.Malformed != "" || rec.ID != 7 {
			t.Errorf("the page after: got %+v, %v", rec, err)
		}
	}
}

func TestMemoryDoesNotGrowWithALongText(t *testing.T) {
	lim := guard.DefaultLimits
	lim.Text = 256 << 10
	src := io.MultiReader(strings.NewReader("<page><title>A</title><id>1</id><revision><text>"),
		io.LimitReader(endless('x'), 64<<20), strings.NewReader("</text></revision></page>"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rec, err := guard.NewPages(src, guard.Body, lim).Next()
	runtime.ReadMemStats(&after)
	if err != nil || !strings.Contains(rec.Malformed, "text longer than") || len(rec.Text) > 0 {
		t.Errorf("got %v, %v", rec, err)
	}
	if got, want := after.TotalAlloc-before.TotalAlloc, uint64(16<<20); got > want {
		t.Errorf("allocated %d bytes for a text of 64 MiB, want at most %d", got, want)
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestUnescapeAgreesWithEncodingXML(t *testing.T) {
	for _, raw := range []string{"", "plain", "&lt;&gt;&amp;&quot;&apos;", "&#65;&#x42;", "a\r\nb\rc\n", "&#13;\n", "é&amp;amp;", "&#x10FFFF;"} {
		var want struct {
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal([]byte("<t>"+raw+"</t>"), &want); err != nil {
			t.Fatal(err)
		}
		if got := guard.Unescape([]byte(raw)); got != want.Text {
			t.Errorf("%q: got %q, want %q", raw, got, want.Text)
		}
	}
}

// FuzzGuard checks that no input panics, that pieces do not matter, and that what the guard lets through is a page to encoding/xml.
func FuzzGuard(f *testing.F) {
	for _, doc := range []string{
		head + page + foot, "\uFEFF<?xml version='1.0'?>" + head + foot, head + "<page>]]&gt;\r\n</page>", "<mediawiki><page/>",
		head + "<!-- a --><?b?><page x='1'><title>\xef\xbf\xbd</title></page>" + foot, "\xff\xfe", head + page + foot + "x",
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		whole := trace(bytes.NewReader(doc), guard.Whole)
		if pieces := trace(iotest.OneByteReader(bytes.NewReader(doc)), guard.Whole); pieces != whole {
			t.Errorf("byte by byte:\ngot  %s\nwant %s", pieces, whole)
		}
		pages := guard.NewPages(bytes.NewReader(doc), guard.Whole, guard.DefaultLimits)
		pages.KeepXML = true
		if _, err := pages.Intro(false); err != nil {
			return
		}
		for {
			rec, err := pages.Next()
			if err != nil {
				return
			}
			var x struct {
				Title string `xml:"title"`
			}
			if rec.Malformed == "" {
				if err := xml.Unmarshal(pages.XML(), &x); err != nil || x.Title != rec.Title {
					t.Errorf("encoding/xml reads %q, %v, the guard %q", x.Title, err, rec.Title)
				}
			}
		}
	})
}
