// Package library gives tables the form of Arrow and Parquet files. It is the only package that touches the
// libraries of these formats: a program that writes tables imports it, for its side effect, and one that
// only reads them carries nothing of theirs.
//
// It promises that every choice that shows in the bytes of a file is stated here, and that an error of the
// underlying writer is reported as that writer gave it, whatever the libraries make of it.
package library

import (
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
)

func init() { arrowio.Register(newArrow, newParquet) }

// listElement is the name of a list column's child; the other writers of Arrow use the same.
const listElement = "item"

var types = [...]arrow.DataType{
	schemas.Bool:       arrow.FixedWidthTypes.Boolean,
	schemas.Uint8:      arrow.PrimitiveTypes.Uint8,
	schemas.Int16:      arrow.PrimitiveTypes.Int16,
	schemas.Uint16:     arrow.PrimitiveTypes.Uint16,
	schemas.Uint32:     arrow.PrimitiveTypes.Uint32,
	schemas.Uint64:     arrow.PrimitiveTypes.Uint64,
	schemas.Int64:      arrow.PrimitiveTypes.Int64,
	schemas.Float64:    arrow.PrimitiveTypes.Float64,
	schemas.String:     arrow.BinaryTypes.String,
	schemas.Binary:     arrow.BinaryTypes.Binary,
	schemas.ListUint32: arrow.ListOfField(arrow.Field{Name: listElement, Type: arrow.PrimitiveTypes.Uint32}),
}

// schemaOf returns the schema of t: all fields in order, none nullable.
func schemaOf(t schemas.Table, keys, values []string) *arrow.Schema {
	fields := make([]arrow.Field, len(t.Columns))
	for i, c := range t.Columns {
		fields[i] = arrow.Field{Name: c.Name, Type: types[c.Type]}
	}
	meta := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &meta)
}

// encoder is a file of either format.
type encoder struct {
	schema *arrow.Schema
	out    *sink
	file   interface {
		Write(rec arrow.Record) error
		Close() error
	}
}

func newArrow(w io.Writer, t schemas.Table, keys, values []string) (arrowio.Encoder, error) {
	return newArrowIn(memory.DefaultAllocator, w, t, keys, values)
}

func newArrowIn(mem memory.Allocator, w io.Writer, t schemas.Table, keys, values []string) (arrowio.Encoder, error) {
	e := &encoder{schema: schemaOf(t, keys, values), out: &sink{w: w}}
	var err error
	e.file, err = ipc.NewFileWriter(e.out, ipc.WithSchema(e.schema), ipc.WithAllocator(mem))
	return e, e.out.first(err)
}

func (e *encoder) Write(cols []arrowio.Values) error {
	rec := recordOf(e.schema, cols)
	defer rec.Release()
	return e.out.first(e.file.Write(rec))
}

func (e *encoder) Close() error { return e.out.first(e.file.Close()) }

// recordOf wraps columns in an Arrow record that shares their memory; the caller releases it.
func recordOf(schema *arrow.Schema, cols []arrowio.Values) arrow.Record {
	arrays := make([]arrow.Array, len(cols))
	for i, c := range cols {
		data := dataOf(schema.Field(i).Type, c)
		arrays[i] = array.MakeFromData(data)
		data.Release()
	}
	rec := array.NewRecord(schema, arrays, int64(cols[0].Rows))
	for _, a := range arrays {
		a.Release()
	}
	return rec
}

func dataOf(typ arrow.DataType, c arrowio.Values) *array.Data {
	offsets := c.Offsets
	if len(offsets) == 0 {
		offsets = []int32{0} // the format asks for one
	}
	index := arrow.Int32Traits.CastToBytes(slices.Clip(offsets))
	switch typ := typ.(type) {
	case *arrow.ListType:
		values := newData(typ.Elem(), len(c.Data)/arrow.Uint32SizeBytes, nil, c.Data)
		defer values.Release()
		return newData(typ, c.Rows, []arrow.ArrayData{values}, index)
	case arrow.BinaryDataType: // strings too
		return newData(typ, c.Rows, nil, index, c.Data)
	}
	return newData(typ, c.Rows, nil, c.Data)
}

// newData has no validity bitmap: columns hold no nulls.
func newData(typ arrow.DataType, rows int, children []arrow.ArrayData, buffers ...[]byte) *array.Data {
	bufs := make([]*memory.Buffer, 1, 3)
	for _, b := range buffers {
		bufs = append(bufs, memory.NewBufferBytes(b))
	}
	return array.NewData(typ, rows, bufs, children, 0, 0)
}
