package aar

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// field is what the generator knows of the pages of a world, by their numbers there. It is read
// once; workers share it and change nothing.
type field struct {
	*aar.World
	tools *aar.Tools
	clues *aar.Index // of navigation phrases
	graph *graph.Graph
	day   time.Time // of the snapshot

	facts  [][]aar.Fact
	links  [][]int  // to which the text of a page links
	flags  []uint16 // of the snapshot
	node   []int32  // of the graph, -1 for none
	page   []int32  // of a node, -1 for none
	inside []bool   // pages of the largest component of the graph between pages of the world
	usable []bool   // pages that legs may lead to
	// pages with a point, a country, a date or a number that can be converted: a tool can follow
	supports   []bool
	merges     bool // there is a usable page that a diamond can have as its source
	seeds      []int
	kindBehind *regexp.Regexp   // of a name, see kindsBehind
	common     map[string]bool  // tokens of more than 1 % of the titles
	stated     map[string][]int // pages by kind and value of a fact
	kinds      map[string]int   // pages by kind of their facts
	typed      int              // pages with a number or date

	tape    *aar.Cassette       // with rewordings; nil for none
	symbols []map[string]string // of pages, by variable of templates; nil without a cassette
}

// newField reads a world; done is called after each page. flags are those of the nodes of the
// graph.
func newField(ctx context.Context, tools *aar.Tools, g *graph.Graph, flags func(u int) uint16,
	day time.Time, workers int, done func(),
) (*field, error) {
	w := tools.World
	f := &field{
		World: w, tools: tools, graph: g, day: day, common: map[string]bool{},
		facts: make([][]aar.Fact, w.Len()), links: make([][]int, w.Len()),
		flags:  make([]uint16, w.Len()),
		usable: make([]bool, w.Len()), supports: make([]bool, w.Len()),
		stated: map[string][]int{}, kinds: map[string]int{},
	}
	if tools.Cassette != nil {
		f.symbols = make([]map[string]string, w.Len())
	}
	f.number()
	f.component()
	heads := make([]int, w.Len())
	err := graph.Each(ctx, workers, w.Len(), func(_, i int) error {
		text := w.Text(i).Text
		f.facts[i], heads[i] = w.Facts(i), aar.Headings(text)
		f.links[i] = w.Links(i)
		if f.symbols != nil {
			f.symbols[i] = symbolsOf(text)
		}
		if u := f.node[i]; u >= 0 {
			f.flags[i] = flags(int(u))
		}
		done()
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.clues = aar.ClueIndex(w, func(i int) []aar.Fact { return f.facts[i] })
	f.gather()
	f.kindBehind = kindsBehind(w)
	for i := range heads {
		names := w.Names(i)
		f.usable[i] = f.inside[i] && len(f.facts[i]) > 0 && !f.generic(i) &&
			!aar.InWordings(names) && (tools.Cassette == nil || !aar.InProvidedWordings(names))
		if f.usable[i] && heads[i] >= minHeadings && len(f.links[i]) >= minLinks &&
			len(f.facts[i]) >= minFacts &&
			slices.ContainsFunc(f.facts[i], aar.Fact.Typed) {
			f.seeds = append(f.seeds, i)
		}
		place, _ := f.Place(i)
		f.merges = f.merges || f.usable[i] && (place.Located || place.Country)
		f.supports[i] = place.Located || place.Country ||
			slices.ContainsFunc(f.facts[i], f.feedsTool)
	}
	return f, ctx.Err()
}

// symbolVariables are the variables of templates that a page fills by a symbol that it states.
var symbolVariables = []string{"ticker", "symbol"}

// symbolsOf returns the symbols that a text states; nil for none.
func symbolsOf(text string) (out map[string]string) {
	for _, name := range symbolVariables {
		if symbol := aar.Symbol(text, name); symbol != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = symbol
		}
	}
	return out
}

// feedsTool reports whether a fact can be the argument of a tool: a date with a day or a year, a
// number that can be converted, or the name of a country.
func (f *field) feedsTool(fact aar.Fact) bool {
	if fact.Type == "text" {
		i, code := f.Resolve(fact.Value)
		place, _ := f.Place(i)
		return code == "" && place.Country
	}
	return fact.Type == "date" || slices.ContainsFunc(aar.Conversions(), func(c aar.Factor) bool {
		return fact.Unit != "" && c.Unit == fact.Unit
	})
}

// hopeless says why no leg of a variant can be made, "" where one may be.
func (f *field) hopeless(variant string) string {
	switch {
	case f.typed == 0:
		return fmt.Sprintf("no typed facts: 0 of %d", f.Len())
	case len(f.seeds) == 0:
		return fmt.Sprintf("no page to begin with: none of %d has %d headings, %d links and "+
			"%d facts, one of them a number or date", f.Len(), minHeadings, minLinks, minFacts)
	case !slices.Contains(f.supports, true):
		return "no template fits: no page has coordinates, a date or a number that can be " +
			"converted, and none is a country"
	case variant != schemas.AARVariants[0] && !f.merges:
		return "no diamond fits: no page has coordinates, and none is a country with population " +
			"and area"
	}
	return ""
}

// beginWith takes the pages with these titles, if there are any, in the place of those that pass as
// seeds.
func (f *field) beginWith(titles []string) error {
	if len(titles) > 0 {
		f.seeds = nil
	}
	for _, title := range titles {
		i, ok := f.Titled(title)
		if !ok || !f.usable[i] {
			return fault.New(fault.Usage, "recipe: [aar] seeds: no leg can begin with %s",
				fault.Quote(title)).
				Hint("name the title of an article with a number, date or name in its infobox that other articles link to")
		}
		f.seeds = append(f.seeds, i)
	}
	return nil
}

// What the page has that a leg begins with.
const (
	minHeadings = 4
	minLinks    = 15
	minFacts    = 3
)

// number pairs pages of the world with nodes of the graph.
func (f *field) number() {
	f.node, f.page = make([]int32, f.Len()), make([]int32, f.graph.Len())
	for u := range f.page {
		f.page[u] = -1
	}
	for i := range f.node {
		f.node[i] = -1
		if u, ok := f.graph.Node(f.ID(i)); ok {
			f.node[i], f.page[u] = int32(u), int32(i)
		}
	}
}

// component finds the largest strongly connected component of the graph between pages of the
// world: that of the page with most links, unless so many pages are left that one of theirs may be
// larger.
func (f *field) component() {
	n := f.graph.Len()
	taken, best := make([]bool, n), []uint32{}
	for left := n; left > len(best); {
		root, most := -1, -1
		for u := range n {
			if d := f.graph.Succ.Degree(uint32(u)) + f.graph.Pred.Degree(uint32(u)); !taken[u] &&
				f.page[u] >= 0 && d > most {
				root, most = u, d
			}
		}
		if root < 0 {
			break
		}
		forth, back := f.reach(f.graph.Succ, uint32(root)), f.reach(f.graph.Pred, uint32(root))
		var both []uint32
		for u := range n {
			if forth[u] && back[u] {
				taken[u], both = true, append(both, uint32(u))
			}
		}
		if left -= len(both); len(both) > len(best) {
			best = both
		}
	}
	f.inside = make([]bool, f.Len())
	for _, u := range best {
		f.inside[f.page[u]] = true
	}
}

// reach marks the nodes of the world that a node leads to.
func (f *field) reach(adj graph.CSR, from uint32) []bool {
	seen := make([]bool, f.graph.Len())
	seen[from] = true
	for queue := []uint32{from}; len(queue) > 0; queue = queue[1:] {
		for _, v := range adj.Row(queue[0]) {
			if !seen[v] && f.page[v] >= 0 {
				seen[v], queue = true, append(queue, v)
			}
		}
	}
	return seen
}

// gather counts tokens of titles, and finds pages by their facts.
func (f *field) gather() {
	titles := map[string]int{}
	for i := range f.facts {
		tokens := aar.Tokens(f.Title(i))
		slices.Sort(tokens)
		for _, t := range slices.Compact(tokens) {
			titles[t]++
		}
		if slices.ContainsFunc(f.facts[i], aar.Fact.Typed) {
			f.typed++
		}
		for _, fact := range f.facts[i] {
			f.stated[factKey(fact)] = append(f.stated[factKey(fact)], i)
			f.kinds[fact.Kind]++
		}
	}
	for t, n := range titles { // each by itself
		if 100*n > f.Len() {
			f.common[t] = true
		}
	}
}

func factKey(f aar.Fact) string { return f.Kind + "\x00" + f.Value + "\x00" + f.Unit }

var genericTitle = regexp.MustCompile(`^(?:(?:List|Lists|Index|Outline|Glossary|Timeline) of .*|` +
	`.* \((?:disambiguation|number|year)\)|(?:AD )?\d[\d,]*(?:s| BC| BCE| AD| CE)?|\d+(?:st|nd|rd|th) century.*)$`)

// generic reports whether a page is a list, a date or the like, of which there is nothing to tell.
func (f *field) generic(i int) bool {
	const listed = schemas.FlagDisambiguation | schemas.FlagList | schemas.FlagDate
	return f.flags[i]&listed != 0 || genericTitle.MatchString(f.Title(i))
}

// located returns the point of a page.
func (f *field) located(i int) (p aar.Place, ok bool) {
	p, _ = f.Place(i)
	return p, p.Located
}

// isoDay and shownDay return the day of the snapshot as code and as clues have it.
func (f *field) isoDay() string   { return f.day.Format(time.DateOnly) }
func (f *field) shownDay() string { return f.day.Format("2 January 2006") }

// generated is generated_at of every leg.
func (f *field) generated() string { return f.isoDay() + "T00:00:00.000000+00:00" }

// ball lists the usable pages at a distance of 1 to hops links from a page, ascending.
func (b *balls) ball(from, hops int) []int {
	if b.seen == nil {
		b.seen = make([]uint32, b.graph.Len())
	}
	b.round++
	start := uint32(b.node[from])
	b.seen[start] = b.round
	b.queue = append(b.queue[:0], start)
	for at, level := 0, 0; level < hops; level++ {
		for end := len(b.queue); at < end; at++ {
			for _, v := range b.graph.Succ.Row(b.queue[at]) {
				if p := b.page[v]; b.seen[v] != b.round && p >= 0 && b.inside[p] {
					b.seen[v], b.queue = b.round, append(b.queue, v)
				}
			}
		}
	}
	b.pages = b.pages[:0]
	for _, u := range b.queue[1:] {
		if p := int(b.page[u]); b.usable[p] {
			b.pages = append(b.pages, p)
		}
	}
	slices.Sort(b.pages)
	return b.pages
}

// balls is the scratch of a worker for ball.
type balls struct {
	*field
	seen  []uint32
	round uint32
	queue []uint32
	pages []int
}

// isStopWord lists the words that say nothing of a page.
var stopWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`a an and the of in on at by for from to with is was are were it its this that which who`) {
		out[w] = true
	}
	return out
}()
