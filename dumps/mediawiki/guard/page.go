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
	return p.each(tok, func(tok *Token) error {
		if tok.Kind == Text {
			size += len(tok.Raw)
		} else if tok.Depth > depth {
			p.malformed("element %s inside %s", quote(tok.Name), name)
		}
		if size > limit {
			p.malformed("%s longer than %d bytes", name, limit)
		}
		p.over(tok)
		if p.rec.Malformed != "" {
			return nil
		}
		if tok.Kind == Text {
			text(tok.Raw)
		}
		if keep != nil {
			*keep = append(*keep, tok.Raw...)
		}
		return nil
	})
}

// pass reads over an element that is not used.
func (p *Pages) pass(tok *Token) error {
	return p.each(tok, func(tok *Token) error {
		p.over(tok)
		return nil
	})
}

// each visits the tokens of the element that tok starts, to its end tag.
func (p *Pages) each(tok *Token, visit func(*Token) error) error {
	for depth := tok.Depth; ; {
		if err := visit(tok); err != nil || tok.Kind == End && tok.Depth == depth {
			return err
		}
		var err error
		if tok, err = p.s.Next(); err != nil {
			return err
		}
	}
}

// revision reads one revision and keeps it if it is the newest so far.
func (p *Pages) revision(tok *Token) error {
	p.rec.Revisions++
	if p.rec.Revisions == p.lim.Revisions+1 {
		p.malformed("more than %d revisions", p.lim.Revisions)
	}
	rev := Revision{Bytes: -1}
	var seen revisionFields
	p.page.open = append(p.page.open[:0], "<revision>"...)
	err := p.children(tok, func(child *Token) error { return p.revisionField(&rev, &seen, child) })
	if err != nil {
		return err
	}
	p.page.open = append(p.page.open, "</revision>"...)
	p.malformedRevision(&rev, seen)
	if p.rec.Revisions == 1 || rev.newer(&p.rec.Revision) {
		p.rec.Revision = rev
		p.page.newest, p.page.open = p.page.open, p.page.newest
	}
	return nil
}

// revisionFields counts the fields of a revision: the first three must come once, the others may.
type revisionFields struct{ id, timestamp, text, model, sha1 int }

func (p *Pages) revisionField(rev *Revision, seen *revisionFields, tok *Token) error {
	switch string(tok.Name) {
	case "id":
		seen.id++
		return p.set(tok, &p.page.open, rev.setID)
	case "timestamp":
		seen.timestamp++
		return p.set(tok, &p.page.open, rev.setTime)
	case "model":
		seen.model++
		return p.set(tok, nil, func(s string) string { rev.Model = s; return "" })
	case "format":
		return p.set(tok, nil, func(s string) string { rev.Format = s; return "" })
	case "sha1":
		seen.sha1++
		return p.set(tok, nil, rev.setSum)
	case "text":
		seen.text++
		if wrong := rev.setText(tok); wrong != "" {
			p.malformed("%s", wrong)
		}
		return p.text(tok, rev)
	}
	return p.pass(tok)
}

// text reads the text of a revision and notes where its content is kept.
func (p *Pages) text(tok *Token, rev *Revision) error {
	open := &p.page.open
	rev.textAt = len(*open) + len(tok.Raw)
	err := p.leaf(tok, open, p.lim.Text, func([]byte) {})
	rev.textEnd = len(*open) - len(p.s.tok.Raw)
	return err
}

// setSum takes the sum of the whole revision, which is that of its text unless it has further slots.
func (r *Revision) setSum(s string) string {
	if r.SHA1 == "" {
		r.SHA1 = s
	}
	return ""
}

func (p *Pages) malformedRevision(rev *Revision, seen revisionFields) {
	if seen.id != 1 || seen.timestamp != 1 || seen.text != 1 || seen.model > 1 || seen.sha1 > 1 {
		p.malformed("revision %d has %d ids, %d timestamps, %d texts (expected one of each), %d models, %d sums (at most one)",
			rev.RevID, seen.id, seen.timestamp, seen.text, seen.model, seen.sha1)
	}
}

// finish checks what a page must have and joins the XML that was kept of it.
func (p *Pages) finish() {
	seen := p.page.seen
	switch {
	case seen.id != 1:
		p.malformed("%d page ids, expected one", seen.id)
		p.rec.ID = 0
	case seen.title != 1:
		p.malformed("%d titles, expected one", seen.title)
	case strings.TrimSpace(p.rec.Title) == "":
		p.malformed("empty title")
	case seen.ns > 1:
		p.malformed("%d namespaces, expected one", seen.ns)
	case seen.redirect > 1:
		p.malformed("%d redirects, expected at most one", seen.redirect)
	case p.rec.Revisions == 0:
		p.malformed("no revision")
	}
	if p.rec.Malformed != "" {
		return
	}
	xml := append(p.page.open[:0], "<page>"...)
	xml = append(xml, p.page.fields...)
	xml = append(xml, p.page.newest...)
	p.rec.XML = append(xml, "</page>"...)
	p.page.open = p.rec.XML
	before := len("<page>") + len(p.page.fields)
	p.rec.Text = p.rec.XML[before+p.rec.textAt : before+p.rec.textEnd]
}
