package arrowio

import (
	"bytes"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// everything has a column of each type.
var everything = schemas.Table{ID: "test.everything/1", Columns: []schemas.Column{
	{Name: "b", Type: schemas.Bool},
	{Name: "u8", Type: schemas.Uint8},
	{Name: "i16", Type: schemas.Int16},
	{Name: "u16", Type: schemas.Uint16},
	{Name: "u32", Type: schemas.Uint32},
	{Name: "u64", Type: schemas.Uint64},
	{Name: "i64", Type: schemas.Int64},
	{Name: "s", Type: schemas.String},
	{Name: "bin", Type: schemas.Binary},
	{Name: "l", Type: schemas.ListUint32},
}}

// tableRow is a row of everything.
type tableRow struct {
	B   bool
	U8  uint8
	I16 int16
	U16 uint16
	U32 uint32
	U64 uint64
	I64 int64
	S   string
	Bin []byte
	L   []uint32
}

var words = []string{"", "A", "Aß", "Ωmega", "日本語", "\x00", "a longer title (disambiguation)", "e\u0301"}

func randomRows(seed uint64, n int) []tableRow {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]tableRow, n)
	for i := range out {
		x := rng.Uint64()
		out[i] = tableRow{
			B: x&1 == 1, U8: uint8(x >> 8), I16: int16(x >> 16), U16: uint16(x >> 24), U32: uint32(x >> 32),
			U64: x, I64: int64(x) / 3, S: words[rng.IntN(len(words))] + words[rng.IntN(len(words))],
			Bin: []byte{}, L: []uint32{},
		}
		for range rng.IntN(4) {
			out[i].Bin = append(out[i].Bin, byte(rng.Uint32()))
			out[i].L = append(out[i].L, rng.Uint32())
		}
	}
	return out
}

// rowWriter is what the row-wise writers have in common.
type rowWriter interface {
	Row(cells ...any) error
	Close() (Summary, error)
}

func (r tableRow) cells() []any {
	return []any{r.B, r.U8, r.I16, r.U16, r.U32, r.U64, r.I64, r.S, r.Bin, r.L}
}

func fill(t testing.TB, w rowWriter, rows []tableRow) Summary {
	t.Helper()
	for _, r := range rows {
		if err := w.Row(r.cells()...); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func arrowFile(t testing.TB, rows []tableRow) ([]byte, Summary) {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, everything, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	sum := fill(t, w, rows)
	return file.Bytes(), sum
}

func parquetFile(t testing.TB, rows []tableRow) ([]byte, Summary) {
	t.Helper()
	var file bytes.Buffer
	w, err := NewParquetWriter(&file, everything)
	if err != nil {
		t.Fatal(err)
	}
	sum := fill(t, w, rows)
	return file.Bytes(), sum
}

var testOptions = Options{ParamsSHA256: "00ff", Metadata: map[string]string{"wikinav.a": "1", "z": "ü"}}

// columnsOf turns rows into the columns that WriteTable takes.
func columnsOf(rows []tableRow) []any {
	r := newRows(everything, nil)
	for _, row := range rows {
		for i, cell := range row.cells() {
			r.add(i, cell) // Row would begin a second batch
		}
	}
	v := views{table: everything, batches: []batch{{rows: len(rows), cols: r.columns}}}
	return []any{
		v.Bools(0, 0), v.Uint8s(0, 1), v.Int16s(0, 2), v.Uint16s(0, 3), v.Uint32s(0, 4),
		v.Uint64s(0, 5), v.Int64s(0, 6), v.Strings(0, 7), v.Binaries(0, 8), v.Lists(0, 9),
	}
}

// rowsOf reads a table of everything through its views.
func rowsOf(v *views) []tableRow {
	out := []tableRow{}
	for b := range v.Batches() {
		for i := range v.BatchRows(b) {
			out = append(out, tableRow{
				B: v.Bools(b, 0).At(i), U8: v.Uint8s(b, 1)[i], I16: v.Int16s(b, 2)[i], U16: v.Uint16s(b, 3)[i],
				U32: v.Uint32s(b, 4)[i], U64: v.Uint64s(b, 5)[i], I64: v.Int64s(b, 6)[i], S: v.Strings(b, 7).At(i),
				Bin: append([]byte{}, v.Binaries(b, 8).Bytes(i)...), L: append([]uint32{}, v.Lists(b, 9).At(i)...),
			})
		}
	}
	return out
}

func wantRows(t testing.TB, got, want []tableRow) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("row %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

// dir is a fresh directory with one file in it.
func dir(t testing.TB, name string, data []byte) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	if err := root.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

func openBytes(t testing.TB, data []byte, table schemas.Table) (*File, error) {
	t.Helper()
	f, err := Open(dir(t, "t.arrow", data), "t.arrow", table, digest.Bytes(data))
	if err == nil {
		t.Cleanup(func() { f.Close() })
	}
	return f, err
}
