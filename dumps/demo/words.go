package demo

import (
	"fmt"
	"slices"
	"strconv"
)

// words are what the $words of a form stand for, besides the names of kinds, which stand for the
// thing of that kind above. Links among them lead up (the parent, the country, a year, a topic), or
// to what an article further up names as well (a sibling, a river, a ruler): no sentence makes a
// remote page near.
var words = map[string]func(*article) string{
	"title": func(a *article) string { return a.t.title },
	"name":  func(a *article) string { return a.t.name },
	"noun":  func(a *article) string { return a.noun },
	"Noun":  func(a *article) string { return capital(a.noun) },
	"self":  func(a *article) string { return "[[" + a.t.title + "]]" },

	"called": (*article).calledLink,
	"type":   (*article).typeLink,

	"parent": func(a *article) string { return a.linkOr(a.t.parent, a.t.kind) },
	"place":  func(a *article) string { return a.w.placeName(a.self) },

	"neighbours": (*article).neighbours,
	"peer":       func(a *article) string { return a.linkOr(a.peer(), a.t.kind) },
	"river":      func(a *article) string { return a.linkOr(a.known(kindRegion, kindLandform), kindLandform) },
	"ruler":      func(a *article) string { return a.linkOr(a.known(kindCountry, kindPerson), kindPerson) },
	"capital":    func(a *article) string { return a.link(a.w.capital(a.self)) },
	"maker":      func(a *article) string { return noun(kindPerson, a.t.variety) },
	"abroad":     func(a *article) string { return a.link(a.any(kindCountry)) },
	"wild":       func(a *article) string { return a.link(a.any(kindClass)) },
	"topic":      (*article).own,
	"general":    (*article).general,
	"year":       func(a *article) string { return a.link(a.w.yearPage(a.aYear())) },
	"decade":     func(a *article) string { return a.link(a.w.decade(a.aYear())) },
	"century":    func(a *article) string { return a.link(a.w.century(a.aYear())) },
	"owncentury": func(a *article) string { return a.link(a.w.century(a.t.year)) },
	"red":        (*article).red,
	"far":        (*article).far,
	"bycountry":  (*article).byCountry,
	"members":    (*article).members,
	"places":     (*article).places,
	"oftheme":    func(a *article) string { return text.ThemeLinks[a.w.theme(a.self)] },
	"file":       func(a *article) string { return pick(a.r, []string{"File", "Image"}) },

	"ownyear": func(a *article) string { return strconv.Itoa(a.t.year) },
	"population": func(a *article) string {
		a.inhabitants = about[a.t.kind].Population + a.r.Below(about[a.t.kind].Population*9)
		return grouped(a.inhabitants)
	},
	"number":   func(a *article) string { return grouped(12 + a.r.Below(4000)) },
	"some":     func(a *article) string { return strconv.Itoa(12 + a.r.Below(4000)%300) },
	"small":    func(a *article) string { return strconv.Itoa(2 + a.r.Below(40)) },
	"inches":   func(a *article) string { return strconv.Itoa(a.r.Below(12)) },
	"height":   func(a *article) string { return strconv.Itoa(20 + a.r.Below(2400)) },
	"area":     (*article).area,
	"distance": func(a *article) string { return fmt.Sprintf("{{convert|%d|km|mi}}", 2+a.r.Below(90)) },
	"length":   (*article).length,
	"found":    func(a *article) string { return fmt.Sprintf("{{start date|%d}}", a.w.since(a.self)) },
	"site":     func(a *article) string { return a.w.things[pick(a.stream("site"), a.w.ofKind[kindDistrict])].name },
	"stranger": func(a *article) string { return a.w.tongueOf(a.self).personName(a.stream("stranger")) },

	"territory":  (*article).territory,
	"density":    (*article).density,
	"prominence": (*article).rise,
	"summit":     (*article).summit,
	"census": func(a *article) string {
		return grouped(a.inhabitants - a.inhabitants/(9+a.stream("census").Below(20)))
	},
	"currency":  func(a *article) string { return demonym(a.w.placeName(a.self)) + " " + a.pick("money") },
	"tongue":    func(a *article) string { return demonym(a.w.placeName(a.self)) },
	"chronicle": (*article).chronicle,

	"coord":   func(a *article) string { return coord(a.r, a.t.lat, a.t.lon) },
	"started": (*article).startDate,
	"born":    (*article).birthDate,
	"died":    (*article).deathDate,
}

// linkOr links to thing i, or, when there is none besides this, to a topic that something of kind k
// is known for.
func (a *article) linkOr(i int, k kind) string {
	if i >= 0 && i != a.self {
		return a.inline(i)
	}
	if standIn := text.StandIns[kindNames[k]]; standIn != "" {
		return standIn + " " + a.own()
	}
	return a.own()
}

// own is a topic of the theme of this article, general one of any.
func (a *article) own() string     { return a.topic(a.w.theme(a.self)) }
func (a *article) general() string { return a.topic(pick(a.r, themes)) }

func (a *article) topic(of string) string { return a.inline(pick(a.r, a.w.topics[of])) }

func (a *article) any(k kind) int { return pick(a.r, a.w.ofKind[k]) }

// peer is a sibling that the parent's article names, so that the link makes nothing nearer; -1 if
// there is none.
func (a *article) peer() int {
	if a.t.parent >= 0 {
		if peers := a.w.listed(a.t.parent, a.t.kind); len(peers) > 1 {
			return pick(a.r, peers)
		}
	}
	return -1
}

// known is a thing of kind k that the article of the own region or country names; -1 if there is
// none.
func (a *article) known(place, k kind) int {
	if i := a.w.above(a.self, place); i >= 0 {
		if all := a.w.listed(i, k); len(all) > 0 {
			return pick(a.r, all)
		}
	}
	return -1
}

// aYear is a year of the calendar: in the first half of life for people, near the own year for
// works and events, any year for the rest.
func (a *article) aYear() int {
	switch a.t.kind {
	case kindPerson:
		return min(a.t.year+a.r.Below(31), lastYear)
	case kindWork, kindEvent, kindYear, kindDecade:
		return min(max(a.t.year+a.r.Below(41)-10, a.w.first), lastYear)
	}
	return a.w.first + a.r.Below(lastYear-a.w.first+1)
}

// placeName is the plain name of the country of i, or of its root where there is no country.
func (w *world) placeName(i int) string {
	for w.things[i].kind != kindCountry && w.things[i].parent >= 0 {
		i = w.things[i].parent
	}
	return w.things[i].name
}

// decade and century are the articles of those that hold year y.
func (w *world) decade(y int) int  { return w.things[w.yearPage(y)].parent }
func (w *world) century(y int) int { return w.things[w.decade(y)].parent }

// red links to a page that nobody has written.
func (a *article) red() string {
	return "[[" + pick(a.r, []string{"History of ", "Bibliography of ", "Names of ", "Symbolism of "}) + a.t.name + "]]"
}

// capital is the first place of the first district of the first region.
func (w *world) capital(country int) int {
	region := w.kids(country, kindRegion)[0]
	return w.kids(w.kids(region, kindDistrict)[0], kindSettlement)[0]
}

// neighbours are the countries next to this one on the grid of place.
func (a *article) neighbours() string {
	all := a.w.ofKind[kindCountry]
	n := slices.Index(all, a.self)
	var links []string
	for _, step := range []int{1, len(all) - 1, 5} {
		links = append(links, a.link(all[(n+step)%len(all)]))
	}
	return links[0] + ", " + links[1] + " and " + links[2]
}
