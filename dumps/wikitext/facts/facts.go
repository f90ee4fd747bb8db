// Package facts reads the values that a page states in its templates (Facts) and its lead (Lead).
//
// It promises that every value that could be a fact is kept, or counted under the reason that
// dropped it: what the rule of a kind does not allow is refused, never guessed at. It never expands
// a template and never reads another page.
package facts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
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

// Facts reads the facts of one page after another (specification 7.2) and reuses its memory; use
// one per goroutine.
//
// Parameters of infoboxes give their value under their own name, in small letters and with "_" for
// blanks; dates of birth and death stand under birth_date and death_date wherever they are. In
// prose a coord template gives coordinates, a date template the key of its kind, and the n-th
// convert template that is understood convert_n. What the rule of a kind does not allow is refused,
// never guessed at: ranges, several values, approximations.
type Facts struct {
	site      *titles.Site
	templates *markup.Templates
	lastYear  int
	counts    Counts

	own    titles.Title
	box    string // the first infobox
	level  markup.TemplateLevel
	flat   string
	boxEnd int32  // end of the infoboxes begun so far
	taken  []bool // by index of a call: it is the whole value of a parameter
	titled bool   // a coord template says that its point is the page's
	prose  int    // convert templates understood
	args   []markup.Argument
	found  []candidate
	facts  []Fact
	byKey  map[string]int
}

// candidate is a fact before the page's other facts are known.
type candidate struct {
	Fact
	aside bool // the point of something that the page mentions, unless no other is given
}

// NewFacts returns a reader for pages of s. Dates after lastYear, the year of the dump, are
// refused.
func NewFacts(s *titles.Site, lastYear int) *Facts {
	return &Facts{site: s, templates: markup.NewTemplates(s), lastYear: lastYear, byKey: map[string]int{}}
}

// Infobox returns the name of the first infobox of the last page, "" if it has none. Clone what is
// kept.
func (x *Facts) Infobox() string { return x.box }

// Page returns the facts of a page in the order of the text, one for each key. Own is its title. The
// result is valid until the next call; strings may share memory with text, so clone what is kept.
func (x *Facts) Page(own titles.Title, text string) []Fact {
	x.reset(own)
	if !strings.Contains(text, "{{") {
		return x.facts
	}
	x.flat = x.level.Read(text)
	x.taken = slices.Grow(x.taken[:0], len(x.level.Calls))[:len(x.level.Calls)]
	clear(x.taken)
	for i := range x.level.Calls {
		x.call(i)
	}
	x.settle()
	return x.facts
}

// Forget gives back the memory that the last page needed.
func (x *Facts) Forget() {
	*x = Facts{templates: markup.NewTemplates(x.site), site: x.site, lastYear: x.lastYear, counts: x.counts, byKey: map[string]int{}}
}

func (x *Facts) reset(own titles.Title) {
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
	c := &x.level.Calls[i]
	if !c.Bounded() || x.taken[i] {
		return
	}
	name := x.templates.Title(x.flat, c)
	inBox := c.Start < x.boxEnd
	switch {
	case markup.IsInfobox(name):
		if x.box == "" {
			x.box = name
		}
		x.boxEnd = max(x.boxEnd, c.End)
		x.infobox(c)
	case name == "Coord":
		x.coord(c)
	case !inBox && isConvert(name):
		x.convert(c)
	case !inBox && dateTemplates[name].key != "":
		v, ok := x.single(c)
		x.add(int(c.Start), int(c.End), dateTemplates[name].key, schemas.FactProse, v, ok)
	}
}

func isConvert(name string) bool { return name == "Convert" || name == "Cvt" }

// coord takes a coord template that is not the value of a parameter. By its display argument it may
// stand in the text for a point other than the page's.
func (x *Facts) coord(c *markup.Call) {
	v, ok := x.single(c)
	display := ""
	if t := x.templates.Read(x.flat, c); t != nil {
		display = strings.ToLower(t.Arg("display"))
	}
	titled := strings.Contains(display, "title") || display == "t" || display == "it" || display == "ti"
	if x.add(int(c.Start), int(c.End), coordinatesKey, schemas.FactCoord, v, ok) {
		x.found[len(x.found)-1].aside = !titled
		x.titled = x.titled || titled
	}
}

func (x *Facts) convert(c *markup.Call) {
	v, ok := x.single(c)
	if ok {
		x.prose++
	}
	x.add(int(c.Start), int(c.End), "convert_"+strconv.Itoa(x.prose), schemas.FactProse, v, ok)
}

// single reads a call that has a value of its own.
func (x *Facts) single(c *markup.Call) (v factValue, ok bool) {
	t := x.templates.Read(x.flat, c)
	if t == nil {
		return v, false
	}
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

// mostFacts is how many values of a page can be facts, and longestFact how many bytes one can take:
// no page has a hundredth of the one, no text that MediaWiki saves the other.
const (
	mostFacts   = 1 << 16
	longestFact = 2 << 20
)

// add books a candidate at [from, to) of the flat text.
func (x *Facts) add(from, to int, key, source string, v factValue, ok bool) bool {
	x.counts[Found]++
	if !ok || len(x.found) == mostFacts || to-from > longestFact {
		x.counts[Refused]++
		return false
	}
	x.found = append(x.found, candidate{Fact: Fact{
		Key: key, Kind: v.kind, Value: v.value, Unit: v.unit, Source: source,
		Raw: withoutMarkers(x.flat[from:to]), Offset: x.level.RawOffset(from),
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
			x.counts[Aside]++
		case first == disagree:
			x.counts[Disagreed]++
		case first != i:
			x.counts[Repeated]++
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

// coordinatesKey is the key of the point where the thing is that a page is about.
const coordinatesKey = "coordinates"

// coordinateParameters are the names under which infoboxes hold it.
var coordinateParameters = map[string]bool{"coordinates": true, "coords": true, "coord": true, "coordinate": true}

// infobox takes the parameters of an infobox as they stand in the flat text.
func (x *Facts) infobox(c *markup.Call) {
	x.counts[Infoboxes]++
	t := x.templates.Read(x.flat, c)
	if t == nil {
		return
	}
	x.args = append(x.args[:0], t.Args...) // reading a value overwrites the template
	for _, a := range x.args {
		from, to := unmarked(x.flat, a.At, a.To)
		if from == to {
			continue
		}
		x.parameter(a.Key, from, to)
	}
}

// unmarked narrows flat[from:to] to what is left without white space and markers at its ends.
func unmarked(flat string, from, to int) (int, int) {
	for {
		from, to = markup.Trimmed(flat, from, to)
		switch {
		case from < to && flat[from] == markup.Marker:
			from++
		case from < to && flat[to-1] == markup.Marker:
			to--
		default:
			return from, to
		}
	}
}

func withoutMarkers(s string) string { return strings.ReplaceAll(s, string(markup.Marker), "") }

// parameter takes the value flat[from:to] of a parameter.
func (x *Facts) parameter(name string, from, to int) {
	name = strings.TrimSpace(withoutMarkers(name))
	key, source := strings.ToLower(strings.ReplaceAll(name, " ", "_")), "infobox:"+name
	i, ok := x.callAt(from, to)
	if !ok {
		v, ok := x.plain(from, to)
		x.add(from, to, key, source, v, ok && key != "")
		return
	}
	c := &x.level.Calls[i]
	called := x.templates.Title(x.flat, c)
	switch date := dateTemplates[called]; {
	case called == "Coord":
		x.taken[i] = true
		if coordinateParameters[key] {
			key = coordinatesKey
		}
	case date.fixed:
		key = date.key
	case date.key == "" && !isConvert(called):
		v, ok := x.plain(from, to)
		x.add(from, to, key, source, v, ok && key != "")
		return
	}
	v, ok := x.single(c)
	added := x.add(from, to, key, source, v, ok && key != "")
	x.titled = x.titled || added && key == coordinatesKey
}

// callAt finds the call that is exactly flat[from:to].
func (x *Facts) callAt(from, to int) (int, bool) {
	i := x.firstCall(from)
	return i, i < len(x.level.Calls) && int(x.level.Calls[i].Start) == from && int(x.level.Calls[i].End) == to
}

// firstCall returns the index of the first call that begins at or after from.
func (x *Facts) firstCall(from int) int {
	i, _ := slices.BinarySearchFunc(x.level.Calls, from, func(c markup.Call, at int) int { return cmp.Compare(int(c.Start), at) })
	return i
}

// Counts says what became of every value that could be a fact: Found is the sum of all from Kept to
// Disagreed.
type Counts [numCounts]int64

// What Counts counts.
const (
	Found = iota // parameters of infoboxes with a value; coord, convert and date templates outside
	Kept
	Refused   // not what the rule of a kind allows, or beyond mostFacts or longestFact
	Aside     // coordinates in the text of a page whose own are given
	Repeated  // another source gave the same value of the same key before
	Disagreed // sources of one key gave different values: none is kept
	Infoboxes
	KindFirst // from here on Kept by kind, in the order of schemas.FactKinds
	numCounts = KindFirst + 5
)

var countNames = [KindFirst]string{
	"facts_found", "facts_kept", "facts_refused", "facts_aside", "facts_repeated", "facts_disagreed", "infoboxes",
}

// ByName returns the counts under their names.
func (c *Counts) ByName() map[string]int64 {
	m := map[string]int64{}
	for i, name := range countNames {
		m[name] = c[i]
	}
	for i, kind := range schemas.FactKinds {
		m["facts_"+kind] = c[KindFirst+i]
	}
	return m
}

func (c *Counts) Add(d Counts) {
	for i, n := range d {
		c[i] += n
	}
}

func (c *Counts) keep(kind string) {
	c[Kept]++
	c[KindFirst+slices.Index(schemas.FactKinds, kind)]++
}

// Counts returns what became of all candidates since NewFacts.
func (x *Facts) Counts() Counts { return x.counts }
