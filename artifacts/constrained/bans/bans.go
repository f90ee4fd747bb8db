// Package bans says what a ban on a class of pages does to a pair of pages: which path is left, and how it compares with
// what was there without the ban. Stage and verifier share it, so that a release is checked by the code that made it; the
// oracles of the tests, which list every simple path, share nothing with it.
//
// A page is closed if it has the banned label or, where the rule says so, no label at all. Source and target are never
// closed: their exemption is by identity. A path must not enter a closed page.
//
// It promises that
//   - the constrained path is a shortest one among all that enter no closed page, and of these the lexicographically
//     smallest by node; no path means that there is none;
//   - the kernels are pure: the same result on every machine, no file, log, clock or randomness.
//
// Memory: a Kit has 10 bytes per node; the labels, 4 bytes per node, are its caller's. Time: Path is one breadth-first search of
// the graph, O(n + m); Fill is two, and one more for every turn of the published procedure after its first, at most 19.
//
// A Kit holds scratch for one pair at a time: it is not for concurrent use.
package bans

import (
	"fmt"
	"math"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// Rule says which pages are closed.
type Rule struct {
	Bit              uint8 // of the banned label
	ForbidUnlabelled bool  // pages without label are closed too
}

// Closes tells whether the rule bars a page with these labels, unless it is an end of the path.
func (r Rule) Closes(mask uint32) bool {
	return mask>>r.Bit&1 != 0 || r.ForbidUnlabelled && mask == 0
}

// Single gives the mask of a page that counts by its primary label alone; schemas.NoLabel is none.
func Single(primary uint8) uint32 {
	if primary == schemas.NoLabel {
		return 0
	}
	return 1 << primary
}

// Pair is a source and a target under a rule. Column is the target's distances without any ban.
type Pair struct {
	Source, Target uint32
	Column         []uint8
	Rule           Rule
}

// Kit measures pairs of one graph.
type Kit struct {
	graph  *graph.Graph
	masks  []uint32
	closed []bool
	avoid  []bool
	dist   []uint32
	queue  []uint32
}

// NewKit prepares a kit; masks has the labels of each node.
func NewKit(g *graph.Graph, masks []uint32) *Kit {
	n := g.Len()
	if len(masks) != n {
		panic("bans: labels need one entry per node")
	}
	return &Kit{
		graph: g, masks: masks, closed: make([]bool, n), avoid: make([]bool, n), dist: make([]uint32, n), queue: make([]uint32, n),
	}
}

// Baseline gives the smallest shortest path without the ban; nil where the column has none.
func (k *Kit) Baseline(p Pair) []uint32 { return graph.Witness(k.graph.Succ, p.Column, p.Source) }

// Path gives the smallest shortest path that enters no closed page; nil where there is none.
func (k *Kit) Path(p Pair) []uint32 {
	k.closeFor(p)
	k.search(p)
	return k.walk(p)
}

// closeFor marks the closed pages.
func (k *Kit) closeFor(p Pair) {
	for u, mask := range k.masks {
		k.closed[u] = p.Rule.Closes(mask)
	}
	k.closed[p.Source], k.closed[p.Target] = false, false
}

// search fills dist. The source is closed for as long: no path needs to come back to it, and the distances of its successors are
// then those of paths that do not.
func (k *Kit) search(p Pair) {
	k.closed[p.Source] = true
	graph.DistancesUnbanned(k.graph.Pred, p.Target, k.closed, k.dist, k.queue)
	k.closed[p.Source] = false
}

// unreached is what a distance of 32 bits says where there is no path.
const unreached = math.MaxUint32

// walk follows dist. It must skip closed pages: they have distances too.
func (k *Kit) walk(p Pair) []uint32 {
	if k.dist[p.Source] == unreached {
		return nil
	}
	path := []uint32{p.Source}
	for u := p.Source; u != p.Target; {
		u = k.nearer(u)
		path = append(path, u)
	}
	return path
}

// nearer gives the first open successor of u that is one link nearer; a search that reached u went through one.
func (k *Kit) nearer(u uint32) uint32 {
	for _, v := range k.graph.Succ.Row(u) {
		if !k.closed[v] && k.dist[v] == k.dist[u]-1 {
			return v
		}
	}
	panic(fmt.Sprintf("bans: no successor of node %d is nearer", u))
}

// Binding says what the ban changes: path is that of the ban, baseline the one without it.
func (k *Kit) Binding(p Pair, baseline, path []uint32) string {
	switch {
	case len(path) > len(baseline):
		return schemas.BindingLonger
	case k.clean(p.Rule, baseline):
		return schemas.BindingNone
	}
	return schemas.BindingWitness
}

// clean tells whether no page between the ends of path is closed.
func (k *Kit) clean(r Rule, path []uint32) bool {
	for _, u := range interior(path) {
		if r.Closes(k.masks[u]) {
			return false
		}
	}
	return true
}

// interior gives the pages between the ends.
func interior(path []uint32) []uint32 {
	if len(path) < 3 {
		return nil
	}
	return path[1 : len(path)-1]
}

// Cut counts the closed pages among those that link to the target.
func Cut(g *graph.Graph, masks []uint32, p Pair) int {
	n := 0
	for _, u := range g.Pred.Row(p.Target) {
		if u != p.Source && u != p.Target && p.Rule.Closes(masks[u]) {
			n++
		}
	}
	return n
}
