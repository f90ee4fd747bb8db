// Package pagetext turns the wikitext of a page into its text: the infobox, headings, paragraphs,
// lists and tables as plain lines, with links and their targets, as readers see them.
//
// The text is the normative form that page texts are published in. No template is expanded by its
// definition and no other page is read: of the templates that stand for words (templates.go) shows
// what they show, all others go. Work is linear in the wikitext but for sorting its templates, and
// memory is that of one page. Of a page beyond what MediaWiki saves, 2 MiB, no more than that is
// read.
package pagetext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
)

const (
	mostBytes  = 2 << 20 // of wikitext that are read
	shortRunes = 500     // of a short description
)

// Renderer renders one page after another; use one per goroutine.
type Renderer struct {
	site      *titles.Site
	templates *markup.Templates
	deleted   map[string]int64
}

// NewRenderer returns a renderer for pages of s.
func NewRenderer(s *titles.Site) *Renderer {
	return &Renderer{site: s, templates: markup.NewTemplates(s), deleted: map[string]int64{}}
}

// Deleted returns how many templates went, by name, since NewRenderer. Under "" are those that have
// no name or that the bounds of templates rule out, and all beyond the first so many names.
func (r *Renderer) Deleted() map[string]int64 { return r.deleted }

func (r *Renderer) countDeleted(name string) {
	const mostNames = 4096
	if _, known := r.deleted[name]; !known && len(r.deleted) >= mostNames {
		name = ""
	}
	r.deleted[name]++
}

// Render returns the text of the page called own, without its id.
func (r *Renderer) Render(own titles.Title, wikitext string) schemas.Text {
	if len(wikitext) > mostBytes {
		wikitext = wikitext[:mostBytes]
	}
	e := r.expander(own, withoutHidden(strings.ToValidUTF8(wikitext, "")))
	kind, rows, boxed := e.infobox()
	body := e.rest()
	short, _ := firstRunes(r.line(r.shown(e.short), false), shortRunes)
	if strings.EqualFold(short, "none") {
		short = ""
	}
	title := strings.Join(strings.FieldsFunc(r.site.FullTitle(own), isBlank), " ")
	var out printer
	out.line("# " + title)
	if short != "" {
		out.line(short)
	}
	out.line("")
	if boxed {
		out.row("Infobox", kind)
		out.row("---", "---")
		for _, row := range rows {
			out.row(row[:]...)
		}
		out.line("")
	}
	r.lines(&out, r.shown(body))
	text := schemas.Text{Title: title, ShortDescription: norm.NFC.String(short)}
	whole := norm.NFC.String(out.String())
	text.Chars = uint32(utf8.RuneCountInString(whole))
	text.Text, text.Truncated = cut(whole, schemas.TextLimit)
	return text
}

// printer puts lines below each other, never two empty ones and none at the ends.
type printer struct {
	strings.Builder
	gap bool
}

func (p *printer) line(s string) {
	if s == "" {
		p.gap = p.Len() > 0
		return
	}
	if p.gap {
		p.WriteByte('\n')
	}
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	p.WriteString(s)
	p.gap = false
}

func (p *printer) row(cells ...string) {
	p.line("|")
	for _, c := range cells {
		if c != "" {
			p.WriteString(" " + c)
		}
		p.WriteString(" |")
	}
}

// firstRunes cuts s to at most n code points.
func firstRunes(s string, n int) (string, bool) {
	for i := range s {
		if n--; n < 0 {
			return s[:i], true
		}
	}
	return s, false
}

// cut cuts text to at most limit code points, at the end of a line; only if the line that goes
// beyond is longer than that by itself, at the end of a word outside a link.
func cut(text string, limit int) (string, bool) {
	head, cut := firstRunes(text, limit)
	if !cut || text[len(head)] == '\n' {
		return strings.TrimRight(head, "\n"), cut
	}
	start := strings.LastIndexByte(head, '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	if _, longer := firstRunes(line, limit); longer {
		head = head[:start+wordEnd(line, len(head)-start)]
	} else {
		head = head[:start]
	}
	return strings.TrimRight(head, " \n"), true
}

// wordEnd returns the last offset of line, up to limit, where a word ends outside a link. A script
// without blanks has no such place: then it is the last one outside a link.
func wordEnd(line string, limit int) int {
	word, outside, links := 0, 0, linksOf(line)
	for i := 0; i <= limit; {
		for len(links) > 0 && links[0].end <= i {
			links = links[1:]
		}
		if len(links) > 0 && links[0].start < i {
			i = links[0].end
			continue
		}
		outside = i
		r, size := utf8.DecodeRuneInString(line[i:])
		if unicode.IsSpace(r) {
			word = i
		}
		i += size
	}
	if word > 0 {
		return word
	}
	return outside
}

type span struct{ start, end int }

// linksOf finds the links of a line of a finished text.
func linksOf(line string) (links []span) {
	const target = "]("
	var open []int
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '[':
			open = append(open, i)
		case line[i] == ']' && len(open) > 0:
			start := open[len(open)-1]
			open = open[:len(open)-1]
			if !strings.HasPrefix(line[i:], target+pathStart) {
				continue
			}
			if n := strings.IndexByte(line[i:], ')'); n > 0 {
				i += n
				links = append(links, span{start, i + 1})
			}
		}
	}
	return links
}
