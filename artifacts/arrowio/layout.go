package arrowio

import (
	"bytes"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// BatchLayout tells where the first column's values of batch i begin in a file with batches of rows rows: at byte
// offset0 + i*stride. The numbers hold for any values, for any number of batches, and for all options whose metadata
// has the same keys and lengths of values; all columns must have fixed width. It writes two batches of
// zeros to memory and looks.
func BatchLayout(t schemas.Table, o Options, rows int) (offset0, stride int64, err error) {
	var file bytes.Buffer
	w, err := NewBatchWriter(&file, t, o)
	if err != nil {
		return 0, 0, err
	}
	for range 2 {
		if err := w.WriteBatch(zeros(t, rows)...); err != nil {
			return 0, 0, err
		}
	}
	if _, err := w.Close(); err != nil {
		return 0, 0, err
	}
	f, err := parse(file.Bytes(), t)
	if err != nil {
		return 0, 0, fmt.Errorf("layout of table %s: %w", t.ID, err)
	}
	first := f.BufferOffset(0, 0)
	return first, f.BufferOffset(1, 0) - first, nil
}

func zeros(t schemas.Table, rows int) []any {
	cols := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		cols[i] = zeroColumn(c, rows)
	}
	return cols
}

func zeroColumn(c schemas.Column, rows int) any {
	switch c.Type {
	case schemas.Bool:
		return make([]bool, rows)
	case schemas.Uint8:
		return make([]uint8, rows)
	case schemas.Int16:
		return make([]int16, rows)
	case schemas.Uint16:
		return make([]uint16, rows)
	case schemas.Uint32:
		return make([]uint32, rows)
	case schemas.Uint64:
		return make([]uint64, rows)
	case schemas.Int64:
		return make([]int64, rows)
	case schemas.Float64:
		return make([]float64, rows)
	}
	panic("arrowio: column " + c.Name + " has no fixed width, so batches have no constant stride")
}
