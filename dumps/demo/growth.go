package demo

import (
	"cmp"
	"fmt"

	"github.com/wikinav/wikinav/schemas/rng"
)

func (w *world) addTime() {
	for c := w.first/100 + 1; c <= lastYear/100+1; c++ {
		ordinal := map[int]string{21: "21st"}[c] // the calendar begins after 1700
		w.add(thing{kind: kindCentury, parent: -1, year: c * 100, name: cmp.Or(ordinal, fmt.Sprintf("%dth", c)) + " century"})
	}
	for d := w.first / 10 * 10; d <= lastYear; d += 10 {
		century := w.ofKind[kindCentury][d/100-w.first/100]
		w.add(thing{kind: kindDecade, parent: century, year: d, name: fmt.Sprintf("%ds", d)})
	}
	for y := w.first; y <= lastYear; y++ {
		decade := w.ofKind[kindDecade][y/10-w.first/10]
		w.add(thing{kind: kindYear, parent: decade, year: y, name: fmt.Sprint(y)})
	}
}

func (w *world) addTopics() {
	for i, theme := range themes {
		for _, word := range text.Topics[theme] {
			topic := w.add(thing{kind: kindTopic, variety: i, name: word, parent: -1, year: lastYear})
			w.topics[theme] = append(w.topics[theme], topic)
		}
	}
}

// growth is a wave of things of one kind: so many in a million of the budget, below things of another kind or as roots.
type growth struct {
	Kind               kind
	Under              *kind
	Share, Least, Most int
	Each, Skew         bool // how many kids the parents get
}

func (w *world) grow(g growth) {
	n := max(w.budget*g.Share/1_000_000, g.Least)
	if g.Most > 0 {
		n = min(n, g.Most)
	}
	for range n {
		serial := len(w.ofKind[g.Kind])
		r := w.stream("thing", rng.Part(int(g.Kind)), rng.Part(serial))
		t := thing{kind: g.Kind, parent: -1, variety: r.Below(len(about[g.Kind].Nouns))}
		if g.Under != nil {
			parents := w.ofKind[*g.Under]
			t.parent = parents[g.pick(r, serial%n, len(parents))]
		}
		w.settle(r, &t, serial)
		w.add(t)
	}
}

func (g growth) pick(r *rng.Stream, i, parents int) int {
	switch {
	case g.Each && i < parents:
		return i
	case g.Skew:
		return r.Below(r.Below(parents) + 1)
	}
	return r.Below(parents)
}

// settle draws what the articles must agree about: place, year, name, and whether the page is lost.
func (w *world) settle(r *rng.Stream, t *thing, serial int) {
	if t.kind == kindWork {
		t.variety = w.things[t.parent].variety
	}
	w.place(r, t, serial)
	w.date(r, t)
	t.name = w.invent(r, t)
	if about[t.kind].Lost {
		t.orphan = r.Below(100) < 3
		t.deadEnd = r.Below(100) < 1
	}
}

// place puts countries on a grid of five rows, and everything else near its parent.
func (w *world) place(r *rng.Stream, t *thing, serial int) {
	reach := about[t.kind].Around
	if t.parent >= 0 && w.crowded(t.parent) {
		reach = min(reach, 65_000)
	}
	switch {
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
