package guard

import "strings"

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
