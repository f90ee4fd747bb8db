package demo

import (
	"fmt"
	"strings"
)

// dabTemplates are the ways to mark a disambiguation page; the last two are redirects to the first.
var dabTemplates = []string{"Disambiguation", "disambig", "Dab"}

func (w *world) disambiguationPages() []page {
	var pages []page
	for _, name := range w.shared() {
		p := newPage(nsMain, w.disambiguationTitle(name), wikitext, formatWikitext, "")
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
		fmt.Fprintf(&b, "* [[%s]], a %s\n", t.title, noun(t.kind, t.variety))
	}
	template := dabTemplates[w.stream("dab", name).Below(len(dabTemplates))]
	if people {
		template = "Hndis"
	}
	return b.String() + "\n{{" + template + "}}\n"
}
