package arrowio

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// cells is a column of the batch under way; its type says which slice is in use.
type cells struct {
	n       int // values so far
	bools   []bool
	uint8s  []uint8
	int16s  []int16
	uint16s []uint16
	uint32s []uint32 // or the values of lists
	uint64s []uint64
	int64s  []int64
	floats  []float64
	bytes   []byte
	offsets []int32
}

func (c *cells) column(typ schemas.Type) any {
	switch typ {
	case schemas.Bool:
		return c.bools
	case schemas.Uint8:
		return c.uint8s
	case schemas.Int16:
		return c.int16s
	case schemas.Uint16:
		return c.uint16s
	case schemas.Uint32:
		return c.uint32s
	case schemas.Uint64:
		return c.uint64s
	case schemas.Int64:
		return c.int64s
	case schemas.Float64:
		return c.floats
	case schemas.String, schemas.Binary:
		return Strings{Offsets: c.offsets, Data: c.bytes}
	case schemas.ListUint32:
		return Lists{Offsets: c.offsets, Values: c.uint32s}
	}
	panic(fmt.Sprintf("arrowio: unknown column type %d", typ))
}

// reset leaves the one offset that an empty column has.
func (c *cells) reset() {
	*c = cells{
		bools: c.bools[:0], uint8s: c.uint8s[:0], int16s: c.int16s[:0], uint16s: c.uint16s[:0],
		uint32s: c.uint32s[:0], uint64s: c.uint64s[:0], int64s: c.int64s[:0], floats: c.floats[:0],
		bytes: c.bytes[:0], offsets: append(c.offsets[:0], 0),
	}
}
