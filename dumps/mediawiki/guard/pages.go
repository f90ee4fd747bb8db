package guard

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// Pages reads the pages of one part of a document.
type Pages struct {
	Foreign int64 // elements that were passed over because they are neither siteinfo nor pages
	KeepXML bool  // XML will be called for pages

	s        *Scanner
	lim      Limits
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

// Next returns the next page, io.EOF after the part ended as it must. The record is overwritten by
// the next call. A page that breaks a rule is no error: see Record.Malformed.
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
		case tok.Kind == Start && string(tok.Name) == "page":
			return p.read(p.start(tok), tok)
		case tok.Kind == Start && string(tok.Name) == "siteinfo":
			return nil, p.s.wrong("siteinfo element after the first one or after a page")
		}
		if err := p.between(tok); err != nil {
			return nil, err
		}
	}
}

// start is the offset of the token just read.
func (p *Pages) start(tok *Token) int64 { return p.s.Offset() - int64(len(tok.Raw)) }

// between passes over white space, and over elements that are no pages. Their size counts as
// outside of any page.
func (p *Pages) between(tok *Token) error {
	switch text := bytes.TrimSpace(tok.Raw); {
	case tok.Kind == Text && len(text) > 0:
		at := p.start(tok) + int64(bytes.Index(tok.Raw, text))
		return &SyntaxError{Offset: at, What: "text between pages: " + first(text)}
	case tok.Kind != Start:
		return nil
	}
	p.Foreign++
	return p.each(tok, func(tok *Token) error {
		switch {
		case tok.Over != "":
			return p.s.wrong("%s", tok.Over)
		case p.s.Offset()-p.lastEnd > p.lim.Outside:
			return p.tooMuchOutside()
		}
		return nil
	})
}

// first quotes the first character of a text, whose pieces may be cut anywhere behind it.
func first(text []byte) string {
	_, n := utf8.DecodeRune(text)
	return quote(text[:n])
}

func (p *Pages) tooMuchOutside() error {
	return &SyntaxError{Offset: p.lastEnd, What: fmt.Sprintf("more than %d bytes outside of any page", p.lim.Outside)}
}

// read reads the page whose start tag, at offset, was just consumed.
func (p *Pages) read(offset int64, tok *Token) (*Record, error) {
	p.rec = Record{Offset: offset}
	p.page.reset()
	if err := p.children(tok, p.field); err != nil {
		return nil, inPage(err, p.rec.ID)
	}
	p.lastEnd = p.s.Offset()
	p.finish()
	return &p.rec, nil
}

// inPage says in which page the document is damaged, if its id is known.
func inPage(err error, id uint32) error {
	if syntax, ok := err.(*SyntaxError); ok && id != 0 {
		syntax.What += fmt.Sprintf(" (in page id %d)", id)
	}
	return err
}

// malformed notes the first rule that the page breaks.
func (p *Pages) malformed(format string, args ...any) {
	if p.rec.Malformed == "" {
		p.rec.Malformed = fmt.Sprintf(format, args...)
	}
}

// Intro is what stands before the first page.
type Intro struct {
	Version, Lang string // of the root element
	SiteInfo      []byte // the siteinfo element, byte for byte; nil when there is none
}

// Intro reads up to the end of siteinfo. A document whose siteinfo does not begin before the first
// page and within Limits.Prelude is refused with CodeNoSiteInfo when need is set; else reading
// stops at the first page.
func (p *Pages) Intro(need bool) (Intro, error) {
	var in Intro
	root, err := p.s.Next()
	if err != nil {
		return in, err
	}
	if root.Over != "" {
		return in, p.s.wrong("%s", root.Over)
	}
	in.Version, _ = root.Attr("version")
	in.Lang, _ = root.Attr("lang")
	err = p.seekSiteInfo(&in, need)
	p.lastEnd = p.s.Offset()
	return in, err
}

func (p *Pages) seekSiteInfo(in *Intro, need bool) error {
	for {
		tok, err := p.s.Next()
		if err != nil {
			if need && !p.s.part.Closes && p.s.stack.depth == 1 && p.s.failed() == nil {
				return p.noSiteInfo() // the head of a document ended
			}
			return err
		}
		start := tok.Kind == Start
		switch {
		case start && string(tok.Name) == "siteinfo" && p.start(tok) <= p.lim.Prelude:
			return p.siteInfo(in, tok)
		case start && string(tok.Name) == "page" && !need:
			p.pageOpen, p.pageTag = true, p.start(tok)
			return nil
		case start && string(tok.Name) == "page", p.s.Offset() > p.lim.Prelude:
			return p.noSiteInfo()
		case tok.Kind == End && need:
			return p.noSiteInfo()
		case tok.Kind == End:
			return nil
		}
		if err := p.between(tok); err != nil {
			return err
		}
	}
}

func (p *Pages) noSiteInfo() error {
	return &SyntaxError{
		Offset: min(p.s.Offset(), p.lim.Prelude),
		Code:   CodeNoSiteInfo,
		What:   fmt.Sprintf("no siteinfo before the first page and within the first %d bytes", p.lim.Prelude),
	}
}

func (p *Pages) siteInfo(in *Intro, tok *Token) error {
	var raw bytes.Buffer
	at := p.start(tok)
	err := p.each(tok, func(tok *Token) error {
		raw.Write(tok.Raw)
		switch {
		case tok.Over != "":
			return p.s.wrong("%s", tok.Over)
		case raw.Len() > p.lim.SiteInfo:
			return &SyntaxError{Offset: at, What: fmt.Sprintf("siteinfo longer than %d bytes", p.lim.SiteInfo)}
		}
		return nil
	})
	in.SiteInfo = raw.Bytes()
	return err
}
