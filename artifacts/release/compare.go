package release

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// CompareRebuilt compares a release with one that was built again from the same input, file by
// file: level 4 of verify. A file that differs is a finding in report, with the first row or line
// of it that does; both releases were verified before.
func CompareRebuilt(ctx context.Context, report *Report, dir, rebuilt string, parts []Part) error {
	old, err := Open(dir)
	if err != nil {
		return err
	}
	defer old.Close()
	again, err := Open(rebuilt)
	if err != nil {
		return err
	}
	defer again.Close()
	paths := map[string]bool{}
	for _, f := range slices.Concat(old.m.Files, again.m.Files) {
		paths[f.Path] = true
	}
	before := len(report.Failed)
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		compareFile(report, old, again, p, parts)
	}
	compareManifests(report, old.m, again.m)
	if len(report.Failed) == before {
		report.cover("%d files and the manifest: rebuilt byte for byte", len(paths))
	}
	return nil
}

// compareFile compares a file by its entries, which both releases were held to, and looks into it
// where they differ.
func compareFile(report *Report, old, again *Release, p string, parts []Part) {
	a, have := old.m.File(p)
	b, want := again.m.File(p)
	switch {
	case !have:
		report.add("rebuilt", p, "", "a file of "+b.SHA256, "no such file")
	case !want:
		report.add("rebuilt", p, "", "no such file", "a file of "+a.SHA256)
	case a.digestOf() != b.digestOf():
		where, expected, found, err := firstDifference(again, old, p, parts)
		if err != nil || where == "" {
			where, expected, found = "", b.SHA256, a.SHA256
		}
		report.add("rebuilt", p, where, expected, found)
	}
}

// compareManifests compares what the manifests say beside their files.
func compareManifests(report *Report, old, again *Manifest) {
	a, b := fieldsOf(old), fieldsOf(again)
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if name != "files" && name != "id" {
			differ(report, "rebuilt", ManifestName, name, string(b[name]), string(a[name]))
		}
	}
}

func fieldsOf(m *Manifest) (fields map[string]json.RawMessage) {
	if err := json.Unmarshal(canon.MustMarshal(m), &fields); err != nil {
		panic("release: a canonical manifest does not parse: " + err.Error())
	}
	return fields
}

// firstDifference finds the first row of a table, or line of a text, that differs; where is "" for
// none and for other files.
func firstDifference(want, got *Release, p string, parts []Part) (where, expected, found string, err error) {
	k, _ := kindOf(p, parts)
	switch path.Ext(p) {
	case ".arrow", ".parquet":
		if k.Table != nil {
			return firstRow(want, got, p, k)
		}
	case ".sqlite":
		return "", "", "", nil
	}
	return firstLine(want, got, p)
}

func firstLine(want, got *Release, p string) (where, expected, found string, err error) {
	a, err := want.Text(p)
	if err != nil {
		return "", "", "", err
	}
	b, err := got.Text(p)
	if err != nil {
		return "", "", "", err
	}
	wanted, lines := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range max(len(wanted), len(lines)) {
		if i >= len(wanted) || i >= len(lines) {
			return jsonl.Line(i + 1), fmt.Sprintf("%d lines", len(wanted)), fmt.Sprintf("%d lines", len(lines)), nil
		}
		if x, y := wanted[i], lines[i]; !bytes.Equal(x, y) {
			at := max(0, commonPrefix(x, y)-shownBefore)
			return jsonl.Line(i + 1), fault.Quote(string(x[at:])), fault.Quote(string(y[at:])), nil
		}
	}
	return "", "", "", nil
}

// shownBefore is how much of a line is shown before its first difference: the name of a field.
const shownBefore = 32

func commonPrefix(x, y []byte) int {
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// rowTable is a table of either format.
type rowTable interface {
	flat.RowReader
	Batches() int
	BatchRows(b int) int
}

// firstRow compares two tables batch by batch, row by row and cell by cell.
func firstRow(want, got *Release, p string, k kind) (where, expected, found string, err error) {
	a, err := want.tableAt(p, k)
	if err != nil {
		return "", "", "", err
	}
	defer a.Close()
	b, err := got.tableAt(p, k)
	if err != nil {
		return "", "", "", err
	}
	defer b.Close()
	row := 0
	for n := range max(a.Batches(), b.Batches()) {
		if n >= a.Batches() || n >= b.Batches() {
			return fmt.Sprintf("batch %d", n), fmt.Sprintf("%d batches", a.Batches()), fmt.Sprintf("%d batches", b.Batches()), nil
		}
		for i := range min(a.BatchRows(n), b.BatchRows(n)) {
			for col, c := range k.Table.Columns {
				if x, y := a.Cell(n, col, i), b.Cell(n, col, i); !reflect.DeepEqual(x, y) {
					return Row(row) + ", " + c.Name, fault.Quote(fmt.Sprint(x)), fault.Quote(fmt.Sprint(y)), nil
				}
			}
			row++
		}
		if x, y := a.BatchRows(n), b.BatchRows(n); x != y {
			return Row(row), fmt.Sprintf("%d rows in batch %d", x, n), fmt.Sprint(y), nil
		}
	}
	return "", "", "", nil
}

// closingTable is a table that may be mapped.
type closingTable struct {
	rowTable
	Close func() error
}

func (r *Release) tableAt(p string, k kind) (closingTable, error) {
	f, err := r.file(p)
	if err != nil {
		return closingTable{}, err
	}
	if path.Ext(p) == ".parquet" {
		t, err := arrowio.ReadParquet(r.root, p, *k.Table, f.digestOf())
		return closingTable{t, func() error { return nil }}, err
	}
	t, err := arrowio.Open(r.root, p, *k.Table, f.digestOf())
	if err != nil {
		return closingTable{}, err
	}
	return closingTable{t, t.Close}, nil
}
