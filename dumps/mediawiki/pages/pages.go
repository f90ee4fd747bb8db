// Package pages reads one file of a dump into checked page elements.
//
// It owns everything between an open file and an Element: the goroutine that unpacks ahead, the
// streams of a multistream file and the comparison with its index, the guard over the XML, and the
// checks of every page against what the dump says about itself.
//
// It promises that no page element is lost silently: Next returns them in file order whatever the
// number of workers, with its verdict on each; the first problem in file order is the error, and it
// is final; io.EOF comes only after every structural check passed. It counts nothing but elements
// and skips nothing: what a malformed page means is the caller's to say.
//
// One goroutine scans the XML (package guard) and cuts it into batches, workers check them; with an
// index each worker does all of it for a stream of its own.
package pages

import (
	"context"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Page is one page of the dump with its newest revision: that of the largest timestamp, then of the
// largest id.
type Page struct {
	ID            uint32
	NS            int
	Title         string // as in the dump, with its namespace prefix
	HasRedirect   bool
	RedirectTitle string // target as the dump names it; may name another wiki, "" in schemas before 0.6
	RevID         uint64
	RevTime       string // RFC 3339, UTC
	Model         string // "wikitext" where the dump names none (schemas before 0.8)
	Format        string // "" where the dump names none
	Text          string // "" when TextDeleted
	SHA1          string // as declared, base 36; "" when absent
	Bytes         int64  // as declared; -1 when absent
	TextDeleted   bool
	Offset        int64 // where in the file the page's compressed stream begins; 0 in plain and gzip files

	Examined any // what the function given to Examine returned
}

// Element is one page element of the dump, checked but not yet counted.
type Element struct {
	Page      *Page  // nil when the page is malformed or of a negative namespace
	ID        uint32 // 0 when it could not be read
	Offset    int64  // as Page.Offset
	Where     string // place in the file, for errors
	Found     Findings
	Malformed string // why it is no page; "" otherwise

	rec   guard.Record // until it is checked
	got   decoded
	turns turns // the one that its text has taken; nil for a usual text
}

// Fault is the error that a malformed page is when it is not tolerated.
func (e *Element) Fault(file string) *fault.Error {
	named := "page without an id"
	if e.ID != 0 {
		named = fmt.Sprintf("page id %d", e.ID)
	}
	remedy := "damaged pages can be skipped and listed with --tolerate"
	if long, _, _ := strings.Cut(guard.TextTooLong, "%"); strings.HasPrefix(e.Malformed, long) {
		remedy = "longer texts are read with --set ingest.page_text=64MiB (of links: --page-text 64MiB); " + remedy
	}
	return fault.New(fault.Malformed, "%s: %s", named, e.Malformed).At(file, e.Where).Hint("%s", remedy)
}

// judge fills the element with what the check says of it, and has its page examined.
func (doc *Document) judge(e *Element) error {
	rec, got := e.rec, e.got
	defer e.turns.end()
	e.rec, e.got, e.turns = guard.Record{}, decoded{}, nil
	if e.ID, e.Malformed = rec.ID, rec.Malformed; e.Malformed != "" {
		return nil
	}
	page, found, malformed := doc.check.page(&rec, got)
	e.Malformed = malformed
	if malformed != "" || page.NS < 0 {
		return nil
	}
	page.Offset = e.Offset
	e.Page, e.Found = page, found
	if doc.Examine == nil {
		return nil
	}
	var err error
	page.Examined, err = doc.Examine(page)
	return err
}

// turns lets one text that is longer than MediaWiki saves be in memory at a time, from when it is
// decoded to when it is judged.
type turns chan struct{}

// wait takes the turn.
func (t turns) wait(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end returns the turn back, if it was taken.
func (t turns) end() {
	if t != nil {
		<-t
	}
}

// part reads the pages of one part of the XML document.
type part struct {
	*guard.Pages
	decode decoder
	turns  turns
}

func (doc *Document) newPart(pages *guard.Pages) *part {
	if doc.opts.Reader == ReaderWikiparse {
		return &part{pages, newWikiparseDecoder(pages).decode, doc.turns}
	}
	return &part{pages, decodeNative, doc.turns}
}

// next returns the next page element, decoded unless it is malformed; io.EOF after the part ended
// as it must. It must be judged, or the run be at its end, for the next long one to be returned.
func (p *part) next(ctx context.Context) (e Element, err error) {
	rec, err := p.Next()
	if err != nil {
		return e, err
	}
	e.rec = *rec
	if len(rec.Text) > guard.PageText {
		if err := p.turns.wait(ctx); err != nil {
			return e, err
		}
		e.turns = p.turns
	}
	if rec.Malformed == "" {
		e.got, err = p.decode(rec)
	}
	if err != nil {
		e.turns.end()
	}
	e.rec.Text = nil // the guard's
	return e, err
}
