// Package graph owns the graph artifact and the algorithms on it: edges in CSR, the file
// graph.arrow, strongly connected components, breadth-first distances, and witnesses of shortest
// paths.
//
// It promises that
//   - the kernels are pure: no file, log, clock or randomness, the same result on every machine and with any number of
//     workers; each states its result, its cost and its source. They are Transpose, Induced; SCC, Reach;
//     DistancesTo and DistancesFrom (a queue), Search (one target, turns round), Many (up to 512 targets at once),
//     DistancesAvoiding; Witness, Layers, CountPaths, Dominators;
//   - Open refuses a file whose digest or structure is wrong and names the row, so that no other code has to check a
//     node number; Check finds the rest of what can be wrong;
//   - a Graph is safe for concurrent use, and its columns are views of the mapped file: nothing is copied.
//
// It never decides which pages or links belong to a graph (stages/linkgraph), stores distances
// (artifacts/distances), or writes to a CSR that it was given.
//
// Memory: an open Graph is mapped, and only the pages that are touched are resident; NodeByTitle
// adds 8 to 16 bytes per node on first use, Check 4 beside that. Finding the components takes 13
// bytes per node beside the edges, Many what ManyBytes says.
//
// The independent checkers of the kernels, and graphs to run both on, are in graphtest.
package graph

import (
	"slices"
	"sync"

	"github.com/wikinav/wikinav/artifacts/arrowio"
)

// Graph is a snapshot's published graph. Node u is row u of every column; nodes are in the order of
// their page ids. Its slices belong to the Graph, must not be written to, and end with Close. A
// Graph in memory is one whose exported fields were filled in by hand.
type Graph struct {
	PageIDs []uint32        // ascending
	Titles  arrowio.Strings // text form, unique
	Succ    CSR             // row u: the nodes that u links to
	Pred    CSR             // the transpose of Succ
	SHA256  string          // of the file, lower-case hex; "" for a graph in memory

	file *arrowio.File
	name string

	indexTitles sync.Once
	byTitle     *titleIndex
}

func (g *Graph) Len() int { return len(g.PageIDs) }

func (g *Graph) Edges() int { return g.Succ.Edges() }

// Title returns a copy of node u's title.
func (g *Graph) Title(u uint32) string { return g.Titles.At(int(u)) }

// Node returns the node of a page id, in O(log n), and 0 and false where there is none.
func (g *Graph) Node(pageID uint32) (uint32, bool) {
	i, found := slices.BinarySearch(g.PageIDs, pageID)
	if !found {
		return 0, false
	}
	return uint32(i), true
}

// NodeByTitle returns the node with exactly this title, in O(1) after a first call that reads all titles.
func (g *Graph) NodeByTitle(title string) (uint32, bool) {
	g.indexTitles.Do(func() { g.byTitle = newTitleIndex(g.Titles, nil) })
	return g.byTitle.node(title)
}

// Close unmaps the file. A second call, and one on a graph in memory, do nothing.
func (g *Graph) Close() error {
	if g.file == nil {
		return nil
	}
	file := g.file
	g.file = nil
	return file.Close()
}
