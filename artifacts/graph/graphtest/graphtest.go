// Package graphtest holds what tests need to doubt a graph kernel: graphs made for the purpose, and
// algorithms that are too slow or too plain to be wrong in the same way as the kernels of package
// graph.
//
// It promises that equal arguments give equal graphs, on every machine. It is imported by tests only.
package graphtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Edge is one edge, from its first node to its second.
type Edge [2]uint32

// Build returns the graph of n nodes with these edges.
func Build(n int, edges []Edge) graph.CSR {
	return From(n, func(yield func(u, v uint32)) {
		for _, e := range edges {
			yield(e[0], e[1])
		}
	})
}

// From returns the graph of n nodes with the edges that edges yields, in any order; repeated ones
// are one edge. edges is called twice and must yield the same both times: the first pass measures
// the rows, the second fills them.
func From(n int, edges func(yield func(u, v uint32))) graph.CSR {
	offsets := make([]int32, n+1)
	edges(func(u, _ uint32) { offsets[u+1]++ })
	for u := range n {
		offsets[u+1] += offsets[u]
	}
	values, cursor := make([]uint32, offsets[n]), slices.Clone(offsets)
	edges(func(u, v uint32) {
		values[cursor[u]] = v
		cursor[u]++
	})
	end := 0
	for u := range n {
		row := values[offsets[u]:offsets[u+1]]
		slices.Sort(row)
		offsets[u] = int32(end)
		end += copy(values[end:], slices.Compact(row))
	}
	offsets[n] = int32(end)
	return graph.CSR{Offsets: offsets, Values: values[:end:end]}
}

// Edges lists the edges of c by source, then as they stand in the row.
func Edges(c graph.CSR) []Edge {
	var edges []Edge
	for u := range uint32(c.Nodes()) {
		for _, v := range c.Row(u) {
			edges = append(edges, Edge{u, v})
		}
	}
	return edges
}

// Random returns the digraph number i of a series: 1 to most nodes, any density from no edge to about
// three per node, self loops among them. So the series has graphs in pieces, graphs with one large
// component, and all between.
func Random(i, most int) graph.CSR {
	n, edges := RandomEdges(i, most)
	return Build(n, edges)
}

// RandomEdges returns the edges of Random, in no order and with repetitions.
func RandomEdges(i, most int) (n int, edges []Edge) {
	r := rng.New(42, "graphtest", rng.Part(most), rng.Part(i))
	n = 1 + r.Below(most)
	edges = make([]Edge, r.Below(3*n+1))
	for k := range edges {
		edges[k] = Edge{uint32(r.Below(n)), uint32(r.Below(n))}
	}
	return n, edges
}

// Line returns 0 -> 1 -> ... -> n-1.
func Line(n int) graph.CSR {
	return From(n, func(yield func(u, v uint32)) {
		for u := range uint32(n - 1) {
			yield(u, u+1)
		}
	})
}

// Cycle returns 0 -> 1 -> ... -> n-1 -> 0.
func Cycle(n int) graph.CSR {
	c := Line(n)
	c.Values = append(c.Values, 0)
	c.Offsets[n]++
	return c
}

// G9Links is the worked example of the wikirace specification (5.7).
const G9Links = "A->B,C,D  B->C,E  C->A,E,F  D->B,F  E->G  F->G  G->A,H  H->G,T  T->A,D"

// G9 returns the graph of G9Links, nodes A B C D E F G H T in this order.
func G9() (c graph.CSR, names []string) { return Parse(G9Links) }

// Parse makes a graph from items like A->B,C. Nodes are in the order in which they have items, then in the order in which
// they are named. It panics on anything else: links are constants of tests.
func Parse(links string) (c graph.CSR, names []string) {
	number := map[string]uint32{}
	node := func(name string) uint32 {
		if _, known := number[name]; !known {
			number[name] = uint32(len(names))
			names = append(names, name)
		}
		return number[name]
	}
	items := strings.Fields(links)
	for _, item := range items {
		from, _, ok := strings.Cut(item, "->")
		if !ok {
			panic(fmt.Sprintf("graphtest: %q is no item of links", item))
		}
		node(from)
	}
	var edges []Edge
	for _, item := range items {
		from, to, _ := strings.Cut(item, "->")
		for name := range strings.SplitSeq(to, ",") {
			edges = append(edges, Edge{node(from), node(name)})
		}
	}
	return Build(len(names), edges), names
}

// Graph returns c as a graph in memory: node u has page id 10(u+1) and the title names[u], or its
// page id where names is nil.
func Graph(c graph.CSR, names []string) *graph.Graph {
	ids := make([]uint32, c.Nodes())
	for u := range ids {
		ids[u] = uint32(u+1) * 10
	}
	if names == nil {
		for _, id := range ids {
			names = append(names, strconv.Itoa(int(id)))
		}
	}
	return &graph.Graph{PageIDs: ids, Titles: arrowio.MakeStrings(names), Succ: c, Pred: graph.Transpose(c)}
}
