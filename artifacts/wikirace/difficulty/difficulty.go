// Package difficulty computes why an instance of WikiRace is hard: the features of the wikirace specification, 5.6.
//
// Every feature is exact and comes from graph and distance column alone; no model has a part in it. Where the user asks for it, and
// then marked as such, the random walks are simulated instead.
// Numbers that are no integers are computed in float64 by additions and divisions in a fixed order, never by a fused
// multiply-add, and rounded to 6 digits at the end: so they are the same on every machine.
//
// The package is pure: no file, log, clock, or randomness of its own (the menus' ties come from artifacts/menu).
//
// Time, for an instance on a graph of n nodes and m edges with s steps: O(n + m) for paths and dominators, O(s m)
// for each of the two random walks, which is nearly all of it. The walk on the whole graph is made for 8 instances at
// once, because reading the edges costs more than adding. Space, for a Kit: 160 bytes per node (128 of them for these
// walks), and 4 bytes per link of the menus, which are at most the edges.
package difficulty

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/menu"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Game is the settings under which features hold.
type Game struct {
	Seed     int64
	MaxSteps int
	MaxLinks int
	Simulate bool // the random walks, with an interval, in place of computing their chances
}

// Pair is what features are computed of. Witness is a shortest path, both ends included; Column the distances to the
// target, by node. Both are only read.
type Pair struct {
	ID      string
	Column  []uint8
	Witness []uint32
}

func (p Pair) source() uint32 { return p.Witness[0] }
func (p Pair) target() uint32 { return p.Witness[len(p.Witness)-1] }

// Batch is the largest number of pairs that Features takes: that of the walks which go side by side.
const Batch = lanes

// Kit is a graph and the memory that its features need. It is for one goroutine; make one for each.
type Kit struct {
	succ, pred graph.CSR
	game       Game

	paths []uint64 // by node; all 0 between two uses
	wide  [2][]row
	one   [2][]float64
	menus graph.CSR
}

// NewKit prepares for a graph; pred is the transpose of succ.
func NewKit(succ, pred graph.CSR, game Game) *Kit {
	n := succ.Nodes()
	k := &Kit{succ: succ, pred: pred, game: game, paths: make([]uint64, n)}
	for i := range 2 {
		if !game.Simulate {
			k.wide[i], k.one[i] = make([]row, n), make([]float64, n)
		}
	}
	k.menus.Offsets = make([]int32, n+1)
	return k
}

// Features gives the features of up to Batch pairs, in their order.
func (k *Kit) Features(pairs []Pair) []schemas.WikiraceFeatures {
	arrive := k.arriving(pairs)
	out := make([]schemas.WikiraceFeatures, len(pairs))
	for i, p := range pairs {
		f := &out[i]
		k.degrees(f, p)
		k.shortest(f, p)
		k.deal(p)
		k.cuts(f, p)
		f.Dominators = append([]uint32{}, graph.Dominators(k.succ, p.Witness)...)
		if k.game.Simulate {
			k.simulate(f, p)
		} else {
			k.walked(f, p, arrive[p.source()][i])
		}
		f.GreedyIn = k.agent(p, k.pred)
		f.GreedyOut = k.agent(p, k.succ)
	}
	return out
}

// arriving walks on the whole graph, for all pairs side by side; nothing where walks are simulated.
func (k *Kit) arriving(pairs []Pair) []row {
	if k.game.Simulate {
		return nil
	}
	var targets []uint32
	for _, p := range pairs {
		targets = append(targets, p.target())
	}
	return walks(k.succ, targets, k.game.MaxSteps, k.wide[0], k.wide[1])
}

// walked takes the chance on the whole graph and computes the one on the menus.
func (k *Kit) walked(f *schemas.WikiraceFeatures, p Pair, full float64) {
	f.RWMethod = schemas.RWExact
	f.RWFull = canon.Decimal(full)
	f.RWMenu = canon.Decimal(walk(k.menus, p.target(), k.game.MaxSteps, k.one[0], k.one[1])[p.source()])
}

// degrees counts links at the ends.
func (k *Kit) degrees(f *schemas.WikiraceFeatures, p Pair) {
	s, t := p.source(), p.target()
	f.OutDegree, f.SourceInDegree = k.succ.Degree(s), k.pred.Degree(s)
	f.TargetOutDegree, f.TargetInDegree = k.succ.Degree(t), k.pred.Degree(t)
	for _, u := range k.pred.Row(t) {
		f.TargetInMaxOut = max(f.TargetInMaxOut, k.succ.Degree(u))
	}
}

// shortest counts shortest paths and the pages on them.
func (k *Kit) shortest(f *schemas.WikiraceFeatures, p Pair) {
	d := shortestPaths(k.succ, p.Column, p.source(), k.paths)
	f.ShortestPaths, f.ShortestPathsSaturated = d.paths, d.saturated
	f.DAGLayers, f.Bottlenecks = []uint32{}, []uint32{}
	wide, all := 0, 0
	for depth, layer := range d.layers[:len(d.layers)-1] { // without the target's
		all += len(layer)
		for _, u := range layer {
			if k.succ.Degree(u) > k.game.MaxLinks {
				wide++
			}
		}
		if depth == 0 {
			continue
		}
		f.DAGLayers = append(f.DAGLayers, uint32(len(layer)))
		if len(layer) == 1 {
			f.Bottlenecks = append(f.Bottlenecks, layer[0])
		}
	}
	f.CutDAG = []uint32{uint32(wide), uint32(all)}
}

// deal lays out the menu of every page, as rows of links in node order.
func (k *Kit) deal(p Pair) {
	rule := menu.Rule{Seed: k.game.Seed, Instance: p.ID, MaxLinks: k.game.MaxLinks}
	links := slices.Grow(k.menus.Values[:0], k.succ.Edges())
	for u := range uint32(k.succ.Nodes()) {
		links = rule.Keep(links, u, k.succ.Row(u), p.Column)
		k.menus.Offsets[u+1] = int32(len(links))
	}
	k.menus.Values = links
}
