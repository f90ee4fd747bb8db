package ingest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// books counts the pages by what they are. The counters of a receipt go by name; names are for the end of the dump and
// not for each of its pages.
type books struct {
	pages, redirects, nonWikitext, articles int64
	lists, dates                            int64
	fromText, disagree                      int64
	ns                                      map[int16]int64
}

func (b *books) count(f *record) {
	if b.ns == nil {
		b.ns = map[int16]int64{}
	}
	b.pages++
	b.ns[f.ns]++
	switch {
	case f.isRedirect:
		b.redirects++
	case f.model != schemas.ModelWikitext:
		b.nonWikitext++
	case f.ns == 0:
		b.articles++
	}
	b.lists += one(f.flags&schemas.FlagList != 0)
	b.dates += one(f.flags&schemas.FlagDate != 0)
	b.fromText += one(f.fromText)
	b.disagree += one(f.disagree)
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// close writes the counters. The namespaces' sum to pages; pages_redirect, pages_non_wikitext and pages_article share no page.
func (b *books) close(env stages.Env) {
	env.Count("pages", b.pages)
	for _, ns := range slices.Sorted(maps.Keys(b.ns)) {
		env.Count(fmt.Sprintf("pages_ns_%d", ns), b.ns[ns])
	}
	env.Count("pages_redirect", b.redirects)
	env.Count("pages_non_wikitext", b.nonWikitext)
	env.Count("pages_article", b.articles)
	env.Count("pages_list", b.lists)
	env.Count("pages_date", b.dates)
	env.Count("redirect_from_text", b.fromText)
	env.Count("redirect_text_disagrees", b.disagree)
}
