package mango

import (
	"bytes"
	"math"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// noLead stands for the row of a lead that is not there, or empty.
const noLead = math.MaxUint32

// texts finds what pages say and what else they are called. Both tables stay mapped.
type texts struct {
	leads, aliases *arrowio.File
	anchors        *anchors   // nil where none were read
	lead           []uint32   // by node: row of leads.arrow
	called         [][]uint32 // by node: rows of aliases.arrow, ascending
	written        int        // nodes with a lead
}

// openTexts finds the texts of the nodes of g.
func openTexts(env stages.Env, g *graph.Graph) (*texts, error) {
	leads, err := stages.OpenTable(env, schemas.Leads, "leads.arrow", schemas.LeadsTable)
	if err != nil {
		return nil, err
	}
	aliases, err := stages.OpenTable(env, schemas.Aliases, "aliases.arrow", schemas.AliasesTable)
	if err != nil {
		leads.Close()
		return nil, err
	}
	anchors, err := openAnchors(env, g)
	if err != nil {
		leads.Close()
		aliases.Close()
		return nil, err
	}
	t := &texts{leads: leads, aliases: aliases, anchors: anchors}
	t.findLeads(g)
	t.findAliases(g)
	return t, nil
}

// close is for nil, too.
func (t *texts) close() {
	if t != nil {
		t.leads.Close()
		t.aliases.Close()
		t.anchors.close()
	}
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
