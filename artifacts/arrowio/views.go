package arrowio

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// batch is some rows of a table.
type batch struct {
	rows      int
	cols      []column
	positions []int64 // of the values in the file; nil in tables that were read from Parquet
}

// views gives typed access to the batches of a table, for File and Table alike. Its accessors take
// the number of a batch and that of a column; they panic when there is no such batch or column, or
// the column has another type.
type views struct {
	table   schemas.Table
	batches []batch
}

// Rows is the number of rows over all batches.
func (v *views) Rows() int64 {
	var n int64
	for i := range v.batches {
		n += int64(v.batches[i].rows)
	}
	return n
}

// Batches is the number of record batches or row groups.
func (v *views) Batches() int { return len(v.batches) }

// BatchRows is the number of rows in batch b.
func (v *views) BatchRows(b int) int { return v.batches[b].rows }

// Bools returns a bool column.
func (v *views) Bools(b, col int) Bools {
	c := v.column(b, col, schemas.Bool)
	return Bools{c.data, c.rows}
}

// Uint8s returns a uint8 column in place.
func (v *views) Uint8s(b, col int) []uint8 { return v.column(b, col, schemas.Uint8).data }

// Int16s returns an int16 column in place.
func (v *views) Int16s(b, col int) []int16 {
	return numbersOf[int16](v.column(b, col, schemas.Int16).data)
}

// Uint16s returns a uint16 column in place.
func (v *views) Uint16s(b, col int) []uint16 {
	return numbersOf[uint16](v.column(b, col, schemas.Uint16).data)
}

// Uint32s returns a uint32 column in place.
func (v *views) Uint32s(b, col int) []uint32 {
	return numbersOf[uint32](v.column(b, col, schemas.Uint32).data)
}

// Uint64s returns a uint64 column in place.
func (v *views) Uint64s(b, col int) []uint64 {
	return numbersOf[uint64](v.column(b, col, schemas.Uint64).data)
}

// Int64s returns an int64 column in place.
func (v *views) Int64s(b, col int) []int64 {
	return numbersOf[int64](v.column(b, col, schemas.Int64).data)
}

// Float64s returns a float64 column in place.
func (v *views) Float64s(b, col int) []float64 {
	return numbersOf[float64](v.column(b, col, schemas.Float64).data)
}

// Strings returns a string column in place. Each string is valid UTF-8.
func (v *views) Strings(b, col int) Strings {
	c := v.column(b, col, schemas.String)
	return Strings{c.offsets, c.data}
}

// Binaries returns a binary column in place.
func (v *views) Binaries(b, col int) Strings {
	c := v.column(b, col, schemas.Binary)
	return Strings{c.offsets, c.data}
}

// Lists returns a list column in place.
func (v *views) Lists(b, col int) Lists {
	c := v.column(b, col, schemas.ListUint32)
	return Lists{c.offsets, numbersOf[uint32](c.data)}
}

// Cell returns the value of row i of a column, as Row takes it: lists and byte strings are copies.
func (v *views) Cell(b, col, i int) any {
	switch c := &v.batches[b].cols[col]; c.typ {
	case schemas.Bool:
		return v.Bools(b, col).At(i)
	case schemas.Uint8:
		return c.data[i]
	case schemas.Int16:
		return v.Int16s(b, col)[i]
	case schemas.Uint16:
		return v.Uint16s(b, col)[i]
	case schemas.Uint32:
		return v.Uint32s(b, col)[i]
	case schemas.Uint64:
		return v.Uint64s(b, col)[i]
	case schemas.Int64:
		return v.Int64s(b, col)[i]
	case schemas.Float64:
		return v.Float64s(b, col)[i]
	case schemas.String:
		return v.Strings(b, col).At(i)
	case schemas.Binary:
		return append([]byte{}, v.Binaries(b, col).Bytes(i)...)
	}
	return append([]uint32{}, v.Lists(b, col).At(i)...)
}

func (v *views) column(b, col int, t schemas.Type) *column {
	c := &v.batches[b].cols[col]
	if c.typ != t {
		panic(fmt.Sprintf("arrowio: column %s of %s read as type %d", v.table.Columns[col].Name, v.table.ID, t))
	}
	return c
}

// Logical computes the logical SHA-256 of the rows, which the writer returned as Summary.Logical.
// It reads every row.
func (v *views) Logical() string {
	sum := newLogical(v.table.ID)
	for _, b := range v.batches {
		sum.add(b.cols)
	}
	return sum.hex()
}
