package release

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// labelOf is what the build says of a node: the even ones are typed, the first has two labels and node 2 a class without any.
func labelOf(u int) (l labelled) {
	l = labelled{node: uint32(u), pageID: pageID(u), primary: schemas.NoLabel, source: schemas.LabelNone}
	if u%2 == 0 {
		l.source, l.class, l.mask, l.primary, l.n = schemas.LabelDBpedia, "Place", 1<<16, 16, 1
	}
	switch u {
	case 0:
		l.mask, l.n = l.mask|1<<21, 2
	case 2:
		l.mask, l.n, l.primary, l.class = 0, 0, schemas.NoLabel, "Colour"
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
	b.in.Labels = &LabelsInput{
		Table: b.write("stages/labels/aa/labels.arrow", b.labels(labelOf)),
		Report: b.write("stages/labels/aa/labels.json", func(w io.Writer) (arrowio.Summary, error) {
			_, err := w.Write(canon.MustMarshal(report))
			return arrowio.Summary{}, err
		}),
	}
	return b
}

// labels writes the table of all nodes.
func (b *build) labels(of func(u int) labelled) func(io.Writer) (arrowio.Summary, error) {
	return func(out io.Writer) (arrowio.Summary, error) {
		w, err := arrowio.NewWriter(out, schemas.LabelsTable, arrowio.Options{})
		if err != nil {
			return arrowio.Summary{}, err
		}
		for u := range b.succ.Nodes() {
			l := of(u)
			w.Uint32(0, l.node)
			w.Uint32(1, l.pageID)
			w.Uint32(2, l.mask)
			w.Uint8(3, l.primary)
			w.Uint8(4, l.n)
			w.String(5, l.source)
			w.String(6, l.class)
			w.Bool(7, false)
			if err := w.EndRow(); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return w.Close()
	}
}

func TestLabelsAreCarriedUnderTheLicenceOfDBpedia(t *testing.T) {
	b := newLabelledBuild(t)
	r := open(t, b.release(WriteOptions{}))
	part, ok := r.Manifest().Licence.partOf(labelsTablePath)
	if !ok || part.SPDX != "CC-BY-SA-3.0" || !strings.Contains(part.Attribution, "DBpedia") {
		t.Errorf("licence %+v", part)
	}
	if r.LabelsSHA256() != b.in.Labels.Table.Digest.SHA256 {
		t.Error("the table has another digest than in the build")
	}
	table, err := r.Labels()
	must(t, err)
	defer table.Close()
	if got := labelRow(table, 0, 0); got != labelOf(0) || table.Rows() != 9 {
		t.Errorf("row 0: %+v of %d rows", got, table.Rows())
	}
	if report, err := r.LabelReport(); err != nil || report.Typed != 5 {
		t.Errorf("report %+v, %v", report, err)
	}
	for name, want := range map[string]string{"README.md": "## Labels", "LICENSE.md": "labels/*"} {
		if text, err := r.read(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %s: %v", name, want, err)
		}
	}
}

func TestLabelsThatNobodyGaveStayOut(t *testing.T) {
	b := newLabelledBuild(t)
	b.in.Labels.Table = b.write("stages/labels/bb/labels.arrow", b.labels(func(u int) labelled { return labelOf(1).at(u) }))
	r := open(t, b.release(WriteOptions{}))
	if _, err := r.Labels(); !errors.Is(err, fault.NotFound) || r.HasLabels() || r.LabelsSHA256() != "" {
		t.Errorf("labels: %v", err)
	}
}

// at moves a row to another node.
func (l labelled) at(u int) labelled {
	l.node, l.pageID = uint32(u), pageID(u)
	return l
}

func TestVerifyCatchesWrongLabels(t *testing.T) {
	b := newLabelledBuild(t)
	dir := b.release(WriteOptions{})
	all := []mutation{}
	for name, change := range map[string]func(l *labelled){
		"node": func(l *labelled) { l.node++ }, "page": func(l *labelled) { l.pageID++ }, "mask": func(l *labelled) { l.mask |= 1 << 22; l.n++ },
		"primary outside the mask": func(l *labelled) { l.primary = 3 }, "primary of none": func(l *labelled) { l.primary = schemas.NoLabel },
		"primary beyond": func(l *labelled) { l.primary = 200 }, "number": func(l *labelled) { l.n++ },
		"source": func(l *labelled) { l.source = "guess" }, "labels of no source": func(l *labelled) { l.source = schemas.LabelNone },
	} {
		all = append(all, mutation{name, 2, labelsPath, func(t *testing.T, dir string) {
			rewrite(t, dir, labelsPath, b.labels(func(u int) labelled {
				l := labelOf(u)
				if u == 4 {
					change(&l)
				}
				return l
			}))
			reseal(t, dir, nil)
		}})
	}
	for name, total := range map[string]string{"nodes": `"nodes":9`, "typed": `"typed":5`, "labelled": `"labelled":4`, "multi": `"multi_label":1`} {
		all = append(all, mutation{"report: " + name, 2, labelsReportPath, func(t *testing.T, dir string) {
			replaceIn(t, dir, labelsReportPath, total, total[:len(total)-1]+"7")
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
			rewrite(t, dir, labelsPath, b.labels(func(u int) labelled {
				l := labelOf(u)
				l.class = strings.ToUpper(l.class)
				return l
			}))
			reseal(t, dir, nil)
		}},
	)
	for _, mut := range byteMutations(t, dir) {
		if strings.HasPrefix(mut.path, labelsDir) {
			all = append(all, mut)
		}
	}
	catchAll(t, dir, all)
}
