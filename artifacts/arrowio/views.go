package arrowio

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// batch is some rows of a table. Each column is a slice of its Go type, Bools, Strings or Lists.
type batch struct {
	rows      int
	cols      []any
	positions []int64 // of the values in the file; nil in tables that were read from Parquet
}

// views gives typed access to the batches of a table, for File and Table alike. Its accessors take the number of a batch
// and that of a column; they panic when there is no such batch or column, or the column has another type.
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

// Bools gives a bool column.
func (v *views) Bools(b, col int) Bools { return view[Bools](v, b, col) }

// Uint8s gives a uint8 column in place.
func (v *views) Uint8s(b, col int) []uint8 { return view[[]uint8](v, b, col) }

// Int16s gives an int16 column in place.
func (v *views) Int16s(b, col int) []int16 { return view[[]int16](v, b, col) }

// Uint16s gives a uint16 column in place.
func (v *views) Uint16s(b, col int) []uint16 { return view[[]uint16](v, b, col) }

// Uint32s gives a uint32 column in place.
func (v *views) Uint32s(b, col int) []uint32 { return view[[]uint32](v, b, col) }

// Uint64s gives a uint64 column in place.
func (v *views) Uint64s(b, col int) []uint64 { return view[[]uint64](v, b, col) }

// Int64s gives an int64 column in place.
func (v *views) Int64s(b, col int) []int64 { return view[[]int64](v, b, col) }

// Float64s gives a float64 column in place.
func (v *views) Float64s(b, col int) []float64 { return view[[]float64](v, b, col) }

// Strings gives a string column in place. Each string is valid UTF-8.
func (v *views) Strings(b, col int) Strings { return view[Strings](v, b, col) }

// Binaries gives a binary column in place.
func (v *views) Binaries(b, col int) Strings { return view[Strings](v, b, col) }

// Lists gives a list column in place.
func (v *views) Lists(b, col int) Lists { return view[Lists](v, b, col) }

// Logical computes the logical SHA-256 of the rows, which the writer gave as Summary.Logical. It reads every row.
func (v *views) Logical() string {
	sum := newLogical(v.table.ID)
	for _, b := range v.batches {
		sum.add(b.cols, b.rows)
	}
	return sum.hex()
}

func view[T any](v *views, b, col int) T {
	c, ok := v.batches[b].cols[col].(T)
	if !ok {
		panic(fmt.Sprintf("arrowio: column %s of %s read as %T", v.table.Columns[col].Name, v.table.ID, c))
	}
	return c
}
