package release

import (
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// LabelsInput is what the labels stage wrote.
type LabelsInput struct {
	Table  File // schemas.LabelsTable
	Report File // schemas.LabelReport
}

// labels copies the labels byte for byte, so that their SHA-256 is the one that instances name, and writes them once more for
// viewers. Labels that no source gave are no data: they stay out.
func (w *writer) labels() error {
	if w.in.Labels == nil {
		return nil
	}
	src, err := arrowio.Open(w.in.Root, w.in.Labels.Table.Path, schemas.LabelsTable, w.in.Labels.Table.Digest)
	if err != nil {
		return err
	}
	defer src.Close()
	if !anyTyped(src) {
		return nil
	}
	_, err = w.create(labelsPath, func(out io.Writer) (content, error) {
		_, err := w.copyOf(w.in.Labels.Table)(out)
		return content{Rows: src.Rows(), Logical: src.Logical()}, err
	})
	if err != nil {
		return err
	}
	_, err = w.create(labelsTablePath, func(out io.Writer) (content, error) {
		return writeParquet(out, schemas.LabelsTable, func(p *arrowio.ParquetWriter) error { return copyLabels(p, src) })
	})
	if err != nil {
		return err
	}
	_, err = w.create(labelsReportPath, w.copyOf(w.in.Labels.Report))
	return err
}

func anyTyped(t *arrowio.File) bool {
	source := schemas.LabelsTable.Index("source")
	for b := range t.Batches() {
		sources := t.Strings(b, source)
		for i := range sources.Len() {
			if sources.At(i) != schemas.LabelNone {
				return true
			}
		}
	}
	return false
}

func copyLabels(p *arrowio.ParquetWriter, src *arrowio.File) error {
	for b := range src.Batches() {
		for i := range src.BatchRows(b) {
			row := labelRow(src, b, i)
			p.Uint32(0, row.node)
			p.Uint32(1, row.pageID)
			p.Uint32(2, row.mask)
			p.Uint8(3, row.primary)
			p.Uint8(4, row.n)
			p.String(5, row.source)
			p.String(6, row.class)
			p.Bool(7, src.Bools(b, 7).At(i))
			if err := p.EndRow(); err != nil {
				return err
			}
		}
	}
	return nil
}

// labelled is a row of labels.
type labelled struct {
	node, pageID, mask uint32
	primary, n         uint8
	source, class      string
}

// labelColumns is what tables of both formats have.
type labelColumns interface {
	Uint32s(b, col int) []uint32
	Uint8s(b, col int) []uint8
	Strings(b, col int) arrowio.Strings
}

func labelRow(t labelColumns, b, i int) labelled {
	return labelled{
		node: t.Uint32s(b, 0)[i], pageID: t.Uint32s(b, 1)[i], mask: t.Uint32s(b, 2)[i], primary: t.Uint8s(b, 3)[i],
		n: t.Uint8s(b, 4)[i], source: t.Strings(b, 5).At(i), class: t.Strings(b, 6).At(i),
	}
}

// HasLabels tells whether the release carries the labels of its pages.
func (r *Release) HasLabels() bool {
	_, ok := r.m.File(labelsPath)
	return ok
}

// Labels opens labels/labels.arrow; the caller closes it. fault.NotFound for a release without labels.
func (r *Release) Labels() (*arrowio.File, error) {
	if !r.HasLabels() {
		return nil, fault.New(fault.NotFound, "the release has no labels").At(labelsPath, "")
	}
	f, err := r.file(labelsPath)
	if err != nil {
		return nil, err
	}
	return arrowio.Open(r.root, labelsPath, schemas.LabelsTable, f.digestOf())
}

// Labels is what judges need of the labels: of each node the mask of all, and the bit of the primary one or schemas.NoLabel.
type Labels struct {
	Masks     []uint32
	Primaries []uint8
}

// ReadLabels reads the labels of the nodes; fault.NotFound for a release without, fault.Mismatch for labels of other pages than the graph's.
func (r *Release) ReadLabels() (*Labels, error) {
	t, err := r.Labels()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	l, col := &Labels{}, schemas.LabelsTable.Index
	for b := range t.Batches() {
		l.Masks = append(l.Masks, t.Uint32s(b, col("mask"))...)
		l.Primaries = append(l.Primaries, t.Uint8s(b, col("primary"))...)
	}
	if n := int64(len(l.Masks)); n != r.m.Graph.Nodes {
		return nil, fault.New(fault.Mismatch, "labels of %d pages, the graph has %d", n, r.m.Graph.Nodes).At(labelsPath, "")
	}
	return l, nil
}

// LabelsSHA256 is the digest by which instances name the labels, "" for a release without.
func (r *Release) LabelsSHA256() string {
	f, _ := r.m.File(labelsPath)
	return f.SHA256
}

// LabelReport reads labels/labels.json.
func (r *Release) LabelReport() (schemas.LabelReport, error) {
	data, err := r.read(labelsReportPath)
	if err != nil {
		return schemas.LabelReport{}, err
	}
	return decodeLabelReport(data)
}

func decodeLabelReport(data []byte) (report schemas.LabelReport, err error) {
	if err := canon.Decode(data, canon.MaxManifest, &report); err != nil {
		return report, fault.New(fault.Mismatch, "%w", err).At(labelsReportPath, "")
	}
	return report, nil
}
