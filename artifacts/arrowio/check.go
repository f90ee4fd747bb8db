package arrowio

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// checkBatch gives the number of rows of cols after making sure that Open would accept them in a file of table t.
// A wrong number, type or length of columns is the caller's bug and panics; what comes from data is an error.
func checkBatch(t schemas.Table, cols []any) (rows int, err error) {
	if len(cols) != len(t.Columns) {
		panic(fmt.Sprintf("arrowio: %d columns for %s, which has %d", len(cols), t.ID, len(t.Columns)))
	}
	for i, c := range t.Columns {
		n, ok := fits(c.Type, cols[i])
		if i == 0 {
			rows = n
		}
		if !ok || n != rows {
			panic(fmt.Sprintf("arrowio: %d rows of %T for column %s of %s, wanted %d of another type or length",
				n, cols[i], c.Name, t.ID, rows))
		}
		if err := checkColumn(c.Type, cols[i]); err != nil {
			return 0, fault.New(fault.Failure, "table %s: column %s: %w", t.ID, c.Name, err)
		}
	}
	return rows, nil
}

// fits gives the length of a column and tells whether its Go type is one for typ.
func fits(typ schemas.Type, col any) (rows int, ok bool) {
	switch c := col.(type) {
	case []bool:
		return len(c), typ == schemas.Bool
	case Bools:
		return c.n, typ == schemas.Bool
	case []uint8:
		return len(c), typ == schemas.Uint8
	case []int16:
		return len(c), typ == schemas.Int16
	case []uint16:
		return len(c), typ == schemas.Uint16
	case []uint32:
		return len(c), typ == schemas.Uint32
	case []uint64:
		return len(c), typ == schemas.Uint64
	case []int64:
		return len(c), typ == schemas.Int64
	case []float64:
		return len(c), typ == schemas.Float64
	case Strings:
		return c.Len(), typ == schemas.String || typ == schemas.Binary
	case Lists:
		return c.Len(), typ == schemas.ListUint32
	}
	return 0, false
}

// checkColumn checks offsets, UTF-8 and the spare bits of bools, the only parts of a column that can be wrong by themselves.
func checkColumn(typ schemas.Type, col any) error {
	switch c := col.(type) {
	case Bools:
		if c.n%8 != 0 && c.bits[c.n/8]>>(c.n%8) != 0 {
			return fmt.Errorf("bits are set behind the last of %d rows", c.n)
		}
	case Strings:
		if err := checkOffsets(c.Offsets, len(c.Data)); err != nil || typ == schemas.Binary {
			return err
		}
		return checkUTF8(c)
	case Lists:
		return checkOffsets(c.Offsets, len(c.Values))
	}
	return nil
}

// checkOffsets checks that offsets start at 0, never fall, and end at n, the number of values.
func checkOffsets(offsets []int32, n int) error {
	if n > math.MaxInt32 {
		return fmt.Errorf("%d values, 32-bit offsets reach %d at most", n, math.MaxInt32)
	}
	last := int32(0)
	for i, o := range offsets {
		if o < last || i == 0 && o != 0 {
			return fmt.Errorf("offset %d is %d after %d", i, o, last)
		}
		last = o
	}
	if int(last) != n {
		return fmt.Errorf("the last offset is %d of %d values", last, n)
	}
	return nil
}

// checkUTF8 checks every string at once: the pieces of valid UTF-8 are valid when no cut goes through a character.
func checkUTF8(s Strings) error {
	if utf8.Valid(s.Data) && cutsAreClean(s) {
		return nil
	}
	for i := range s.Len() {
		if !utf8.Valid(s.Bytes(i)) {
			return fmt.Errorf("row %d: %s is not valid UTF-8", i, fault.Quote(s.Bytes(i)))
		}
	}
	return nil
}

func cutsAreClean(s Strings) bool {
	for _, o := range s.Offsets {
		if int(o) < len(s.Data) && !utf8.RuneStart(s.Data[o]) {
			return false
		}
	}
	return true
}
