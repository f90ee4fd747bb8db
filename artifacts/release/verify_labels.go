package release

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
)

// checkLabelFiles wants all files of the labels, or none.
func (v *verifier) checkLabelFiles() {
	all := []string{labelsPath, labelsReportPath, labelsTablePath}
	if !slices.ContainsFunc(all, func(p string) bool { _, ok := v.m.File(p); return ok }) {
		return
	}
	var logical []string
	for _, p := range all {
		f, ok := v.m.File(p)
		if !ok {
			v.report.add("files", p, "", "listed in the manifest", "not listed")
			continue
		}
		if f.LogicalSHA256 != nil {
			logical = append(logical, *f.LogicalSHA256)
		}
	}
	if len(logical) == 2 {
		differ(v.report, "logical digest", labelsTablePath, "", logical[0], logical[1])
	}
}

// checkLabels holds each row to the graph and to itself.
func (v *verifier) checkLabels(f FileEntry) {
	if f.Path == labelsTablePath {
		if t := v.parquet(f, schemas.LabelsTable); t != nil {
			v.checkLabelRows(f, t, t.Batches(), t.BatchRows)
		}
		return
	}
	v.checkArrow(f, schemas.LabelsTable)
	t, err := arrowio.Open(v.root, f.Path, schemas.LabelsTable, f.digestOf())
	if err != nil {
		return // checkArrow has said so
	}
	defer t.Close()
	v.checkLabelRows(f, t, t.Batches(), t.BatchRows)
}

func (v *verifier) checkLabelRows(f FileEntry, t labelColumns, batches int, rows func(b int) int) {
	g, row := v.openGraph(), 0
	for b := range batches {
		for i := range rows(b) {
			l := labelRow(t, b, i)
			where := rowOf(row)
			differ(v.report, "node", f.Path, where, uint32(row), l.node)
			if g != nil && row < g.Len() {
				differ(v.report, "page_id", f.Path, where, g.PageIDs[row], l.pageID)
			}
			v.checkLabel(f.Path, where, l)
			row++
		}
	}
	differ(v.report, "nodes", f.Path, "", v.m.Graph.Nodes, int64(row))
}

// checkLabel holds mask, primary label, number and source of a row to each other.
func (v *verifier) checkLabel(name, where string, l labelled) {
	if l.mask >= 1<<len(schemas.LabelNames) {
		v.report.add("mask", name, where, fmt.Sprintf("%d bits", len(schemas.LabelNames)), l.mask)
	}
	differ(v.report, "n_labels", name, where, uint8(bits.OnesCount32(l.mask)), l.n)
	if primary := l.primary; primary != schemas.NoLabel && (int(primary) >= len(schemas.LabelNames) || l.mask&(1<<primary) == 0) || primary == schemas.NoLabel && l.mask != 0 {
		v.report.add("primary", name, where, "a label of the mask, 255 for none", primary)
	}
	if !slices.Contains(schemas.LabelSources, l.source) || l.source == schemas.LabelNone && (l.mask != 0 || l.class != "") {
		v.report.add("source", name, where, "the source of the labels", quoted(l.source))
	}
}

// checkLabelReport compares the report's totals with the table.
func (v *verifier) checkLabelReport(f FileEntry) {
	data, err := readWhole(v.root, f)
	if err != nil {
		v.report.fail("report", f.Path, err)
		return
	}
	report, err := decodeLabelReport(data)
	if err != nil {
		v.report.fail("report", f.Path, err)
		return
	}
	entry, ok := v.listed(labelsPath)
	if !ok {
		v.report.skip("the report on labels: they are damaged or missing")
		return
	}
	t, err := arrowio.Open(v.root, labelsPath, schemas.LabelsTable, entry.digestOf())
	if err != nil {
		return // found where the table is checked
	}
	defer t.Close()
	var typed, labels, several int64
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			l := labelRow(t, b, i)
			typed += oneIf(l.source != schemas.LabelNone)
			labels += oneIf(l.mask != 0)
			several += oneIf(l.n > 1)
		}
	}
	differ(v.report, "nodes", f.Path, "nodes", t.Rows(), report.Nodes)
	differ(v.report, "coverage", f.Path, "typed", typed, report.Typed)
	differ(v.report, "coverage", f.Path, "labelled", labels, report.Labelled)
	differ(v.report, "coverage", f.Path, "multi_label", several, report.MultiLabel)
}

func oneIf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
