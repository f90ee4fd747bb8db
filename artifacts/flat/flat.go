// Package flat lays records flat: from the tags of one struct follow its Parquet columns, its rows in both directions, its SQL
// columns and values, and the table of its fields in a data card.
//
// Columns come in the order of the fields and have the names of the json tags. Struct tags say the rest:
//
//	flat:"source_"                  a struct: its columns, with this prefix
//	flat:"cut_dag_cut,cut_dag_all"  an array, or a slice of that length: a column for each element
//	flat:",decimal"                 decimal text in the JSON, a float64 in the columns
//	flat:",uint8"                   the type of the column of an integer; an int is a uint32 by default
//	flat:",json"                    any value: a text column with its canonical JSON
//	flat:"menu_nodes,of=Node"       of each element, a struct, this field alone
//	flat:",null=-1"                 a pointer: the number in its columns that stands for nil
//	flat:"page_,has=has_page"       a pointer to a struct: a column before its own that says whether it is set
//	flat:",nosql"                   no column of SQL: text that is too long for a table that people query
//	flat:",ref=pages.node"          in SQL, values of a column of another table: a foreign key, or a list of them. A record
//	                                that has none of them, behind a nil pointer, has NULL there
//	flat:"-"                        no column
//	doc:"..."                       one sentence on the field, for the card and the JSON Schema
//
// Codecs are built once, at the start of the program, and panic on a type or a tag that they cannot lay flat. Rows are checked as
// they are written: a number outside the range of its column is an error and never cut.
package flat

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Codec lays records of type T flat.
type Codec[T any] struct{ layout }

// layout is a codec without its type: what is done for every type alike is compiled once.
type layout struct {
	table   schemas.Table
	columns []column
}

// For builds the codec of T; id names the table and its version.
func For[T any](id string) *Codec[T] { return &Codec[T]{layoutOf(id, reflect.TypeFor[T]())} }

func layoutOf(id string, t reflect.Type) layout {
	c := layout{table: schemas.Table{ID: id}, columns: columnsOf(t)}
	for _, col := range c.columns {
		if slices.ContainsFunc(c.table.Columns, func(have schemas.Column) bool { return have.Name == col.name }) {
			panic("flat: " + id + " has column " + col.name + " twice")
		}
		c.table.Columns = append(c.table.Columns, schemas.Column{Name: col.name, Type: col.kind.typ})
	}
	return c
}

// Table returns the layout of the Parquet or Arrow file.
func (c *layout) Table() schemas.Table { return c.table }

// RowWriter takes rows: both writers of arrowio do.
type RowWriter interface{ Row(cells ...any) error }

// RowReader gives cells: the tables of arrowio do.
type RowReader interface{ Cell(b, col, row int) any }

// Append writes v as a row, or nothing and the reason why it does not fit.
func (c *Codec[T]) Append(w RowWriter, v *T) error { return c.append(w, v) }

func (c *layout) append(w RowWriter, v any) error {
	cells, err := c.cells(v)
	if err != nil {
		return err
	}
	return w.Row(cells...)
}

// At returns the record of a row. Fields without a column are zero, and so is what a column does not hold of a field.
func (c *Codec[T]) At(t RowReader, batch, row int) (v T, err error) {
	err = c.at(&v, t, batch, row)
	return v, err
}

func (c *layout) at(v any, t RowReader, batch, row int) error {
	for i, col := range c.columns {
		if err := col.set(v, t.Cell(batch, i, row)); err != nil {
			return fmt.Errorf("column %s: %w", col.name, err)
		}
	}
	return nil
}

// Compare calls differ for each column in which a row is not what v lays flat; what v cannot lay flat is the error.
func (c *Codec[T]) Compare(v *T, t RowReader, batch, row int, differ func(column string, want, got any)) error {
	return c.compare(v, t, batch, row, differ)
}

func (c *layout) compare(v any, t RowReader, batch, row int, differ func(column string, want, got any)) error {
	cells, err := c.cells(v)
	if err != nil {
		return err
	}
	for i, col := range c.columns {
		if got := t.Cell(batch, i, row); !same(cells[i], got) {
			differ(col.name, cells[i], got)
		}
	}
	return nil
}

func same(a, b any) bool {
	if list, ok := a.([]uint32); ok {
		return slices.Equal(list, b.([]uint32))
	}
	return a == b
}

func (c *layout) cells(v any) ([]any, error) {
	out := make([]any, len(c.columns))
	for i, col := range c.columns {
		var err error
		if out[i], err = col.cell(v); err != nil {
			return nil, fault.New(fault.Mismatch, "column %s: %w", col.name, err)
		}
	}
	return out, nil
}

// SQL returns the definitions of the columns, as in "node INTEGER".
func (c *layout) SQL() []string {
	var out []string
	for _, col := range c.columns {
		if !col.nosql {
			out = append(out, col.name+" "+col.kind.sql)
		}
	}
	return out
}

// Refs lists the columns of SQL whose values are those of another table.
func (c *layout) Refs() []Ref {
	var out []Ref
	for _, col := range c.columns {
		if table, key, ok := strings.Cut(col.ref, "."); ok && !col.nosql {
			null := col.described || col.null != nil
			out = append(out, Ref{col.name, table, key, null, col.kind.typ == listKind.typ})
		}
	}
	return out
}

// Values returns the SQL values of v: int64, float64 or string, and nil where a Ref has none. A bool
// is 0 or 1, a list its JSON.
func (c *Codec[T]) Values(v *T) ([]any, error) { return c.values(v) }

func (c *layout) values(v any) ([]any, error) {
	cells, err := c.cells(v)
	if err != nil {
		return nil, err
	}
	var out []any
	for i, cell := range cells {
		if c.columns[i].nosql {
			continue
		}
		if there, err := c.columns[i].value(v); err == nil && there == nil && c.columns[i].ref != "" {
			cell = nil
		}
		value, err := sqlValue(cell)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.columns[i].name, err)
		}
		out = append(out, value)
	}
	return out, nil
}

func sqlValue(cell any) (any, error) {
	switch x := cell.(type) {
	case bool:
		if x {
			return int64(1), nil
		}
		return int64(0), nil
	case uint8:
		return int64(x), nil
	case uint16:
		return int64(x), nil
	case uint32:
		return int64(x), nil
	case uint64:
		if x > 1<<63-1 {
			return nil, fmt.Errorf("%d is beyond the integers of SQL", x)
		}
		return int64(x), nil
	case []uint32:
		return string(canon.MustMarshal(x)), nil
	}
	return cell, nil
}

// Rows is a table of catalog.sqlite. The first Key of Columns are the primary key, and the rows ascend by it where they can.
type Rows struct {
	Name    string
	Key     int
	Columns []string
	Indexes []string // names of columns that people look things up by
	Unique  []string // as Indexes, and no two rows have one value: other tables can refer to them
	Refs    []Ref    // columns that refer to other tables
	Each    func(visit func(values []any) error) error
}

// Ref says that values of a column are those of column Key of another table.
type Ref struct {
	Column, Table, Key string

	Null bool // some rows refer to none
	List bool // a value is a JSON list of them, which SQL cannot hold to it
}

// Rows returns list, which ascends by its first column, as a table; that column is the key.
func (c *Codec[T]) Rows(name string, list []T, indexes ...string) Rows {
	return c.rows(name, len(list), func(i int) any { return &list[i] }, indexes)
}

func (c *layout) rows(name string, n int, at func(i int) any, indexes []string) Rows {
	rows := Rows{Name: name, Key: 1, Columns: c.SQL(), Indexes: indexes, Refs: c.Refs()}
	rows.Each = func(visit func([]any) error) error {
		for i := range n {
			values, err := c.values(at(i))
			if err == nil {
				err = visit(values)
			}
			if err != nil {
				return fmt.Errorf("row %d of %s: %w", i, name, err)
			}
		}
		return nil
	}
	return rows
}

// Field describes a column to people.
type Field struct {
	Name, Type, Doc string

	Ref  string // the column "table.column" of SQL whose rows the values name; "" for none
	Null any    // the cell that stands for no value; nil for none
}

// Doc lists the columns. What the tags say of a struct stands before what they say of its fields.
func (c *layout) Doc() []Field {
	var out []Field
	for _, col := range c.columns {
		out = append(out, Field{col.name, col.kind.word, col.doc, col.ref, col.null})
	}
	return out
}

func (c *Codec[T]) WriteParquet(w io.Writer, list []T) (arrowio.Summary, error) {
	return c.writeParquet(w, len(list), func(i int) any { return &list[i] })
}

func (c *layout) writeParquet(w io.Writer, n int, at func(i int) any) (arrowio.Summary, error) {
	p, err := arrowio.NewParquetWriter(w, c.Table())
	if err != nil {
		return arrowio.Summary{}, err
	}
	for i := range n {
		if err := c.append(p, at(i)); err != nil {
			return arrowio.Summary{}, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return p.Close()
}
