package constrained

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Level 3: ban, both paths and everything that is said of them, anew. Level 2 computes the same by
// package bans, the stage's own code.
//
// Result:    what the constrained specification, 4.4 and 4.5, says in words: a page is closed if it
// has the banned label or, where the rule forbids them, none; source and target never are.
// Encoding:  package plain; labels as bits of a page. Reference: breadth-first search over the
// pages that are not closed. Paths are counted in big integers. Time:      a few searches for each
// instance, and up to 20 for the published procedure.

// Prove holds instances and pairs without a path to searches that have nothing of the stage's in
// them, its parameters apart.
func (p part) Prove(c *release.Check) {
	g, pr := c.Graph(), proverOf(c)
	if pr == nil {
		return
	}
	pr.web = plain.Of(g.Succ)
	pr.page = func(u uint32) schemas.PageRef {
		return schemas.PageRef{Node: u, PageID: g.PageIDs[u], Title: g.Title(u)}
	}
	list := release.RecordsOf[schemas.ConstrainedInstance](c, linesFile, schemas.ConstrainedInstanceSchema)
	n := 0
	release.ProveEach(c, linesFile, list, "ban, paths, lengths and all features", func(l release.Line, x *schemas.ConstrainedInstance) {
		n++
		want := *x
		if pr.begin(l, x); !pr.fill(&want) {
			l.Bad("constrained_path", "a path that the ban leaves", "none")
			return
		}
		want.ID = fmt.Sprintf("cw-%04d", n)
		plain.Differ(want, x, func(field string, want, got any) { l.Bad(field, want, got) })
	})
	pathless := release.RecordsOf[schemas.ConstrainedInfeasible](c, infeasibleFile, schemas.ConstrainedInfeasibleSchema)
	n = 0
	release.ProveEach(c, infeasibleFile, pathless, "that no path is left", func(l release.Line, x *schemas.ConstrainedInfeasible) {
		n++
		pr.begin(l, claimOf(x))
		if left := pr.web.Distance(pr.s, pr.t, pr.barred); left >= 0 {
			l.Bad("infeasible", "no path", fmt.Sprintf("one of %d links", left))
		}
		want := *x
		pr.pathless(&want)
		want.ID = fmt.Sprintf("cx-%04d", n)
		plain.Differ(want, x, func(field string, want, got any) { l.Bad(field, want, got) })
	})
	pr.proveFunnel(c, p.Folder())
}

// proverOf returns a prover that knows the labels; nil where they are missing, which it notes.
func proverOf(c *release.Check) *prover {
	pr := &prover{}
	l, err := labels.Of(c.Of(labels.Part))
	if err != nil || len(l.Masks) != c.Graph().Len() || !c.Params(&pr.params) {
		c.Skip("pairs under bans: the labels are missing")
		return nil
	}
	if pr.masks = l.Masks; !pr.params.Multi {
		for u, bit := range l.Primaries {
			pr.masks[u] = 1 << bit // nothing is left of 255, which is none
		}
	}
	return pr
}

// Bans returns what a ban of a class closes.
func (part) Bans(c *release.Check) func(under string) func(u uint32) bool {
	pr := proverOf(c)
	if pr == nil {
		return nil
	}
	return func(under string) func(uint32) bool {
		bit, _ := schemas.LabelBit(under)
		return func(u uint32) bool {
			return pr.masks[u]&(1<<bit) != 0 || pr.params.Unlabelled == schemas.UnlabelledForbid && pr.masks[u] == 0
		}
	}
}

// provenParams is what the proofs need of the stage's parameters.
type provenParams struct {
	BanMode    string   `json:"ban_mode"`
	FixedSet   []string `json:"fixed_set"`
	Unlabelled string   `json:"unlabelled"`
	Multi      bool     `json:"multi"`
	MaxSteps   int      `json:"max_steps"`
	Seed       int64    `json:"seed"`

	N           int           `json:"n"`
	MaxShare    schemas.Ratio `json:"max_share_per_class"`
	Spread      bool          `json:"spread"`
	MaxAttempts int           `json:"max_attempts"`

	ExcludeFlags  uint16 `json:"exclude_flags"`
	SourceMinOut  int    `json:"source_min_out"`
	NoParentheses bool   `json:"source_no_parentheses"`
	TargetMinIn   int    `json:"target_min_in"`
}

// prover computes one pair at a time: s to t under a ban on the pages with the label of bit.
type prover struct {
	web    *plain.Graph
	params provenParams
	masks  []uint32
	page   func(uint32) schemas.PageRef

	s, t uint32
	bit  uint8
}

// begin takes a pair, whose pages and label level 2 knows.
func (p *prover) begin(l release.Line, x *schemas.ConstrainedInstance) {
	p.s, p.t = x.Source.Node, x.Target.Node
	p.bit, _ = schemas.LabelBit(x.BannedCategory)
	if p.params.BanMode != neighbour && !slices.Contains(p.params.FixedSet, x.BannedCategory) {
		l.Bad("banned_category", fmt.Sprintf("one of %v", p.params.FixedSet), x.BannedCategory)
	}
}

// closed reports whether the ban bars u; forbid bars pages without a label, too.
func (p *prover) closed(u uint32, forbid bool) bool {
	return u != p.s && u != p.t && (p.masks[u]&(1<<p.bit) != 0 || forbid && p.masks[u] == 0)
}

func (p *prover) barred(u uint32) bool {
	return p.closed(u, p.params.Unlabelled == schemas.UnlabelledForbid)
}

// fill puts everything that can be computed in place of what x says, and reports whether the ban
// leaves a path.
func (p *prover) fill(x *schemas.ConstrainedInstance) bool {
	free, left := p.web.To(p.t, plain.Open), p.web.To(p.t, p.barred)
	if free[p.s] < 0 || left[p.s] < 0 {
		return false
	}
	x.UnlabelledRule, x.MaxSteps, x.Seed, x.BanWitness = p.params.Unlabelled, p.params.MaxSteps, p.params.Seed, p.witness()
	x.BaselinePath, x.ConstrainedPath = p.web.Smallest(p.s, free), p.web.Smallest(p.s, left)
	x.BaselineTitles, x.ConstrainedTitles = p.titles(x.BaselinePath), p.titles(x.ConstrainedPath)
	x.BaselineLength, x.ConstrainedLength, x.Detour = free[p.s], left[p.s], left[p.s]-free[p.s]
	x.Binding = schemas.BindingNone
	if slices.ContainsFunc(x.BaselinePath, p.barred) {
		x.Binding = schemas.BindingWitness
	}
	if x.Detour > 0 {
		x.Binding = schemas.BindingLonger
	}
	x.Unlabelled = count(x.ConstrainedPath[1:len(x.ConstrainedPath)-1], func(u uint32) bool { return p.masks[u] == 0 })
	x.IfForbidden = nil
	if d := p.web.Distance(p.s, p.t, func(u uint32) bool { return p.closed(u, true) }); d >= 0 {
		x.IfForbidden = &d
	}
	p.shortest(x, free)
	p.firstMoves(x)
	x.Compat = p.published()
	return true
}

// shortest counts the shortest paths without the ban and the pages between their ends.
func (p *prover) shortest(x *schemas.ConstrainedInstance, free []int) {
	capped := func(n *big.Int) uint64 { told, _ := plain.Capped(n); return told }
	x.BaselineClean = [2]uint64{capped(p.web.Count(p.s, free, p.barred)), capped(p.web.Count(p.s, free, plain.Open))}
	x.BannedOnShortest = [2]int{}
	layers := p.web.Layers(p.s, free)
	for _, layer := range layers[1 : len(layers)-1] {
		x.BannedOnShortest[0] += count(layer, p.barred)
		x.BannedOnShortest[1] += len(layer)
	}
}

// firstMoves counts links of the source: to closed pages; and those that begin a path which never
// comes back to the source.
func (p *prover) firstMoves(x *schemas.ConstrainedInstance) {
	links := p.web.Out[p.s]
	x.BannedShare = [2]int{count(links, p.barred), len(links)}
	onward := p.web.To(p.t, func(u uint32) bool { return u == p.s || p.barred(u) })
	x.FeasibleFirst = [2]int{
		count(links, func(u uint32) bool { return onward[u] >= 0 }),
		count(links, func(u uint32) bool { return onward[u] == x.ConstrainedLength-1 }),
	}
}

// published removes all pages between the ends of a shortest path while one of them is closed, for
// at most 20 paths.
func (p *prover) published() schemas.CompatSearch {
	removed := map[uint32]bool{}
	for n := 1; n <= 20; n++ {
		path := p.web.Smallest(p.s, p.web.To(p.t, func(u uint32) bool { return removed[u] }))
		if path == nil {
			return schemas.CompatSearch{Iterations: n}
		}
		if !slices.ContainsFunc(path, p.barred) {
			length := len(path) - 1
			return schemas.CompatSearch{Found: true, Iterations: n, Length: &length}
		}
		for _, u := range path[1 : len(path)-1] {
			removed[u] = true
		}
	}
	return schemas.CompatSearch{Iterations: 20}
}

const neighbour = "neighbour" // ban_mode: the label is one of the witness

// witness is the most linked page with a label that links to the target, the first of several; nil
// where the ban is drawn from a set, and where no such page has the banned label.
func (p *prover) witness() *schemas.BanWitness {
	most := &schemas.BanWitness{InDegree: -1}
	for _, u := range p.web.In[p.t] {
		if n := len(p.web.In[u]); u != p.s && p.masks[u] != 0 && n > most.InDegree {
			most = &schemas.BanWitness{PageRef: p.page(u), InDegree: n}
		}
	}
	if p.params.BanMode != neighbour || most.InDegree < 0 || p.masks[most.Node]&(1<<p.bit) == 0 {
		return nil
	}
	return most
}

// pathless puts everything that can be computed in place of what x says.
func (p *prover) pathless(x *schemas.ConstrainedInfeasible) {
	x.Infeasible, x.UnlabelledRule, x.MaxSteps, x.Seed, x.BanWitness = true, p.params.Unlabelled, p.params.MaxSteps, p.params.Seed, p.witness()
	x.BaselineLength = p.web.Distance(p.s, p.t, plain.Open)
	x.Cut = count(p.web.In[p.t], p.barred)
}

func (p *prover) titles(path []uint32) []string {
	list := []string{}
	for _, u := range path {
		list = append(list, p.page(u).Title)
	}
	return list
}

func count(pages []uint32, is func(uint32) bool) (n int) {
	for _, u := range pages {
		if is(u) {
			n++
		}
	}
	return n
}

// proveFunnel counts anew how many pages pass each filter, and the bounds of a class that follow. Of
// targets that the release does not carry it knows the bounds, which meet where every page is one;
// what became of the attempts, only a rebuild tells.
func (p *prover) proveFunnel(c *release.Check, folder string) {
	flags, got := c.Flags(), schemas.ConstrainedFunnel{}
	if flags == nil || !c.Wants(FunnelFile) || !c.Document(FunnelFile, &got) {
		return
	}
	carried, columns := make([]bool, len(flags)), []distances.Column{}
	for _, column := range c.Distances().Columns() {
		if column.Reasons != schemas.ReasonListed { // else nothing is drawn for it
			carried[column.Node], columns = true, append(columns, column)
		}
	}
	want, total := got, c.Manifest().DrawnTargets()
	p.filters(&want, flags, carried, total)
	for i, all := range []int{total, want.Sources[1].Pages, want.Pages[2].Pages} {
		if i == 0 || i >= len(got.Targets) {
			continue
		}
		passed := want.Targets[i].Pages
		least, most := max(passed, total-(len(flags)-all)), min(passed+total-len(columns), all)
		want.Targets[i].Pages = min(max(got.Targets[i].Pages, least), most)
	}
	p.spread(&want, flags, carried, len(columns) == total)
	plain.Differ(want, got, func(field string, want, got any) { c.Add("funnel", FunnelFile, field, want, got) })
	c.Covered("%s/%s: the pages that pass each filter, of the target set %d of %d; attempts are for level 4",
		folder, FunnelFile, len(columns), total)
}

// spread fills what bounds the share of a class. Where not every target is carried, the pages that
// are may be seen to offer less: f may then name more classes and a higher bound, up to all of both.
func (p *prover) spread(f *schemas.ConstrainedFunnel, flags []uint16, carried []bool, all bool) {
	share := int64(p.params.N) * p.params.MaxShare.Num / max(1, p.params.MaxShare.Den)
	classes, least := []string{}, int64(0)
	for bit, pairs := range p.offered(f, flags, carried) {
		if pairs == 0 && (all || bit >= len(schemas.LabelNames) || !slices.Contains(f.Spread.Classes, schemas.LabelNames[bit])) {
			continue
		}
		classes = append(classes, schemas.LabelNames[bit])
		least += min(pairs, share)
	}
	most := least
	if !all {
		most = share * int64(len(classes))
	}
	total := int64(p.params.N)
	f.Spread.Classes = classes
	f.Spread.AtMost = int(min(max(int64(f.Spread.AtMost), min(least, total)), min(most, total)))
	f.Spread.Even, f.Spread.Limit = 0, int(share)
	if p.params.Spread {
		if f.Empty == "" {
			f.Spread.Even = (p.params.N + len(classes) - 1) / max(1, len(classes))
		}
		patience := max(1, p.params.MaxAttempts/max(1, 10*p.params.N))
		f.Spread.Limit = min(int(share), f.Spread.Even+f.Rejects[schemas.RejectClassCap]/patience)
	}
}

// offered counts, for each label, the pairs of a source and a target whose ban it could be: of the
// labels that are set, or of those of the target's most linked neighbour with a label, for which the
// next one stands in where the source is that neighbour.
func (p *prover) offered(f *schemas.ConstrainedFunnel, flags []uint16, carried []bool) (pairs [32]int64) {
	if f.Empty != "" {
		return pairs
	}
	sources := int64(f.Sources[len(f.Sources)-1].Pages)
	add := func(mask uint32, n int64) {
		for bit := range pairs {
			pairs[bit] += int64(mask>>bit&1) * n
		}
	}
	var fixed uint32
	for bit, label := range schemas.LabelNames {
		if slices.Contains(p.params.FixedSet, label) {
			fixed |= 1 << bit
		}
	}
	for u := range uint32(len(flags)) {
		switch {
		case !carried[u] || !p.linked(flags, u):
		case p.params.BanMode == "fixed-set":
			add(fixed, sources)
		default:
			if first := p.neighbour(u, u); first != u {
				add(p.masks[first], sources)
				if second := p.neighbour(u, first); second != u && p.source(flags, first) {
					add(p.masks[second], 1)
				}
			}
		}
	}
	return pairs
}

// neighbour returns the most linked page with a label that links to t, but not the one that is left
// out; the first of several, and t where there is none.
func (p *prover) neighbour(t, out uint32) uint32 {
	best := t
	for _, u := range p.web.In[t] {
		if u != out && p.masks[u] != 0 && (best == t || len(p.web.In[u]) > len(p.web.In[best])) {
			best = u
		}
	}
	return best
}

func (p *prover) end(flags []uint16, u uint32) bool { return flags[u]&p.params.ExcludeFlags == 0 }

func (p *prover) linking(flags []uint16, u uint32) bool {
	return p.end(flags, u) && len(p.web.Out[u]) >= p.params.SourceMinOut
}

func (p *prover) linked(flags []uint16, u uint32) bool {
	return p.end(flags, u) && len(p.web.In[u]) >= p.params.TargetMinIn
}

func (p *prover) source(flags []uint16, u uint32) bool {
	return p.linking(flags, u) && !(p.params.NoParentheses && strings.ContainsAny(p.page(u).Title, "()"))
}

// filters counts the pages that pass each filter, of the target set those that are carried.
func (p *prover) filters(f *schemas.ConstrainedFunnel, flags []uint16, carried []bool, total int) {
	end := func(u uint32) bool { return p.end(flags, u) }
	linking := func(u uint32) bool { return p.linking(flags, u) }
	linked := func(u uint32) bool { return p.linked(flags, u) }
	pages := make([]uint32, len(flags))
	for u := range pages {
		pages[u] = uint32(u)
	}
	f.Pages = []schemas.FilterCount{
		{Filter: "nodes", Pages: len(pages)},
		{Filter: "labelled", Pages: count(pages, func(u uint32) bool { return p.masks[u] != 0 })},
		{Filter: "min_in", Pages: count(pages, linked)},
	}
	f.Sources = []schemas.FilterCount{
		{Filter: "nodes", Pages: len(pages)},
		{Filter: "endpoints", Pages: count(pages, end)},
		{Filter: "min_out", Pages: count(pages, linking)},
		{Filter: "no_parentheses", Pages: count(pages, func(u uint32) bool { return p.source(flags, u) })},
	}
	f.Targets = []schemas.FilterCount{
		{Filter: "target_set", Pages: total},
		{Filter: "endpoints", Pages: count(pages, func(u uint32) bool { return carried[u] && end(u) })},
		{Filter: "min_in", Pages: count(pages, func(u uint32) bool { return carried[u] && linked(u) })},
	}
}

// published are the parameters that have a name, but those that name nothing: preset, seed and
// flags. The first five numbers are those of the table in the family's page.
const published = `{"ban_mode":"neighbour","baseline_min":%d,"fixed_set":[],"infeasible_keep":%d,"max_attempts":100000,` +
	`"max_share_per_class":{"den":1,"num":1},"max_steps":30,"multi":true,"n":%d,"on_shortage":"short","path_mode":"exact",` +
	`"require":"none","source_min_out":%d,"source_no_parentheses":true,"spread":true,"target_min_in":%d,"unlabelled":"allow"}`

// labelOf names a set by its parameters: that of the published values is the family's, any others
// are custom.
func labelOf(params json.RawMessage) string {
	var values map[string]any
	if json.Unmarshal(params, &values) != nil {
		return ""
	}
	maps.DeleteFunc(values, func(name string, _ any) bool {
		return slices.Contains([]string{"preset", "seed", "exclude_flags"}, name)
	})
	data, err := json.Marshal(values)
	switch family := schemas.Constrained.Name; {
	case err != nil:
		return ""
	case string(data) == fmt.Sprintf(published, 4, 100, 100, 50, 50):
		return family
	case string(data) == fmt.Sprintf(published, 3, 20, 20, 5, 5):
		return family + "-small"
	default:
		return family + "-custom"
	}
}
