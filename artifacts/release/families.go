package release

import (
	"bytes"
	"encoding/hex"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// FamilyInput is what the stage of a self-contained family wrote: files that go into the release as they are, in a
// folder of the family's name. What they hold is the family's own; verify checks their bytes and that every JSON line
// is one.
type FamilyInput struct {
	Name  string // a name of selfContained
	Files []FamilyFile
}

// FamilyFile is one of them. Rows is -1 where the receipt counts none.
type FamilyFile struct {
	Name string
	File File
	Rows int64
}

// selfContained are the families whose stages write their published files themselves.
var selfContained = []string{"mango", "lumina"}

// SelfContained lists those families.
func SelfContained() []string { return slices.Clone(selfContained) }

// familyOf gives the family whose folder p lies in.
func familyOf(p string) (string, bool) {
	folder, _, below := strings.Cut(p, "/")
	return folder, below && slices.Contains(selfContained, folder)
}

func familyKind(p, family string) kind { return kind{Role: family, Rows: path.Ext(p) == ".jsonl"} }

// families copies the files of the self-contained families.
func (w *writer) families() error {
	for _, family := range w.in.Families {
		for _, f := range family.Files {
			_, err := w.create(family.Name+"/"+f.Name, func(out io.Writer) (content, error) {
				_, err := w.copyOf(f.File)(out)
				return content{Rows: max(f.Rows, 0)}, err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFamilyFile reads the lines of a family's JSON lines; of other files the digests say enough at this level.
func (v *verifier) checkFamilyFile(f FileEntry) {
	if path.Ext(f.Path) != ".jsonl" {
		return
	}
	data, err := readWhole(v.root, f)
	if err != nil {
		v.report.fail("lines", f.Path, err)
		return
	}
	rows := int64(0)
	for line := range bytes.Lines(data) {
		rows++
		var any any
		if err := canon.Decode(bytes.TrimSuffix(line, []byte("\n")), canon.MaxLine, &any); err != nil {
			v.report.add("lines", f.Path, lineOf(int(rows)), "a JSON document", err)
		}
	}
	v.checkRows(f, rows)
}

// leads writes graph/leads.parquet: the leads of the nodes, if the build has any.
func (w *writer) leads(g *graph.Graph) error {
	if w.in.Leads.Path == "" {
		return nil
	}
	src, err := arrowio.Open(w.in.Root, w.in.Leads.Path, schemas.LeadsTable, w.in.Leads.Digest)
	if err != nil {
		return err
	}
	defer src.Close()
	if src.Rows() == 0 {
		return nil // an edge list has no text
	}
	_, err = w.create(leadsPath, func(out io.Writer) (content, error) {
		return writeParquet(out, schemas.ReleaseLeadsTable, func(p *arrowio.ParquetWriter) error { return copyLeads(p, src, g) })
	})
	return err
}

func copyLeads(p *arrowio.ParquetWriter, src *arrowio.File, g *graph.Graph) error {
	for b := range src.Batches() {
		ids, texts, cut, sums := src.Uint32s(b, 0), src.Strings(b, 1), src.Bools(b, 2), src.Binaries(b, 3)
		for i, id := range ids {
			if _, isNode := g.Node(id); !isNode {
				continue
			}
			p.Uint32(0, id)
			p.String(1, texts.At(i))
			p.Bool(2, cut.At(i))
			p.String(3, hex.EncodeToString(sums.Bytes(i)))
			if err := p.EndRow(); err != nil {
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
			where := rowOf(row)
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
