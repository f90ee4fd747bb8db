package mediawiki_test

import (
	"compress/bzip2"
	"compress/gzip"
	"encoding/xml"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/mediawiki"
)

// TestReadersAgreeOnEverySample compares both readers, and encoding/xml as a third opinion, page by page.
func TestReadersAgreeOnEverySample(t *testing.T) {
	for _, name := range []string{enwiki, ltg, ltgStreams, itwiki, aawiki, wiktionary, tiny} {
		t.Run(name, func(t *testing.T) {
			path := sample(t, name)
			native := readAll(t, path, mediawiki.Options{VerifyText: mediawiki.VerifyOff})
			second := readAll(t, path, mediawiki.Options{VerifyText: mediawiki.VerifyOff, Reader: mediawiki.ReaderWikiparse})
			if native.err != nil || second.err != nil {
				t.Fatalf("native: %v, wikiparse: %v", native.err, second.err)
			}
			if !slices.EqualFunc(native.pages, second.pages, equalPage) || !maps.Equal(native.counts, second.counts) {
				t.Errorf("native reads %d pages, wikiparse %d; they differ", len(native.pages), len(second.pages))
			}
			third := plainPages(t, path)
			if len(third) != len(native.pages) {
				t.Fatalf("got %d pages, encoding/xml reads %d", len(native.pages), len(third))
			}
			for i, p := range native.pages {
				if want := third[i].page(); !samePage(p, &want) {
					t.Fatalf("page %d differs:\ngot  %.300v\nwant %.300v", i, *p, want)
				}
			}
		})
	}
}

func equalPage(a, b *mediawiki.Page) bool { return *a == *b }

// TestReadersAgreeOnBadSamples compares the errors, and the pages before them.
func TestReadersAgreeOnBadSamples(t *testing.T) {
	for _, name := range []string{"bgwiki-sample.xml.bz2", "enwiki-table.xml.bz2", "negative-viwiki-truncated.xml", "negative-multiroot-fragment.xml", "bad-ms.xml.bz2"} {
		path := sample(t, name)
		native := readAll(t, path, mediawiki.Options{})
		second := readAll(t, path, mediawiki.Options{Reader: mediawiki.ReaderWikiparse})
		if native.err == nil || second.err == nil || native.err.Error() != second.err.Error() || !slices.EqualFunc(native.pages, second.pages, equalPage) {
			t.Errorf("%s: native reads %d pages and %v, wikiparse %d and %v", name, len(native.pages), native.err, len(second.pages), second.err)
		}
	}
}

// TestReadersAgreeOnOddPages has what samples lack: old schemas, references in every field, line ends, comments, several revisions.
func TestReadersAgreeOnOddPages(t *testing.T) {
	rev := func(id, time, text string) string {
		return "<revision><id>" + id + "</id><timestamp>" + time + "</timestamp>" + text + "</revision>"
	}
	odd := []string{
		page("<title>A &amp; B &#x41;&#66;</title><ns>0</ns><id>5</id><redirect/>", rev("1", "2026-01-01T00:00:00Z", "<text/>")),
		page("<title>C</title><id> 6 </id><redirect title=\"D &lt; E\"></redirect>", rev("1", "2026-01-01T00:00:00+02:00", "<text xml:space='preserve'>a\r\nb\rc&#13;&#10;d&gt;&apos;</text>")),
		page("<title>G</title><ns>0</ns><id>7</id>", rev("8", "2025-01-01T00:00:00Z", "<text>old</text>")+
			rev("9", "2026-01-01T00:00:00Z", "<text>a<!-- gone --> b<?x?></text>")+rev("7", "2026-01-01T00:00:00Z", "<text>lower id</text>")),
		page("<title>H</title><ns>0</ns><id>8</id>", rev("1", "2026-01-01T00:00:00Z", "<text deleted=\"deleted\" bytes=\"5\" />")),
		page("<title>I</title><ns>0</ns><id>9</id>", rev("1", "2026-01-01T00:00:00Z", "<text>"+strings.Repeat("漢字 [[x]] ]] &amp;lt; ", 40_000)+"</text>")),
	}
	path := writeXML(t, odd...)
	native := readAll(t, path, mediawiki.Options{})
	second := readAll(t, path, mediawiki.Options{Reader: mediawiki.ReaderWikiparse})
	if native.err != nil || second.err != nil || len(native.pages) != len(odd) || !slices.EqualFunc(native.pages, second.pages, equalPage) {
		t.Fatalf("native: %d pages, %v, wikiparse: %d pages, %v", len(native.pages), native.err, len(second.pages), second.err)
	}
	for i, want := range []string{"", "a\nb\nc\r\nd>'", "a b", "", strings.Repeat("漢字 [[x]] ]] &lt; ", 40_000)} {
		if got := native.pages[i].Text; got != want {
			t.Errorf("text of page %d: got %.50q, want %.50q", i, got, want)
		}
	}
}

// plainPage is a page as encoding/xml alone reads it: an opinion that owes nothing to the guard or to go-wikiparse.
type plainPage struct {
	Title    string `xml:"title"`
	NS       int    `xml:"ns"`
	ID       uint32 `xml:"id"`
	Redirect *struct {
		Title string `xml:"title,attr"`
	} `xml:"redirect"`
	Revision []struct {
		ID     uint64 `xml:"id"`
		Time   string `xml:"timestamp"`
		Model  string `xml:"model"`
		Format string `xml:"format"`
		SHA1   string `xml:"sha1"`
		Text   struct {
			Text  string  `xml:",chardata"`
			Bytes *int64  `xml:"bytes,attr"`
			SHA1  string  `xml:"sha1,attr"`
			Gone  *string `xml:"deleted,attr"`
		} `xml:"text"`
	} `xml:"revision"`
}

func (p *plainPage) page() mediawiki.Page {
	rev := p.Revision[0]
	page := mediawiki.Page{
		ID: p.ID, NS: p.NS, Title: p.Title, HasRedirect: p.Redirect != nil,
		RevID: rev.ID, RevTime: rev.Time, Model: rev.Model, Format: rev.Format,
		Text: rev.Text.Text, SHA1: rev.SHA1, Bytes: -1, TextDeleted: rev.Text.Gone != nil,
	}
	if rev.Text.SHA1 != "" {
		page.SHA1 = rev.Text.SHA1
	}
	if page.Model == "" {
		page.Model = "wikitext"
	}
	if p.Redirect != nil {
		page.RedirectTitle = p.Redirect.Title
	}
	if rev.Text.Bytes != nil {
		page.Bytes = *rev.Text.Bytes
	}
	return page
}

func plainPages(t *testing.T, path string) (pages []plainPage) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var content io.Reader = f
	switch {
	case strings.HasSuffix(path, ".bz2"):
		content = bzip2.NewReader(f)
	case strings.HasSuffix(path, ".gz"):
		if content, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	for d := xml.NewDecoder(content); ; {
		tok, err := d.Token()
		if err == io.EOF {
			return pages
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := tok.(xml.StartElement); ok && start.Name.Local == "page" {
			var p plainPage
			if err := d.DecodeElement(&p, &start); err != nil {
				t.Fatal(err)
			}
			pages = append(pages, p)
		}
	}
}
