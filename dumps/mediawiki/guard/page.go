package guard

import (
	"bytes"
	"strings"
)

// page is the state of the page that is being read. Its buffers are used again for the next one.
type page struct {
	seen   pageFields
	fields []byte // XML of the page's own fields
	newest []byte // XML of the newest revision so far
	open   []byte // XML of the revision that is being read
	value  []byte // the field that is being read, as in the file
}

// pageFields counts the elements that a page may have once.
type pageFields struct{ id, title, ns, redirect int }

// keepBuffer is the largest buffer that is worth carrying over to the next page.
const keepBuffer = 8 << 20

func (g *page) reset() {
	g.seen = pageFields{}
	for _, b := range []*[]byte{&g.fields, &g.newest, &g.open} {
		if cap(*b) > keepBuffer {
			*b = nil
		}
		*b = (*b)[:0]
	}
}

// element reads everything up to the end tag of the page that tok starts.
func (p *Pages) element(tok *Token) error {
	return p.children(tok, p.field)
}

// children hands each child element of the one that tok starts to read, which must consume it.
func (p *Pages) children(tok *Token, read func(*Token) error) error {
	depth := tok.Depth
	p.over(tok)
	for {
		tok, err := p.s.Next()
		switch {
		case err != nil:
			return err
		case tok.Kind == End && tok.Depth == depth:
			return nil
		case tok.Kind == Text:
			if text := bytes.TrimSpace(tok.Raw); len(text) > 0 {
				p.malformed("text outside of any field: %s", first(text))
			}
		default:
			if err := read(tok); err != nil {
				return err
			}
		}
	}
}

func (p *Pages) over(tok *Token) {
	if tok.Over != "" {
		p.malformed("%s", tok.Over)
	}
}

// field reads one child of a page.
func (p *Pages) field(tok *Token) error {
	switch string(tok.Name) {
	case "title":
		p.page.seen.title++
		title, err := p.value(tok, &p.page.fields)
		p.rec.Title = title
		return err
	case "id":
		p.page.seen.id++
		return p.set(tok, &p.page.fields, p.rec.setID)
	case "ns":
		p.page.seen.ns++
		return p.namespace(tok)
	case "redirect":
		p.page.seen.redirect++
		p.rec.RedirectTitle, _ = tok.Attr("title")
		p.rec.HasRedirect = true
		_, err := p.value(tok, &p.page.fields)
		return err
	case "revision":
		return p.revision(tok)
	}
	return p.pass(tok)
}

// namespace keeps the element out of XML when it is negative.
func (p *Pages) namespace(tok *Token) error {
	before := len(p.page.fields)
	err := p.set(tok, &p.page.fields, p.rec.setNS)
	if p.rec.NS < 0 {
		p.page.fields = p.page.fields[:before]
	}
	return err
}

// set reads a field and hands its trimmed value to assign, which says what is wrong with it.
func (p *Pages) set(tok *Token, keep *[]byte, assign func(string) string) error {
	value, err := p.value(tok, keep)
	if err != nil {
		return err
	}
	if wrong := assign(strings.TrimSpace(value)); wrong != "" {
		p.malformed("%s", wrong)
	}
	return nil
}

// value reads the element that tok starts as text, appending its XML to keep unless that is nil.
func (p *Pages) value(tok *Token, keep *[]byte) (string, error) {
	p.page.value = p.page.value[:0]
	err := p.leaf(tok, keep, p.lim.Field, func(raw []byte) {
		p.page.value = append(p.page.value, raw...)
	})
	return Unescape(p.page.value), err
}

// leaf reads an element that holds text alone, of at most limit bytes; text gets the pieces.
func (p *Pages) leaf(tok *Token, keep *[]byte, limit int, text func(raw []byte)) error {
	name, depth, size := string(tok.Name), tok.Depth, 0
	for {
		p.over(tok)
		if keep != nil {
			*keep = append(*keep, tok.Raw...)
		}
		if tok.Kind == End && tok.Depth == depth {
			return nil
		}
		var err error
		if tok, err = p.s.Next(); err != nil {
			return err
		}
		if tok.Kind == Text {
			size += len(tok.Raw)
		} else if tok.Depth > depth {
			p.malformed("element %s inside %s", quote(tok.Name), name)
		}
		if size > limit {
			p.malformed("%s longer than %d bytes", name, limit)
		}
		if p.rec.Malformed != "" {
			keep, text = nil, func([]byte) {}
		}
		if tok.Kind == Text {
			text(tok.Raw)
		}
	}
}

// pass reads over an element that is not used.
func (p *Pages) pass(tok *Token) error {
	for depth := tok.Depth; ; {
		p.over(tok)
		if tok.Kind == End && tok.Depth == depth {
			return nil
		}
		var err error
		if tok, err = p.s.Next(); err != nil {
			return err
		}
	}
}
