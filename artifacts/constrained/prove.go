package constrained

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Level 3: ban, both paths and everything that is said of them, anew. Level 2 computes the same by package bans, the stage's own
// code.
//
// Result:    what the constrained specification, 4.4 and 4.5, says in words: a page is closed if it has the banned label or, where the
// rule forbids them, none; source and target never are.
// Encoding:  package plain; labels as bits of a page.
// Reference: breadth-first search over the pages that are not closed. Paths are counted in big integers.
// Time:      a few searches for each instance, and up to 20 for the published procedure.

// Prove holds instances and pairs without a path to searches that have nothing of the stage's in them, its parameters apart.
func (p part) Prove(c *release.Check) {
	g, pr := c.Graph(), &prover{}
	l, err := labels.Of(c.Of(labels.Part))
	if err != nil || len(l.Masks) != g.Len() || !c.Params(&pr.params) {
		c.Skip("pairs under bans: the labels are missing")
		return
	}
	pr.web, pr.masks = plain.Of(g.Succ), l.Masks
	pr.page = func(u uint32) schemas.PageRef {
		return schemas.PageRef{Node: u, PageID: g.PageIDs[u], Title: g.Title(u)}
	}
	if !pr.params.Multi {
		for u, bit := range l.Primaries {
			pr.masks[u] = 1 << bit // nothing is left of 255, which is none
		}
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
}

// provenParams is what the proofs need of the stage's parameters.
type provenParams struct {
	BanMode    string   `json:"ban_mode"`
	FixedSet   []string `json:"fixed_set"`
	Unlabelled string   `json:"unlabelled"`
	Multi      bool     `json:"multi"`
	MaxSteps   int      `json:"max_steps"`
	Seed       int64    `json:"seed"`
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

// fill puts everything that can be computed in place of what x says, and reports whether the ban leaves a path.
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

// firstMoves counts links of the source: to closed pages; and those that begin a path which never comes back to the source.
func (p *prover) firstMoves(x *schemas.ConstrainedInstance) {
	links := p.web.Out[p.s]
	x.BannedShare = [2]int{count(links, p.barred), len(links)}
	onward := p.web.To(p.t, func(u uint32) bool { return u == p.s || p.barred(u) })
	x.FeasibleFirst = [2]int{
		count(links, func(u uint32) bool { return onward[u] >= 0 }),
		count(links, func(u uint32) bool { return onward[u] == x.ConstrainedLength-1 }),
	}
}

// published removes all pages between the ends of a shortest path while one of them is closed, for at most 20 paths.
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

// witness is the most linked page with a label that links to the target, the first of several; nil where the ban is drawn from a set,
// and where no such page has the banned label.
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
