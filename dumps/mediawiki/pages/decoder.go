package pages

import (
	"bytes"
	"fmt"

	"github.com/dustin/go-wikiparse"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/schemas/fault"
)

// wikiparseHead is what wikiparse.NewParser wants to see: it takes the first token for the root,
// the next element for siteinfo.
const wikiparseHead = "<mediawiki><siteinfo></siteinfo>"

// wikiparseDecoder decodes with go-wikiparse, of which only NewParser and Next are sound. Next
// turns any element into a page, goes on after one that is cut, and repeats errors for ever; so it
// gets one guarded page at a time, must consume all of it, and must agree with the guard on every
// field that both read.
type wikiparseDecoder struct {
	pages  *guard.Pages
	xml    bytes.Reader // an io.ByteReader, so that the parser never reads ahead
	parser wikiparse.Parser
}

func newWikiparseDecoder(pages *guard.Pages) *wikiparseDecoder {
	d := &wikiparseDecoder{pages: pages}
	pages.KeepXML = true
	d.xml.Reset([]byte(wikiparseHead))
	parser, err := wikiparse.NewParser(&d.xml)
	if err != nil {
		panic("mediawiki: go-wikiparse refuses a constant: " + err.Error())
	}
	d.parser = parser
	return d
}

func (d *wikiparseDecoder) decode(rec *guard.Record) (decoded, error) {
	d.xml.Reset(d.pages.XML())
	page, err := d.parser.Next()
	if err != nil {
		return decoded{}, fault.New(fault.Malformed, "page %d: %w", rec.ID, err)
	}
	if d.xml.Len() > 0 {
		return decoded{}, fault.New(fault.Malformed, "page %d: go-wikiparse left %d bytes of it", rec.ID, d.xml.Len())
	}
	if err := paired(rec, page); err != nil {
		return decoded{}, err
	}
	return decoded{page.Title, page.Redir.Title, page.Revisions[0].Text}, nil
}

// paired checks that both readers saw the same page.
func paired(rec *guard.Record, page *wikiparse.Page) error {
	if len(page.Revisions) != 1 {
		return fault.New(fault.Malformed, "page %d: go-wikiparse finds %d revisions, expected one", rec.ID, len(page.Revisions))
	}
	rev := page.Revisions[0]
	guarded := fields{uint64(rec.ID), uint64(max(rec.NS, 0)), rec.Title, rec.RedirectTitle, rec.RevID}
	parsed := fields{page.ID, page.Ns, page.Title, page.Redir.Title, rev.ID}
	if guarded != parsed {
		return fault.New(fault.Malformed, "the guard reads page %v, go-wikiparse %v", guarded, parsed)
	}
	return nil
}

// fields are those that both readers decode.
type fields struct {
	id, ns          uint64
	title, redirect string
	rev             uint64
}

func (f fields) String() string {
	return fmt.Sprintf("{id %d, ns %d, title %s, redirect %s, revision %d}",
		f.id, f.ns, fault.Quote(f.title), fault.Quote(f.redirect), f.rev)
}

// decoded is what a decoder adds to the guard's record: the fields that hold text of the page's
// author.
type decoded struct{ title, redirect, text string }

// decoder decodes the pages that a guard let through, in order. An error is damage and final.
type decoder func(rec *guard.Record) (decoded, error)

// decodeNative takes pages as the guard's byte scanner reads them.
func decodeNative(rec *guard.Record) (decoded, error) {
	return decoded{rec.Title, rec.RedirectTitle, string(rec.Text)}, nil
}
