package arrowio

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// The digests pin the bytes: they change with the library, with a writer, or by accident, and each of these must be
// noticed. Whoever changes them on purpose raises the version of every stage that writes tables.
const (
	goldenArrow   = "388aa79db98eacb91bdc0aed96cb2960ba7720315e2f0ba41792f5ae50b324ca"
	goldenParquet = "8f0f844c95680f9804d71a9bf4ca1bf0e55a29c890efda0dda31b2ebf15b383c"
)

func TestFilesAreTheSameBytesOnEveryWrite(t *testing.T) {
	rows := randomRows(11, schemas.BatchRows/8)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		for i := range 14 {
			arrow, _ := arrowFile(t, rows)
			parquet, _ := parquetFile(t, rows)
			if got := digest.SHA256(arrow); got != goldenArrow {
				t.Fatalf("arrow, write %d with %d processors: got %s, want %s", i, procs, got, goldenArrow)
			}
			if got := digest.SHA256(parquet); got != goldenParquet {
				t.Fatalf("parquet, write %d with %d processors: got %s, want %s", i, procs, got, goldenParquet)
			}
		}
	}
}

func TestWholeTableAndOneBatchAreTheSameFile(t *testing.T) {
	t.Parallel()
	rows := randomRows(3, 200)
	want, _ := arrowFile(t, rows)
	var got bytes.Buffer
	if _, err := WriteTable(&got, everything, testOptions, columnsOf(rows)...); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("WriteTable gives %d bytes that differ from the %d of Writer", got.Len(), len(want))
	}
}

// Spare capacity and stale bytes of a caller's slices must not reach the file.
func TestBytesBehindAColumnDoNotReachTheFile(t *testing.T) {
	t.Parallel()
	table := schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "a", Type: schemas.Uint16}, {Name: "b", Type: schemas.Bool}}}
	clean, dirty := new(bytes.Buffer), new(bytes.Buffer)
	if _, err := WriteTable(clean, table, Options{}, []uint16{1, 2, 3}, []bool{true, false, true}); err != nil {
		t.Fatal(err)
	}
	a := []uint16{1, 2, 3, 0xFFFF, 0xFFFF}[:3]
	b := Bools{bits: []byte{0b101, 0xFF}[:1], n: 3}
	if _, err := WriteTable(dirty, table, Options{}, a, b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(clean.Bytes(), dirty.Bytes()) {
		t.Errorf("files differ:\n%x\n%x", clean.Bytes(), dirty.Bytes())
	}
}
