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

// part reads the pages of one part of the XML document.
type part struct {
	pages   *guard.Pages
	decoder decoder
	check   *checker
}

func newPart(pages *guard.Pages, check *checker) *part {
	return &part{pages, newWikiparseDecoder(), check}
}

// next gives the next page element and its offset in the XML; io.EOF after the part ended as it must.
func (p *part) next() (e entry, at int64, err error) {
	rec, err := p.pages.Next()
	if err != nil {
		return entry{}, 0, err
	}
	e = entry{id: rec.ID, title: rec.Title, malformed: rec.Malformed}
	if rec.Malformed != "" {
		return e, rec.Offset, nil
	}
	got, err := p.decoder.decode(rec)
	if err != nil {
		return entry{}, 0, err
	}
	page, found, malformed := p.check.page(rec, got)
	e.malformed = malformed
	if malformed == "" && page.NS >= 0 {
		e.page, e.found = page, found
	}
	return e, rec.Offset, nil
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
