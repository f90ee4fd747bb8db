// Package schemas defines every record that wikinav writes: its Go type, its columns, its version.
//
// One file per record. A version rises when a record's layout changes, and the comment on it keeps one line
// per past value. The package imports no other package of the project and knows nothing about files: reading and
// writing tables is the work of artifacts/arrowio, canonical JSON that of schemas/canon.
package schemas

import (
	"path"
	"slices"
	"strings"
)

// Type is the type of a table's column. Columns hold no nulls: sentinels are stated beside the column.
type Type uint8

// The column types, with their bytes in a logical digest (robustness: integers little-endian in their width).
const (
	Bool Type = iota
	Uint8
	Int16
	Uint16
	Uint32
	Uint64
	Int64
	Float64    // a decimal of the record, rounded to the nearest; its bits are those of IEEE 754
	String     // UTF-8
	Binary     // any bytes
	ListUint32 // a list column is CSR: its offsets are the row pointers, its values the column indices
)

// typeNames are what layouts call the types, in their order.
var typeNames = strings.Fields("bool uint8 int16 uint16 uint32 uint64 int64 float64 string binary listUint32")

type Column struct {
	Name string
	Type Type
}

// Table is the layout of a table file. ID names record and version and stands in the file's metadata.
type Table struct {
	ID      string
	Columns []Column
}

// columns reads a layout: name and type of each column, with commas between them.
func columns(layout string) []Column {
	var out []Column
	for column := range strings.SplitSeq(layout, ",") {
		name, word, _ := strings.Cut(strings.TrimSpace(column), " ")
		typ := slices.Index(typeNames, word)
		if typ < 0 {
			panic("schemas: no type of column " + name + " is called " + word)
		}
		out = append(out, Column{name, Type(typ)})
	}
	return out
}

// Index gives the place of the column called name; it panics if there is none, because tables are constants of ours.
func (t Table) Index(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	panic("schemas: table " + t.ID + " has no column " + name)
}

// Artifact is what stages hand to each other: a named set of files with one layout version.
type Artifact struct {
	Name    string
	Version int
	Files   []string // path.Match patterns of its file names
}

// Holds tells whether a file of that name belongs to the artifact.
func (a Artifact) Holds(file string) bool {
	return slices.ContainsFunc(a.Files, func(pattern string) bool {
		ok, err := path.Match(pattern, file)
		return ok && err == nil
	})
}

// BatchRows is the number of rows in a record batch and in a Parquet row group, where no table says otherwise.
const BatchRows = 65_536

// ValidPath tells whether p matches ^[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*$, as every path inside an artifact or a
// release does, fixed upper-case names apart.
func ValidPath(p string) bool {
	for _, part := range strings.Split(p, "/") {
		if part == "" || strings.ContainsRune("._-", rune(part[0])) ||
			strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
			return false
		}
	}
	return true
}
