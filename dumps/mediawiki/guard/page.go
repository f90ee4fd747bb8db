package guard

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"
)

// page is the state of the page that is being read. Its buffers are used again for the next one.
type page struct {
	seen   pageFields
	fields []byte // XML of the page's own fields
	newest []byte // XML of the newest revision so far
	open   []byte // XML of the revision that is being read
	value  []byte // the field that is being read, as in the file

	text, newestText []byte // of the revision that is being read and of the newest, references resolved
}

// pageFields counts the elements that a page may have once.
type pageFields struct{ id, title, ns, redirect int }

// keepBuffer is the largest buffer that is worth carrying over to the next page.
const keepBuffer = 8 << 20

func (g *page) reset() {
	g.seen = pageFields{}
	for _, b := range []*[]byte{&g.fields, &g.newest, &g.open, &g.text, &g.newestText} {
		if cap(*b) > keepBuffer {
			*b = nil
		}
		*b = (*b)[:0]
	}
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
func (p *Pages) field(tok *Token) (err error) {
	rec, seen, keep := &p.rec, &p.page.seen, &p.page.fields
	switch string(tok.Name) {
	case "title":
		seen.title++
		rec.Title, err = p.value(tok, keep)
	case "id":
		seen.id++
		var id uint64
		id, err = p.number(tok, keep, 32, "page id %q, expected 1 to 4294967295")
		rec.ID = uint32(id)
	case "ns":
		seen.ns++
		err = p.namespace(tok)
	case "redirect":
		seen.redirect++
		rec.RedirectTitle, _ = tok.Attr("title")
		rec.HasRedirect = true
		_, err = p.value(tok, keep)
	case "revision":
		err = p.revision(tok)
	default:
		err = p.pass(tok)
	}
	return err
}

// namespace keeps the element out of XML when it is negative.
func (p *Pages) namespace(tok *Token) error {
	before := len(p.page.fields)
	value, err := p.trimmed(tok, &p.page.fields)
	ns, wrong := strconv.ParseInt(value, 10, 16)
	if wrong != nil {
		p.malformed("namespace %q, expected a number of 16 bits", value)
		return err
	}
	p.rec.NS, p.rec.HasNS = int(ns), true
	if ns < 0 {
		p.page.fields = p.page.fields[:before]
	}
	return err
}

// number reads a positive number of so many bits; wrong says, of another value, what it is.
func (p *Pages) number(tok *Token, keep *[]byte, bits int, wrong string) (uint64, error) {
	value, err := p.trimmed(tok, keep)
	n, bad := strconv.ParseUint(value, 10, bits)
	if bad != nil || n == 0 {
		p.malformed(wrong, value)
		return 0, err
	}
	return n, err
}

func (p *Pages) trimmed(tok *Token, keep *[]byte) (string, error) {
	value, err := p.value(tok, keep)
	return strings.TrimSpace(value), err
}

// value reads the element that tok starts as text, appending its XML to keep unless that is nil.
func (p *Pages) value(tok *Token, keep *[]byte) (string, error) {
	p.page.value = p.page.value[:0]
	name, size, err := p.leaf(tok, keep, p.lim.Field, func(raw []byte) {
		p.page.value = append(p.page.value, raw...)
	})
	if size > p.lim.Field {
		p.malformed("%s longer than %d bytes: %d", name, p.lim.Field, size)
	}
	return Unescape(p.page.value), err
}

// leaf reads an element that holds text alone and returns its name and its size in the file; text
// gets the pieces, up to limit bytes.
func (p *Pages) leaf(tok *Token, keep *[]byte, limit int, text func(raw []byte)) (name string, size int, err error) {
	name = string(tok.Name)
	depth := tok.Depth
	err = p.each(tok, func(tok *Token) error {
		if tok.Kind == Text {
			size += len(tok.Raw)
		} else if tok.Depth > depth {
			p.malformed("element %q inside %s", tok.Name, name)
		}
		p.over(tok)
		if p.rec.Malformed != "" || size > limit {
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
	return name, size, err
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
	if seen.id != 1 || seen.timestamp != 1 || seen.text != 1 || seen.model > 1 || seen.sha1 > 1 {
		p.malformed("revision %d has %d ids, %d timestamps, %d texts (expected one of each), %d models, %d sums (at most one)",
			rev.RevID, seen.id, seen.timestamp, seen.text, seen.model, seen.sha1)
	}
	if p.rec.Revisions == 1 || rev.newer(&p.rec.Revision) {
		p.rec.Revision = rev
		p.page.newest, p.page.open = p.page.open, p.page.newest
		p.page.newestText, p.page.text = p.page.text, p.page.newestText
	}
	return nil
}

// revisionFields counts the fields of a revision: the first three must come once, the others may.
type revisionFields struct{ id, timestamp, text, model, sha1 int }

func (p *Pages) revisionField(rev *Revision, seen *revisionFields, tok *Token) (err error) {
	keep := &p.page.open
	switch string(tok.Name) {
	case "id":
		seen.id++
		rev.RevID, err = p.number(tok, keep, 64, "revision id %q")
	case "timestamp":
		seen.timestamp++
		var value string
		value, err = p.trimmed(tok, keep)
		at, wrong := time.Parse(time.RFC3339, value)
		if wrong != nil {
			p.malformed("timestamp %q", value)
		}
		rev.Time = at.UTC()
	case "model":
		seen.model++
		rev.Model, err = p.trimmed(tok, nil)
	case "format":
		rev.Format, err = p.trimmed(tok, nil)
	case "sha1":
		seen.sha1++
		var sum string
		sum, err = p.trimmed(tok, nil)
		rev.SHA1 = cmp.Or(rev.SHA1, sum) // that of the text, unless the revision has further slots
	case "text":
		seen.text++
		err = p.text(tok, rev)
	default:
		err = p.pass(tok)
	}
	return err
}

// text reads the text of a revision, of which it keeps no more than can be too much: unresolved, a
// text may take six times as many bytes. Some exports write sha1="" in its tag and the sum after
// it.
func (p *Pages) text(tok *Token, rev *Revision) error {
	if sum, _ := tok.Attr("sha1"); sum != "" {
		rev.SHA1 = sum
	}
	_, rev.Deleted = tok.Attr("deleted")
	if size, ok := tok.Attr("bytes"); ok {
		var wrong error
		if rev.Bytes, wrong = strconv.ParseInt(strings.TrimSpace(size), 10, 64); wrong != nil || rev.Bytes < 0 {
			p.malformed("text size %q", size)
		}
	}
	var keep *[]byte
	if p.KeepXML {
		keep = &p.page.open
	}
	text, cr := p.page.text[:0], false
	_, size, err := p.leaf(tok, keep, longestReference*p.lim.Text, func(raw []byte) {
		if cr { // CR LF may stand in two pieces, a reference never does
			raw = bytes.TrimPrefix(raw, []byte{'\n'})
		}
		cr = bytes.HasSuffix(raw, []byte{'\r'})
		before := len(text)
		text = appendUnescaped(text, raw)
		rev.TextBytes += len(text) - before
		text = text[:min(len(text), p.lim.Text)]
	})
	if size > longestReference*p.lim.Text {
		p.malformed(TextTooLong, p.lim.Text, size)
	}
	p.page.text = text
	return err
}

// finish checks what a page must have.
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
	p.rec.Text = p.page.newestText
}

// XML returns the page element that Next read reduced to the elements that Record names, of the
// newest revision only, byte for byte as in the file. A negative ns is left out, since go-wikiparse
// cannot hold it. It lives until the next call of Next, and KeepXML must have been set before that.
func (p *Pages) XML() []byte {
	xml := append(p.page.open[:0], "<page>"...)
	xml = append(xml, p.page.fields...)
	xml = append(xml, p.page.newest...)
	p.page.open = append(xml, "</page>"...)
	return p.page.open
}
