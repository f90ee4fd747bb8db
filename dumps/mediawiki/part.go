package mediawiki

import (
	"fmt"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/schemas/fault"
)

// entry is one page element of the dump, judged but not yet counted.
type entry struct {
	page      *Page // nil when the page is malformed or of a negative namespace
	id        uint32
	title     string
	offset    int64
	where     string
	found     findings
	malformed string // why it is no page; "" otherwise
}

// negative says that the page stands in a namespace that holds no pages.
func (e *entry) negative() bool { return e.page == nil && e.malformed == "" }

// judge fills the entry with what the check says of a page element.
func (e *entry) judge(check *checker, rec *guard.Record, got decoded) {
	e.id, e.title, e.malformed = rec.ID, rec.Title, rec.Malformed
	if e.malformed != "" {
		return
	}
	page, found, malformed := check.page(rec, got)
	e.malformed = malformed
	if malformed == "" && page.NS >= 0 {
		e.page, e.found = page, found
	}
}

// part reads the pages of one part of the XML document.
type part struct {
	pages   *guard.Pages
	decoder decoder
	check   *checker
}

func newPart(pages *guard.Pages, check *checker, reader string) *part {
	return &part{pages, newDecoder(reader), check}
}

// read gives the next page element, decoded unless it is malformed; io.EOF after the part ended as it must. The record lives until
// the next call.
func (p *part) read() (rec *guard.Record, got decoded, err error) {
	if rec, err = p.pages.Next(); err != nil || rec.Malformed != "" {
		return rec, got, err
	}
	got, err = p.decoder.decode(rec)
	return rec, got, err
}

// next gives the next page element, checked.
func (p *part) next() (e entry, err error) {
	rec, got, err := p.read()
	if err != nil {
		return entry{}, err
	}
	e.judge(p.check, rec, got)
	return e, nil
}

// fault is the error that a malformed page is when it is not tolerated.
func (e *entry) fault(file string) *fault.Error {
	named := "page without an id"
	if e.id != 0 {
		named = fmt.Sprintf("page id %d", e.id)
	}
	return fault.New(fault.Malformed, "%s: %s", named, e.malformed).At(file, e.where).
		Hint("damaged pages can be skipped and listed with --tolerate")
}
