package demo

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/schemas/rng"
)

// page is one page of the dump. Its text is made when it is written, so that only one stream of texts is in memory.
type page struct {
	ns             int
	id             int
	title          string // with the prefix of its namespace
	redirect       string // target without fragment; "" for other pages
	hiddenRedirect bool   // no <redirect> element
	disambiguation bool
	deleted        bool // the revision's text is suppressed
	model, format  string
	revision       int
	timestamp      string
	text           func() string
}

// plan lays out all pages of w in order of their ids. Ids are given in a drawn order and with gaps, as in a wiki that
// has grown: neighbours in the dump have nothing in common.
func plan(w *world) []page {
	pages := w.articlePages()
	pages = append(pages, w.redirectPages()...)
	pages = append(pages, w.disambiguationPages()...)
	pages = append(pages, w.categoryPages()...)
	pages = append(pages, templatePages()...)
	for _, p := range text.Pages {
		pages = append(pages, newPage(p.NS, p.Title, cmp.Or(p.Model, wikitext), cmp.Or(p.Format, formatWikitext), p.Text))
	}
	rng.Shuffled(w.stream("page order"), pages)
	gaps, id := w.stream("page ids"), 0
	for i := range pages {
		p := &pages[i]
		id += 1 + gaps.Below(3)
		p.id = id
		r := w.stream("revision", p.title)
		p.revision = 1_000_000 + id*100 + r.Below(100)
		p.timestamp = fmt.Sprintf("2025-%02d-%02dT%02d:%02d:%02dZ", 1+r.Below(12), 1+r.Below(28), r.Below(24), r.Below(60), r.Below(60))
	}
	return pages
}

func newPage(ns int, title, model, format, text string) page {
	return page{ns: ns, title: title, model: model, format: format, text: func() string { return text }}
}

func newRedirect(ns int, title, target, text string) page {
	p := newPage(ns, title, wikitext, formatWikitext, "#REDIRECT [["+text+"]]")
	p.redirect = target
	return p
}

func (w *world) articlePages() []page {
	var pages []page
	for i := range w.things {
		p := page{ns: nsMain, title: w.things[i].title, model: wikitext, format: formatWikitext}
		p.text = func() string { return w.text(i) }
		pages = append(pages, p)
	}
	suppressed := newPage(nsMain, "Withdrawn article", wikitext, formatWikitext, "")
	suppressed.deleted = true
	return append(pages, w.portal(), suppressed)
}

func (w *world) redirectPages() []page {
	var pages []page
	for _, r := range w.redirects() {
		target, _, _ := strings.Cut(strings.TrimPrefix(r.text, ":"), "#")
		p := newRedirect(nsMain, r.title, target, r.text)
		p.hiddenRedirect = r.hidden
		pages = append(pages, p)
	}
	return pages
}

const (
	formatWikitext = "text/x-wiki"
	noinclude      = "<noinclude>Documentation: [[Demowiki:About]].</noinclude>"
	boxText        = "{| class=\"infobox\"\n! {{{name|{{PAGENAME}}}}}\n|}"
)

func templatePages() []page {
	pages := []page{
		newRedirect(nsTemplate, "Template:Disambig", "Template:Disambiguation", "Template:Disambiguation"),
		newRedirect(nsTemplate, "Template:Dab", "Template:Disambig", "Template:Disambig"),
	}
	for _, t := range text.Templates {
		pages = append(pages, newPage(nsTemplate, "Template:"+t.Name, wikitext, formatWikitext, cmp.Or(t.Text, boxText)+noinclude))
	}
	return pages
}

// portal links to every page that leads nowhere in an odd way, so that each way is met at least once.
func (w *world) portal() page {
	return newPage(nsMain, "Wonders of the world", wikitext, formatWikitext, w.portalText())
}

func (w *world) portalText() string {
	var b strings.Builder
	b.WriteString("'''Wonders of the world''' is an article about [[legend]]s, [[Census table]] and [[Withdrawn article]]s.\n\n")
	for _, r := range w.oddRedirects() {
		fmt.Fprintf(&b, "* [[%s]]\n", r.title)
	}
	for _, i := range w.ofKind[kindCountry] {
		fmt.Fprintf(&b, "* [[%s]]\n", w.things[i].title)
	}
	return b.String() + "\n[[Category:Topics]]\n"
}
