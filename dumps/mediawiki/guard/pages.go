package guard

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// Pages reads the pages of one part of a document.
type Pages struct {
	s        *Scanner
	lim      Limits
	foreign  int64 // elements beside pages
	lastEnd  int64 // where the last page ended
	pageOpen bool  // Intro consumed the first page's start tag
	pageTag  int64 // offset of that tag
	rec      Record
	page     page
}

// NewPages reads the given part of a document from src. Of a part that opens one, call Intro first.
func NewPages(src io.Reader, part Part, lim Limits) *Pages {
	return &Pages{s: NewScanner(src, part, lim), lim: lim}
}

// Foreign counts the elements that were passed over because they are neither siteinfo nor pages.
func (p *Pages) Foreign() int64 { return p.foreign }

// Offset is the number of bytes of XML consumed so far.
func (p *Pages) Offset() int64 { return p.s.Offset() }

// Next gives the next page, io.EOF after the part ended as it must. The record is overwritten by the next call.
// A page that breaks a rule is no error: see Record.Malformed.
func (p *Pages) Next() (*Record, error) {
	if p.pageOpen {
		p.pageOpen = false
		return p.read(p.pageTag, &p.s.tok)
	}
	for {
		at := p.s.Offset()
		tok, err := p.s.Next()
		if err != nil {
			return nil, err
		}
		switch {
		case at-p.lastEnd > p.lim.Outside:
			return nil, p.tooMuchOutside()
		case tok.Kind == Text:
			if err := p.blank(tok); err != nil {
				return nil, err
			}
		case tok.Kind == Start && string(tok.Name) == "page":
			return p.read(p.start(tok), tok)
		case tok.Kind == Start && string(tok.Name) == "siteinfo":
			return nil, p.s.wrong("siteinfo element after the first one or after a page")
		case tok.Kind == Start:
			if err := p.foreignElement(tok); err != nil {
				return nil, err
			}
		}
	}
}

// start is the offset of the token just read.
func (p *Pages) start(tok *Token) int64 { return p.s.Offset() - int64(len(tok.Raw)) }

// blank refuses text that is more than white space.
func (p *Pages) blank(tok *Token) error {
	if text := bytes.TrimSpace(tok.Raw); len(text) > 0 {
		at := p.start(tok) + int64(bytes.Index(tok.Raw, text))
		return &SyntaxError{Offset: at, What: "text between pages: " + first(text)}
	}
	return nil
}

// first quotes the first character of a text, whose pieces may be cut anywhere behind it.
func first(text []byte) string {
	_, n := utf8.DecodeRune(text)
	return quote(text[:n])
}

func (p *Pages) tooMuchOutside() error {
	return &SyntaxError{Offset: p.lastEnd, What: fmt.Sprintf("more than %d bytes outside of any page", p.lim.Outside)}
}

// foreignElement passes over an element between pages. Its size counts as outside of any page.
func (p *Pages) foreignElement(tok *Token) error {
	p.foreign++
	for depth := tok.Depth; ; {
		if tok.Over != "" {
			return p.s.wrong("%s", tok.Over)
		}
		if tok.Kind == End && tok.Depth == depth {
			return nil
		}
		if p.s.Offset()-p.lastEnd > p.lim.Outside {
			return p.tooMuchOutside()
		}
		var err error
		if tok, err = p.s.Next(); err != nil {
			return err
		}
	}
}

// read reads the page whose start tag, at offset, was just consumed.
func (p *Pages) read(offset int64, tok *Token) (*Record, error) {
	p.rec = Record{Offset: offset}
	p.page.reset()
	if err := p.element(tok); err != nil {
		return nil, err
	}
	p.lastEnd = p.s.Offset()
	p.finish()
	return &p.rec, nil
}

// malformed notes the first rule that the page breaks.
func (p *Pages) malformed(format string, args ...any) {
	if p.rec.Malformed == "" {
		p.rec.Malformed = fmt.Sprintf(format, args...)
	}
}
