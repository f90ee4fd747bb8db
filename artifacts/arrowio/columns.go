package arrowio

import (
	"fmt"
	"math"
)

// Strings is a column of strings or byte strings: string i is Data[Offsets[i]:Offsets[i+1]]. Offsets
// has one entry more than there are strings, starts at 0 and ends at len(Data); it may be nil where there are none.
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

// At gives a copy of string i.
func (s Strings) At(i int) string { return string(s.Bytes(i)) }

// Bytes gives string i in place: it is valid as long as the column is, and must not be written to.
func (s Strings) Bytes(i int) []byte {
	return s.Data[s.Offsets[i]:s.Offsets[i+1]:s.Offsets[i+1]]
}

// Lists is a column of lists in CSR form: list i is Values[Offsets[i]:Offsets[i+1]], with the same rules for
// Offsets as in Strings.
type Lists struct {
	Offsets []int32
	Values  []uint32
}

// Len is the number of lists.
func (l Lists) Len() int { return max(len(l.Offsets)-1, 0) }

// At gives list i in place: it is valid as long as the column is, and must not be written to.
func (l Lists) At(i int) []uint32 {
	return l.Values[l.Offsets[i]:l.Offsets[i+1]:l.Offsets[i+1]]
}

// Bools is a column of truth values, one bit each.
type Bools struct {
	bits []byte
	n    int
}

// makeBools packs v, lowest bit first; unused bits are zero.
func makeBools(v []bool) Bools {
	b := Bools{bits: make([]byte, (len(v)+7)/8), n: len(v)}
	for i, set := range v {
		if set {
			b.bits[i/8] |= 1 << (i % 8)
		}
	}
	return b
}

// Len is the number of values.
func (b Bools) Len() int { return b.n }

// At gives value i.
func (b Bools) At(i int) bool {
	if uint(i) >= uint(b.n) {
		panic(fmt.Sprintf("arrowio: value %d of %d", i, b.n))
	}
	return b.bits[i/8]>>(i%8)&1 == 1
}
