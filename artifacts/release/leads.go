package release

import (
	"encoding/hex"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// HasLeads reports whether the release carries the leads of its pages, which are optional.
func (r *Release) HasLeads() bool {
	_, ok := r.m.File(leadsPath)
	return ok
}

// Leads returns the lead of each page by page id; a page without text has "". fault.NotFound for a
// release without leads.
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
		all := string(texts.Data) // one copy for all
		for i, page := range ids {
			if _, twice := out[page]; twice {
				return nil, fault.New(fault.Mismatch, "page %d stands twice", page).At(leadsPath, Row(len(out)))
			}
			out[page] = all[texts.Offsets[i]:texts.Offsets[i+1]]
		}
	}
	return out, nil
}

// copyLeads copies the leads of the nodes.
func copyLeads(p *arrowio.ParquetWriter, src *arrowio.File, g *graph.Graph) error {
	for b := range src.Batches() {
		ids, texts, cut, sums := src.Uint32s(b, 0), src.Strings(b, 1), src.Bools(b, 2), src.Binaries(b, 3)
		for i, id := range ids {
			if _, isNode := g.Node(id); !isNode {
				continue
			}
			if err := p.Row(id, texts.At(i), cut.At(i), hex.EncodeToString(sums.Bytes(i))); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLeads holds the leads to their digests and to the nodes.
func (v *verifier) checkLeads(f FileEntry) {
	t := v.parquet(f, schemas.ReleaseLeadsTable)
	if t == nil {
		return
	}
	g := v.openGraph()
	last, row := uint32(0), 0
	for b := range t.Batches() {
		ids, texts, sums := t.Uint32s(b, 0), t.Strings(b, 1), t.Strings(b, 3)
		for i, id := range ids {
			where := Row(row)
			if row > 0 && id <= last {
				v.report.add("order", f.Path, where, "ascending page ids", id)
			}
			if g != nil {
				if _, isNode := g.Node(id); !isNode {
					v.report.add("cross reference", f.Path, where, "a page of the graph", id)
				}
			}
			differ(v.report, "text digest", f.Path, where, digest.SHA256(texts.Bytes(i)), sums.At(i))
			last, row = id, row+1
		}
	}
}
