package wikirace

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Prove computes every instance anew: the distance by two plain searches, and from them the shortest paths.
func (part) Prove(c *release.Check) {
	g := c.Graph()
	for _, split := range setsOf(c) {
		release.ProveEach(c, split+".jsonl", instances(c, split), "distance and shortest paths",
			func(l release.Line, x *schemas.WikiraceInstance) {
				p := proof{Line: l, x: x, g: g, from: links(g.Succ, x.Source.Node), to: links(g.Pred, x.Target.Node)}
				if l.Is("distance", int(p.from[x.Target.Node]), x.Distance); int(p.from[x.Target.Node]) == x.Distance {
					p.shortest()
				}
			})
	}
}

// proof is an instance with the links from its source to every node, and from every node to its target; -1 where there is no way.
type proof struct {
	release.Line
	x        *schemas.WikiraceInstance
	g        *graph.Graph
	from, to []int32
}

// links counts the links on a shortest path from start to each node.
func links(adj graph.CSR, start uint32) []int32 {
	dist := slices.Repeat([]int32{-1}, adj.Nodes())
	dist[start] = 0
	for queue := []uint32{start}; len(queue) > 0; queue = queue[1:] {
		for _, v := range adj.Row(queue[0]) {
			if dist[v] < 0 {
				dist[v] = dist[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return dist
}

// shortest lays the nodes on shortest paths out by their distance from the source, and counts the paths to each.
func (p *proof) shortest() {
	d, f := int32(p.x.Distance), &p.x.Features
	layers := make([][]uint32, d+1)
	for u, at := range p.from {
		if at >= 0 && p.to[u] == d-at {
			layers[at] = append(layers[at], uint32(u))
		}
	}
	paths := map[uint32]*big.Int{p.x.Source.Node: big.NewInt(1)}
	widths, alone := []uint32{}, []uint32{}
	for at, layer := range layers[1:] {
		for _, v := range layer {
			paths[v] = new(big.Int)
			for _, u := range p.g.Pred.Row(v) {
				if n := paths[u]; n != nil && int(p.from[u]) == at {
					paths[v].Add(paths[v], n)
				}
			}
		}
		if at+1 < int(d) {
			widths = append(widths, uint32(len(layer)))
			if len(layer) == 1 {
				alone = append(alone, layer[0])
			}
		}
	}
	n, most := paths[p.x.Target.Node], new(big.Int).SetUint64(schemas.MaxShortestPaths)
	p.Is("features.n_shortest_saturated", n.Cmp(most) > 0, f.ShortestPathsSaturated)
	if n.Cmp(most) > 0 {
		n = most
	}
	p.Is("features.n_shortest_paths", n.Uint64(), f.ShortestPaths)
	p.Is("features.opt_first", len(layers[1]), f.OptFirst)
	p.Is("features.dag_layers", fmt.Sprint(widths), fmt.Sprint(f.DAGLayers))
	p.Is("features.bottlenecks", fmt.Sprint(alone), fmt.Sprint(f.Bottlenecks))
}
