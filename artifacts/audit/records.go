package audit

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Table is a table of records, each of which somebody can be asked: a Parquet file of a part, or
// what a verb made of a folder that is not a release. Cells of one column are all float64 (NaN for
// none), string or []uint32; the id is that of the record.
type Table struct {
	Family, Set string
	File        string // below the release; "" of a folder
	Fresh       string // id of the release since which the pairs are fresh
	Columns     []Column
	Judged      release.Audit

	Each func(visit func(*Record) error) error
}

// Column is a column of a table.
type Column struct {
	Name, Doc string
	Kind      Kind
}

// Kind is what a column can say.
type Kind int

// Kinds of columns.
const (
	Other    Kind = iota
	Numeric       // a number that may make a record hard
	Word          // a text
	Title         // the title of a page
	Page          // the node of a page
	PageList      // nodes of pages
)

// Record is a row. What it holds belongs to the visit.
type Record struct {
	ID      string
	Cells   []any // by column
	Reasons []string
}

// At returns a number of a record, NaN where it has none.
func (t *Table) At(r *Record, column string) float64 {
	i := t.index(column)
	if i < 0 {
		return math.NaN()
	}
	x, ok := r.Cells[i].(float64)
	if !ok {
		return math.NaN()
	}
	return x
}

func (t *Table) index(column string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == column })
}

// Of lists the columns of a kind.
func (t *Table) Of(k Kind) (list []int) {
	for i, c := range t.Columns {
		if c.Kind == k {
			list = append(list, i)
		}
	}
	return list
}

// Tables lists the tables of records of a release: the Parquet files whose columns their parts
// describe.
func Tables(r *release.Release, parts []release.Part) (list []*Table) {
	for _, p := range parts {
		files := r.Part(p)
		for _, name := range files.Names() {
			kind, ok := p.Kind(name)
			if !ok || path.Ext(name) != ".parquet" || kind.Table == nil || kind.Fields == nil {
				continue
			}
			t := &Table{
				Family: p.Source().Name, Set: strings.TrimSuffix(name, ".parquet"),
				File: p.Folder() + "/" + name, Judged: judgedBy(p, name),
				Fresh: r.Manifest().FreshSince(p.Source().Name),
			}
			t.read(files, name, *kind.Table, kind.Fields())
			list = append(list, t)
		}
	}
	slices.SortStableFunc(list, func(a, b *Table) int {
		if a.Family != b.Family {
			return 0
		}
		return cmp.Compare(rank(a.Set), rank(b.Set))
	})
	return list
}

// rank puts sets that everybody knows into the order in which they become harder, and leaves all
// others behind them.
func rank(set string) int {
	known := []string{"easy", "medium", "hard", "extreme"}
	if i := slices.Index(known, set); i >= 0 {
		return i
	}
	return len(known)
}

func judgedBy(p release.Part, name string) (a release.Audit) {
	if judged, ok := p.(release.Audited); ok {
		for _, a := range judged.Audits() {
			if ok, err := path.Match(a.Tables, name); ok && err == nil {
				return a
			}
		}
	}
	return release.Audit{By: []string{"distance"}}
}

// read fills in the columns, and how rows are read.
func (t *Table) read(files release.Files, name string, layout schemas.Table, fields []flat.Field) {
	var ids []int
	for i, f := range fields {
		c := Column{Name: f.Name, Doc: f.Doc, Kind: kindOf(f, layout.Columns[i].Type)}
		if slices.Contains(t.Judged.Skip, f.Name) {
			c.Kind = Other
		}
		if f.Name == "id" || len(ids) < 2 && strings.HasSuffix(f.Name, "_id") && len(ids) == i &&
			c.Kind == Word {
			ids = append(ids, i)
		}
		t.Columns = append(t.Columns, c)
	}
	for _, i := range ids {
		t.Columns[i].Kind = Other
	}
	r := Record{Cells: make([]any, len(fields))}
	t.Each = func(visit func(*Record) error) error {
		row := 0
		return files.EachRow(name, layout, func(cell func(int) any) error {
			r.ID = ""
			for i, f := range fields {
				c := cell(i)
				if slices.Contains(ids, i) {
					r.ID = strings.TrimPrefix(r.ID+"/"+fmt.Sprint(c), "/")
				}
				r.Cells[i] = value(c, f.Null)
			}
			if r.ID == "" {
				r.ID = t.Set + "-" + strconv.Itoa(row)
			}
			row++
			return visit(&r)
		})
	}
}

// notHard are endings of names of numbers that cannot make a record hard: a seed draws, and an id
// names.
var notHard = []string{"seed", "_id", "seed_root"}

func kindOf(f flat.Field, t schemas.Type) Kind {
	switch t {
	case schemas.String:
		switch {
		case f.Ref == "pages.title":
			return Title
		case f.Ref != "" || strings.HasSuffix(f.Name, "sha256") || strings.Contains(f.Type, "JSON"):
			return Other
		}
		return Word
	case schemas.ListUint32:
		if f.Ref == "pages.node" {
			return PageList
		}
		return Other
	case schemas.Binary:
		return Other
	}
	if f.Ref == "pages.node" {
		return Page
	}
	if f.Ref != "" || slices.ContainsFunc(notHard,
		func(end string) bool { return strings.HasSuffix(f.Name, end) }) {
		return Other
	}
	return Numeric
}

// value returns a cell as a Record has it.
func value(cell, null any) any {
	if null != nil && cell == null {
		return math.NaN()
	}
	switch x := cell.(type) {
	case bool:
		if x {
			return 1.0
		}
		return 0.0
	case uint8:
		return float64(x)
	case uint16:
		return float64(x)
	case uint32:
		return float64(x)
	case uint64:
		return float64(x)
	case int64:
		return float64(x)
	}
	return cell
}
