package aar

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// failure is why an attempt made no leg; report.json counts attempts by it.
type failure string

func (f failure) Error() string { return string(f) }

// Reasons of failures, besides the names of gates.
const (
	noRoute   failure = "route"      // no seed, or no page that goes on and can be described
	noNeeds   failure = "needs"      // no template, transform or diamond fits
	toolError failure = "tool error" // of a golden call
	noCone    failure = "cone"       // too few stops decide the passcode
)

// id names a leg; number is from 1.
type id struct {
	variant, level string
	number         int
}

func (x id) sample() string { return "sample_" + pad(x.number) }

// maker makes legs, one at a time. Each worker has one.
type maker struct {
	*field
	balls
	p      Params
	ctx    context.Context
	rank   *aar.Ranking // of clues
	agents *aar.Ranking // of the agents' search
	reader *reader.Reader
	bases  map[int]string // what phrases of pages begin with
	ran    map[string]ran // chains

	missed func(template string, chain []schemas.AARCall) // for one without an answer; may be nil
	wants  func(c aar.MadeCall)                           // for a reply that is not recorded; may be nil
}

func newMaker(ctx context.Context, f *field, p Params) *maker {
	return &maker{
		field: f, balls: balls{field: f}, p: p, ctx: ctx, rank: aar.NewRanking(f.clues),
		agents: aar.NewRanking(f.World.Index), reader: reader.New(f.tools, f.clues,
			func(i int) []aar.Fact { return f.facts[i] },
			func(i int) []int { return f.links[i] }), bases: map[int]string{},
		ran: map[string]ran{},
	}
}

// counts is how many stops of each type a leg has.
type counts struct{ pages, tools, reasons, diamonds int }

func (m *maker) stream(x id, parts ...string) *rng.Stream {
	of := []string{name, m.p.Profile, x.variant, x.level, rng.Part(x.number)}
	return rng.New(uint64(m.p.Seed), append(of, parts...)...)
}

func (m *maker) strict() bool { return m.p.Profile == ProfileStrict }

// toolWeights is how often a leg of a level has so many tool stops, from the fewest on, in
// per cent.
var toolWeights = map[string][]int{
	"easy": {85, 15}, "medium": {75, 20, 5}, "hard": {93, 7},
	"extreme": {70, 25, 5},
}

// counts draws how many stops a leg has. Attempts share a draw, so that failures of long legs do
// not make legs shorter.
func (m *maker) counts(x id, attempt int) counts {
	r := m.stream(x, "counts", rng.Part(attempt/attemptsPerDraw))
	level, diamonds := aar.LevelOf(x.level)
	pages := m.leastPages(x.level)
	least := max(level.Depth[0], pages+1+level.Tools[0])
	depth := least + r.Below(level.Depth[1]-least+1)
	tools := level.Tools[0] + weighted(r, toolWeights[x.level])
	c := counts{tools: min(tools, depth-1-pages), reasons: min(max((depth-2)/3, level.Reasons[0]),
		level.Reasons[1])}
	c.pages = depth - 1 - c.tools
	if x.variant != schemas.AARVariants[0] {
		c.diamonds = diamonds[0] + r.Below(diamonds[1]-diamonds[0]+1)
	}
	return c
}

const attemptsPerDraw = 50

// leastPages returns how many page stops a leg of a level has at least. Whoever reads the riddle is
// told the address of the seed and fetches it, which is half of two pages; easy legs of the profile
// strict therefore have three (docs/decisions/0016).
func (m *maker) leastPages(level string) int {
	switch {
	case !m.strict():
		return 1
	case level == schemas.AARLevels[0]:
		return 3
	}
	return 2
}

// weighted draws an index by weights, of which one is above 0.
func weighted(r *rng.Stream, weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	at := r.Below(sum)
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	panic("aar: weights")
}

// stop is a stop of a leg as a node of its expressions: what it is computed from, and its value,
// which is computed once. What a leg says of it is written from this alone.
type stop struct {
	kind  string // type of the stop
	page  int    // whose URL it has
	needs []*stop
	value schemas.AARValue
	typ   string // type of the value
	unit  string // that can be converted, or ""

	ask    ask    // of a page
	way    string // slot of the clue of a page
	phrase string // of a page
	from   *stop  // the page before

	option     // of a tool
	transform  string
	expression aar.Expression // of the finish
}

// ask is a question for a fact.
type ask struct {
	aar.Fact
	full  bool
	value schemas.AARValue
	typ   string
}

// attempt is a leg in the making.
type attempt struct {
	*maker
	id
	r      *rng.Stream
	counts counts
	stops  []*stop
	seen   map[int]bool // pages considered
}

// attempt makes a leg or says why not.
func (m *maker) attempt(x id, number int) (*made, error) {
	a := &attempt{
		maker: m, id: x, r: m.stream(x, rng.Part(number)), counts: m.counts(x, number),
		seen: map[int]bool{},
	}
	types := a.types()
	for i, kind := range types {
		if err := a.add(kind, append(types[i+1:len(types):len(types)], "", "")); err != nil {
			return nil, err
		}
	}
	if err := a.insertDiamonds(); err != nil {
		return nil, err
	}
	if err := a.finish(); err != nil {
		return nil, err
	}
	return a.made()
}

// follows is how often a type of stop follows another, in per cent, in the order page, tool,
// reason.
var follows = map[string][]int{
	schemas.AARPage: {43, 28, 25}, schemas.AARTool: {41, 11, 37}, schemas.AARReason: {66, 24, 0},
}

// types draws the sequence of stop types. A reason stop stands directly after its source.
func (a *attempt) types() []string {
	kinds := []string{schemas.AARPage, schemas.AARTool, schemas.AARReason}
	left := []int{a.counts.pages - 1, a.counts.tools, a.counts.reasons}
	out := []string{schemas.AARPage}
	for left[0]+left[1]+left[2] > 0 {
		weights := slices.Clone(follows[out[len(out)-1]])
		for k := range weights {
			rest := slices.Clone(left)
			rest[k]--
			sources := rest[0] + rest[1]
			if k < 2 {
				sources++
			}
			if rest[k] < 0 || rest[2] > sources {
				weights[k] = 0
			}
		}
		k := weighted(a.r, weights)
		left[k]--
		out = append(out, kinds[k])
	}
	return out
}

// add draws the next stop, which those of the types after follow.
func (a *attempt) add(kind string, after []string) error {
	switch kind {
	case schemas.AARPage:
		return a.addPage(after)
	case schemas.AARTool:
		return a.addTool(after[0] == schemas.AARReason)
	}
	return a.addReason()
}

// lastPage returns the last page stop, nil for none.
func (a *attempt) lastPage() *stop { return lastPage(a.stops) }

func lastPage(stops []*stop) *stop {
	for _, s := range slices.Backward(stops) {
		if s.kind == schemas.AARPage {
			return s
		}
	}
	return nil
}

const tries = 50 // candidates on a way to the next page

// addPage draws the next page and what is asked of it.
func (a *attempt) addPage(after []string) error {
	last := a.lastPage()
	if last == nil {
		return a.addSeed(after)
	}
	ways := []string{aar.SlotLink, aar.SlotSearch}
	first := a.r.Below(2)
	for _, k := range []int{first, 1 - first} {
		if s := a.addOn(ways[k], last, after); s != nil {
			a.stops = append(a.stops, s)
			return nil
		}
	}
	return noRoute
}

func (a *attempt) addSeed(after []string) error {
	if len(a.seeds) == 0 {
		return noRoute
	}
	for range tries {
		page := a.seeds[a.r.Below(len(a.seeds))]
		a.seen[page] = true
		s := &stop{kind: schemas.AARPage, page: page, way: aar.SlotSeed}
		if a.ask(s, a.questions(s, after)) {
			a.stops = append(a.stops, s)
			return nil
		}
	}
	return noNeeds
}

// toolsAfter counts the tool stops up to the next page stop.
func toolsAfter(after []string) (n int) {
	for _, kind := range after {
		switch kind {
		case schemas.AARTool:
			n++
		case schemas.AARPage:
			return n
		}
	}
	return n
}

// addOn draws the next page on a way, nil for none.
func (a *attempt) addOn(way string, last *stop, after []string) *stop {
	var list []int
	if way == aar.SlotLink {
		list = slices.DeleteFunc(slices.Clone(a.links[last.page]),
			func(p int) bool { return !a.field.usable[p] })
	} else {
		level, _ := aar.LevelOf(a.level)
		list = a.ball(last.page, level.Crawl)
	}
	tools := toolsAfter(after) > 0
	list = slices.DeleteFunc(list, func(p int) bool {
		return a.visited(p) || tools && !a.field.supports[p]
	})
	if len(list) == 0 {
		return nil
	}
	asks := map[int]questions{} // of the pages tried
	dead := 0
	for range tries {
		page := a.rarer(list)
		a.seen[page] = true
		s := &stop{kind: schemas.AARPage, page: page, way: way, from: last}
		fitting, known := asks[page]
		if !known {
			fitting = a.fitting(s, after)
			asks[page] = fitting
		}
		switch {
		case len(fitting) > 0 && a.ask(s, fitting) && a.describe(s):
			return s
		case len(fitting) == 0 && !known:
			if dead++; dead == len(list) {
				return nil // another try would fail as well
			}
		}
	}
	return nil
}

// fitting lists the questions to a page that can come next: none for one that a phrase named, or
// that cannot be described.
func (a *attempt) fitting(s *stop, after []string) questions {
	names := a.Names(s.page)
	if _, told := aar.NameIn(names, a.phrases()); told || a.baseOf(s.page, names) == "" {
		return nil
	}
	return a.questions(s, after)
}

// baseOf returns what the phrase of a page begins with.
func (m *maker) baseOf(page int, names []string) string {
	base, known := m.bases[page]
	if !known {
		base = m.base(page, m.maskOf(names))
		m.bases[page] = base
	}
	return base
}

func (a *attempt) visited(page int) bool {
	return slices.ContainsFunc(a.stops, func(s *stop) bool {
		return s.kind == schemas.AARPage &&
			s.page == page
	})
}

// rarer draws two pages and takes the one that fewer pages link to, so that hubs do not stand in
// every leg.
func (a *attempt) rarer(list []int) int {
	if len(list) == 1 {
		return list[0]
	}
	two := a.r.Choose(len(list), 2)
	slices.Sort(two)
	p, q := list[two[0]], list[two[1]]
	if a.linked(q) < a.linked(p) {
		return q
	}
	return p
}

func (f *field) linked(page int) int { return f.graph.Pred.Degree(uint32(f.node[page])) }

// phrases joins the navigation phrases so far.
func (a *attempt) phrases() string {
	var out []string
	for _, s := range a.stops {
		out = append(out, s.phrase)
	}
	return strings.Join(out, "\n")
}

// told reports whether a value stands in a phrase of the leg.
func (a *attempt) told(v schemas.AARValue) bool { return aar.ValueIn(v, a.phrases()) }

// valueWeights is how often a fact of a type is asked for, in per cent.
var valueWeights = map[string]int{"number": 71, "text": 14, "date": 14, "coords": 2}

// asks lists the questions that a page answers.
func (f *field) asks(page int) (list []ask) {
	for _, fact := range f.facts[page] {
		switch fact.Type {
		case "number":
			list = append(list, asking(fact, fact.Value, "number", false))
		case "date":
			list = append(list, asking(fact, fact.Year, "number", false))
			if fact.Full {
				list = append(list, asking(fact, fact.Value, "date", true))
			}
		default:
			list = append(list, asking(fact, fact.Value, fact.Type, false))
		}
	}
	return list
}

func asking(f aar.Fact, value, typ string, full bool) ask {
	q := ask{Fact: f, full: full, typ: typ}
	if typ != "number" {
		q.value = aar.TextValue(value)
	} else if v, err := aar.NumberValue(value); err == nil {
		q.value = v
	}
	return q
}

// isYear reports whether the answer is a year.
func (q ask) isYear() bool { return q.Type == "date" && !q.full }

// questions are those that suit the next stop, by the type of their answers.
type questions map[string][]ask

func (a *attempt) questions(s *stop, after []string) questions {
	groups := questions{}
	for _, q := range a.asks(s.page) {
		if q.value != nil && !a.told(q.value) && a.suits(s, q, after) {
			groups[q.typ] = append(groups[q.typ], q)
		}
	}
	return groups
}

// ask draws what is asked of a page; false where there is nothing to ask.
func (a *attempt) ask(s *stop, groups questions) bool {
	types := []string{"number", "text", "date", "coords"}
	weights := make([]int, len(types))
	for i, t := range types {
		if len(groups[t]) > 0 {
			weights[i] = valueWeights[t]
		}
	}
	if slices.Max(weights) == 0 {
		return false
	}
	list := groups[types[weighted(a.r, weights)]]
	s.put(list[a.r.Below(len(list))])
	return true
}

// put sets the question of a page stop, and its answer.
func (s *stop) put(q ask) {
	s.ask, s.value, s.typ, s.unit = q, q.value, q.typ, ""
	if q.Type == "number" {
		s.unit = q.Unit
	}
}

// suits reports whether the next stops can follow a question: a transform, and as many tool stops
// as there are before the next page.
func (a *attempt) suits(s *stop, q ask, after []string) bool {
	s.put(q)
	if after[0] == schemas.AARReason && len(a.transforms(s, 1)) == 0 ||
		after[0] == schemas.AARTool && len(a.options(s, after[1] == schemas.AARReason)) == 0 {
		return false
	}
	n := toolsAfter(after)
	return n == 0 || n == 1 && after[0] == schemas.AARTool || len(a.options(s, false)) >= n
}

// describe draws the navigation phrase of a page stop. A phrase that an agent may paste into its
// search to find the page is the last choice, and under the profile strict half the gate's share of
// them is all that a leg has.
func (a *attempt) describe(s *stop) bool {
	names := a.Names(s.page)
	m, base := a.maskOf(names), a.baseOf(s.page, names)
	facts := a.attributes(s.page, s.ask.Kind, base, m, a.r)
	spare := ""
	for n := range len(facts) + 1 {
		phrase := a.withAttributes(base, facts[:n])
		if len(contentWords(phrase)) < minContent || a.leaks(s, names, phrase) ||
			!a.unique(s, phrase, facts[:n]) {
			continue
		}
		if !a.reader.Pastes(phrase, s.page) {
			s.phrase = phrase
			return true
		}
		if spare == "" {
			spare = phrase
		}
	}
	if spare == "" || a.strict() && a.pasted() >= (a.counts.pages-1)/(2*reader.PasteShare) {
		return false
	}
	s.phrase = spare
	return true
}

// pasted counts the phrases so far that the agents' search finds the page by.
func (a *attempt) pasted() (n int) {
	for _, s := range a.stops {
		if s.phrase != "" && a.reader.Pastes(s.phrase, s.page) {
			n++
		}
	}
	return n
}

// leaks reports whether a phrase gives away its own page, or what came before.
func (a *attempt) leaks(s *stop, names []string, phrase string) bool {
	_, named := aar.NameIn(names, phrase)
	_, spelled := aar.TokensIn(names, phrase)
	if named || spelled || aar.ValueIn(s.value, phrase) {
		return true
	}
	for _, before := range a.stops {
		if aar.ValueIn(before.value, phrase) {
			return true
		}
		if before.kind == schemas.AARPage {
			if _, named := aar.NameIn(a.Names(before.page), phrase); named {
				return true
			}
		}
	}
	return false
}

// Margin of the profile strict: the score of a page over that of the second.
const marginOver, marginUnder = 11, 10

// unique reports whether a phrase leads to its page and to no other.
func (a *attempt) unique(s *stop, phrase string, facts []aar.Fact) bool {
	var among []int
	if s.way == aar.SlotLink {
		among = a.links[s.from.page]
		a.rank.RankAmong(phrase, among)
	} else {
		a.rank.Rank(phrase)
	}
	best := a.rank.Best(among, 3)
	at := slices.IndexFunc(best, func(h aar.Hit) bool { return h.Page == s.page })
	if at < 0 || a.strict() && (at > 0 || len(best) > 1 &&
		marginUnder*best[0].Score < marginOver*best[1].Score) {
		return false
	}
	if a.anotherHas(s.page, facts, among) {
		return false
	}
	return s.way == aar.SlotLink || a.findable(s.page, phrase)
}

// anotherHas reports whether another page, of those among lists or of all, has all the facts.
func (a *attempt) anotherHas(page int, facts []aar.Fact, among []int) bool {
	if len(facts) == 0 {
		return false
	}
	return slices.ContainsFunc(a.stated[factKey(facts[0])], func(other int) bool {
		if other == page || among != nil && !slices.Contains(among, other) {
			return false
		}
		return !slices.ContainsFunc(facts[1:], func(f aar.Fact) bool {
			_, has := slices.BinarySearch(a.stated[factKey(f)], other)
			return !has
		})
	})
}

// results is how many results of a search an agent looks at.
const results = 10

// findable reports whether the agents' search for a phrase lists the page, or a page that links to
// it.
func (a *attempt) findable(page int, phrase string) bool {
	a.agents.Rank(phrase)
	return slices.ContainsFunc(a.agents.Best(nil, results), func(h aar.Hit) bool {
		_, linked := slices.BinarySearch(a.links[h.Page], page)
		return h.Page == page || linked
	})
}

// isFailure reports whether an error is a failure of an attempt.
func isFailure(err error) (failure, bool) {
	var f failure
	ok := errors.As(err, &f)
	return f, ok
}
