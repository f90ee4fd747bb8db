package guard

import (
	"bytes"
	"fmt"
)

// Intro is what stands before the first page.
type Intro struct {
	Version, Lang string // of the root element
	SiteInfo      []byte // the siteinfo element, byte for byte; nil when there is none
}

// Intro reads up to the end of siteinfo. A document whose siteinfo does not begin before the first page and within
// Limits.Prelude is refused with CodeNoSiteInfo when need is set; else reading stops at the first page.
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
			return p.endedEarly(err, need)
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
		case tok.Kind == Text:
			err = p.blank(tok)
		case start:
			err = p.foreignElement(tok)
		case tok.Depth == 0 && need:
			return p.noSiteInfo()
		case tok.Depth == 0:
			return nil
		}
		if err != nil {
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

// endedEarly judges an end of the part before any siteinfo.
func (p *Pages) endedEarly(err error, need bool) error {
	if p.s.failed() == nil && p.s.stack.depth == 1 && need && !p.s.part.Closes {
		return p.noSiteInfo()
	}
	return err
}

func (p *Pages) siteInfo(in *Intro, tok *Token) error {
	var raw bytes.Buffer
	for at, depth := p.start(tok), tok.Depth; ; {
		if tok.Over != "" {
			return p.s.wrong("%s", tok.Over)
		}
		raw.Write(tok.Raw)
		if raw.Len() > p.lim.SiteInfo {
			return &SyntaxError{Offset: at, What: fmt.Sprintf("siteinfo longer than %d bytes", p.lim.SiteInfo)}
		}
		if tok.Kind == End && tok.Depth == depth {
			in.SiteInfo = raw.Bytes()
			return nil
		}
		var err error
		if tok, err = p.s.Next(); err != nil {
			return err
		}
	}
}
