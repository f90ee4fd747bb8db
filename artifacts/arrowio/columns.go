package arrowio

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Strings is a column of strings or byte strings: string i is Data[Offsets[i]:Offsets[i+1]].
// Offsets has one entry more than there are strings, starts at 0 and ends at len(Data); it may be
// nil where there are none.
type Strings struct {
	Offsets []int32
	Data    []byte
}

// MakeStrings copies s into a column. It panics when s holds 2 GiB or more.
func MakeStrings(s []string) Strings {
	total := 0
	for _, v := range s {
		total += len(v)
	}
	if total > math.MaxInt32 {
		panic(fmt.Sprintf("arrowio: %d bytes of strings do not fit a column with 32-bit offsets", total))
	}
	col := Strings{Offsets: make([]int32, 1, len(s)+1), Data: make([]byte, 0, total)}
	for _, v := range s {
		col.Data = append(col.Data, v...)
		col.Offsets = append(col.Offsets, int32(len(col.Data)))
	}
	return col
}

// Len is the number of strings.
func (s Strings) Len() int { return max(len(s.Offsets)-1, 0) }

// At returns a copy of string i.
func (s Strings) At(i int) string { return string(s.Bytes(i)) }

// Bytes returns string i in place: it is valid as long as the column is, and must not be written to.
func (s Strings) Bytes(i int) []byte { return s.Data[s.Offsets[i]:s.Offsets[i+1]:s.Offsets[i+1]] }

// Lists is a column of lists in CSR form: list i is Values[Offsets[i]:Offsets[i+1]], with the same rules for
// Offsets as in Strings.
type Lists struct {
	Offsets []int32
	Values  []uint32
}

// Len is the number of lists.
func (l Lists) Len() int { return max(len(l.Offsets)-1, 0) }

// At returns list i in place: it is valid as long as the column is, and must not be written to.
func (l Lists) At(i int) []uint32 { return l.Values[l.Offsets[i]:l.Offsets[i+1]:l.Offsets[i+1]] }

// Bools is a column of truth values, one bit each.
type Bools struct {
	bits []byte
	n    int
}

// Len is the number of values.
func (b Bools) Len() int { return b.n }

// At returns value i.
func (b Bools) At(i int) bool {
	if uint(i) >= uint(b.n) {
		panic(fmt.Sprintf("arrowio: value %d of %d", i, b.n))
	}
	return b.bits[i/8]>>(i%8)&1 == 1
}

// column is the rows of a batch in one column, in the buffers that Arrow has for them.
type column struct {
	typ     schemas.Type
	rows    int
	offsets []int32
	data    []byte
}

func (c *column) kind() *kind { return &kinds[c.typ] }

// columnOf returns v as a column of type t that shares its memory, and reports whether its Go type
// is one for t.
func columnOf(t schemas.Type, v any) (c column, ok bool) {
	c.typ = t
	switch v := v.(type) {
	case []bool:
		for _, set := range v {
			c.appendBool(set)
		}
		return c, t == schemas.Bool
	case Bools:
		return column{t, v.n, nil, v.bits}, t == schemas.Bool
	case []uint8:
		return numbers(t, v), t == schemas.Uint8
	case []int16:
		return numbers(t, v), t == schemas.Int16
	case []uint16:
		return numbers(t, v), t == schemas.Uint16
	case []uint32:
		return numbers(t, v), t == schemas.Uint32
	case []uint64:
		return numbers(t, v), t == schemas.Uint64
	case []int64:
		return numbers(t, v), t == schemas.Int64
	case []float64:
		return numbers(t, v), t == schemas.Float64
	case Strings:
		return column{t, v.Len(), v.Offsets, v.Data}, t == schemas.String || t == schemas.Binary
	case Lists:
		return column{t, v.Len(), v.Offsets, bytesOf(v.Values)}, t == schemas.ListUint32
	}
	return column{}, false
}

func numbers[T number](t schemas.Type, v []T) column {
	return column{typ: t, rows: len(v), data: bytesOf(v)}
}

// appendBool adds a value to a bool column: lowest bit first, and unused bits are zero.
func (c *column) appendBool(v bool) {
	if c.rows%8 == 0 {
		c.data = append(c.data, 0)
	}
	if v {
		c.data[c.rows/8] |= 1 << (c.rows % 8)
	}
	c.rows++
}

// checkedColumns returns cols, which must be of the types of t and of equal length: anything else
// is the caller's bug and panics.
func checkedColumns(t schemas.Table, cols []any) []column {
	if len(cols) != len(t.Columns) {
		panic(fmt.Sprintf("arrowio: %d columns for %s, which has %d", len(cols), t.ID, len(t.Columns)))
	}
	out := make([]column, len(cols))
	for i, c := range t.Columns {
		var ok bool
		if out[i], ok = columnOf(c.Type, cols[i]); !ok || out[i].rows != out[0].rows {
			panic(fmt.Sprintf("arrowio: %d rows of %T for column %s of %s, wanted %d of another type or length",
				out[i].rows, cols[i], c.Name, t.ID, out[0].rows))
		}
	}
	return out
}

// check checks offsets, UTF-8 and the spare bits of bools, the only parts of a column that can be
// wrong by themselves.
func (c *column) check() error {
	switch k := c.kind(); {
	case c.typ == schemas.Bool && c.rows%8 != 0 && c.data[c.rows/8]>>(c.rows%8) != 0:
		return fmt.Errorf("bits are set behind the last of %d rows", c.rows)
	case k.offsets:
		if err := checkOffsets(c.offsets, len(c.data)/k.unit); err != nil || c.typ != schemas.String {
			return err
		}
		return checkUTF8(Strings{c.offsets, c.data})
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

// checkUTF8 checks every string at once: the pieces of valid UTF-8 are valid when no cut goes
// through a character.
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
