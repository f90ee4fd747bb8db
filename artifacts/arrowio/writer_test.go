package arrowio

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestRowsThatAreNotWholePanic(t *testing.T) {
	t.Parallel()
	row := func(cells ...any) func() {
		w, err := NewWriter(new(bytes.Buffer), demo, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return func() { _ = w.Row(cells...) }
	}
	wantPanic(t, "a row of 1 cells for demo/1", row(uint32(1)))
	wantPanic(t, "a row of 4 cells for demo/1", row(uint32(1), "a", uint8(1), uint8(1)))
	wantPanic(t, "column id", row(1, "a", uint8(1)))
	wantPanic(t, "column title", row(uint32(1), []uint32{1}, uint8(1)))
	wantPanic(t, "column d", row(uint32(1), "a", uint16(2)))
	wantPanic(t, "column d", row(uint32(1), "a", "b"))
}

// What a program reports that reads tables only, and so links no encoder.
func TestWithoutEncodersNothingIsWritten(t *testing.T) {
	defer Register(arrowEncoder, parquetEncoder)
	Register(unlinked, unlinked)
	var out bytes.Buffer
	_, arrow := NewWriter(&out, demo, Options{})
	_, batches := WriteTable(&out, demo, Options{})
	_, parquet := NewParquetWriter(&out, demo)
	for i, err := range []error{arrow, batches, parquet} {
		if err == nil || !strings.Contains(err.Error(), "write table demo/1: this program was built to read tables") || out.Len() != 0 {
			t.Errorf("writer %d: got %v after %d bytes", i, err, out.Len())
		}
	}
}

func TestRowsCostNoAllocation(t *testing.T) {
	r := newRows(everything, func([]column) error { return nil })
	row := randomRows(5, 1)[0]
	for range schemas.BatchRows { // the columns keep their memory
		if err := r.Row(row.cells()...); err != nil {
			t.Fatal(err)
		}
	}
	n := testing.AllocsPerRun(1000, func() {
		_ = r.Row(row.B, row.U8, row.I16, row.U16, row.U32, row.U64, row.I64, row.S, row.Bin, row.L)
	})
	if n != 0 {
		t.Errorf("%v allocations a row", n)
	}
}

func TestColumnsThatDoNotFitTheTablePanic(t *testing.T) {
	t.Parallel()
	write := func(cols ...any) func() {
		return func() { _, _ = WriteTable(new(bytes.Buffer), demo, Options{}, cols...) }
	}
	s := MakeStrings([]string{"a"})
	wantPanic(t, "2 columns for demo/1", write([]uint32{1}, s))
	wantPanic(t, "column d", write([]uint32{1}, s, []uint16{1}))
	wantPanic(t, "column d", write([]uint32{1}, s, []uint8{1, 2}))
	wantPanic(t, "column title", write([]uint32{1}, []string{"a"}, []uint8{1}))
	wantPanic(t, KeySchema, func() { _, _ = NewWriter(nil, demo, Options{Metadata: map[string]string{KeySchema: "x"}}) })
}

func TestBadValuesAreErrorsAndSpoilTheFile(t *testing.T) {
	t.Parallel()
	both := schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "s", Type: schemas.String}, {Name: "l", Type: schemas.ListUint32}}}
	s, l := MakeStrings([]string{"a", "ß"}), Lists{Offsets: []int32{0, 1, 2}, Values: []uint32{5, 6}}
	cases := []struct {
		s    Strings
		l    Lists
		text string
	}{
		{Strings{s.Offsets, []byte("a\xff\xff")}, l, "row 1"},
		{Strings{[]int32{0, 2, 3}, s.Data}, l, "row 0"}, // the cut goes through ß
		{Strings{[]int32{0, 1, 2}, s.Data}, l, "last offset"},
		{Strings{[]int32{0, 1, 4}, s.Data}, l, "last offset"},
		{s, Lists{[]int32{1, 1, 2}, l.Values}, "column l: offset 0"},
		{s, Lists{[]int32{0, 2, 1}, l.Values}, "column l: offset 2"},
		{s, Lists{[]int32{0, -1, 2}, l.Values}, "column l: offset 1"},
	}
	for i, c := range cases {
		w, err := NewBatchWriter(new(bytes.Buffer), both, Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = w.WriteBatch(c.s, c.l)
		if err == nil || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "demo/1") {
			t.Errorf("case %d: got %v, want an error about %q", i, err, c.text)
		}
		if again := w.WriteBatch(s, l); again == nil {
			t.Errorf("case %d: a batch was accepted after one was lost", i)
		}
		if _, err := w.Close(); err == nil {
			t.Errorf("case %d: the file was closed as whole", i)
		}
	}
}

func TestInvalidUTF8IsAnErrorOfRowWriters(t *testing.T) {
	t.Parallel()
	arrow, err := NewWriter(new(bytes.Buffer), titles, Options{})
	if err != nil {
		t.Fatal(err)
	}
	parquet, err := NewParquetWriter(new(bytes.Buffer), titles)
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]rowWriter{"arrow": arrow, "parquet": parquet} {
		if err := w.Row("a\xff"); err != nil {
			t.Errorf("%s: the row alone: %v", name, err)
		}
		if _, err := w.Close(); err == nil || !strings.Contains(err.Error(), "UTF-8") {
			t.Errorf("%s: got %v, want an error about UTF-8", name, err)
		}
	}
}

func TestMetadataBeyondTheReadersLimitsIsAnError(t *testing.T) {
	t.Parallel()
	many := map[string]string{}
	for i := range maxMetadataKeys {
		many[fmt.Sprint("k", i)] = ""
	}
	for name, m := range map[string]map[string]string{"long": {"k": strings.Repeat("x", maxMetadataBytes+1)}, "many": many} {
		if _, err := NewWriter(new(bytes.Buffer), demo, Options{Metadata: m}); err == nil {
			t.Errorf("%s metadata was accepted", name)
		}
	}
}

// full is a disk with room for some bytes.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	f.room -= n
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func TestFullDiskIsReportedAsSuchWhereverItHappens(t *testing.T) {
	t.Parallel()
	rows := randomRows(4, 30)
	arrow, _ := arrowFile(t, rows)
	for room := range len(arrow) {
		w, err := NewWriter(&full{room}, everything, testOptions)
		wantNoSpace(t, "arrow", room, w, err, rows)
	}
	parquet, _ := parquetFile(t, rows)
	last := len(parquet) - 1
	for _, room := range []int{0, 3, 4, 100, last / 4, last / 2, last - 900, last - 8, last - 4, last} {
		w, err := NewParquetWriter(&full{room}, everything)
		wantNoSpace(t, "parquet", room, w, err, rows)
	}
}

func wantNoSpace(t *testing.T, format string, room int, w rowWriter, err error, rows []tableRow) {
	t.Helper()
	if err == nil {
		for _, r := range rows {
			err = errors.Join(err, w.Row(r.cells()...))
		}
		_, errClose := w.Close()
		err = errors.Join(err, errClose)
	}
	if fault.KindOf(err) != fault.NoSpace {
		t.Fatalf("%s, room for %d bytes: got %v, want no space", format, room, err)
	}
}
