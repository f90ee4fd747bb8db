package demo

import (
	"fmt"
	"strings"
)

// oddities adds one or two passages of the kind that link extractors get wrong: links that count in unusual places
// and links that do not count. The first only repeat what is near anyway; the second name pages far away, so that
// an extractor that takes them for links invents short cuts.
func (a *article) oddities() {
	for _, passages := range [][]string{text.Oddities.Near, text.Oddities.Void} {
		if a.r.Below(2) != 0 {
			continue
		}
		passage := pick(a.r, passages)
		if strings.Contains(passage, "$nearest") { // drawn in front of the other words
			passage = strings.ReplaceAll(passage, "$nearest", a.nearest())
		}
		a.say(passage)
	}
}

// hide names an orphan where no link counts.
func (a *article) hide(i int) {
	if title := a.w.things[i].title; a.r.Below(2) == 0 {
		fmt.Fprintf(a, "<!-- * [[%s]] needs a source -->\n", title)
	} else {
		fmt.Fprintf(a, "* <nowiki>[[%s]]</nowiki>\n", title)
	}
}

// far is the title of any page at all, orphans and dead ends included.
func (a *article) far() string { return a.w.things[a.r.Below(len(a.w.things))].title }

// nearest is the title of the parent, or of a general topic for roots.
func (a *article) nearest() string {
	if a.t.parent >= 0 {
		return a.w.things[a.t.parent].title
	}
	return a.w.things[a.any(kindTopic)].title
}
