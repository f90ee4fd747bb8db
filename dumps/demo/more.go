package demo

import (
	"fmt"
	"slices"
	"strings"
)

// lists are the words that stand for pages, each a line of its own.
var lists = map[string]func(*article) []int{
	"decades":      func(a *article) []int { return a.w.kids(a.self, kindDecade) },
	"centuryyears": func(a *article) []int { return a.years(a.t.year-99, a.t.year) },
	"decadeyears":  func(a *article) []int { return a.years(a.t.year, a.t.year+9) },
	"nearyears":    func(a *article) []int { return a.years(a.t.year-5, a.t.year+5) },
	"happened":     func(a *article) []int { return a.w.inYear[a.t.year-a.w.first] },
	"related":      func(a *article) []int { return a.some(a.w.ofKind[kindTopic], 12+a.r.Below(40)) },
	"living":       (*article).living,
	"embassies":    func(a *article) []int { return a.some(a.w.ofKind[kindCountry], 6) },
	"lists":        func(a *article) []int { return a.w.kids(a.self, kindList) },
}

// years are those from first to last that are in the calendar, the own year left out.
func (a *article) years(first, last int) []int {
	own := a.w.ofKind[kindYear]
	own = own[max(first, a.w.first)-a.w.first : min(last, lastYear)-a.w.first+1]
	return slices.DeleteFunc(slices.Clone(own), func(i int) bool { return i == a.self })
}

// some are so many of ids in drawn order, this page left out.
func (a *article) some(ids []int, n int) (out []int) {
	for _, i := range a.r.Choose(len(ids), min(n, len(ids))) {
		if ids[i] != a.self {
			out = append(out, ids[i])
		}
	}
	return out
}

// living are the kingdoms of living things, where life is the theme.
func (a *article) living() []int {
	if a.w.theme(a.self) != "life" {
		return nil
	}
	return a.w.ofKind[kindKingdom]
}

// byCountry tells of every second country.
func (a *article) byCountry() string {
	var b strings.Builder
	for n, i := range a.w.ofKind[kindCountry] {
		if n%2 == a.t.year%2 {
			fmt.Fprintf(&b, "* In %s, %s and %s.\n", a.link(i), a.own(), a.general())
		}
	}
	return b.String()
}

// members are those of a list, by title.
func (a *article) members() string {
	members := slices.Clone(a.w.members(a.self))
	slices.SortFunc(members, func(x, y int) int { return strings.Compare(a.w.things[x].title, a.w.things[y].title) })
	text := a.list(members)
	if a.t.parent >= 0 {
		text += "\nIt is part of the articles about " + a.link(a.t.parent) + ".\n"
	}
	return text
}

// places names districts, not villages: a river would else be a short cut to all of them.
func (a *article) places() string {
	return a.chapter("Places", a.some(a.w.kids(a.t.parent, kindDistrict), 3))
}

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
