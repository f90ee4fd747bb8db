package arrowio

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/endian"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var numbersTable = schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "n", Type: schemas.Uint32}}}

// tell is a buffer that knows how much it holds: all that the library asks of a file.
type tell struct{ *bytes.Buffer }

func (t tell) Seek(int64, int) (int64, error) { return int64(t.Len()), nil }

// foreign writes a file with the Arrow library alone.
func foreign(t *testing.T, field arrow.Field, keys []string, end endian.Endianness, build func(mem memory.Allocator) arrow.Array, opts ...ipc.Option) []byte {
	t.Helper()
	mem := memory.DefaultAllocator // the library's file writer leaks dictionaries, so a checked one has nothing to say here
	values := make([]string, len(keys))
	for i := range values {
		values[i] = numbersTable.ID
	}
	meta := arrow.NewMetadata(keys, values)
	schema := arrow.NewSchemaWithEndian([]arrow.Field{field}, &meta, end)
	column := build(mem)
	defer column.Release()
	rec := array.NewRecord(schema, []arrow.Array{column}, int64(column.Len()))
	defer rec.Release()
	out := tell{new(bytes.Buffer)}
	w, err := ipc.NewFileWriter(out, append(opts, ipc.WithSchema(schema), ipc.WithAllocator(mem))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rec), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func numbersColumn(null bool) func(memory.Allocator) arrow.Array {
	return func(mem memory.Allocator) arrow.Array {
		b := array.NewUint32Builder(mem)
		defer b.Release()
		for i := range uint32(1000) {
			b.Append(i)
		}
		if null {
			b.AppendNull()
		}
		return b.NewArray()
	}
}

func dictionaryColumn(typ *arrow.DictionaryType) func(memory.Allocator) arrow.Array {
	return func(mem memory.Allocator) arrow.Array {
		b := array.NewDictionaryBuilder(mem, typ).(*array.Uint32DictionaryBuilder)
		defer b.Release()
		for i := range uint32(10) {
			if err := b.Append(i % 3); err != nil {
				panic(err)
			}
		}
		return b.NewArray()
	}
}

func TestFilesOutsideTheClosedFormAreRefused(t *testing.T) {
	t.Parallel()
	many := []string{KeySchema}
	for i := range maxMetadataKeys {
		many = append(many, fmt.Sprint("k", i))
	}
	plain := arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Uint32}
	nullable := arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Uint32, Nullable: true}
	dict := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint8, ValueType: arrow.PrimitiveTypes.Uint32}
	one, little := []string{KeySchema}, endian.LittleEndian
	cases := []struct {
		name string
		data []byte
		text string // of the error; "" where the file is good
	}{
		{"plain", foreign(t, plain, one, little, numbersColumn(false)), ""},
		{"nullable", foreign(t, nullable, one, little, numbersColumn(false)), "nullable"},
		{"nulls", foreign(t, plain, one, little, numbersColumn(true)), "1 nulls"},
		{"zstd", foreign(t, plain, one, little, numbersColumn(false), ipc.WithZstd()), "compressed"},
		{"lz4", foreign(t, plain, one, little, numbersColumn(false), ipc.WithLZ4()), "compressed"},
		{"dictionary", foreign(t, arrow.Field{Name: "n", Type: dict}, one, little, dictionaryColumn(dict)), "dictionary"},
		{"big-endian", foreign(t, plain, one, endian.BigEndian, numbersColumn(false)), "big-endian"},
		{"many keys", foreign(t, plain, many, little, numbersColumn(false)), "17 metadata keys"},
		{"key twice", foreign(t, plain, []string{KeySchema, KeySchema}, little, numbersColumn(false)), "twice"},
		{"no schema", foreign(t, plain, nil, little, numbersColumn(false)), `expected "demo/1"`},
	}
	for _, c := range cases {
		_, err := openBytes(t, c.data, numbersTable)
		if good := c.text == ""; good != (err == nil) {
			t.Errorf("%s: got %v", c.name, err)
		} else if err != nil && (!errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), c.text)) {
			t.Errorf("%s: got %v, want a mismatch about %q", c.name, err, c.text)
		}
	}
}

// Batches and buffers that share bytes would let a small file claim, and have us check, any amount of data.
func TestSharedBytesAreRefused(t *testing.T) {
	t.Parallel()
	distances := samples(t)[3]
	_, blocks, err := readFooter(distances.data, distances.table)
	if err != nil {
		t.Fatal(err)
	}
	twice := change(distances.data, uint64(blocks[1].offset), uint64(blocks[0].offset))
	if _, err := parse(twice, distances.table); err == nil || !strings.Contains(err.Error(), "record batch 1") {
		t.Errorf("a batch listed twice: got %v", err)
	}

	table := schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "a", Type: schemas.Uint8}, {Name: "b", Type: schemas.Uint8}}}
	var out bytes.Buffer
	if _, err := WriteTable(&out, table, Options{}, make([]uint8, 1237), make([]uint8, 1237)); err != nil {
		t.Fatal(err)
	}
	shared := change(out.Bytes(), 1240, 0) // where the second column begins in the body
	if _, err := parse(shared, table); err == nil || !strings.Contains(err.Error(), "buffer") {
		t.Errorf("two columns in the same bytes: got %v", err)
	}
}
