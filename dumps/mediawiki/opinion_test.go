package mediawiki_test

import (
	"compress/bzip2"
	"encoding/xml"
	"io"
	"os"
	"testing"

	"github.com/wikinav/wikinav/dumps/mediawiki"
)

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
	if p.Redirect != nil {
		page.RedirectTitle = p.Redirect.Title
	}
	if rev.Text.Bytes != nil {
		page.Bytes = *rev.Text.Bytes
	}
	return page
}

func TestPagesAreThoseThatEncodingXMLReads(t *testing.T) {
	for _, name := range []string{enwiki, ltg, aawiki} {
		path := sample(t, name)
		got := readSample(t, name)
		if got.err != nil {
			t.Fatal(got.err)
		}
		want := plainPages(t, path)
		if len(got.pages) != len(want) {
			t.Fatalf("%s: got %d pages, encoding/xml reads %d", name, len(got.pages), len(want))
		}
		for i, p := range got.pages {
			if plain := want[i].page(); !samePage(p, &plain) {
				t.Fatalf("%s: page %d differs:\ngot  %.300v\nwant %.300v", name, i, *p, plain)
			}
		}
	}
}

func plainPages(t *testing.T, path string) (pages []plainPage) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := xml.NewDecoder(bzip2.NewReader(f)); ; {
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
