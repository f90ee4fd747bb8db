package arrowio

import (
	"fmt"
	"math"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// rows gathers a table row by row into batches of schemas.BatchRows, for Writer and ParquetWriter.
type rows struct {
	table   schemas.Table
	columns []column
	write   func(cols []column) error
	err     error // the first error: what follows it is lost, and Row and Close say so
}

func newRows(t schemas.Table, write func([]column) error) rows {
	r := rows{table: t, columns: make([]column, len(t.Columns)), write: write}
	for i, c := range t.Columns {
		r.columns[i].typ = c.Type
	}
	r.reset()
	return r
}

// Row adds a row: the cell of each column, in the order of the table and of the Go type that Cell
// gives; []byte does for a string too. Another number of cells or another type is the caller's bug
// and panics. It writes the batch when it is full; text that is not UTF-8 is an error of that Row or
// Close. After an error it does nothing but repeat it.
//
// No cell is kept and none escapes: a call allocates nothing.
func (r *rows) Row(cells ...any) error {
	if len(cells) != len(r.columns) {
		panic(fmt.Sprintf("arrowio: a row of %d cells for %s, which has %d columns", len(cells), r.table.ID, len(r.columns)))
	}
	for i, cell := range cells {
		if !r.add(i, cell) {
			panic("arrowio: a cell of another type for column " + r.table.Columns[i].Name + " of " + r.table.ID)
		}
	}
	if r.columns[0].rows == schemas.BatchRows || r.err != nil {
		return r.flush()
	}
	return nil
}

// flush writes the rows of the batch; it is part of Close.
func (r *rows) flush() error {
	if r.err == nil && r.columns[0].rows > 0 {
		r.err = r.write(r.columns)
	}
	r.reset()
	return r.err
}

// add adds a value to a column, and reports whether it has the column's type.
func (r *rows) add(col int, cell any) bool {
	c := &r.columns[col]
	switch v := cell.(type) {
	case bool:
		c.appendBool(v)
		return c.typ == schemas.Bool
	case uint8:
		return addNumber(c, schemas.Uint8, v)
	case int16:
		return addNumber(c, schemas.Int16, v)
	case uint16:
		return addNumber(c, schemas.Uint16, v)
	case uint32:
		return addNumber(c, schemas.Uint32, v)
	case uint64:
		return addNumber(c, schemas.Uint64, v)
	case int64:
		return addNumber(c, schemas.Int64, v)
	case float64:
		return addNumber(c, schemas.Float64, v)
	case string:
		return c.typ == schemas.String && addMany(r, col, v)
	case []byte:
		return (c.typ == schemas.String || c.typ == schemas.Binary) && addMany(r, col, v)
	case []uint32:
		return c.typ == schemas.ListUint32 && addMany(r, col, bytesOf(v))
	}
	return false
}

func addNumber[T number](c *column, t schemas.Type, v T) bool {
	c.rows++
	c.data = append(c.data, bytesOf([]T{v})...)
	return c.typ == t
}

// addMany adds the bytes of a value to a column with offsets.
func addMany[T string | []byte](r *rows, col int, v T) bool {
	c := &r.columns[col]
	unit := c.kind().unit
	if r.fits(col, len(c.data)/unit, len(v)/unit) {
		c.data = append(c.data, v...)
	}
	c.rows++
	c.offsets = append(c.offsets, int32(len(c.data)/unit))
	return true
}

// fits reports whether a batch with have values in column col has room for more: its offsets have 32 bits.
func (r *rows) fits(col, have, more int) bool {
	if r.err == nil && more > math.MaxInt32-have {
		r.err = fault.New(fault.Failure, "table %s: column %s: more than %d values in a batch of %d rows",
			r.table.ID, r.table.Columns[col].Name, math.MaxInt32, schemas.BatchRows)
	}
	return r.err == nil
}

// reset empties the columns, which keep their memory and the one offset that an empty column has.
func (r *rows) reset() {
	for i, c := range r.columns {
		r.columns[i] = column{typ: c.typ, offsets: append(c.offsets[:0], 0), data: c.data[:0]}
	}
}
