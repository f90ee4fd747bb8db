package release

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const leadsPath = "graph/leads.parquet"

// HasLeads tells whether the release carries the leads of its pages, which are optional.
func (r *Release) HasLeads() bool {
	_, ok := r.m.File(leadsPath)
	return ok
}

// Leads gives the lead of each page by page id; a page without text has "". fault.NotFound for a release without leads.
func (r *Release) Leads() (map[uint32]string, error) {
	if !r.HasLeads() {
		return nil, fault.New(fault.NotFound, "the release has no leads").At(leadsPath, "")
	}
	f, err := r.file(leadsPath)
	if err != nil {
		return nil, err
	}
	t, err := arrowio.ReadParquet(r.root, leadsPath, schemas.ReleaseLeadsTable, f.digestOf())
	if err != nil {
		return nil, err
	}
	id, text := schemas.ReleaseLeadsTable.Index("page_id"), schemas.ReleaseLeadsTable.Index("text")
	out := make(map[uint32]string, t.Rows())
	for b := range t.Batches() {
		ids, texts := t.Uint32s(b, id), t.Strings(b, text)
		for i, page := range ids {
			if _, twice := out[page]; twice {
				return nil, fault.New(fault.Mismatch, "page %d stands twice", page).At(leadsPath, fmt.Sprintf("row %d", len(out)))
			}
			out[page] = texts.At(i)
		}
	}
	return out, nil
}
