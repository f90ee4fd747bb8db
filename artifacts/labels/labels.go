// Package labels is what a release says of pages: which of 22 labels each has, and where that is
// known from. It has the files, their checks and their section of the data card, and reads them
// from an open release.
package labels

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Files of the folder.
const (
	File        = "labels.arrow" // by its SHA-256 instances name the labels
	ParquetFile = "labels.parquet"
	ReportFile  = "labels.json"
)

// SPDX is the licence of DBpedia's types and ontology, which what is derived from them inherits.
const SPDX = "CC-BY-SA-3.0"

// Part is the folder of the labels in a release.
var Part release.Part = part{release.Base{
	Artifact: schemas.Labels, SPDX: SPDX, Of: "ids of pages, and what types and infoboxes say that they are",
	Attribution: "DBpedia Association: the classes and their tree, and the instance types among the side inputs (CC BY-SA 3.0 or later); labels derived by wikinav",
	Kinds: []release.Kind{
		release.TableKind(File, schemas.LabelsTable),
		release.TableKind(ParquetFile, schemas.LabelsTable),
		{Pattern: ReportFile, Schema: schemas.LabelReportSchema},
	},
}}

type part struct{ release.Base }

// Row is a row of labels, with the columns of schemas.LabelsTable in their order.
type Row struct {
	Node, PageID, Mask uint32
	Primary, N         uint8
	Source, Class      string
	Conflict           bool
}

// Append writes the row to a table of either format.
func (r Row) Append(w flat.RowWriter) error {
	return w.Row(r.Node, r.PageID, r.Mask, r.Primary, r.N, r.Source, r.Class, r.Conflict)
}

// At returns row i of batch b of a table of either format.
func At(t flat.RowReader, b, i int) Row {
	return Row{
		t.Cell(b, 0, i).(uint32), t.Cell(b, 1, i).(uint32), t.Cell(b, 2, i).(uint32), t.Cell(b, 3, i).(uint8), t.Cell(b, 4, i).(uint8),
		t.Cell(b, 5, i).(string), t.Cell(b, 6, i).(string), t.Cell(b, 7, i).(bool),
	}
}

// table is a table of either format.
type table interface {
	flat.RowReader
	Batches() int
	BatchRows(b int) int
}

func each(t table, visit func(Row) error) error {
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			if err := visit(At(t, b, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Labels is what judges need of the labels: of each node the mask of all, and the bit of the
// primary one or schemas.NoLabel.
type Labels struct {
	Masks     []uint32
	Primaries []uint8
}

// Of reads the labels of a part's files.
func Of(f release.Files) (*Labels, error) {
	t, err := f.Arrow(File, schemas.LabelsTable)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	l, column := &Labels{}, schemas.LabelsTable.Index
	for b := range t.Batches() {
		l.Masks = append(l.Masks, t.Uint32s(b, column("mask"))...)
		l.Primaries = append(l.Primaries, t.Uint8s(b, column("primary"))...)
	}
	return l, nil
}

// Has reports whether a release has labels of its pages.
func Has(r *release.Release) bool { return r.Part(Part).Has(File) }

// SHA256 is the digest by which instances name the labels, "" for a release without.
func SHA256(r *release.Release) string { return r.Part(Part).Digest(File).SHA256 }

// Read reads the labels of the nodes of a release; fault.NotFound for a release without,
// fault.Mismatch for labels of other pages than the graph's.
func Read(r *release.Release) (*Labels, error) {
	if !Has(r) {
		return nil, fault.New(fault.NotFound, "the release has no labels").At(Part.Folder()+"/"+File, "")
	}
	l, err := Of(r.Part(Part))
	if err != nil {
		return nil, err
	}
	if n := int64(len(l.Masks)); n != r.Manifest().Graph.Nodes {
		return nil, fault.New(fault.Mismatch, "labels of %d pages, the graph has %d", n, r.Manifest().Graph.Nodes).At(Part.Folder()+"/"+File, "")
	}
	return l, nil
}

// Report reads the report on the labels, which ends in a newline.
func Report(f release.Files) (report schemas.LabelReport, err error) {
	data, err := f.Read(ReportFile)
	if err == nil {
		err = canon.Decode(data, canon.MaxManifest, &report)
	}
	if err == nil && report.Schema != schemas.LabelReportSchema {
		err = fault.New(fault.Malformed, "schema %s, expected %s", fault.Quote(report.Schema),
			schemas.LabelReportSchema).At(Part.Folder()+"/"+ReportFile, "schema")
	}
	return report, err
}

// Published reports whether some source gave a label: others are no data.
func (part) Published(f release.Files) (bool, error) {
	report, err := Report(f)
	return report.Typed > 0, err
}

// Tables returns the pages that a source of labels knows.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	rows := flat.Rows{
		Name: p.Artifact.Name, Key: 1,
		Columns: []string{"node INTEGER", "mask INTEGER", "label TEXT", "n_labels INTEGER", "source TEXT", "class TEXT", "conflict INTEGER"},
		Indexes: []string{"label"},
		Refs:    []flat.Ref{{Column: "node", Table: "pages", Key: "node"}},
	}
	rows.Each = func(visit func(values []any) error) error {
		t, err := f.Arrow(File, schemas.LabelsTable)
		if err != nil {
			return err
		}
		defer t.Close()
		return each(t, func(r Row) error {
			if r.Source == schemas.LabelNone {
				return nil
			}
			conflict := int64(0)
			if r.Conflict {
				conflict = 1
			}
			return visit([]any{int64(r.Node), int64(r.Mask), schemas.LabelName(r.Primary), int64(r.N), r.Source, r.Class, conflict})
		})
	}
	return []flat.Rows{rows}, nil
}

// Tell says that no file of types was given.
func (part) Tell(f release.Files) ([]string, error) {
	if n, counted := f.Counters["files"]; counted && n == 0 {
		return []string{"no DBpedia types were given (--types); labels come from infoboxes only"}, nil
	}
	return nil, nil
}

func (p part) Card(f release.Files) (release.Card, error) {
	config := release.Config{
		Name: p.Artifact.Name, Rows: f.Rows(ParquetFile),
		Files: []release.ConfigFile{{Name: ParquetFile}},
	}
	return release.Card{Configs: []release.Config{config}, Text: text, Flags: "--types FILE"}, nil
}

const text = "## What pages are about (labels)\n\n" +
	"`labels/labels.arrow` and `labels/labels.parquet` say of each node which of 22 labels it has: bit b of `mask` for label b, `primary` the most\n" +
	"specific one (255 for none), `source` where that is known from. They come from types of DBpedia, which are older than the pages, from\n" +
	"infoboxes where those say nothing, or from labels by hand. A page without a label is not known to be of none: `labels/labels.json` has the\n" +
	"coverage, overall and by in-degree, and what became of every line that was read.\n"

// Check holds each row to the graph and to itself, and the report to the rows.
func (part) Check(c *release.Check) {
	c.Need(File, ParquetFile, ReportFile)
	files := c.Files()
	arrow, err := files.Arrow(File, schemas.LabelsTable)
	if err != nil {
		if c.Wants(File) {
			c.Fail("table", File, err)
		}
		c.Skip("the report on labels: they are damaged or missing")
	} else {
		defer arrow.Close()
		c.CheckTable(File, schemas.LabelsTable)
		checkReport(c, arrow)
		if c.Wants(File) {
			checkRows(c, File, arrow)
		}
	}
	parquet := c.Parquet(ParquetFile, schemas.LabelsTable)
	if parquet == nil {
		return
	}
	checkRows(c, ParquetFile, parquet)
	if arrow != nil {
		release.Differ(c, "logical digest", ParquetFile, "", arrow.Logical(), parquet.Logical())
	}
}

func checkRows(c *release.Check, name string, t table) {
	g, row := c.Graph(), 0
	_ = each(t, func(r Row) error {
		where := release.Row(row)
		release.Differ(c, "node", name, where, uint32(row), r.Node)
		if g != nil && row < g.Len() {
			release.Differ(c, "page_id", name, where, g.PageIDs[row], r.PageID)
		}
		checkRow(c, name, where, r)
		row++
		return c.Context().Err()
	})
	release.Differ(c, "nodes", name, "", c.Manifest().Graph.Nodes, int64(row))
}

// checkRow holds mask, primary label, number and source of a row to each other.
func checkRow(c *release.Check, name, where string, r Row) {
	if r.Mask >= 1<<len(schemas.LabelNames) {
		c.Add("mask", name, where, fmt.Sprintf("%d bits", len(schemas.LabelNames)), r.Mask)
	}
	release.Differ(c, "n_labels", name, where, uint8(bits.OnesCount32(r.Mask)), r.N)
	if p := r.Primary; p != schemas.NoLabel && (int(p) >= len(schemas.LabelNames) || r.Mask&(1<<p) == 0) || p == schemas.NoLabel && r.Mask != 0 {
		c.Add("primary", name, where, "a label of the mask, 255 for none", p)
	}
	if !slices.Contains(schemas.LabelSources, r.Source) || r.Source == schemas.LabelNone && (r.Mask != 0 || r.Class != "") {
		c.Add("source", name, where, "the source of the labels", fault.Quote(r.Source))
	}
}

func checkReport(c *release.Check, t *arrowio.File) {
	if !c.Wants(ReportFile) {
		return
	}
	report, err := Report(c.Files())
	if err != nil {
		c.Fail("report", ReportFile, err)
		return
	}
	var typed, labelled, several int64
	_ = each(t, func(r Row) error {
		for _, count := range []struct {
			n   *int64
			has bool
		}{{&typed, r.Source != schemas.LabelNone}, {&labelled, r.Mask != 0}, {&several, r.N > 1}} {
			if count.has {
				*count.n++
			}
		}
		return nil
	})
	for _, total := range []struct {
		field     string
		want, got int64
	}{
		{"nodes", t.Rows(), report.Nodes}, {"typed", typed, report.Typed}, {"labelled", labelled, report.Labelled}, {"multi_label", several, report.MultiLabel},
	} {
		release.Differ(c, "coverage", ReportFile, total.field, total.want, total.got)
	}
}
