package demo

import (
	"github.com/wikinav/wikinav/schemas/rng"
)

const lastYear = 2025

// fixedPages is about what every world has, large or small: topics, templates, categories, the calendar.
const fixedPages = 300

// thing is the subject of one article. Things form a forest: a settlement lies in a district, a work has its
// creator, a species its genus. An index into world.things names a thing everywhere in this package.
type thing struct {
	kind     kind
	variety  int    // index in the nouns of its kind
	name     string // what it is called; several things may share it
	title    string // of its page; unique
	alias    string // title of a redirect to it, "" for most
	chain    int    // number of further redirects that lead to alias one after the other
	parent   int    // -1: none
	kids     []int  // ascending
	rank     int    // among the parent's kids of its kind, orphans left out (-1 for them)
	year     int    // founded, born, made, happened: all in the calendar of the year pages
	lat, lon int    // microdegrees
	guise    *guise // nil for most
	orphan   bool   // nothing links here but comments and the like
	deadEnd  bool   // its article has no link
}

// world is the plan of the demo wiki: every thing, with all that two articles must agree about.
type world struct {
	seed   uint64
	budget int // pages that grow with the size of the world
	first  int // the first year that has a page
	things []thing
	ofKind [kinds][]int
	topics map[string][]int // by theme
	inYear [][]int          // by year - first: what the year's article tells
	named  map[string][]int // name -> all things that bear it, ascending
}

// newWorld invents a world for a dump of about pages pages.
func newWorld(seed uint64, pages int) *world {
	w := &world{seed: seed, budget: max(pages-fixedPages, 1), topics: map[string][]int{}}
	w.first = lastYear + 1 - min(max(pages/60, 40), 325)
	w.addTime()
	w.addTopics()
	for _, g := range text.Growth {
		w.grow(g)
	}
	w.addLists()
	w.tellYears()
	w.giveAliases(w.giveTitles())
	w.giveGuises()
	return w
}

// stream is the random stream of one named thing or draw.
func (w *world) stream(parts ...string) *rng.Stream {
	return rng.New(w.seed, append([]string{"demo"}, parts...)...)
}

// add appends t under its parent and returns its index.
func (w *world) add(t thing) int {
	i := len(w.things)
	t.rank = -1
	if t.parent >= 0 {
		if !t.orphan {
			t.rank = len(w.kids(t.parent, t.kind))
		}
		w.things[t.parent].kids = append(w.things[t.parent].kids, i)
	}
	w.things = append(w.things, t)
	w.ofKind[t.kind] = append(w.ofKind[t.kind], i)
	return i
}

// kids are the things of kind k directly below parent, orphans left out, in order of rank.
func (w *world) kids(parent int, k kind) []int { return w.kidsOf(parent, k, false) }

func (w *world) kidsOf(parent int, k kind, orphan bool) []int {
	var out []int
	for _, i := range w.things[parent].kids {
		if t := &w.things[i]; t.kind == k && t.orphan == orphan {
			out = append(out, i)
		}
	}
	return out
}

// listed are the kids of kind k that the article of parent names.
func (w *world) listed(parent int, k kind) []int {
	all := w.kids(parent, k)
	return all[:min(len(all), about[k].Shown)]
}

// after are the siblings that hang below i because their parent's article does not name them: that of rank r hangs
// below that of rank r/2, so the depth grows with the logarithm only. Works follow one another as a series instead.
func (w *world) after(i int) []int {
	t := &w.things[i]
	if t.parent < 0 || t.rank < 0 {
		return nil
	}
	next := []int{2 * t.rank, 2*t.rank + 1}
	if t.kind == kindWork {
		next = []int{t.rank + 1}
	}
	var out []int
	siblings := w.kids(t.parent, t.kind)
	for _, r := range next {
		if r >= about[t.kind].Shown && r < len(siblings) {
			out = append(out, siblings[r])
		}
	}
	return out
}

// above is the nearest thing of kind k on the way from i to its root, i included; -1 if there is none.
func (w *world) above(i int, k kind) int {
	for ; i >= 0; i = w.things[i].parent {
		if w.things[i].kind == k {
			return i
		}
	}
	return -1
}

// yearPage is the thing that stands for year y; years outside the calendar count as its nearest.
func (w *world) yearPage(y int) int {
	return w.ofKind[kindYear][min(max(y, w.first), lastYear)-w.first]
}
