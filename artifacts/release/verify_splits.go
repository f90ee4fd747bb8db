package release

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// instances gives the instances of a split, sorted as in its file; ok is false when the file is damaged.
func (v *verifier) instances(split string) (list []schemas.WikiraceInstance, ok bool) {
	name := splitPath(split, ".jsonl")
	if v.once(name) {
		v.loadInstances(split, name)
	}
	list, ok = v.splits[split]
	return list, ok
}

func (v *verifier) loadInstances(split, name string) {
	f, ok := v.listed(name)
	if !ok {
		v.report.skip("instances of split %s: %s is damaged or missing", split, name)
		return
	}
	data, err := readWhole(v.root, f)
	if err != nil {
		v.report.fail("instances", name, err)
		return
	}
	list, bad := decodeLines(data, name, wikiraceForm)
	for _, err := range bad {
		v.report.fail("instances", name, err)
	}
	v.checkRows(f, int64(bytes.Count(data, []byte("\n"))))
	if len(bad) == 0 {
		v.splits[split] = list
	}
}

// checkIDs compares the list of ids with the instances.
func (v *verifier) checkIDs(split string, f FileEntry) {
	data, err := readWhole(v.root, f)
	if err != nil {
		v.report.fail("ids", f.Path, err)
		return
	}
	v.checkRows(f, int64(bytes.Count(data, []byte("\n"))))
	list, ok := v.instances(split)
	if !ok || bytes.Equal(data, idLines(list)) {
		return
	}
	want := bytes.Split(idLines(list), []byte("\n"))
	for i, got := range bytes.Split(data, []byte("\n")) {
		if i >= len(want) || !bytes.Equal(got, want[i]) {
			v.report.add("ids", f.Path, lineOf(i+1), "the id of the instance in that line", quoted(string(got)))
			return
		}
	}
	v.report.add("ids", f.Path, "", fmt.Sprintf("%d lines", len(list)), "fewer")
}

// checkSplitTable compares the table of a split with its instances, row by row.
func (v *verifier) checkSplitTable(split string, f FileEntry) {
	t := v.parquet(f, schemas.WikiraceSplitTable)
	list, ok := v.instances(split)
	if t == nil || !ok || differ(v.report, "rows as in the JSON lines", f.Path, "", int64(len(list)), t.Rows()) {
		return
	}
	row := 0
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			want, got := canon.MustMarshal(list[row]), canon.MustMarshal(instanceAt(t, b, i, split))
			differ(v.report, "instance as in the JSON lines", f.Path, rowOf(row), string(want), string(got))
			row++
		}
	}
}

// instanceAt reads row i of batch b of a split's table; what all instances of a split share is not in the table.
func instanceAt(t *arrowio.Table, b, i int, split string) schemas.WikiraceInstance {
	row := rowAt{t, schemas.WikiraceSplitTable, b, i}
	return schemas.WikiraceInstance{
		Schema: schemas.WikiraceInstanceSchema, ID: row.text("id"), Split: split, Key: row.text("key"),
		Source: row.page("source_"), Target: row.page("target_"), Distance: int(row.byte("distance")), Witness: row.list("witness"),
		MaxSteps: int(row.number("max_steps")), MaxLinks: int(row.number("max_links")), Seed: t.Int64s(b, row.table.Index("seed"))[i],
		GraphSHA256: row.text("graph_sha256"), RecipeSHA256: row.text("recipe_sha256"), Features: featuresAt(t, b, i),
	}
}

// checkShortage compares the report of the samplers with the splits.
func (v *verifier) checkShortage(f FileEntry) {
	data, err := readWhole(v.root, f)
	if err != nil {
		v.report.fail("shortage", f.Path, err)
		return
	}
	var list []schemas.Shortage
	if err := canon.Decode(data, canon.MaxManifest, &list); err != nil {
		v.report.fail("shortage", f.Path, err)
		return
	}
	if !bytes.Equal(data, canon.MustMarshal(list)) {
		v.report.add("shortage", f.Path, "", "canonical JSON with every field", "another form")
	}
	v.checkRows(f, int64(len(list)))
	bySplit := map[string][]schemas.Shortage{}
	for i, s := range list {
		if !slices.Contains(v.m.races(), s.Split) {
			v.report.add("shortage", f.Path, rowOf(i), "a split of the manifest", quoted(s.Split))
		}
		bySplit[s.Split] = append(bySplit[s.Split], s)
	}
	for _, name := range v.m.races() {
		v.checkSplitShortage(name, bySplit[name])
	}
}

// checkSplitShortage compares the rows of one split with the manifest and with the instances.
func (v *verifier) checkSplitShortage(name string, rows []schemas.Shortage) {
	entry := v.m.Splits[name]
	var at []int
	requested, got := 0, 0
	for _, s := range rows {
		at, requested, got = append(at, s.Distance), requested+s.Requested, got+s.Got
		v.checkShortageRow(name, s)
	}
	slices.Sort(at)
	where := "split " + name
	differ(v.report, "distances", shortagePath, where, fmt.Sprint(entry.Distances), fmt.Sprint(at))
	differ(v.report, "requested", shortagePath, where, entry.Requested, requested)
	differ(v.report, "got", shortagePath, where, entry.N, got)
}

func (v *verifier) checkShortageRow(name string, s schemas.Shortage) {
	where := fmt.Sprintf("split %s distance %d", name, s.Distance)
	want := schemas.StatusOK
	if s.Got < s.Requested {
		want = schemas.StatusShort
	}
	differ(v.report, "status", shortagePath, where, want, s.Status)
	list, ok := v.instances(name)
	if !ok {
		return
	}
	n := 0
	for _, inst := range list {
		if inst.Distance == s.Distance {
			n++
		}
	}
	differ(v.report, "got", shortagePath, where, n, s.Got)
}
