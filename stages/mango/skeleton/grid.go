package skeleton

import "github.com/wikinav/wikinav/schemas"

// grid is a maze by number: locations in order of first appearance, edges out of each in file order, self-loops left out,
// because they are on no simple path.
type grid struct {
	names []string
	edges []schemas.MangoEdge
	ways  [][]way // by source, one per destination, in order of first appearance
}

// way is all moves from one location to another.
type way struct {
	to    int
	edges []uint32
}

func newGrid(edges []schemas.MangoEdge) *grid {
	g := &grid{edges: edges}
	number := map[string]int{}
	locate := func(name string) int {
		if _, known := number[name]; !known {
			number[name] = len(g.names)
			g.names = append(g.names, name)
			g.ways = append(g.ways, nil)
		}
		return number[name]
	}
	for i, e := range edges {
		src, dst := locate(e.SrcNode), locate(e.DstNode)
		if src != dst {
			g.add(src, dst, uint32(i))
		}
	}
	return g
}

func (g *grid) add(src, dst int, edge uint32) {
	for i := range g.ways[src] {
		if w := &g.ways[src][i]; w.to == dst {
			w.edges = append(w.edges, edge)
			return
		}
	}
	g.ways[src] = append(g.ways[src], way{dst, []uint32{edge}})
}

// weight is a number of an edge.
type weight func(schemas.MangoSteps) int

var (
	forward           weight = func(s schemas.MangoSteps) int { return s.SeenInForward }
	total             weight = func(s schemas.MangoSteps) int { return min(s.SeenInForward, s.SeenInReversed) }
	forwardAnswerable weight = func(s schemas.MangoSteps) int { return s.SeenInForwardAnswerable }
	totalAnswerable   weight = func(s schemas.MangoSteps) int {
		return min(s.SeenInForwardAnswerable, s.SeenInReversedAnswerable)
	}
)

// least gives the smallest weight of the moves of a way.
func (g *grid) least(w way, of weight) int {
	out := schemas.MangoNever
	for _, e := range w.edges {
		out = min(out, of(g.edges[e].MangoSteps))
	}
	return out
}
