package arrowio

import (
	"bytes"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

var demo = schemas.Table{ID: "demo/1", Columns: []schemas.Column{
	{Name: "id", Type: schemas.Uint32}, {Name: "title", Type: schemas.String}, {Name: "d", Type: schemas.Uint8},
}}

// The vector of the robustness specification 4.5.
const demoLogical = "b331a73a40388d8eb47532a8e719632ed898519e7417c57f63cf228b2c59e01b"

func TestLogicalDigestIsThatOfTheSpecification(t *testing.T) {
	t.Parallel()
	sum, err := WriteTable(new(bytes.Buffer), demo, Options{}, []uint32{7, 9}, MakeStrings([]string{"Aß", ""}), []uint8{3, 255})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Logical != demoLogical || sum.Rows != 2 {
		t.Errorf("got %+v, want %s", sum, demoLogical)
	}
}

func TestLogicalDigestIsTheSameForEveryWriter(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 3000, schemas.BatchRows + 100} {
		rows := randomRows(uint64(n), n)
		_, want := arrowFile(t, rows)
		_, parquet := parquetFile(t, rows)
		whole, err := WriteTable(new(bytes.Buffer), everything, Options{}, columnsOf(rows)...)
		if err != nil {
			t.Fatal(err)
		}
		if whole != want || parquet != want {
			t.Errorf("%d rows: row-wise %+v, whole table %+v, Parquet %+v", n, want, whole, parquet)
		}
	}
}

// A table of one uint8 column takes another way than a table with more.
func TestLogicalDigestOfDistancesIsThatOfTheirBytes(t *testing.T) {
	t.Parallel()
	a, b := []uint8{1, 2, 255}, []uint8{0, 7}
	sum := newLogical(schemas.DistancesTable.ID)
	sum.add([]column{numbers(schemas.Uint8, a)})
	sum.add([]column{numbers(schemas.Uint8, b)})
	slow := newLogical(schemas.DistancesTable.ID)
	for _, d := range append(a, b...) {
		one := numbers(schemas.Uint8, []uint8{d})
		slow.buf = one.encoder()(slow.buf, 0)
	}
	if got, want := sum.hex(), slow.hex(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLogicalDigestSeesEveryCell(t *testing.T) {
	t.Parallel()
	rows := randomRows(5, 4)
	_, base := arrowFile(t, rows)
	change := map[string]func(r *tableRow){
		"bool": func(r *tableRow) { r.B = !r.B }, "uint8": func(r *tableRow) { r.U8++ }, "int16": func(r *tableRow) { r.I16++ },
		"uint16": func(r *tableRow) { r.U16++ }, "uint32": func(r *tableRow) { r.U32++ }, "uint64": func(r *tableRow) { r.U64 += 1 << 60 },
		"int64": func(r *tableRow) { r.I64-- }, "string": func(r *tableRow) { r.S += "x" },
		"binary": func(r *tableRow) { r.Bin = append(r.Bin, 0) }, "list": func(r *tableRow) { r.L = append(r.L, 0) },
	}
	for name, f := range change {
		changed := randomRows(5, 4)
		f(&changed[2])
		if _, got := arrowFile(t, changed); got.Logical == base.Logical {
			t.Errorf("a changed %s leaves the logical digest %s", name, got.Logical)
		}
	}
}
