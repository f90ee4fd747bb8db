package release

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// checkCompanion checks the content of a file of probe/ or onestep/.
func (v *verifier) checkCompanion(f FileEntry) {
	set := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	switch f.Path {
	case probePath:
		v.checkProbe(f)
	case probeTablePath:
		if t := v.parquet(f, schemas.ProbeTable); t != nil {
			sameRows(v, f, t, v.probe(), probeAt)
		}
	case probeShortagePath:
		v.checkCompanionShortage(f, v.probeCounts())
	case oneStepShortagePath:
		v.checkCompanionShortage(f, v.oneStepCounts())
	case overlapPath:
		v.checkOverlapReport(f)
	case oneStepPath(set, ".jsonl"):
		v.checkOneStep(set, f)
	default:
		v.checkOneStepTable(set, f)
	}
}

// checkCompanionFiles looks for files of probe and one-step sets without which the others mean nothing.
func (v *verifier) checkCompanionFiles() {
	need := func(name string) {
		if _, ok := v.m.File(name); !ok {
			v.report.add("files", name, "", "listed in the manifest", "not listed")
		}
	}
	for _, f := range v.m.Files {
		switch parent(f.Path) {
		case probeDir:
			need(probePath)
			need(probeTablePath)
			need(probeShortagePath)
		case oneStepDir:
			need(oneStepShortagePath)
			need(overlapPath)
			if ext := path.Ext(f.Path); ext == ".jsonl" || ext == ".parquet" {
				base := strings.TrimSuffix(f.Path, ext)
				need(base + ".jsonl")
				need(base + ".parquet")
			}
		}
	}
}

// records reads the JSON lines of a companion set; nil, with a finding or a note, where they are damaged.
func records[T any](v *verifier, name string, form form[T]) []T {
	f, ok := v.listed(name)
	if !ok {
		v.report.skip("instances of %s: the file is damaged or missing", name)
		return nil
	}
	data, err := readWhole(v.root, f)
	if err != nil {
		v.report.fail("instances", name, err)
		return nil
	}
	list, bad := decodeLines(data, name, form)
	for _, err := range bad {
		v.report.fail("instances", name, err)
	}
	v.checkRows(f, int64(bytes.Count(data, []byte("\n"))))
	if len(bad) > 0 {
		return nil
	}
	return listed(list) // not nil, which stands for damage
}

// probe gives the probe, read once.
func (v *verifier) probe() []schemas.ProbeInstance {
	if v.once(probePath) {
		v.probed = records(v, probePath, probeForm)
	}
	return v.probed
}

// oneStep gives a one-step set, read once.
func (v *verifier) oneStep(set string) []schemas.OneStepInstance {
	name := oneStepPath(set, ".jsonl")
	if v.once(name) {
		v.oneSteps[set] = records(v, name, oneStepForm)
	}
	return v.oneSteps[set]
}

// sameRows compares a table with the records that it lays flat.
func sameRows[T any](v *verifier, f FileEntry, t *arrowio.Table, list []T, at func(t *arrowio.Table, b, i int) T) {
	if list == nil || differ(v.report, "rows as in the JSON lines", f.Path, "", int64(len(list)), t.Rows()) {
		return
	}
	row := 0
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			want, got := canon.MustMarshal(list[row]), canon.MustMarshal(at(t, b, i))
			differ(v.report, "instance as in the JSON lines", f.Path, rowOf(row), string(want), string(got))
			row++
		}
	}
}

func (v *verifier) checkOneStepTable(set string, f FileEntry) {
	t, g := v.parquet(f, schemas.OneStepTable), v.openGraph()
	if t == nil || g == nil {
		return
	}
	titles := func(u uint32) string {
		if int64(u) >= int64(g.Len()) {
			return "" // the JSON lines are checked for such nodes
		}
		return g.Title(u)
	}
	sameRows(v, f, t, v.oneStep(set), func(t *arrowio.Table, b, i int) schemas.OneStepInstance { return oneStepAt(t, b, i, titles) })
}

// quotaKey names a line of a shortage report.
type quotaKey struct {
	split    string
	distance int
}

// probeCounts counts the probe by class; the class "reversed" has pairs at any distance, its line says 0.
func (v *verifier) probeCounts() map[quotaKey]int {
	out := map[quotaKey]int{}
	for _, p := range v.probe() {
		d := p.Distance
		if p.Class == schemas.ProbeReversed {
			d = 0
		}
		out[quotaKey{p.Class, d}]++
	}
	return out
}

func (v *verifier) oneStepCounts() map[quotaKey]int {
	out := map[quotaKey]int{}
	for _, set := range v.m.oneStepSets() {
		for _, x := range v.oneStep(set) {
			out[quotaKey{set, x.Distance}]++
		}
	}
	return out
}

// checkCompanionShortage compares a report of a sampler with the instances that it counts.
func (v *verifier) checkCompanionShortage(f FileEntry, have map[quotaKey]int) {
	var list []schemas.Shortage
	if !v.document(f, &list) {
		return
	}
	v.checkRows(f, int64(len(list)))
	for i, s := range list {
		want := schemas.StatusOK
		if s.Got < s.Requested {
			want = schemas.StatusShort
		}
		differ(v.report, "status", f.Path, rowOf(i), want, s.Status)
		key := quotaKey{s.Split, s.Distance}
		differ(v.report, "got", f.Path, rowOf(i), have[key], s.Got)
		delete(have, key)
	}
	if len(have) > 0 {
		v.report.add("shortage", f.Path, "", "a line for each class or distance of the instances", fmt.Sprintf("%d without", len(have)))
	}
}

// document reads a canonical JSON file into x, and tells whether it could.
func (v *verifier) document(f FileEntry, x any) bool {
	data, err := readWhole(v.root, f)
	if err == nil {
		err = canon.Decode(data, canon.MaxManifest, x)
	}
	if err != nil {
		v.report.fail("document", f.Path, err)
		return false
	}
	if !bytes.Equal(data, canon.MustMarshal(x)) {
		v.report.add("document", f.Path, "", "canonical JSON with every field", "another form")
	}
	return true
}
