package arrowio

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/wikinav/wikinav/schemas"
)

// sameType tells whether got is the Arrow type of want. Parquet names the child of a list differently and calls it
// nullable, which copyChunks makes good by refusing nulls.
func sameType(got arrow.DataType, want schemas.Type) bool {
	if l, ok := got.(*arrow.ListType); ok {
		return want == schemas.ListUint32 && l.Elem().ID() == arrow.UINT32
	}
	return got.ID() == arrowType(want).ID()
}

// copyChunks gives the values of c, whose type sameType accepted for typ, as one column that shares nothing with c.
func copyChunks(c *arrow.Chunked, typ schemas.Type) (any, error) {
	if c.NullN() != 0 {
		return nil, fmt.Errorf("%d nulls", c.NullN())
	}
	switch typ {
	case schemas.Bool:
		return copyBools(c), nil
	case schemas.Uint8:
		return copyNumbers(c, func(a arrow.Array) []uint8 { return a.(*array.Uint8).Uint8Values() }), nil
	case schemas.Int16:
		return copyNumbers(c, func(a arrow.Array) []int16 { return a.(*array.Int16).Int16Values() }), nil
	case schemas.Uint16:
		return copyNumbers(c, func(a arrow.Array) []uint16 { return a.(*array.Uint16).Uint16Values() }), nil
	case schemas.Uint32:
		return copyNumbers(c, uint32Values), nil
	case schemas.Uint64:
		return copyNumbers(c, func(a arrow.Array) []uint64 { return a.(*array.Uint64).Uint64Values() }), nil
	case schemas.Int64:
		return copyNumbers(c, func(a arrow.Array) []int64 { return a.(*array.Int64).Int64Values() }), nil
	case schemas.Float64:
		return copyNumbers(c, func(a arrow.Array) []float64 { return a.(*array.Float64).Float64Values() }), nil
	case schemas.String, schemas.Binary:
		return copyStrings(c), nil
	case schemas.ListUint32:
		return copyLists(c)
	}
	panic(fmt.Sprintf("arrowio: unknown column type %d", typ))
}

func uint32Values(a arrow.Array) []uint32 { return a.(*array.Uint32).Uint32Values() }

func copyNumbers[T number](c *arrow.Chunked, values func(arrow.Array) []T) []T {
	out := make([]T, 0, c.Len())
	for _, a := range c.Chunks() {
		out = append(out, values(a)...)
	}
	return out
}

func copyBools(c *arrow.Chunked) Bools {
	out := make([]bool, 0, c.Len())
	for _, a := range c.Chunks() {
		for i := range a.Len() {
			out = append(out, a.(*array.Boolean).Value(i))
		}
	}
	return makeBools(out)
}

func copyStrings(c *arrow.Chunked) Strings {
	out := Strings{Offsets: make([]int32, 1, c.Len()+1)}
	for _, chunk := range c.Chunks() {
		value := stringValue(chunk)
		for i := range chunk.Len() {
			out.Data = append(out.Data, value(i)...)
			out.Offsets = append(out.Offsets, int32(len(out.Data)))
		}
	}
	return out
}

// stringValue gives access to the strings of a, which are copied by whoever appends them.
func stringValue(a arrow.Array) func(i int) string {
	if s, ok := a.(*array.String); ok {
		return s.Value
	}
	return a.(*array.Binary).ValueString
}

func copyLists(c *arrow.Chunked) (Lists, error) {
	out := Lists{Offsets: make([]int32, 1, c.Len()+1)}
	for _, chunk := range c.Chunks() {
		a := chunk.(*array.List)
		if a.ListValues().NullN() != 0 {
			return Lists{}, errors.New("nulls in a list")
		}
		values := uint32Values(a.ListValues())
		for i := range a.Len() {
			from, to := a.ValueOffsets(i)
			out.Values = append(out.Values, values[from:to]...)
			out.Offsets = append(out.Offsets, int32(len(out.Values)))
		}
	}
	return out, nil
}
