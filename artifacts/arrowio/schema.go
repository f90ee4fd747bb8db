package arrowio

import "github.com/wikinav/wikinav/schemas"

// Numbers of the union Type in Arrow's Schema.fbs.
const (
	typeInt    = 2
	typeFloat  = 3
	typeBinary = 4
	typeUTF8   = 5
	typeBool   = 6
	typeList   = 12
)

// wireType is a column type as Schema.fbs states it; bits and signed belong to typeInt, precision to typeFloat.
type wireType struct {
	union     uint8
	bits      int32
	signed    bool
	precision int64 // of typeFloat: 2 is double
}

var wireTypes = map[schemas.Type]wireType{
	schemas.Bool:       {union: typeBool},
	schemas.Float64:    {union: typeFloat, precision: 2},
	schemas.Uint8:      {union: typeInt, bits: 8},
	schemas.Int16:      {union: typeInt, bits: 16, signed: true},
	schemas.Uint16:     {union: typeInt, bits: 16},
	schemas.Uint32:     {union: typeInt, bits: 32},
	schemas.Uint64:     {union: typeInt, bits: 64},
	schemas.Int64:      {union: typeInt, bits: 64, signed: true},
	schemas.String:     {union: typeUTF8},
	schemas.Binary:     {union: typeBinary},
	schemas.ListUint32: {union: typeList},
}

// readSchema checks that a schema has exactly the columns of t and names it, and gives its metadata.
func readSchema(s object, t schemas.Table) map[string]string {
	if s.uint16(0) != 0 {
		s.flat.fail("schema is big-endian")
	}
	meta := readMetadata(s.vector(2, 4))
	if id := meta[KeySchema]; id != t.ID {
		s.flat.fail("schema %q, expected %q", id, t.ID)
	}
	fields := s.vector(1, 4)
	if fields.n != len(t.Columns) {
		s.flat.fail("%d columns, expected %d", fields.n, len(t.Columns))
		return nil
	}
	for i, c := range t.Columns {
		checkField(fields.object(i), c.Name, c.Type)
	}
	return meta
}

// checkField checks name, type and children of a field, that it is not nullable, and that it has no dictionary.
func checkField(o object, name string, typ schemas.Type) {
	if got := o.text(0, maxTextLength); got != name {
		o.flat.fail("column %q, expected %q", got, name)
	}
	if o.uint8(1) != 0 || o.has(4) {
		o.flat.fail("column %s: nullable or with a dictionary", name)
	}
	checkType(o, name, wireTypes[typ])
	children := o.vector(5, 4)
	if typ != schemas.ListUint32 {
		if children.n != 0 {
			o.flat.fail("column %s: %d children, expected none", name, children.n)
		}
		return
	}
	if children.n != 1 {
		o.flat.fail("column %s: %d children, expected one", name, children.n)
		return
	}
	checkField(children.object(0), listElement, schemas.Uint32)
}

func checkType(o object, name string, want wireType) {
	got := wireType{union: o.uint8(2)}
	switch got.union {
	case typeInt:
		detail := o.child(3)
		got.bits, got.signed = detail.int32(0), detail.uint8(1) != 0
	case typeFloat:
		got.precision = o.child(3).uint16(0)
	}
	if got != want {
		o.flat.fail("column %s: type %+v, expected %+v", name, got, want)
	}
}

func readMetadata(pairs vector) map[string]string {
	if pairs.n > maxMetadataKeys {
		pairs.flat.fail("%d metadata keys, at most %d are accepted", pairs.n, maxMetadataKeys)
		return nil
	}
	meta := make(map[string]string, pairs.n)
	for i := range pairs.n {
		pair := pairs.object(i)
		key, value := pair.text(0, maxMetadataBytes), pair.text(1, maxMetadataBytes)
		if _, twice := meta[key]; twice {
			pairs.flat.fail("metadata key %q stands twice", key)
		}
		meta[key] = value
	}
	return meta
}
