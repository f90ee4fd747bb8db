package arrowio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// sample is a small file with its table.
type sample struct {
	name  string
	table schemas.Table
	data  []byte
}

func samples(t testing.TB) []sample {
	t.Helper()
	all, _ := arrowFile(t, randomRows(21, 6))
	none, _ := arrowFile(t, nil)
	var graph, distances bytes.Buffer
	lists := Lists{Offsets: []int32{0, 1, 3}, Values: []uint32{1, 0, 1}}
	if _, err := WriteTable(&graph, schemas.GraphTable, Options{}, []uint32{4, 9}, MakeStrings([]string{"A", "Bß"}), lists, lists); err != nil {
		t.Fatal(err)
	}
	w, err := NewBatchWriter(&distances, schemas.DistancesTable, distanceOptions(strings.Repeat("1", 20)))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.WriteBatch([]uint8{0, 1, 2, 255, 3}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []sample{
		{"everything", everything, all},
		{"empty", everything, none},
		{"graph", schemas.GraphTable, graph.Bytes()},
		{"distances", schemas.DistancesTable, distances.Bytes()},
	}
}

// walk reads every value of f, and checks that all memory it can reach lies within data.
func walk(t testing.TB, f *File, data []byte) {
	t.Helper()
	for b := range f.Batches() {
		for c := range f.table.Columns {
			for _, part := range partsOf(f, b, c) {
				wantWithin(t, part, data)
			}
		}
	}
	f.Logical()
}

func partsOf(f *File, b, c int) [][]byte {
	col := f.batches[b].cols[c]
	return [][]byte{bytesOf(col.offsets), col.data}
}

func wantWithin(t testing.TB, part, data []byte) {
	t.Helper()
	if len(part) == 0 {
		return
	}
	first, end := uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data))
	if at := uintptr(unsafe.Pointer(unsafe.SliceData(part))) - first; at > end || end-at < uintptr(len(part)) {
		t.Fatalf("a view of %d bytes lies outside the file of %d", len(part), len(data))
	}
}

// Every byte of a file is changed in ten ways, so footer and messages are too. The digest would match, so that the parser alone stands
// between the bytes and memory: it refuses, or its views stay within the file.
func TestDamagedFilesAreRefusedOrStayInBounds(t *testing.T) {
	var before, after runtime.MemStats
	for _, s := range samples(t) {
		runtime.ReadMemStats(&before)
		files, refused := 0, 0
		for i := range s.data {
			for _, mask := range []byte{1, 2, 4, 8, 16, 32, 64, 128, 255, s.data[i]} {
				damaged := bytes.Clone(s.data)
				damaged[i] ^= mask
				files++
				if f, err := parse(damaged, s.table); err != nil {
					refused++
				} else {
					walk(t, f, damaged)
				}
			}
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / uint64(files); each > 32<<10+2*uint64(logicalBuffer) {
			t.Errorf("%s: %d bytes allocated for each of %d files of %d bytes", s.name, each, files, len(s.data))
		}
		t.Logf("%s: %d of %d damaged files refused", s.name, refused, files)
	}
}

func TestTruncatedFilesAreRefused(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		for n := range s.data {
			if _, err := parse(s.data[:n:n], s.table); err == nil {
				t.Errorf("%s: the first %d of %d bytes were accepted", s.name, n, len(s.data))
			}
			tail := bytes.Clone(s.data[n:])
			if _, err := parse(tail, s.table); err == nil && n > 0 {
				t.Errorf("%s: the last %d of %d bytes were accepted", s.name, len(tail), len(s.data))
			}
		}
	}
}

// change overwrites every 8-byte number of the metadata that equals old.
func change(data []byte, old, now uint64) []byte {
	data = bytes.Clone(data)
	for at := 0; at+8 <= len(data); at += 4 {
		if binary.LittleEndian.Uint64(data[at:]) == old {
			binary.LittleEndian.PutUint64(data[at:], now)
		}
	}
	return data
}

func TestHostileClaimsAreRefused(t *testing.T) {
	t.Parallel()
	const rows = 1237 // a number that stands nowhere else in the file
	var out bytes.Buffer
	table := schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "d", Type: schemas.Uint8}, {Name: "b", Type: schemas.Bool}}}
	if _, err := WriteTable(&out, table, Options{}, make([]uint8, rows), make([]bool, rows)); err != nil {
		t.Fatal(err)
	}
	if f, err := parse(out.Bytes(), table); err != nil || f.Rows() != rows {
		t.Fatalf("the file itself: %v", err)
	}
	for _, claim := range []uint64{1 << 40, 1 << 62, 1<<63 - 1, 1 << 63, ^uint64(0), rows - 8, rows + 8, 0} {
		_, err := openBytes(t, change(out.Bytes(), rows, claim), table)
		if !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "t.arrow") {
			t.Errorf("%d rows claimed: got %v, want a mismatch that names the file", claim, err)
		}
	}
}

// replace swaps the only place of old in data for now, of the same length.
func replace(t *testing.T, data, old, now []byte) []byte {
	t.Helper()
	if n := bytes.Count(data, old); n != 1 || len(old) != len(now) {
		t.Fatalf("%x stands %d times in the file", old, n)
	}
	return bytes.Replace(data, old, now, 1)
}

// The digest matches and the frame is right: what is wrong are the values that index others, and the text.
func TestHostileContentIsRefused(t *testing.T) {
	t.Parallel()
	table := schemas.Table{ID: "demo/1", Columns: []schemas.Column{
		{Name: "s", Type: schemas.String}, {Name: "l", Type: schemas.ListUint32}, {Name: "b", Type: schemas.Bool},
	}}
	var out bytes.Buffer
	s := Strings{Offsets: []int32{0, 0, 3, 11, 11}, Data: []byte("aß_marker_")}
	l := Lists{Offsets: []int32{0, 1, 2, 2, 5}, Values: []uint32{1, 2, 3, 4, 5}}
	if _, err := WriteTable(&out, table, Options{}, s, l, []bool{true, true, true, true}); err != nil {
		t.Fatal(err)
	}
	of := func(offsets ...int32) []byte { return bytesOf(offsets) }
	cases := []struct {
		name     string
		old, now []byte
		text     string
	}{
		{"text offsets fall", of(0, 0, 3, 11, 11), of(0, 7, 3, 11, 11), "column s"},
		{"text offsets begin late", of(0, 0, 3, 11, 11), of(1, 1, 3, 11, 11), "column s"},
		{"text offsets go beyond", of(0, 0, 3, 11, 11), of(0, 0, 3, 99, 99), "column s"},
		{"text offsets end early", of(0, 0, 3, 11, 11), of(0, 0, 3, 10, 10), "column s"},
		{"negative offset", of(0, 0, 3, 11, 11), of(0, -4, 3, 11, 11), "column s"},
		{"a character is cut", of(0, 0, 3, 11, 11), of(0, 2, 3, 11, 11), "column s"},
		{"text is not UTF-8", []byte("_marker_"), []byte("_marker\xff"), "column s"},
		{"list offsets fall", of(0, 1, 2, 2, 5), of(0, 3, 2, 2, 5), "column l"},
		{"list offsets go beyond", of(0, 1, 2, 2, 5), of(0, 1, 2, 2, 6), "column l"},
	}
	for _, c := range cases {
		_, err := openBytes(t, replace(t, out.Bytes(), c.old, c.now), table)
		if !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "record batch 0") {
			t.Errorf("%s: got %v, want a mismatch of %s in record batch 0", c.name, err, c.text)
		}
	}
	f, err := parse(out.Bytes(), table)
	if err != nil {
		t.Fatal(err)
	}
	spare := bytes.Clone(out.Bytes())
	spare[f.BufferOffset(0, 2)] |= 0x10
	if _, err := openBytes(t, spare, table); !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "column b") {
		t.Errorf("a bit behind the last row: got %v", err)
	}
}

// 8 times these rows is the true size of the column, if the product may overflow.
func TestRowsWhoseProductOverflowsAreRefused(t *testing.T) {
	t.Parallel()
	const rows = 1237
	table := schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "n", Type: schemas.Uint64}}}
	var out bytes.Buffer
	if _, err := WriteTable(&out, table, Options{}, make([]uint64, rows)); err != nil {
		t.Fatal(err)
	}
	if f, err := parse(change(out.Bytes(), rows, rows+1<<61), table); err == nil {
		t.Errorf("a file of %d bytes has %d rows", out.Len(), f.Rows())
	}
}
