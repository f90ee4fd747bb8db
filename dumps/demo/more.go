package demo

import (
	"slices"
	"strings"
)

// more is what only the articles of some kinds have.
var more = [kinds]func(*article){
	kindYear: yearPages, kindDecade: decadePages, kindCentury: centuryPages, kindTopic: topicPages, kindList: listMembers,
	kindCountry: countryLists, kindRegion: func(a *article) { a.ownLists("Settlements") }, kindLandform: landformPlaces,
	kindKingdom: taxonLists, kindClass: taxonLists, kindOrder: taxonLists, kindFamily: taxonLists, kindGenus: taxonLists,
}

func taxonLists(a *article) { a.ownLists("Lists") }

func decadePages(a *article) {
	a.WriteString("== Years ==\n")
	a.years(a.t.year, a.t.year+9)
}

func centuryPages(a *article) {
	a.WriteString("== Decades ==\n")
	a.years(a.t.year-99, a.t.year)
	for _, i := range a.w.ofKind[kindDecade] {
		if a.w.things[i].parent == a.self {
			a.WriteString("* " + a.link(i) + "\n")
		}
	}
	a.WriteString("\n")
}

// yearPages tells of every second country, of the years around, and of what is known to have happened.
func yearPages(a *article) {
	a.WriteString("== By country ==\n")
	for n, i := range a.w.ofKind[kindCountry] {
		if n%2 == a.t.year%2 {
			a.say("* In " + a.link(i) + ", $topic and $general.\n")
		}
	}
	a.WriteString("\n== Events and births ==\n")
	for _, i := range a.w.inYear[a.t.year-a.w.first] {
		a.WriteString("* " + a.link(i) + "\n")
	}
	a.WriteString("\n== Other years ==\n")
	a.years(a.t.year-5, a.t.year+5)
}

// years links to the years from first to last that are in the calendar, the own year left out.
func (a *article) years(first, last int) {
	for y := max(first, a.w.first); y <= min(last, lastYear); y++ {
		if i := a.w.yearPage(y); i != a.self {
			a.WriteString("* " + a.link(i) + "\n")
		}
	}
	a.WriteString("\n")
}

// topicPages names related topics and the lists; the life topics also name the kingdoms of living things.
func topicPages(a *article) {
	a.WriteString("== Related ==\n")
	all := a.w.ofKind[kindTopic]
	for _, i := range a.r.Choose(len(all), 12+a.r.Below(40)) {
		if all[i] != a.self {
			a.WriteString("* " + a.link(all[i]) + "\n")
		}
	}
	switch theme(a.t.variety) {
	case themeLand:
		a.say("* [[List of countries]]\n* [[List of regions]]\n* [[List of rivers]]\n* [[List of mountains]]\n* [[List of lakes]]\n")
	case themeCulture:
		a.WriteString("* [[Wonders of the world]]\n")
	case themeLife:
		for _, i := range a.w.ofKind[kindKingdom] {
			a.WriteString("* " + a.link(i) + "\n")
		}
	}
	a.WriteString("\n")
}

func listMembers(a *article) {
	a.WriteString("== Members ==\n")
	members := slices.Clone(a.w.members(a.self))
	slices.SortFunc(members, func(x, y int) int { return strings.Compare(a.w.things[x].title, a.w.things[y].title) })
	a.list(members)
	if a.t.parent >= 0 {
		a.say("\nIt is part of the articles about $parent.\n")
	}
	a.WriteString("\n")
}

// countryLists leads to the lists that only countries have, and tells about other countries.
func countryLists(a *article) {
	a.say("== Relations ==\n$title has embassies in:\n")
	others := a.w.ofKind[kindCountry]
	for _, i := range a.r.Choose(len(others), min(len(others), 6)) {
		if others[i] != a.self {
			a.WriteString("* " + a.link(others[i]) + "\n")
		}
	}
	a.WriteString("\n")
	a.ownLists("Lists")
	a.say("* [[List of countries]]\n* [[List of regions]]\n\n")
}

// ownLists links to the list articles about this thing.
func (a *article) ownLists(heading string) {
	a.say("== " + heading + " ==\n")
	for _, i := range a.w.kids(a.self, kindList) {
		a.WriteString("* " + a.link(i) + "\n")
	}
	a.WriteString("\n")
}

// landformPlaces names districts, not villages: a river would else be a short cut to all of them.
func landformPlaces(a *article) {
	districts := a.w.kids(a.t.parent, kindDistrict)
	if len(districts) == 0 {
		return
	}
	a.WriteString("== Places ==\n")
	for _, i := range a.r.Choose(len(districts), min(len(districts), 3)) {
		a.WriteString("* " + a.link(districts[i]) + "\n")
	}
	a.WriteString("\n")
}
