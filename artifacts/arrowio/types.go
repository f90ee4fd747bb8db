package arrowio

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/wikinav/wikinav/schemas"
)

// listElement is the name of a list column's child; the other writers of Arrow use the same.
const listElement = "item"

// arrowType is the closed list of column types.
func arrowType(t schemas.Type) arrow.DataType {
	switch t {
	case schemas.Bool:
		return arrow.FixedWidthTypes.Boolean
	case schemas.Uint8:
		return arrow.PrimitiveTypes.Uint8
	case schemas.Int16:
		return arrow.PrimitiveTypes.Int16
	case schemas.Uint16:
		return arrow.PrimitiveTypes.Uint16
	case schemas.Uint32:
		return arrow.PrimitiveTypes.Uint32
	case schemas.Uint64:
		return arrow.PrimitiveTypes.Uint64
	case schemas.Int64:
		return arrow.PrimitiveTypes.Int64
	case schemas.Float64:
		return arrow.PrimitiveTypes.Float64
	case schemas.String:
		return arrow.BinaryTypes.String
	case schemas.Binary:
		return arrow.BinaryTypes.Binary
	case schemas.ListUint32:
		return arrow.ListOfField(arrow.Field{Name: listElement, Type: arrow.PrimitiveTypes.Uint32})
	}
	panic(fmt.Sprintf("arrowio: unknown column type %d", t))
}

// arrowSchema gives the schema of t: all fields in order, none nullable.
func arrowSchema(t schemas.Table, meta arrow.Metadata) *arrow.Schema {
	fields := make([]arrow.Field, len(t.Columns))
	for i, c := range t.Columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowType(c.Type)}
	}
	return arrow.NewSchema(fields, &meta)
}

// width is the number of bytes of a value; 0 for types whose values are not whole bytes of one length.
func width(t schemas.Type) int64 {
	switch t {
	case schemas.Uint8:
		return 1
	case schemas.Int16, schemas.Uint16:
		return 2
	case schemas.Uint32:
		return 4
	case schemas.Uint64, schemas.Int64, schemas.Float64:
		return 8
	}
	return 0
}
