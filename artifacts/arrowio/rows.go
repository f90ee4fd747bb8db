package arrowio

import (
	"fmt"
	"math"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// rows gathers a table row by row into batches of schemas.BatchRows, for Writer and ParquetWriter. In each row every
// column is set once, in any order, by the method of its type; anything else is the caller's bug and panics.
type rows struct {
	table schemas.Table
	cells []cells
	set   int // columns that the row under way has
	n     int // finished rows in the batch
	write func(cols ...any) error
	err   error // the first error: what follows it is lost, and EndRow and Close say so
}

func newRows(t schemas.Table, write func(cols ...any) error) rows {
	r := rows{table: t, cells: make([]cells, len(t.Columns)), write: write}
	r.reset()
	return r
}

// Bool sets a bool column of the row under way.
func (r *rows) Bool(col int, v bool) {
	c := r.cell(col, schemas.Bool)
	c.bools = append(c.bools, v)
}

// Uint8 sets a uint8 column of the row under way.
func (r *rows) Uint8(col int, v uint8) {
	c := r.cell(col, schemas.Uint8)
	c.uint8s = append(c.uint8s, v)
}

// Int16 sets an int16 column of the row under way.
func (r *rows) Int16(col int, v int16) {
	c := r.cell(col, schemas.Int16)
	c.int16s = append(c.int16s, v)
}

// Uint16 sets a uint16 column of the row under way.
func (r *rows) Uint16(col int, v uint16) {
	c := r.cell(col, schemas.Uint16)
	c.uint16s = append(c.uint16s, v)
}

// Uint32 sets a uint32 column of the row under way.
func (r *rows) Uint32(col int, v uint32) {
	c := r.cell(col, schemas.Uint32)
	c.uint32s = append(c.uint32s, v)
}

// Uint64 sets a uint64 column of the row under way.
func (r *rows) Uint64(col int, v uint64) {
	c := r.cell(col, schemas.Uint64)
	c.uint64s = append(c.uint64s, v)
}

// Int64 sets an int64 column of the row under way.
func (r *rows) Int64(col int, v int64) {
	c := r.cell(col, schemas.Int64)
	c.int64s = append(c.int64s, v)
}

// Float64 sets a float64 column of the row under way.
func (r *rows) Float64(col int, v float64) {
	c := r.cell(col, schemas.Float64)
	c.floats = append(c.floats, v)
}

// String sets a string column of the row under way. What is not UTF-8 is an error of the EndRow or Close that writes the batch.
func (r *rows) String(col int, v string) {
	c := r.cell(col, schemas.String)
	if r.fits(col, len(c.bytes), len(v)) {
		c.bytes = append(c.bytes, v...)
	}
	c.offsets = append(c.offsets, int32(len(c.bytes)))
}

// Text is String for bytes that are UTF-8.
func (r *rows) Text(col int, v []byte) {
	c := r.cell(col, schemas.String)
	if r.fits(col, len(c.bytes), len(v)) {
		c.bytes = append(c.bytes, v...)
	}
	c.offsets = append(c.offsets, int32(len(c.bytes)))
}

// Binary sets a binary column of the row under way to a copy of v.
func (r *rows) Binary(col int, v []byte) {
	c := r.cell(col, schemas.Binary)
	if r.fits(col, len(c.bytes), len(v)) {
		c.bytes = append(c.bytes, v...)
	}
	c.offsets = append(c.offsets, int32(len(c.bytes)))
}

// List sets a list column of the row under way to a copy of v.
func (r *rows) List(col int, v []uint32) {
	c := r.cell(col, schemas.ListUint32)
	if r.fits(col, len(c.uint32s), len(v)) {
		c.uint32s = append(c.uint32s, v...)
	}
	c.offsets = append(c.offsets, int32(len(c.uint32s)))
}

// EndRow finishes the row under way, and writes the batch when it is full. After an error it does nothing but repeat it.
func (r *rows) EndRow() error {
	if r.set != len(r.cells) {
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
		r.err = r.write(r.columns()...)
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

// cell gives the column for its next value.
func (r *rows) cell(col int, typ schemas.Type) *cells {
	c := &r.cells[col]
	if r.table.Columns[col].Type != typ || c.n != r.n {
		panic(fmt.Sprintf("arrowio: column %s of %s is set twice in a row or with another type", r.table.Columns[col].Name, r.table.ID))
	}
	c.n++
	r.set++
	return c
}

// fits tells whether a batch with have values in column col has room for more: its offsets have 32 bits.
func (r *rows) fits(col, have, more int) bool {
	if r.err == nil && more > math.MaxInt32-have {
		r.err = fault.New(fault.Failure, "table %s: column %s: more than %d values in a batch of %d rows",
			r.table.ID, r.table.Columns[col].Name, math.MaxInt32, schemas.BatchRows)
	}
	return r.err == nil
}

func (r *rows) missing() string {
	for i, c := range r.cells {
		if c.n == r.n {
			return r.table.Columns[i].Name
		}
	}
	panic("arrowio: every column is set")
}

// columns gives the finished rows in the form that batches are written in.
func (r *rows) columns() []any {
	cols := make([]any, len(r.cells))
	for i := range r.cells {
		cols[i] = r.cells[i].column(r.table.Columns[i].Type)
	}
	return cols
}

// reset empties the columns and keeps their memory for the next batch.
func (r *rows) reset() {
	r.n = 0
	for i := range r.cells {
		r.cells[i].reset()
	}
}
