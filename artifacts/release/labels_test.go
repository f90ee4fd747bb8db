package release_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/labels"
	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// labelOf is what the build says of a node: the even ones are typed, the first has two labels and node 2 a class without any.
func labelOf(u int) (l labels.Row) {
	l = labels.Row{Node: uint32(u), PageID: pageID(u), Primary: schemas.NoLabel, Source: schemas.LabelNone}
	if u%2 == 0 {
		l.Source, l.Class, l.Mask, l.Primary, l.N = schemas.LabelDBpedia, "Place", 1<<16, 16, 1
	}
	switch u {
	case 0:
		l.Mask, l.N = l.Mask|1<<21, 2
	case 2:
		l.Mask, l.N, l.Primary, l.Class = 0, 0, schemas.NoLabel, "Colour"
	}
	return l
}

// newLabelledBuild is newBuild with labels.
func newLabelledBuild(t *testing.T) *build {
	t.Helper()
	b := newBuild(t)
	report := schemas.LabelReport{
		Schema: schemas.LabelReportSchema, Nodes: 9, Typed: 5, Labelled: 4, MultiLabel: 1, Sources: []schemas.LabelSourceCount{},
		Labels: []schemas.LabelCount{}, Deciles: []schemas.LabelDecile{}, UnknownClasses: []schemas.ClassCount{}, Files: []schemas.LabelFile{},
	}
	b.in.Labels = &LabelsInput{Rows: labelOf, Report: report}
	return b
}

func TestLabelsAreCarriedUnderTheLicenceOfDBpedia(t *testing.T) {
	b := newLabelledBuild(t)
	r := open(t, b.release(WriteOptions{}))
	part, ok := r.Manifest().Licence.LicenceOf(labelsTablePath)
	if !ok || part.SPDX != "CC-BY-SA-3.0" || !strings.Contains(part.Attribution, "DBpedia") {
		t.Errorf("licence %+v", part)
	}
	if labels.SHA256(r) != b.write("labels.arrow", b.labels(labelOf)).Digest.SHA256 {
		t.Error("the table has another digest than in the build")
	}
	table, err := r.Part(labels.Part).Arrow(labels.File, schemas.LabelsTable)
	must(t, err)
	defer table.Close()
	if got := labels.At(table, 0, 0); got != labelOf(0) || table.Rows() != 9 {
		t.Errorf("row 0: %+v of %d rows", got, table.Rows())
	}
	if report, err := labels.Report(r.Part(labels.Part)); err != nil || report.Typed != 5 {
		t.Errorf("report %+v, %v", report, err)
	}
	for name, want := range map[string]string{"README.md": "(labels)", "LICENSE.md": "labels/*"} {
		if text, err := r.Text(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %s: %v", name, want, err)
		}
	}
}

func TestLabelsThatNobodyGaveStayOut(t *testing.T) {
	b := newLabelledBuild(t)
	b.in.Labels.Rows = func(u int) labels.Row { return at(labelOf(1), u) }
	b.in.Labels.Report.Typed = 0
	r := open(t, b.release(WriteOptions{}))
	if _, err := labels.Read(r); !errors.Is(err, fault.NotFound) || labels.Has(r) || labels.SHA256(r) != "" {
		t.Errorf("labels: %v", err)
	}
}

// at moves a row to another node.
func at(l labels.Row, u int) labels.Row {
	l.Node, l.PageID = uint32(u), pageID(u)
	return l
}

func TestVerifyCatchesWrongLabels(t *testing.T) {
	b := newLabelledBuild(t)
	dir := b.release(WriteOptions{})
	all := []mutation{}
	for name, change := range map[string]func(l *labels.Row){
		"node": func(l *labels.Row) { l.Node++ }, "page": func(l *labels.Row) { l.PageID++ }, "mask": func(l *labels.Row) { l.Mask |= 1 << 22; l.N++ },
		"primary outside the mask": func(l *labels.Row) { l.Primary = 3 }, "primary of none": func(l *labels.Row) { l.Primary = schemas.NoLabel },
		"primary beyond": func(l *labels.Row) { l.Primary = 200 }, "number": func(l *labels.Row) { l.N++ },
		"source": func(l *labels.Row) { l.Source = "guess" }, "labels of no source": func(l *labels.Row) { l.Source = schemas.LabelNone },
	} {
		all = append(all, mutation{name, 2, labelsPath, func(t *testing.T, dir string) {
			rewrite(t, dir, labelsPath, b.labels(func(u int) labels.Row {
				l := labelOf(u)
				if u == 4 {
					change(&l)
				}
				return l
			}))
			reseal(t, dir, nil)
		}})
	}
	for name, total := range map[string]string{
		"nodes": `"nodes":9`, "typed": `"typed":5`, "labelled": `"labelled":4`, "multi": `"multi_label":1`,
		"schema": `"schema":"wikinav.label_report/1"`,
	} {
		all = append(all, mutation{"report: " + name, 2, labelsReportPath, func(t *testing.T, dir string) {
			replaceIn(t, dir, labelsReportPath, total,
				strings.NewReplacer(`/1"`, `/7"`, ":9", ":7", ":5", ":7", ":4", ":7", ":1", ":7").Replace(total))
			reseal(t, dir, nil)
		}})
	}
	all = append(all,
		mutation{"no report", 2, labelsReportPath, func(t *testing.T, dir string) {
			must(t, os.Remove(place(dir, labelsReportPath)))
			forget(t, dir, labelsReportPath)
		}},
		mutation{"a report of another kind", 2, labelsReportPath, func(t *testing.T, dir string) {
			replaceIn(t, dir, labelsReportPath, `"typed"`, `"typo"`)
			reseal(t, dir, nil)
		}},
		mutation{"a table that differs", 2, labelsTablePath, func(t *testing.T, dir string) {
			rewrite(t, dir, labelsPath, b.labels(func(u int) labels.Row {
				l := labelOf(u)
				l.Class = strings.ToUpper(l.Class)
				return l
			}))
			reseal(t, dir, nil)
		}},
	)
	for _, mut := range byteMutations(t, dir) {
		if strings.HasPrefix(mut.path, "labels/") {
			all = append(all, mut)
		}
	}
	catchAll(t, dir, all)
}
