package release

import (
	"cmp"
	"encoding/json"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// checkGraph checks the graph by itself: both CSRs, the transpose, the order of page ids, unique
// titles.
func (v *verifier) checkGraph(f FileEntry) {
	v.checkArrow(f, schemas.GraphTable)
	g := v.openGraph()
	if g == nil {
		return
	}
	if err := g.Check(); err != nil {
		v.report.fail("graph", f.Path, err)
	}
	differ(v.report, "nodes", ManifestName, "graph.nodes", int64(g.Len()), v.m.Graph.Nodes)
	differ(v.report, "edges", ManifestName, "graph.edges", int64(g.Edges()), v.m.Graph.Edges)
	v.checkConnected(f, g)
}

// checkConnected checks that each node reaches all others, where the recipe takes the largest
// component.
func (v *verifier) checkConnected(f FileEntry, g *graph.Graph) {
	var recipe struct {
		schemas.Recipe
		Graph schemas.Recipe `json:"graph"` // of a recipe that is a table among others
	}
	if json.Unmarshal(v.m.Recipe, &recipe) != nil || g.Len() == 0 || cmp.Or(recipe.Component, recipe.Graph.Component) != schemas.ComponentSCC {
		return
	}
	differ(v.report, "nodes that node 0 reaches", f.Path, "successors", g.Len(), graph.Reach(g.Succ, 0))
	differ(v.report, "nodes that reach node 0", f.Path, "predecessors", g.Len(), graph.Reach(g.Pred, 0))
}

// checkNodes compares each row of the table of nodes with the graph.
func (v *verifier) checkNodes(f FileEntry) {
	t, g := v.parquet(f, schemas.ReleaseNodesTable), v.openGraph()
	if t == nil || g == nil || differ(v.report, "nodes", f.Path, "", int64(g.Len()), t.Rows()) {
		return
	}
	row := 0
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			v.checkNode(f.Path, t, b, i, g, uint32(row))
			row++
		}
	}
}

func (v *verifier) checkNode(name string, t *arrowio.Table, b, i int, g *graph.Graph, u uint32) {
	col, where := schemas.ReleaseNodesTable.Index, Row(int(u))
	is := func(column string, want uint32) {
		differ(v.report, column, name, where, want, t.Uint32s(b, col(column))[i])
	}
	is("node", u)
	is("page_id", g.PageIDs[u])
	is("in_degree", uint32(g.Pred.Degree(u)))
	is("out_degree", uint32(g.Succ.Degree(u)))
	differ(v.report, "title", name, where, g.Title(u), t.Strings(b, col("title")).At(i))
}

// Flags returns the flags of every node; nil where their table is damaged, which is among the
// findings.
func (c *Check) Flags() (flags []uint16) {
	f, ok := c.v.listed(nodesPath)
	if !ok {
		return nil
	}
	t, err := arrowio.ReadParquet(c.v.root, nodesPath, schemas.ReleaseNodesTable, f.digestOf())
	if err != nil {
		c.v.report.fail("table", nodesPath, err)
		return nil
	}
	for b := range t.Batches() {
		flags = append(flags, t.Uint16s(b, schemas.ReleaseNodesTable.Index("flags"))...)
	}
	return flags
}

// checkAliases checks that titles ascend, so that each is there once, and that every one leads to a
// node.
func (v *verifier) checkAliases(f FileEntry) {
	t := v.parquet(f, schemas.ReleaseAliasesTable)
	if t == nil {
		return
	}
	col, row, before := schemas.ReleaseAliasesTable.Index, 0, ""
	for b := range t.Batches() {
		titles, nodes := t.Strings(b, col("title")), t.Uint32s(b, col("node"))
		for i, node := range nodes {
			title := titles.At(i)
			if title <= before {
				v.report.add("order of titles", f.Path, Row(row), "above "+fault.Quote(before), fault.Quote(title))
			}
			if int64(node) >= v.m.Graph.Nodes {
				v.report.add("node", f.Path, Row(row), below(v.m.Graph.Nodes), node)
			}
			row, before = row+1, title
		}
	}
}

// checkColumns checks the values of all columns, where that is a matter of seconds against the
// graph, and that the sidecar speaks of the graph's pages.
func (v *verifier) checkColumns() {
	set, g := v.openSet(), v.openGraph()
	if set == nil || g == nil {
		return
	}
	if err := set.Check(); err != nil {
		v.report.fail("distances", columnsPath, err)
	}
	if work := int64(len(set.Columns())) * int64(g.Edges()); work <= maxProof {
		v.proved = true
		v.proveColumns(g, set, every(len(set.Columns())))
	} else if v.report.Level < LevelMeaning {
		v.report.skip("distances against the graph: %d columns over %d links are for level 3", len(set.Columns()), g.Edges())
	}
	differ(v.report, "columns", ManifestName, "graph.column_count", len(set.Columns()), v.m.Graph.ColumnCount)
	for i, c := range set.Columns() {
		differ(v.report, "page_id", columnsPath, Row(i), g.PageIDs[c.Node], c.PageID)
		differ(v.report, "title", columnsPath, Row(i), g.Title(c.Node), c.Title)
	}
}
