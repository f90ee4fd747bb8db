package diff

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// comparison is what is kept of two releases.
type comparison struct {
	ctx           context.Context
	old, now      *release.Release
	opts          Options
	before, after *graph.Graph
	to            []uint32 // by node of the older graph: that of the later one, or release.Gone
	byTitle       bool

	strings []string          // splits, and what keys say besides pages
	names   map[string]uint16 // places in strings
	asked   []pair            // of the older release
	added   []pair            // of the later one, those that the older one has not
	notes   map[int]note      // by place in asked
	gone    map[uint32]end    // ends that the later graph has not, by node of the older one
	records []Instance        // of parts without pairs
}

// pair is a record: its nodes are those of the release that it is of.
type pair struct {
	source, target uint32
	part           uint16 // its place in the list
	split, under   uint16
	then, now      uint8 // distances
}

// note is what a test found, unless the distance has changed.
type note struct{ state, detail string }

// end is a page that the later graph has not.
type end struct {
	missing  bool
	redirect string // what its title leads to now
	why      string
}

func (c *comparison) name(s string) (uint16, error) {
	i, ok := c.names[s]
	if !ok {
		if len(c.strings) > math.MaxUint16 {
			return 0, fault.New(fault.Malformed, "more than %d files and classes", math.MaxUint16)
		}
		i = uint16(len(c.strings))
		c.names[s], c.strings = i, append(c.strings, s)
	}
	return i, nil
}

func (c *comparison) compare(parts []release.Part) (err error) {
	if c.before, err = c.old.Graph(); err != nil {
		return err
	}
	if c.after, err = c.now.Graph(); err != nil {
		return err
	}
	c.place()
	for number, p := range parts {
		if paired, ok := p.(release.Paired); ok {
			err = c.read(uint16(number), p, paired)
		} else {
			err = c.readRecords(p)
		}
		if err != nil {
			return err
		}
	}
	if err := c.search(); err != nil {
		return err
	}
	if err := c.lookForGone(); err != nil {
		return err
	}
	return c.findAdded(parts)
}

// place finds the pages of the older graph in the later one.
func (c *comparison) place() {
	c.byTitle = c.old.Manifest().Dump.Kind == release.DumpEdges && c.now.Manifest().Dump.Kind == release.DumpEdges
	c.to = make([]uint32, c.before.Len())
	for u, id := range c.before.PageIDs {
		v, ok := c.after.Node(id)
		if c.byTitle {
			v, ok = c.after.NodeByTitle(c.before.Title(uint32(u)))
		}
		if !ok {
			v = release.Gone
		}
		c.to[u] = v
	}
}

// read keeps the pairs of a part of the older release, and tests what needs the record.
func (c *comparison) read(number uint16, p release.Part, paired release.Paired) error {
	if len(recordFiles(p, c.old.Part(p))) == 0 {
		return nil
	}
	var retest func(*release.Asked) (string, string, error)
	if again, ok := p.(release.Retester); ok {
		var err error
		if retest, err = again.Retest(c.old, c.now, c.to); err != nil {
			return err
		}
	}
	return c.eachAsked(c.old, "reading ", p, paired, func(split uint16, a *release.Asked) error {
		return c.keep(pair{part: number, split: split}, a, retest)
	})
}

// eachAsked visits the pairs of a part of a release, with the names of their splits.
func (c *comparison) eachAsked(
	of *release.Release, doing string, p release.Part, paired release.Paired,
	visit func(split uint16, a *release.Asked) error,
) error {
	files := of.Part(p)
	for _, name := range recordFiles(p, files) {
		split, err := c.name(splitOf(p, name))
		if err != nil {
			return err
		}
		tell := c.meter(doing+splitOf(p, name), "records", files.Rows(name))
		err = paired.EachAsked(files, name, func(a *release.Asked) error {
			tell.Add(1)
			return visit(split, a)
		})
		tell.Done()
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) keep(x pair, a *release.Asked, retest func(*release.Asked) (string, string, error)) (err error) {
	if n := uint32(len(c.to)); a.Source.Node >= n || a.Target.Node >= n || a.Distance < 0 ||
		a.Distance > int(schemas.Unreached) {
		return fault.New(fault.Mismatch, "pair %s is none of the graph", a.Key("")).Hint("wikinav verify says more")
	}
	if x.under, err = c.name(a.Under); err != nil {
		return err
	}
	x.source, x.target, x.then = a.Source.Node, a.Target.Node, uint8(a.Distance)
	i := len(c.asked)
	c.asked = append(c.asked, x)
	if c.to[x.source] == release.Gone || c.to[x.target] == release.Gone {
		return c.ctx.Err()
	}
	if retest != nil {
		state, detail, err := retest(a)
		if err != nil {
			return err
		}
		if state != "" {
			c.notes[i] = note{state, detail}
			return nil
		}
	}
	if dead := c.deadLink(a.Paths); dead != "" {
		c.notes[i] = note{PathBroken, dead}
	}
	return c.ctx.Err()
}

// deadLink names the first link of paths that the later graph has not, "" for none.
func (c *comparison) deadLink(paths [][]uint32) string {
	for _, path := range paths {
		for i := 1; i < len(path); i++ {
			u, v := path[i-1], path[i]
			if int(max(u, v)) >= len(c.to) {
				return "a node outside the graph"
			}
			from, to := c.to[u], c.to[v]
			alive := from != release.Gone && to != release.Gone
			if alive {
				_, alive = slices.BinarySearch(c.after.Succ.Row(from), to)
			}
			if !alive {
				return arrow(c.before.Title(u), c.before.Title(v))
			}
		}
	}
	return ""
}

// lanes is how many targets are searched for at a time.
const lanes = 64

// search fills in the distances of the later graph: from its columns, else by searches.
func (c *comparison) search() error {
	byTarget := []int{}
	for i, x := range c.asked {
		if c.to[x.source] != release.Gone && c.to[x.target] != release.Gone {
			byTarget = append(byTarget, i)
		}
	}
	slices.SortFunc(byTarget,
		func(i, j int) int { return cmp.Compare(c.to[c.asked[i].target], c.to[c.asked[j].target]) })
	set, err := c.now.Distances()
	if err != nil {
		return err
	}
	tell := c.meter("distances", "pairs", int64(len(byTarget)))
	defer tell.Done()
	var s searches
	for len(byTarget) > 0 {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		target, n := c.to[c.asked[byTarget[0]].target], 1
		for n < len(byTarget) && c.to[c.asked[byTarget[n]].target] == target {
			n++
		}
		column, err := set.Column(target)
		switch {
		case err == nil:
			c.take(byTarget[:n], column)
		case errors.Is(err, distances.ErrNoTarget):
			s.targets, s.pairs = append(s.targets, target), append(s.pairs, byTarget[:n])
		default:
			return err
		}
		if byTarget = byTarget[n:]; len(s.targets) == lanes || len(byTarget) == 0 && len(s.targets) > 0 {
			c.searchAll(&s)
		}
		tell.Add(int64(n))
	}
	return nil
}

// searches are the targets of a batch, with the places of their pairs in asked.
type searches struct {
	targets []uint32
	pairs   [][]int
	kernel  *graph.Many
	columns [][]uint8
}

func (c *comparison) searchAll(s *searches) {
	if s.kernel == nil {
		s.kernel = graph.NewMany(c.after.Pred, lanes, max(1, c.opts.Workers))
		for range lanes {
			s.columns = append(s.columns, make([]uint8, c.after.Len()))
		}
	}
	s.kernel.DistancesTo(s.targets, s.columns[:len(s.targets)])
	for i, pairs := range s.pairs {
		c.take(pairs, s.columns[i])
	}
	s.targets, s.pairs = s.targets[:0], s.pairs[:0]
}

func (c *comparison) take(places []int, column []uint8) {
	for _, i := range places {
		c.asked[i].now = column[c.to[c.asked[i].source]]
	}
}

// lookForGone finds out what became of the ends that the later graph has not.
func (c *comparison) lookForGone() error {
	titles := map[string]uint32{}
	for _, x := range c.asked {
		for _, u := range []uint32{x.source, x.target} {
			if c.to[u] == release.Gone {
				titles[c.before.Title(u)] = u
			}
		}
	}
	if len(titles) == 0 {
		return nil
	}
	for title, u := range titles { // a map
		c.gone[u] = c.fateOf(title, c.before.PageIDs[u])
	}
	return c.now.EachAlias(func(title string, node uint32) {
		if u, ok := titles[title]; ok && int(node) < c.after.Len() {
			e := c.gone[u]
			e.redirect = c.after.Title(node)
			c.gone[u] = e
		}
	})
}

func (c *comparison) fateOf(title string, pageID uint32) end {
	e := end{why: "whether its dump has the page, the later release does not say"}
	if c.opts.InDump != nil {
		why, ok := c.opts.InDump(pageID)
		e = end{missing: !ok, why: why}
	}
	if v, ok := c.after.NodeByTitle(title); ok {
		e.why = strings.TrimPrefix(e.why+"; the title is that of another page, ", "; ") + release.Row(int(v))
	}
	return e
}

// findAdded keeps the pairs of the later release that the older one does not ask.
func (c *comparison) findAdded(parts []release.Part) error {
	type asked struct {
		source, target uint32
		part, under    uint16
	}
	had := make([]asked, 0, len(c.asked))
	for _, x := range c.asked {
		had = append(had, asked{c.to[x.source], c.to[x.target], x.part, x.under})
	}
	byValue := func(a, b asked) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target),
			cmp.Compare(a.part, b.part), cmp.Compare(a.under, b.under))
	}
	slices.SortFunc(had, byValue)
	for number, p := range parts {
		paired, ok := p.(release.Paired)
		if !ok {
			continue
		}
		err := c.eachAsked(c.now, "reading the later ", p, paired, func(split uint16, a *release.Asked) error {
			under, err := c.name(a.Under)
			if err != nil {
				return err
			}
			if int(max(a.Source.Node, a.Target.Node)) >= c.after.Len() {
				return fault.New(fault.Mismatch, "pair %s is none of the graph", a.Key("")).
					Hint("wikinav verify says more")
			}
			x := asked{a.Source.Node, a.Target.Node, uint16(number), under}
			if _, found := slices.BinarySearchFunc(had, x, byValue); !found {
				c.added = append(c.added,
					pair{source: x.source, target: x.target, part: x.part, split: split, under: under})
			}
			return c.ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) meter(phase, unit string, total int64) release.Meter {
	if c.opts.Meter == nil {
		return quiet{}
	}
	return c.opts.Meter(phase, unit, total)
}

// quiet counts for nobody.
type quiet struct{}

func (quiet) Add(int64) {}
func (quiet) Done()     {}

// eachPair visits the pairs of both releases.
func (c *comparison) eachPair(visit func(Instance) error) error {
	wiki := c.old.Manifest().Wiki
	say := func(g *graph.Graph, x pair, state, detail string) error {
		key := release.KeyOf(wiki, g.PageIDs[x.source], g.PageIDs[x.target], c.strings[x.under])
		return visit(Instance{c.strings[x.split], key, state, detail})
	}
	for i, x := range c.asked {
		state, detail := c.stateOf(i, x)
		if err := say(c.before, x, state, detail); err != nil {
			return err
		}
	}
	for _, x := range c.added {
		if err := say(c.after, x, Added, ""); err != nil {
			return err
		}
	}
	return nil
}

// stateOf is the list of tests.
func (c *comparison) stateOf(i int, x pair) (state, detail string) {
	s, t := c.gone[x.source], c.gone[x.target]
	_, noSource := c.gone[x.source]
	_, noTarget := c.gone[x.target]
	title := c.before.Title
	switch {
	case noSource && s.missing:
		return MissingSource, title(x.source)
	case noTarget && t.missing:
		return MissingTarget, title(x.target)
	case s.redirect != "":
		return NowRedirect, arrow(title(x.source), s.redirect)
	case t.redirect != "":
		return NowRedirect, arrow(title(x.target), t.redirect)
	case noSource:
		return LeftGraph, title(x.source) + ": " + s.why
	case noTarget:
		return LeftGraph, title(x.target) + ": " + t.why
	case x.then != x.now:
		return DistanceChanged, arrow(links(x.then), links(x.now))
	}
	if n, ok := c.notes[i]; ok {
		return n.state, n.detail
	}
	for _, u := range []uint32{x.source, x.target} {
		if now := c.after.Title(c.to[u]); now != title(u) {
			return Renamed, arrow(title(u), now)
		}
	}
	return Same, ""
}

func links(d uint8) any {
	if d == schemas.Unreached {
		return "no path"
	}
	return d
}
