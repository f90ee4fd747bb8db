package demo

import (
	"cmp"
	"fmt"
	"slices"
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
	pages := slices.Concat(w.articlePages(), w.redirectPages(), w.disambiguationPages(), w.categoryPages(), templatePages())
	for _, plain := range text.Pages {
		p := newPage(plain.NS, plain.Title, plain.Text)
		p.model, p.format = cmp.Or(plain.Model, p.model), cmp.Or(plain.Format, p.format)
		pages = append(pages, p)
	}
	rng.Shuffled(w.stream("page order"), pages)
	pages = append(pages, infoboxPages(text.Young)...)
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

func newPage(ns int, title, text string) page {
	return page{ns: ns, title: title, model: wikitext, format: "text/x-wiki", text: func() string { return text }}
}

func newRedirect(ns int, title, text string) page {
	p := newPage(ns, title, "#REDIRECT [["+text+"]]")
	p.redirect, _, _ = strings.Cut(strings.TrimPrefix(text, ":"), "#")
	return p
}

func (w *world) articlePages() []page {
	var pages []page
	for i := range w.things {
		p := newPage(nsMain, w.things[i].title, "")
		p.text = func() string { return w.text(i) }
		pages = append(pages, p)
	}
	suppressed := newPage(nsMain, "Withdrawn article", "")
	suppressed.deleted = true
	return append(pages, newPage(nsMain, "Wonders of the world", w.portalText()), suppressed)
}

func (w *world) redirectPages() []page {
	var pages []page
	for _, r := range w.redirects() {
		p := newRedirect(nsMain, r.Title, r.Text)
		p.hiddenRedirect = r.Hidden
		pages = append(pages, p)
	}
	return pages
}

const (
	noinclude = "<noinclude>Documentation: [[Demowiki:About]].</noinclude>"
	boxText   = "{| class=\"infobox\"\n! {{{name|{{PAGENAME}}}}}\n|}"
)

func templatePages() []page {
	pages := []page{
		newRedirect(nsTemplate, "Template:Disambig", "Template:Disambiguation"),
		newRedirect(nsTemplate, "Template:Dab", "Template:Disambig"),
	}
	for _, t := range text.Templates {
		pages = append(pages, newPage(nsTemplate, "Template:"+t.Name, cmp.Or(t.Text, boxText)+noinclude))
	}
	return pages
}

func infoboxPages(names []string) (pages []page) {
	for _, name := range names {
		pages = append(pages, newPage(nsTemplate, "Template:Infobox "+name, boxText+noinclude))
	}
	return pages
}

// portalText links to every page that leads nowhere in an odd way, so that each way is met at least once.
func (w *world) portalText() string {
	var b strings.Builder
	b.WriteString("'''Wonders of the world''' is an article about [[legend]]s, [[Census table]] and [[Withdrawn article]]s.\n\n")
	for _, r := range w.oddRedirects() {
		fmt.Fprintf(&b, "* [[%s]]\n", r.Title)
	}
	for _, i := range w.ofKind[kindCountry] {
		fmt.Fprintf(&b, "* [[%s]]\n", w.things[i].title)
	}
	return b.String() + "\n[[Category:Topics]]\n"
}

// categories are the names of the categories of thing i, without prefix.
func (w *world) categories(i int) []string {
	t := &w.things[i]
	noun := capital(plural(noun(t.kind, t.variety)))
	if t.kind == kindTopic || t.kind <= kindYear || t.kind == kindList || t.parent < 0 {
		return []string{noun}
	}
	if t.kind == kindPerson || t.kind == kindSettlement {
		return []string{noun, noun + " of " + w.placeName(i)}
	}
	return []string{capital(plural(cmp.Or(about[t.kind].General, about[t.kind].Nouns[0]))) + " of " + w.placeName(i), noun}
}

// categoryPages are the pages of all categories in use, in order of their names.
func (w *world) categoryPages() []page {
	names := []string{"Stubs", "Categories"}
	for i := range w.things {
		names = append(names, w.categories(i)...)
	}
	slices.Sort(names)
	var pages []page
	for _, name := range slices.Compact(names) {
		text := "Pages about ''" + name + "''.\n\n[[Category:Categories]]\n"
		pages = append(pages, newPage(nsCategory, "Category:"+name, text))
	}
	return pages
}

// dabTemplates are the ways to mark a disambiguation page; the last two are redirects to the first.
var dabTemplates = []string{"Disambiguation", "disambig", "Dab"}

func (w *world) disambiguationPages() []page {
	var pages []page
	for _, name := range w.shared() {
		p := newPage(nsMain, w.disambiguationTitle(name), "")
		p.text = func() string { return w.disambiguationText(name) }
		p.disambiguation = true
		pages = append(pages, p)
	}
	return pages
}

// disambiguationText lists all bearers of name, the lost ones too: the page is no node of the graph.
func (w *world) disambiguationText(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "'''%s''' may refer to:\n", name)
	people := true
	for _, i := range w.named[name] {
		t := &w.things[i]
		people = people && t.kind == kindPerson
		fmt.Fprintf(&b, "* [[%s]], %s\n", t.title, indefinite(t.called()))
	}
	template := dabTemplates[w.stream("dab", name).Below(len(dabTemplates))]
	if people {
		template = "Hndis"
	}
	return b.String() + "\n{{" + template + "}}\n"
}
