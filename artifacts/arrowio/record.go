package arrowio

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// newRecord wraps checked columns in an Arrow record that shares their memory; the caller releases it.
func newRecord(schema *arrow.Schema, cols []any, rows int) arrow.Record {
	arrays := make([]arrow.Array, len(cols))
	for i, c := range cols {
		data := arrayData(schema.Field(i).Type, c, rows)
		arrays[i] = array.MakeFromData(data)
		data.Release()
	}
	rec := array.NewRecord(schema, arrays, int64(rows))
	for _, a := range arrays {
		a.Release()
	}
	return rec
}

func arrayData(typ arrow.DataType, col any, rows int) *array.Data {
	switch c := col.(type) {
	case []bool:
		return newData(typ, rows, nil, makeBools(c).bits)
	case Bools:
		return newData(typ, rows, nil, c.bits)
	case Strings:
		return newData(typ, rows, nil, bytesOf(orZero(c.Offsets)), c.Data)
	case Lists:
		values := newData(typ.(*arrow.ListType).Elem(), len(c.Values), nil, bytesOf(c.Values))
		defer values.Release()
		return newData(typ, rows, []arrow.ArrayData{values}, bytesOf(orZero(c.Offsets)))
	}
	return newData(typ, rows, nil, fixedBytes(col))
}

// newData has no validity bitmap: columns hold no nulls.
func newData(typ arrow.DataType, rows int, children []arrow.ArrayData, buffers ...[]byte) *array.Data {
	bufs := make([]*memory.Buffer, 1, 3)
	for _, b := range buffers {
		bufs = append(bufs, memory.NewBufferBytes(b))
	}
	return array.NewData(typ, rows, bufs, children, 0, 0)
}

func fixedBytes(col any) []byte {
	switch c := col.(type) {
	case []uint8:
		return c
	case []int16:
		return bytesOf(c)
	case []uint16:
		return bytesOf(c)
	case []uint32:
		return bytesOf(c)
	case []uint64:
		return bytesOf(c)
	case []int64:
		return bytesOf(c)
	case []float64:
		return bytesOf(c)
	}
	panic(fmt.Sprintf("arrowio: %T is no column", col))
}

// orZero gives an empty column the one offset that the format asks for.
func orZero(offsets []int32) []int32 {
	if len(offsets) == 0 {
		return []int32{0}
	}
	return offsets
}

type number interface {
	int16 | uint8 | uint16 | int32 | uint32 | int64 | uint64 | float64
}

// bytesOf gives the memory of v, without its spare capacity: nobody downstream may grow into it.
func bytesOf[T number](v []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero)))
}

// numbersOf is the inverse of bytesOf; b must be aligned for T.
func numbersOf[T number](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
