package labels

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
)

// Prove counts the rows again: every number of the report that follows from them, and for the
// others the counters of the stage, which say the same. What a page is about is known from the
// files of types alone: that is level 4.
func (p part) Prove(c *release.Check) {
	files := c.Files()
	report, err := Report(files)
	t, broken := files.Arrow(File, schemas.LabelsTable)
	if err != nil || broken != nil || !c.Wants(ReportFile) {
		c.Skip("level 3 of %s: it or the labels are damaged, missing or not in the subset", ReportFile)
		return
	}
	defer t.Close()
	var rows []Row
	_ = each(t, func(r Row) error {
		rows = append(rows, r)
		return nil
	})
	is := func(field string, want, got any) {
		release.Differ(c, field, ReportFile, field, release.Shown(want), release.Shown(got))
	}
	is("sources", sourcesOf(rows), report.Sources)
	is("labels", labelsOf(rows), report.Labels)
	is("deciles", decilesOf(c, rows), report.Deciles)
	conflicts := int64(0)
	for _, r := range rows {
		conflicts += count(r.Conflict)
	}
	is("conflicts", conflicts, report.Conflicts)
	counted := countersOf(&report)
	if files.Counters != nil {
		is("counters", shared(files.Counters, &report), counted)
	}
	unknown := int64(0)
	for _, c := range report.UnknownClasses {
		unknown += c.Statements
	}
	most := min(unknown, report.Typed) // each such page has a statement of such a class
	is("unknown_pages", min(max(report.UnknownPages, min(unknown, 1)), most), report.UnknownPages)
	read := p.inputs(c)
	for _, f := range report.Files {
		if len(read) > 0 && !read[f.SHA256] {
			c.Add("files", ReportFile, "files: "+f.Role, "the digest of an input of the stage", f.SHA256)
		}
	}
	var params struct {
		Table string `json:"table_sha256"`
	}
	if c.Params(&params) && params.Table != "" {
		is("table", params.Table, report.Table.SHA256)
	}
	c.Covered("%s/%s: every count of %d rows, and %d of lines against the counters of the stage", p.Folder(), ReportFile, len(rows), len(counted))
}

// countersOf returns the numbers that the stage also counts, by their names there.
func countersOf(r *schemas.LabelReport) map[string]int64 {
	out := map[string]int64{
		"infobox_compared": r.InfoboxCompared, "infobox_agrees": r.InfoboxAgrees,
		"unknown_classes": int64(len(r.UnknownClasses)), "files": int64(len(r.Files)),
	}
	for _, f := range r.Files {
		for how, n := range f.Counts { // into another map
			out[f.Role+"_"+how] += n
		}
	}
	return out
}

// shared returns the counters of the stage that the report repeats.
func shared(counters map[string]int64, r *schemas.LabelReport) map[string]int64 {
	own := countersOf(&schemas.LabelReport{})
	out := map[string]int64{}
	for name, n := range counters { // into another map
		_, ok := own[name]
		of := func(f schemas.LabelFile) bool { return strings.HasPrefix(name, f.Role+"_") }
		if ok || slices.ContainsFunc(r.Files, of) {
			out[name] = n
		}
	}
	return out
}

// inputs returns the digests of what the stage read.
func (p part) inputs(c *release.Check) map[string]bool {
	read := map[string]bool{}
	for _, s := range c.Manifest().Stages {
		if s.Stage == p.Artifact.Name {
			for _, sha := range s.Inputs { // into another map
				read[sha] = true
			}
		}
	}
	return read
}

func count(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

func sourcesOf(rows []Row) []schemas.LabelSourceCount {
	out := []schemas.LabelSourceCount{}
	for _, name := range schemas.LabelSources {
		n := schemas.LabelSourceCount{Source: name}
		for _, r := range rows {
			n.Nodes += count(r.Source == name)
			n.Labelled += count(r.Source == name && r.Mask != 0)
		}
		out = append(out, n)
	}
	return out
}

func labelsOf(rows []Row) []schemas.LabelCount {
	out := []schemas.LabelCount{}
	for bit, name := range schemas.LabelNames {
		n := schemas.LabelCount{Label: name}
		for _, r := range rows {
			n.Nodes += count(r.Mask>>bit&1 == 1)
			n.Primary += count(r.Primary == uint8(bit))
		}
		out = append(out, n)
	}
	return out
}

// decilesOf sorts the nodes by in-degree and node, and cuts them into ten parts.
func decilesOf(c *release.Check, rows []Row) []schemas.LabelDecile {
	in := func(r Row) int64 { return int64(c.Graph().Pred.Degree(r.Node)) }
	sorted := slices.Clone(rows)
	order.Sort(sorted, func(a, b Row) int {
		if d := in(a) - in(b); d != 0 {
			return int(d)
		}
		return int(a.Node) - int(b.Node)
	})
	out, n := []schemas.LabelDecile{}, len(sorted)
	for k := 1; k <= 10; k++ {
		part := sorted[(k-1)*n/10 : k*n/10]
		if len(part) == 0 {
			continue
		}
		d := schemas.LabelDecile{MinInDegree: in(part[0]), MaxInDegree: in(part[len(part)-1]), Nodes: int64(len(part))}
		for _, r := range part {
			d.Typed += count(r.Source != schemas.LabelNone)
			d.Labelled += count(r.Mask != 0)
		}
		out = append(out, d)
	}
	return out
}
