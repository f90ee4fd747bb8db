package arrowio

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

var sizes = []int{0, 1, 2, 7, 8, 9, 500, schemas.BatchRows - 1, schemas.BatchRows, schemas.BatchRows + 1}

func TestOpenGivesBackWhatWasWrittenRowByRow(t *testing.T) {
	t.Parallel()
	for _, n := range sizes {
		want := randomRows(uint64(n), n)
		data, sum := arrowFile(t, want)
		f, err := openBytes(t, data, everything)
		if err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
		wantRows(t, rowsOf(&f.views), want)
		if batches := (n + schemas.BatchRows - 1) / schemas.BatchRows; f.Batches() != batches || f.Rows() != int64(n) || sum.Rows != int64(n) {
			t.Errorf("%d rows: %d batches, %d rows, summary %d; want %d batches", n, f.Batches(), f.Rows(), sum.Rows, batches)
		}
		if got := f.Logical(); got != sum.Logical {
			t.Errorf("%d rows: logical digest read %s, written %s", n, got, sum.Logical)
		}
	}
}

func TestMetadataIsSchemaParamsAndWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	data, _ := arrowFile(t, randomRows(1, 3))
	f, err := openBytes(t, data, everything)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]string{KeySchema: everything.ID, KeyParams: "00ff", "wikinav.a": "1", "z": "ü", "absent": ""} {
		if got := f.Metadata(k); got != want {
			t.Errorf("metadata %q: got %q, want %q", k, got, want)
		}
	}
	r, err := ipc.NewFileReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Schema().Metadata().Keys(), []string{"wikinav.a", KeyParams, KeySchema, "z"}; len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] {
		t.Errorf("metadata keys: got %q, want %q", got, want)
	}
}

// The Arrow library's own reader is the oracle of our writers: what it reads from a file must be the rows.
func TestArrowLibraryReadsTheSameRows(t *testing.T) {
	t.Parallel()
	for _, n := range sizes {
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		want := randomRows(uint64(n), n)
		data, _ := arrowFile(t, want)
		wantRows(t, readWithLibrary(t, data, mem), want)
		mem.AssertSize(t, 0)
	}
}

func readWithLibrary(t *testing.T, data []byte, mem memory.Allocator) []tableRow {
	t.Helper()
	r, err := ipc.NewFileReader(bytes.NewReader(data), ipc.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := []tableRow{}
	for i := range r.NumRecords() {
		rec, err := r.RecordAt(i)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, libraryRows(t, rec)...)
		rec.Release()
	}
	return out
}

// libraryTypes are those of the columns of everything.
var libraryTypes = []string{
	"bool", "uint8", "int16", "uint16", "uint32", "uint64", "int64", "utf8", "binary", "list<item: uint32>",
}

func libraryRows(t *testing.T, rec arrow.Record) []tableRow {
	t.Helper()
	out := make([]tableRow, rec.NumRows())
	lists := rec.Column(9).(*array.List)
	for c, f := range rec.Schema().Fields() {
		if f.Nullable || rec.Column(c).NullN() != 0 || f.Type.String() != libraryTypes[c] {
			t.Fatalf("column %s: nullable %t, %d nulls, type %s", f.Name, f.Nullable, rec.Column(c).NullN(), f.Type)
		}
	}
	for i := range out {
		from, to := lists.ValueOffsets(i)
		out[i] = tableRow{
			B: rec.Column(0).(*array.Boolean).Value(i), U8: rec.Column(1).(*array.Uint8).Value(i),
			I16: rec.Column(2).(*array.Int16).Value(i), U16: rec.Column(3).(*array.Uint16).Value(i),
			U32: rec.Column(4).(*array.Uint32).Value(i), U64: rec.Column(5).(*array.Uint64).Value(i),
			I64: rec.Column(6).(*array.Int64).Value(i), S: string([]byte(rec.Column(7).(*array.String).Value(i))),
			Bin: append([]byte{}, rec.Column(8).(*array.Binary).Value(i)...),
			L:   append([]uint32{}, lists.ListValues().(*array.Uint32).Uint32Values()[from:to]...),
		}
	}
	return out
}

func TestParquetGivesBackWhatWasWritten(t *testing.T) {
	t.Parallel()
	for _, n := range sizes {
		want := randomRows(uint64(n), n)
		data, sum := parquetFile(t, want)
		table, err := ReadParquet(dir(t, "t.parquet", data), "t.parquet", everything, digest.Bytes(data))
		if err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
		wantRows(t, rowsOf(&table.views), want)
		if got := table.Logical(); got != sum.Logical || sum.Rows != int64(n) {
			t.Errorf("%d rows: summary %+v, logical digest read %s", n, sum, got)
		}
	}
}

func TestZeroValuesOfColumnsAreEmptyColumns(t *testing.T) {
	t.Parallel()
	table := schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "s", Type: schemas.String}, {Name: "l", Type: schemas.ListUint32}}}
	var file bytes.Buffer
	if _, err := WriteTable(&file, table, Options{}, Strings{}, Lists{}); err != nil {
		t.Fatal(err)
	}
	f, err := openBytes(t, file.Bytes(), table)
	if err != nil {
		t.Fatal(err)
	}
	if f.Batches() != 1 || f.Rows() != 0 || f.Strings(0, 0).Len() != 0 || f.Lists(0, 1).Len() != 0 {
		t.Errorf("got %d batches, %d rows", f.Batches(), f.Rows())
	}
}

func TestMakeStringsCopies(t *testing.T) {
	t.Parallel()
	s := MakeStrings(words)
	if s.Len() != len(words) {
		t.Fatalf("got %d strings, want %d", s.Len(), len(words))
	}
	for i, want := range words {
		if got := s.At(i); got != want {
			t.Errorf("string %d: got %q, want %q", i, got, want)
		}
	}
	if MakeStrings(nil).Len() != 0 {
		t.Error("no strings make a column that is not empty")
	}
}

func TestCellsAreWhatRowsTook(t *testing.T) {
	t.Parallel()
	rows := randomRows(11, 50)
	data, _ := arrowFile(t, rows)
	f, err := openBytes(t, data, everything)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		for c, want := range row.cells() {
			if got := f.Cell(0, c, i); !reflect.DeepEqual(got, want) {
				t.Errorf("row %d, column %s: got %v of type %T, want %v of type %T", i, everything.Columns[c].Name, got, got, want, want)
			}
		}
	}
}
