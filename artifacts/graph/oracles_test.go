package graph_test

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

// kosaraju returns the strongly connected components by two searches: one of the graph for the order
// in which nodes finish, one of the transpose, which from the node that finished last reaches
// exactly that node's component. Components are then numbered by their smallest nodes. O(n + m)
// time. Reference: M. Sharir, A Strong-Connectivity Algorithm and Its Applications in Data Flow
// Analysis, Comput. Math. Appl. 7(1), 1981, https://doi.org/10.1016/0898-1221(81)90008-0.
func kosaraju(c graph.CSR) graph.Components {
	n := uint32(c.Nodes())
	var finished []uint32
	seen := make([]bool, n)
	for u := range n {
		finished = depthFirst(c, u, seen, finished)
	}

	back := reversed(c)
	leader := make([]uint32, n)
	clear(seen)
	for i := len(finished) - 1; i >= 0; i-- {
		members := depthFirst(back, finished[i], seen, nil)
		for _, u := range members {
			leader[u] = finished[i]
		}
	}
	return numbered(leader)
}

// depthFirst appends the nodes that start reaches through unseen nodes, in the order in which they finish.
func depthFirst(c graph.CSR, start uint32, seen []bool, finished []uint32) []uint32 {
	if seen[start] {
		return finished
	}
	type open struct {
		node uint32
		rest []uint32
	}
	seen[start] = true
	path := []open{{start, c.Row(start)}}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if len(top.rest) == 0 {
			finished = append(finished, top.node)
			path = path[:len(path)-1]
			continue
		}
		v := top.rest[0]
		top.rest = top.rest[1:]
		if !seen[v] {
			seen[v] = true
			path = append(path, open{v, c.Row(v)})
		}
	}
	return finished
}

// reversed is a transpose that shares nothing with graph.Transpose.
func reversed(c graph.CSR) graph.CSR {
	rows := make([][]uint32, c.Nodes())
	for _, e := range graphtest.Edges(c) {
		rows[e[1]] = append(rows[e[1]], e[0])
	}
	out := graph.CSR{Offsets: []int32{0}}
	for _, row := range rows {
		out.Values = append(out.Values, row...)
		out.Offsets = append(out.Offsets, int32(len(out.Values)))
	}
	return out
}

// numbered turns the leader of each node's component into numbers by smallest node.
func numbered(leader []uint32) graph.Components {
	out := graph.Components{Of: make([]uint32, len(leader))}
	number := map[uint32]uint32{}
	for u, l := range leader {
		i, known := number[l]
		if !known {
			i = uint32(len(out.Sizes))
			number[l] = i
			out.Sizes = append(out.Sizes, 0)
		}
		out.Of[u] = i
		out.Sizes[i]++
	}
	return out
}

// shortestPaths lists every shortest path from source to target, in lexicographic order; none where
// there is no path. It grows walks by one link until some arrive: exponential time.
func shortestPaths(c graph.CSR, source, target uint32) [][]uint32 {
	walks := [][]uint32{{source}}
	for range c.Nodes() {
		var arrived, longer [][]uint32
		for _, w := range walks {
			last := w[len(w)-1]
			if last == target {
				arrived = append(arrived, w)
			}
			for _, v := range c.Row(last) {
				if !slices.Contains(w, v) {
					longer = append(longer, append(slices.Clone(w), v))
				}
			}
		}
		if len(arrived) > 0 {
			return arrived
		}
		walks = longer
	}
	return nil
}

// star returns the edges between node 0 and each of the others, away from it or towards it.
func star(n int, away bool) graph.CSR {
	var edges []graphtest.Edge
	for u := uint32(1); u < uint32(n); u++ {
		if away {
			edges = append(edges, graphtest.Edge{0, u})
		} else {
			edges = append(edges, graphtest.Edge{u, 0})
		}
	}
	return graphtest.Build(n, edges)
}
