package arrowio

import (
	"unsafe"

	"github.com/wikinav/wikinav/schemas"
)

// listElement is the name of a list column's child; the other writers of Arrow use the same.
const listElement = "item"

// Numbers of the union Type in Arrow's Schema.fbs.
const (
	typeInt    = 2
	typeFloat  = 3
	typeBinary = 4
	typeUTF8   = 5
	typeBool   = 6
	typeList   = 12
)

// wireType is a column type as Schema.fbs states it; bits and signed belong to typeInt, precision
// to typeFloat.
type wireType struct {
	union     int64
	bits      int64
	signed    bool
	precision int64 // 2 is double
}

// kind is what the package knows of a column type. The values of a column lie in one buffer, unit
// bytes each; a bool takes a bit. Strings and lists have offsets as well, which count units.
type kind struct {
	wire    wireType
	unit    int
	offsets bool
	// In Parquet: the physical type, and the converted type that says what it means.
	physical, means int64
}

var kinds = [...]kind{
	schemas.Bool:       {wireType{union: typeBool}, 0, false, pqBoolean, pqAbsent},
	schemas.Uint8:      {wireType{union: typeInt, bits: 8}, 1, false, pqInt32, 11},
	schemas.Int16:      {wireType{union: typeInt, bits: 16, signed: true}, 2, false, pqInt32, 16},
	schemas.Uint16:     {wireType{union: typeInt, bits: 16}, 2, false, pqInt32, 12},
	schemas.Uint32:     {wireType{union: typeInt, bits: 32}, 4, false, pqInt32, 13},
	schemas.Uint64:     {wireType{union: typeInt, bits: 64}, 8, false, pqInt64, 14},
	schemas.Int64:      {wireType{union: typeInt, bits: 64, signed: true}, 8, false, pqInt64, 18},
	schemas.Float64:    {wireType{union: typeFloat, precision: 2}, 8, false, pqDouble, pqAbsent},
	schemas.String:     {wireType{union: typeUTF8}, 1, true, pqByteArray, 0},
	schemas.Binary:     {wireType{union: typeBinary}, 1, true, pqByteArray, pqAbsent},
	schemas.ListUint32: {wireType{union: typeList}, 4, true, pqInt32, 3},
}

// size is the number of bytes of rows values of a kind without offsets.
func (k *kind) size(rows int64) int64 {
	if k.unit == 0 {
		return (rows + 7) / 8
	}
	return rows * int64(k.unit)
}

type number interface {
	int16 | uint8 | uint16 | int32 | uint32 | int64 | uint64 | float64
}

// bytesOf returns the memory of v, without its spare capacity: nobody downstream may grow into it.
func bytesOf[T number](v []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero)))
}

// numbersOf is the inverse of bytesOf; b must be aligned for T.
func numbersOf[T number](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
