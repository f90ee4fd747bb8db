package demo

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas/rng"
)

func (w *world) addTime() {
	for c := w.first/100 + 1; c <= lastYear/100+1; c++ {
		w.addYear(kindCentury, -1, c*100, ordinal(c)+" century")
	}
	for d := w.first / 10 * 10; d <= lastYear; d += 10 {
		w.addYear(kindDecade, w.ofKind[kindCentury][d/100-w.first/100], d, fmt.Sprintf("%ds", d))
	}
	for y := w.first; y <= lastYear; y++ {
		w.addYear(kindYear, w.ofKind[kindDecade][y/10-w.first/10], y, fmt.Sprint(y))
	}
}

func (w *world) addYear(k kind, parent, year int, name string) {
	w.add(thing{kind: k, parent: parent, year: year, name: name})
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n != 12:
		return fmt.Sprintf("%dnd", n)
	}
	return fmt.Sprintf("%dth", n)
}

func (w *world) addTopics() {
	for theme, name := range themeNames {
		for _, word := range text.Topics[name] {
			i := w.add(thing{kind: kindTopic, variety: theme, name: word, parent: -1, year: lastYear})
			w.topics[theme] = append(w.topics[theme], i)
		}
	}
}

func (w *world) addPlaces() {
	w.grow(kindCountry, w.clamped(800, 5, 25), nil, even)
	w.grow(kindRegion, w.share(8, 12), w.ofKind[kindCountry], even)
	w.grow(kindDistrict, w.share(45, 24), w.ofKind[kindRegion], even)
	w.grow(kindSettlement, w.share(225, 60), w.ofKind[kindDistrict], skewed)
	w.grow(kindBuilding, w.share(60, 20), w.ofKind[kindSettlement], sparse)
	w.grow(kindLandform, w.share(28, 12), w.ofKind[kindRegion], even)
	w.grow(kindEvent, w.share(22, 12), w.ofKind[kindDistrict], sparse)
}

// addPeople puts most people into settlements, where few pages lead, and some where they are well known.
func (w *world) addPeople() {
	w.grow(kindPerson, w.share(10, 10), w.ofKind[kindCountry], even)
	w.grow(kindPerson, w.share(16, 12), w.ofKind[kindRegion], even)
	w.grow(kindPerson, w.share(34, 12), w.ofKind[kindDistrict], sparse)
	w.grow(kindPerson, w.share(110, 30), w.ofKind[kindSettlement], sparse)
	w.grow(kindWork, w.share(120, 30), w.ofKind[kindPerson], skewedSparse)
}

func (w *world) addTaxa() {
	w.grow(kindKingdom, 3, nil, even)
	w.grow(kindClass, w.clamped(1600, 4, 12), w.ofKind[kindKingdom], even)
	w.grow(kindOrder, w.share(2, 8), w.ofKind[kindClass], even)
	w.grow(kindFamily, w.share(9, 12), w.ofKind[kindOrder], even)
	w.grow(kindGenus, w.share(34, 16), w.ofKind[kindFamily], skewed)
	w.grow(kindSpecies, w.share(110, 40), w.ofKind[kindGenus], skewed)
}

// clamped is one per so many pages, between least and most.
func (w *world) clamped(per, least, most int) int { return min(max(w.budget/per, least), most) }

// A spread says how many kids the parents get.
type spread struct {
	each bool // the first kids go to one parent each, so that none stays without
	skew bool // early parents get more, the first about ln(n) times the mean
}

var (
	even         = spread{each: true}
	sparse       = spread{}
	skewed       = spread{each: true, skew: true}
	skewedSparse = spread{skew: true}
)

func (s spread) pick(r *rng.Stream, i, parents int) int {
	switch {
	case s.each && i < parents:
		return i
	case s.skew:
		return r.Below(r.Below(parents) + 1)
	}
	return r.Below(parents)
}

// grow adds n things of kind k below parents (nil: as roots).
func (w *world) grow(k kind, n int, parents []int, s spread) {
	for range n {
		serial := len(w.ofKind[k])
		r := w.stream("thing", rng.Part(int(k)), rng.Part(serial))
		t := thing{kind: k, parent: -1, variety: r.Below(len(about[k].Nouns))}
		if parents != nil {
			t.parent = parents[s.pick(r, serial%max(n, 1), len(parents))]
		}
		w.settle(r, &t, serial)
		w.add(t)
	}
}

// settle draws what the articles must agree about: place, year, name, and whether the page is lost.
func (w *world) settle(r *rng.Stream, t *thing, serial int) {
	if t.kind == kindWork {
		t.variety = w.things[t.parent].variety
	}
	w.place(r, t, serial)
	w.date(r, t)
	t.name = namers[t.kind](w, r, t)
	if about[t.kind].Lost {
		t.orphan = r.Below(100) < 3
		t.deadEnd = r.Below(100) < 1
	}
}

// place puts countries on a grid of five rows, and everything else near its parent.
func (w *world) place(r *rng.Stream, t *thing, serial int) {
	switch reach := about[t.kind].Around; {
	case t.kind == kindCountry:
		t.lat, t.lon = (serial%5*22-44)*1_000_000, (serial/5*32-64)*1_000_000
	case t.parent >= 0:
		p := &w.things[t.parent]
		t.lat = p.lat + r.Below(2*reach+1) - reach
		t.lon = p.lon + r.Below(2*reach+1) - reach
	}
}

// date keeps works within the working life of their creator; people are born early enough to have one.
func (w *world) date(r *rng.Stream, t *thing) {
	span := lastYear - w.first + 1
	switch t.kind {
	case kindPerson:
		t.year = w.first + r.Below(span-30)
	case kindWork:
		t.year = min(w.things[t.parent].year+20+r.Below(12), lastYear)
	default:
		t.year = w.first + r.Below(span)
	}
}

// tellYears gives each year its events and the births of well-known people.
func (w *world) tellYears() {
	w.inYear = make([][]int, lastYear-w.first+1)
	for _, k := range []kind{kindEvent, kindPerson} {
		for _, i := range w.ofKind[k] {
			t := &w.things[i]
			if k == kindEvent || w.things[t.parent].kind <= kindRegion && !t.orphan {
				w.inYear[t.year-w.first] = append(w.inYear[t.year-w.first], i)
			}
		}
	}
}
