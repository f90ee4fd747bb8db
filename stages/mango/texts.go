package mango

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// noLead stands for the row of a lead that is not there, or empty.
const noLead = math.MaxUint32

// texts finds what pages say and what else they are called. The tables stay mapped.
type texts struct {
	leads, aliases *arrowio.File
	anchors        *anchors   // nil where none were read
	lead           []uint32   // by node: row of leads.arrow
	called         [][]uint32 // by node: rows of aliases.arrow, ascending
	written        int        // nodes with a lead
}

func openTexts(env *stages.Run, g *graph.Graph) (*texts, error) {
	t, a := &texts{}, &anchors{}
	for _, file := range []struct {
		to    **arrowio.File
		of    schemas.Artifact
		name  string
		table schemas.Table
	}{
		{&t.leads, schemas.Leads, "leads.arrow", schemas.LeadsTable},
		{&t.aliases, schemas.Aliases, "aliases.arrow", schemas.AliasesTable},
		{&a.edges, schemas.Anchors, "anchors.arrow", schemas.AnchorsTable},
		{&a.further, schemas.Anchors, "further-anchors.arrow", schemas.FurtherAnchorsTable},
	} {
		var err error
		if *file.to, err = env.Table(file.of, file.name, file.table); err != nil {
			return nil, err
		}
	}
	if a.edges.Metadata(schemas.KeyAnchors) != schemas.AnchorsOff {
		a.edge, a.more = firstRows(a.edges, g), firstRows(a.further, g)
		t.anchors = a
	}
	t.findLeads(g)
	t.findAliases(g)
	return t, nil
}

// masks lists the kinds of names that are known; it is for nil, too.
func (t *texts) masks() []string {
	switch {
	case t == nil:
		return []string{}
	case t.anchors == nil:
		return schemas.MangoMasks[:2]
	}
	return schemas.MangoMasks
}

func (t *texts) findLeads(g *graph.Graph) {
	t.lead = make([]uint32, g.Len())
	for u := range t.lead {
		t.lead[u] = noLead
	}
	row := uint32(0)
	for b := range t.leads.Batches() {
		column := t.leads.Strings(b, schemas.LeadsTable.Index("text"))
		for i, page := range t.leads.Uint32s(b, schemas.LeadsTable.Index("page_id")) {
			if u, ok := g.Node(page); ok && len(bytes.TrimSpace(column.Bytes(i))) > 0 {
				t.lead[u] = row
				t.written++
			}
			row++
		}
	}
}

// findAliases passes over aliases that lead nowhere: their target is page 0, which no node is.
func (t *texts) findAliases(g *graph.Graph) {
	t.called = make([][]uint32, g.Len())
	row := uint32(0)
	for b := range t.aliases.Batches() {
		for _, page := range t.aliases.Uint32s(b, schemas.AliasesTable.Index("target_page_id")) {
			if u, ok := g.Node(page); ok {
				t.called[u] = append(t.called[u], row)
			}
			row++
		}
	}
}

func (t *texts) has(u uint32) bool { return t.lead[u] != noLead }

// text gives u's lead, which it has.
func (t *texts) text(u uint32) string {
	return cell(t.leads, schemas.LeadsTable.Index("text"), t.lead[u])
}

// names gives what u is called beside its title.
func (t *texts) names(u uint32) []string {
	var out []string
	for _, row := range t.called[u] {
		out = append(out, cell(t.aliases, schemas.AliasesTable.Index("title"), row))
	}
	return out
}

func cell(f *arrowio.File, column int, row uint32) string {
	return f.Strings(int(row/schemas.BatchRows), column).At(int(row % schemas.BatchRows))
}

// anchors finds what the texts of pages call each other. The rows of a page stand together in both tables; row i of a page is
// the edge that has order i.
type anchors struct {
	edges, further *arrowio.File
	edge, more     []uint32 // by node: its first row in either table, and one number more for the end
}

// firstRows finds where the rows of each node begin. Rows of pages outside the graph lie between those of two nodes, so that who reads the
// rows of a node stops where their page changes.
func firstRows(f *arrowio.File, g *graph.Graph) []uint32 {
	first, u, row := make([]uint32, g.Len()+1), 0, uint32(0)
	for b := range f.Batches() {
		for _, page := range f.Uint32s(b, 0) {
			for u < g.Len() && g.PageIDs[u] <= page {
				first[u] = row
				u++
			}
			row++
		}
	}
	for ; u <= g.Len(); u++ {
		first[u] = row
	}
	return first
}

// of gives, for each page that u links to and that wanted holds, the anchors by which u's text calls it.
func (a *anchors) of(g *graph.Graph, u uint32, wanted map[uint32]bool) map[uint32][]string {
	out := map[uint32][]string{}
	target := func(row uint32) (uint32, bool) {
		v, ok := g.Node(number(a.edges, 1, row))
		return v, ok && wanted[v]
	}
	for row := a.edge[u]; row < a.edge[u+1] && number(a.edges, 0, row) == g.PageIDs[u]; row++ {
		if v, ok := target(row); ok {
			out[v] = append(out[v], cell(a.edges, schemas.AnchorsTable.Index("anchor"), row))
		}
	}
	for row := a.more[u]; row < a.more[u+1] && number(a.further, 0, row) == g.PageIDs[u]; row++ {
		if v, ok := target(a.edge[u] + number(a.further, 1, row)); ok {
			out[v] = append(out[v], cell(a.further, schemas.FurtherAnchorsTable.Index("anchor"), row))
		}
	}
	for v, texts := range out { // each by itself
		out[v] = slices.DeleteFunc(texts, func(text string) bool { return !strings.ContainsFunc(text, isWord) })
	}
	return out
}

func number(f *arrowio.File, column int, row uint32) uint32 {
	return f.Uint32s(int(row/schemas.BatchRows), column)[row%schemas.BatchRows]
}
