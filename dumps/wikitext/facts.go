package wikitext

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// Fact is one typed value that a page states. Forms of the values and sources: schemas.FactsTable.
type Fact struct {
	Key, Kind, Value, Unit string
	Raw                    string // what the page says, without what step A takes out
	Offset                 int    // of Raw in the page's text, in bytes
	Source                 string
}

// factValue is what a template or a parameter comes to.
type factValue struct{ kind, value, unit string }

// Facts reads the facts of one page after another (specification 7.2) and reuses its memory; use one per goroutine.
//
// Parameters of infoboxes give their value under their own name, in small letters and with "_" for blanks; dates of
// birth and death stand under birth_date and death_date wherever they are. In prose a coord template gives coordinates,
// a date template the key of its kind, and the n-th convert template that is understood convert_n. What the rule of
// a kind does not allow is refused, never guessed at: ranges, several values, approximations.
type Facts struct {
	templates *Templates
	lastYear  int
	counts    FactCounts

	own    Title
	box    string // the first infobox
	level  *templateLevel
	flat   string
	boxEnd int    // end of the infoboxes begun so far
	taken  []bool // by index of a call: it is the whole value of a parameter
	titled bool   // a coord template says that its point is the page's
	prose  int    // convert templates understood
	args   []Argument
	found  []candidate
	facts  []Fact
	byKey  map[string]int
}

// candidate is a fact before the page's other facts are known.
type candidate struct {
	Fact
	aside bool // the point of something that the page mentions, unless no other is given
}

// NewFacts returns a reader for pages of s. Dates after lastYear, the year of the dump, are refused.
func NewFacts(s *Site, lastYear int) *Facts {
	return &Facts{templates: NewTemplates(s), lastYear: lastYear, byKey: map[string]int{}}
}

// Counts gives what became of all candidates since NewFacts.
func (x *Facts) Counts() FactCounts {
	x.counts.Templates = x.templates.counts
	return x.counts
}

// Infobox gives the name of the first infobox of the last page, "" if it has none. Clone what is kept.
func (x *Facts) Infobox() string { return x.box }

// Page gives the facts of a page in the order of the text, one for each key. Own is its title. The result is valid until
// the next call; strings may share memory with text, so clone what is kept.
func (x *Facts) Page(own Title, text string) []Fact {
	x.reset(own)
	if !strings.Contains(text, "{{") {
		return x.facts
	}
	x.level = x.templates.level(0)
	x.flat = x.level.flatten(text)
	x.level.braces.find(x.flat)
	x.taken = slices.Grow(x.taken[:0], len(x.level.calls))[:len(x.level.calls)]
	clear(x.taken)
	for i := range x.level.calls {
		x.call(i)
	}
	x.settle()
	return x.facts
}

func (x *Facts) reset(own Title) {
	const small = 4096
	if len(x.byKey) > small {
		x.byKey = map[string]int{}
	}
	clear(x.byKey)
	clear(x.found)
	clear(x.facts)
	x.own, x.box, x.boxEnd, x.titled, x.prose = own, "", 0, false, 0
	x.found, x.facts = x.found[:0], x.facts[:0]
}

// call takes the facts of one call, if it is of a kind that has any.
func (x *Facts) call(i int) {
	c := &x.level.calls[i]
	if !x.templates.admit(c) || x.taken[i] {
		return
	}
	name := x.name(c)
	inBox := c.start < x.boxEnd
	switch {
	case isInfobox(name):
		if x.box == "" {
			x.box = name
		}
		x.boxEnd = max(x.boxEnd, c.end)
		x.infobox(c)
	case name == "Coord":
		x.coord(c)
	case !inBox && isConvert(name):
		x.convert(c)
	case !inBox && dateTemplates[name].key != "":
		v, ok := x.single(c)
		x.add(c.start, c.end, dateTemplates[name].key, schemas.FactProse, v, ok)
	}
}

func (x *Facts) name(c *call) string {
	return x.templates.names.title(x.templates.site, strings.TrimSpace(x.flat[c.parts[0].start:c.parts[0].end]))
}

func isConvert(name string) bool { return name == "Convert" || name == "Cvt" }

// coord takes a coord template that is not the value of a parameter. By its display argument it may stand in the text
// for a point other than the page's.
func (x *Facts) coord(c *call) {
	v, ok := x.single(c)
	display := strings.ToLower(x.templates.t.Arg("display"))
	titled := strings.Contains(display, "title") || display == "t" || display == "it" || display == "ti"
	if x.add(c.start, c.end, coordinatesKey, schemas.FactCoord, v, ok) {
		x.found[len(x.found)-1].aside = !titled
		x.titled = x.titled || titled
	}
}

func (x *Facts) convert(c *call) {
	v, ok := x.single(c)
	if ok {
		x.prose++
	}
	x.add(c.start, c.end, "convert_"+strconv.Itoa(x.prose), schemas.FactProse, v, ok)
}

// single reads a call that has a value of its own.
func (x *Facts) single(c *call) (v factValue, ok bool) {
	if !x.templates.fill(x.flat, c) {
		return v, false
	}
	t := &x.templates.t
	switch how, isDate := dateTemplates[t.Name]; {
	case t.Name == "Coord":
		return coordValue(t)
	case isConvert(t.Name):
		return convertValue(t)
	case isDate:
		return dateValue(t, how, x.lastYear)
	}
	return v, false
}

// add books a candidate at [from, to) of the flat text.
func (x *Facts) add(from, to int, key, source string, v factValue, ok bool) bool {
	x.counts.Found++
	if !ok {
		x.counts.Refused++
		return false
	}
	x.found = append(x.found, candidate{Fact: Fact{
		Key: key, Kind: v.kind, Value: v.value, Unit: v.unit, Source: source,
		Raw: withoutMarkers(x.flat[from:to]), Offset: x.level.rawOffset(from),
	}})
	return true
}

// settle makes facts of the candidates: of those with one key the first, if all agree.
func (x *Facts) settle() {
	const disagree = -1
	for i := range x.found {
		f := &x.found[i]
		if f.aside && x.titled {
			continue
		}
		first, known := x.byKey[f.Key]
		switch {
		case !known:
			x.byKey[f.Key] = i
		case first != disagree && !x.found[first].agrees(&f.Fact):
			x.byKey[f.Key] = disagree
		}
	}
	for i := range x.found {
		f := &x.found[i]
		switch first := x.byKey[f.Key]; {
		case f.aside && x.titled:
			x.counts.Aside++
		case first == disagree:
			x.counts.Disagreed++
		case first != i:
			x.counts.Repeated++
		default:
			x.counts.keep(f.Kind)
			x.facts = append(x.facts, f.Fact)
		}
	}
	slices.SortStableFunc(x.facts, func(a, b Fact) int { return cmp.Compare(a.Offset, b.Offset) })
}

func (f *Fact) agrees(g *Fact) bool {
	return f.Kind == g.Kind && f.Value == g.Value && f.Unit == g.Unit
}
