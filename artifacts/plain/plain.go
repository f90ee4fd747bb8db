// Package plain searches a graph and deals menus by the words of the specifications: slowly,
// without an idea, so that reading is enough to believe it. Level 3 of verify computes instances
// anew with it. It shares with the stages that made them the rows of the graph, the random streams
// and the spelling of decimals, and nothing else: no kernel, no kit, no rule; a test holds it to
// that.
//
// Result: exact, whatever the length of a path. Encoding: pages are rows of the graph, distances
// are numbers of links, -1 where there is no path. Reference: breadth-first search, Moore 1959; the
// wikirace specification, 5.6 and 6.2.
package plain

import (
	"math"
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Graph is the links out of each page and into it, ascending.
type Graph struct{ Out, In [][]uint32 }

// Of turns the links of a graph round by itself: that the file has them both ways is for others to
// check.
func Of(succ graph.CSR) *Graph {
	g := &Graph{make([][]uint32, succ.Nodes()), make([][]uint32, succ.Nodes())}
	for u := range uint32(len(g.Out)) {
		g.Out[u] = succ.Row(u)
		for _, v := range g.Out[u] {
			g.In[v] = append(g.In[v], u)
		}
	}
	return g
}

// Links reports whether u links to v.
func (g *Graph) Links(u, v uint32) bool { return slices.Contains(g.Out[u], v) }

// Open bars no page.
func Open(uint32) bool { return false }

// To returns the distance from every page to target on paths that enter no barred page.
func (g *Graph) To(target uint32, barred func(uint32) bool) []int {
	return search(g.In, target, barred, none)
}

// Distance returns the distance from u to v on paths that enter no barred page.
func (g *Graph) Distance(u, v uint32, barred func(uint32) bool) int {
	return search(g.In, v, barred, u)[u]
}

// From returns the distance from source to every page.
func (g *Graph) From(source uint32) []int { return search(g.Out, source, Open, none) }

const none = math.MaxUint32 // no page

// search goes on until it has reached every page, or the one called last.
func search(links [][]uint32, start uint32, barred func(uint32) bool, last uint32) []int {
	dist := slices.Repeat([]int{-1}, len(links))
	dist[start] = 0
	for queue := []uint32{start}; len(queue) > 0; queue = queue[1:] {
		for _, v := range links[queue[0]] {
			if dist[v] < 0 && !barred(v) {
				dist[v] = dist[queue[0]] + 1
				queue = append(queue, v)
				if v == last {
					return dist
				}
			}
		}
	}
	return dist
}

// Smallest returns the shortest path from source that is the smallest by node, along distances of
// To; nil where there is none.
func (g *Graph) Smallest(source uint32, dist []int) []uint32 {
	if dist[source] < 0 {
		return nil
	}
	path := []uint32{source}
	for u := source; dist[u] > 0; path = append(path, u) {
		u = g.Out[u][slices.IndexFunc(g.Out[u], func(v uint32) bool { return dist[v] == dist[u]-1 })]
	}
	return path
}

// Count returns the number of shortest paths from source along distances of To that enter no barred
// page.
func (g *Graph) Count(source uint32, dist []int, barred func(uint32) bool) *big.Int {
	known := map[uint32]*big.Int{}
	var from func(u uint32) *big.Int
	from = func(u uint32) *big.Int {
		if dist[u] == 0 {
			return big.NewInt(1)
		}
		if known[u] == nil {
			known[u] = new(big.Int)
			for _, v := range g.Out[u] {
				if dist[v] == dist[u]-1 && !barred(v) {
					known[u].Add(known[u], from(v))
				}
			}
		}
		return known[u]
	}
	return from(source)
}

// Layers returns the pages on shortest paths from source to target after 0, 1, .. links, each
// ascending: those whose distances from and to the ends add up. dist is that of To.
func (g *Graph) Layers(source uint32, dist []int) [][]uint32 {
	layers := make([][]uint32, dist[source]+1)
	for u, d := range g.From(source) {
		if d >= 0 && dist[u] >= 0 && d+dist[u] == dist[source] {
			layers[d] = append(layers[d], uint32(u))
		}
	}
	return layers
}

// Capped returns a count as records have it, and whether it is larger than they say.
func Capped(n *big.Int) (count uint64, more bool) {
	if n.Cmp(big.NewInt(schemas.MaxShortestPaths)) > 0 {
		return schemas.MaxShortestPaths, true
	}
	return n.Uint64(), false
}

// Told returns a distance as columns tell it: 254 for that or more, 255 for none.
func Told(dist int) int {
	if dist < 0 {
		return int(schemas.Unreached)
	}
	return min(dist, int(schemas.Far))
}

// Game is what decides the menus of an instance, beside its graph.
type Game struct {
	Seed     int64
	Instance string
	MaxLinks int
}

// Keep returns the links of page that its menu has, ascending: all, or the nearest; among equals
// those that come first in an order drawn for the page.
func (m Game) Keep(page uint32, links []uint32, dist []int) []uint32 {
	if len(links) <= m.MaxLinks {
		return links
	}
	kept := slices.Clone(links)
	rng.Shuffled(rng.New(uint64(m.Seed), schemas.MenuStream, "tie", m.Instance, rng.Part(page)), kept)
	order.Sort(kept, func(a, b uint32) int { return Told(dist[a]) - Told(dist[b]) })
	kept = kept[:m.MaxLinks]
	slices.Sort(kept)
	return kept
}

// Show returns kept links in the order in which a step shows them.
func (m Game) Show(step int, kept []uint32) []uint32 {
	shown := slices.Clone(kept)
	rng.Shuffled(rng.New(uint64(m.Seed), schemas.MenuStream, "order", m.Instance, rng.Part(step)), shown)
	return shown
}
