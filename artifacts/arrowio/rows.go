package arrowio

import (
	"fmt"
	"math"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// rows gathers a table row by row into batches of schemas.BatchRows, for Writer and ParquetWriter.
// In each row every column is set once, in any order, by the method of its type; anything else is
// the caller's bug and panics.
type rows struct {
	table   schemas.Table
	columns []column
	set     int // columns that the row under way has
	n       int // finished rows in the batch
	write   func(cols []column) error
	err     error // the first error: what follows it is lost, and EndRow and Close say so
}

func newRows(t schemas.Table, write func([]column) error) rows {
	r := rows{table: t, columns: make([]column, len(t.Columns)), write: write}
	for i, c := range t.Columns {
		r.columns[i].typ = c.Type
	}
	r.reset()
	return r
}

// Bool sets a bool column of the row under way.
func (r *rows) Bool(col int, v bool) { r.cell(col, schemas.Bool).appendBool(v) }

// Uint8 sets a uint8 column of the row under way.
func (r *rows) Uint8(col int, v uint8) { setNumber(r, col, schemas.Uint8, v) }

// Int16 sets an int16 column of the row under way.
func (r *rows) Int16(col int, v int16) { setNumber(r, col, schemas.Int16, v) }

// Uint16 sets a uint16 column of the row under way.
func (r *rows) Uint16(col int, v uint16) { setNumber(r, col, schemas.Uint16, v) }

// Uint32 sets a uint32 column of the row under way.
func (r *rows) Uint32(col int, v uint32) { setNumber(r, col, schemas.Uint32, v) }

// Uint64 sets a uint64 column of the row under way.
func (r *rows) Uint64(col int, v uint64) { setNumber(r, col, schemas.Uint64, v) }

// Int64 sets an int64 column of the row under way.
func (r *rows) Int64(col int, v int64) { setNumber(r, col, schemas.Int64, v) }

// Float64 sets a float64 column of the row under way.
func (r *rows) Float64(col int, v float64) { setNumber(r, col, schemas.Float64, v) }

// String sets a string column of the row under way. What is not UTF-8 is an error of the EndRow or
// Close that writes the batch.
func (r *rows) String(col int, v string) { appendTo(r, col, schemas.String, v) }

// Text is String for bytes that are UTF-8.
func (r *rows) Text(col int, v []byte) { appendTo(r, col, schemas.String, v) }

// Binary sets a binary column of the row under way to a copy of v.
func (r *rows) Binary(col int, v []byte) { appendTo(r, col, schemas.Binary, v) }

// List sets a list column of the row under way to a copy of v.
func (r *rows) List(col int, v []uint32) { appendTo(r, col, schemas.ListUint32, bytesOf(v)) }

// Row writes a whole row: a value for each column in the order of the table, text as bytes or a string. It allocates nothing.
func (r *rows) Row(values ...any) error {
	for col, v := range values {
		switch v := v.(type) {
		case bool:
			r.Bool(col, v)
		case uint8:
			r.Uint8(col, v)
		case int16:
			r.Int16(col, v)
		case uint16:
			r.Uint16(col, v)
		case uint32:
			r.Uint32(col, v)
		case uint64:
			r.Uint64(col, v)
		case string:
			r.String(col, v)
		case []byte:
			if r.columns[col].typ == schemas.Binary {
				r.Binary(col, v)
			} else {
				r.Text(col, v)
			}
		case []uint32:
			r.List(col, v)
		default:
			panic("arrowio: column " + r.table.Columns[col].Name + " of " + r.table.ID + " gets no such values by row")
		}
	}
	return r.EndRow()
}

// EndRow finishes the row under way, and writes the batch when it is full. After an error it does
// nothing but repeat it.
func (r *rows) EndRow() error {
	if r.set != len(r.columns) {
		panic(fmt.Sprintf("arrowio: a row of %s ends without column %s", r.table.ID, r.missing()))
	}
	r.n, r.set = r.n+1, 0
	if r.n == schemas.BatchRows || r.err != nil {
		return r.flush()
	}
	return nil
}

// flush writes the finished rows as a batch.
func (r *rows) flush() error {
	if r.err == nil && r.n > 0 {
		r.err = r.write(r.columns)
	}
	r.reset()
	return r.err
}

// finish writes what is left; it is part of Close.
func (r *rows) finish() error {
	if r.set != 0 {
		panic("arrowio: " + r.table.ID + " is closed within a row")
	}
	return r.flush()
}

// cell returns the column for its next value, which the caller counts.
func (r *rows) cell(col int, t schemas.Type) *column {
	c := &r.columns[col]
	if c.typ != t || c.rows != r.n {
		panic(fmt.Sprintf("arrowio: column %s of %s is set twice in a row or with another type", r.table.Columns[col].Name, r.table.ID))
	}
	r.set++
	return c
}

func (r *rows) number(col int, t schemas.Type) *column {
	c := r.cell(col, t)
	c.rows++
	return c
}

// setNumber adds the bytes of a value to a column without offsets.
func setNumber[T number](r *rows, col int, t schemas.Type, v T) {
	c := r.number(col, t)
	c.data = append(c.data, bytesOf([]T{v})...)
}

// appendTo adds the bytes of a value to a column with offsets.
func appendTo[T string | []byte](r *rows, col int, t schemas.Type, v T) {
	c, unit := r.number(col, t), kinds[t].unit
	if r.fits(col, len(c.data)/unit, len(v)/unit) {
		c.data = append(c.data, v...)
	}
	c.offsets = append(c.offsets, int32(len(c.data)/unit))
}

// fits reports whether a batch with have values in column col has room for more: its offsets have 32 bits.
func (r *rows) fits(col, have, more int) bool {
	if r.err == nil && more > math.MaxInt32-have {
		r.err = fault.New(fault.Failure, "table %s: column %s: more than %d values in a batch of %d rows",
			r.table.ID, r.table.Columns[col].Name, math.MaxInt32, schemas.BatchRows)
	}
	return r.err == nil
}

func (r *rows) missing() string {
	for i, c := range r.columns {
		if c.rows == r.n {
			return r.table.Columns[i].Name
		}
	}
	panic("arrowio: every column is set")
}

// reset empties the columns, which keep their memory and the one offset that an empty column has.
func (r *rows) reset() {
	r.n = 0
	for i, c := range r.columns {
		r.columns[i] = column{typ: c.typ, offsets: append(c.offsets[:0], 0), data: c.data[:0]}
	}
}
