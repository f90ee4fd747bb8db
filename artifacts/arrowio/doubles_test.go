package arrowio

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

var doubles = schemas.Table{ID: "test.doubles/1", Columns: []schemas.Column{{Name: "x", Type: schemas.Float64}}}

var someDoubles = []float64{0, math.Copysign(0, -1), 0.1, -1.5, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1)}

func fillDoubles(t *testing.T, w rowWriter) Summary {
	t.Helper()
	for _, v := range someDoubles {
		if err := w.Row(v); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func bitsOf(v []float64) (bits []uint64) {
	for _, x := range v {
		bits = append(bits, math.Float64bits(x))
	}
	return bits
}

func TestDoublesComeBackBitByBit(t *testing.T) {
	t.Parallel()
	var inArrow, inParquet bytes.Buffer
	w, err := NewWriter(&inArrow, doubles, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := fillDoubles(t, w)
	p, err := NewParquetWriter(&inParquet, doubles)
	if err != nil {
		t.Fatal(err)
	}
	if got := fillDoubles(t, p); got != sum {
		t.Errorf("summaries differ: Parquet %+v, Arrow %+v", got, sum)
	}
	f, err := openBytes(t, inArrow.Bytes(), doubles)
	if err != nil {
		t.Fatal(err)
	}
	table, err := ReadParquet(dir(t, "t.parquet", inParquet.Bytes()), "t.parquet", doubles, digest.Bytes(inParquet.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	library, err := ipc.NewFileReader(bytes.NewReader(inArrow.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	rec, err := library.RecordAt(0)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]float64{
		"our Arrow": f.Float64s(0, 0), "our Parquet": table.Float64s(0, 0),
		"the library's Arrow": rec.Column(0).(*array.Float64).Float64Values(),
	} {
		if !slices.Equal(bitsOf(got), bitsOf(someDoubles)) {
			t.Errorf("%s: got %v, want %v", name, got, someDoubles)
		}
	}
	if f.Logical() != sum.Logical || table.Logical() != sum.Logical {
		t.Errorf("logical digests: Arrow %s, Parquet %s, written %s", f.Logical(), table.Logical(), sum.Logical)
	}
}

// An int64 column has the same buffers: the schema alone tells the two apart.
func TestDoublesAreNotReadAsIntegers(t *testing.T) {
	t.Parallel()
	integers := schemas.Table{ID: doubles.ID, Columns: []schemas.Column{{Name: "x", Type: schemas.Int64}}}
	for _, c := range []struct {
		written, read schemas.Table
		col           any
	}{{doubles, integers, []float64{1}}, {integers, doubles, []int64{1}}} {
		var file bytes.Buffer
		if _, err := WriteTable(&file, c.written, Options{}, c.col); err != nil {
			t.Fatal(err)
		}
		if _, err := openBytes(t, file.Bytes(), c.read); err == nil {
			t.Errorf("%T was read as another type", c.col)
		}
	}
}
