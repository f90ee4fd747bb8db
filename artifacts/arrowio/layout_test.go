package arrowio

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

func distanceOptions(offset string) Options {
	return Options{ParamsSHA256: strings.Repeat("a", 64), Metadata: map[string]string{
		"wikinav.graph_sha256": strings.Repeat("b", 64), "wikinav.offset0": offset, "wikinav.stride": offset,
	}}
}

func TestBatchLayoutIsThatOfEveryBatch(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{1, 7, 8, 63, 64, 65, 1000} {
		for _, batches := range []int{1, 2, 300} {
			offset0, stride, err := BatchLayout(schemas.DistancesTable, distanceOptions(strings.Repeat("0", 20)), rows)
			if err != nil {
				t.Fatal(err)
			}
			checkLayout(t, rows, batches, offset0, stride)
		}
	}
}

func checkLayout(t *testing.T, rows, batches int, offset0, stride int64) {
	t.Helper()
	var file bytes.Buffer
	w, err := NewBatchWriter(&file, schemas.DistancesTable, distanceOptions(strings.Repeat("7", 20)))
	if err != nil {
		t.Fatal(err)
	}
	for b := range batches {
		if err := w.WriteBatch(bytes.Repeat([]byte{byte(b)}, rows)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := openBytes(t, file.Bytes(), schemas.DistancesTable)
	if err != nil {
		t.Fatal(err)
	}
	for b := range batches {
		at := offset0 + int64(b)*stride
		if got := f.BufferOffset(b, 0); got != at {
			t.Fatalf("%d rows, batch %d of %d: column at %d, layout says %d", rows, b, batches, got, at)
		}
		if got := file.Bytes()[at : at+int64(rows)]; !bytes.Equal(got, f.Uint8s(b, 0)) || got[0] != byte(b) {
			t.Fatalf("%d rows, batch %d of %d: the bytes at %d are not the column", rows, b, batches, at)
		}
	}
}

func TestBufferOffsetIsWhereTheValuesOfEachColumnLie(t *testing.T) {
	t.Parallel()
	rows := randomRows(8, 100)
	data, _ := arrowFile(t, rows)
	f, err := Open(dir(t, "t.arrow", data), "t.arrow", everything, digest.Bytes(data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	values := [][]byte{
		f.Bools(0, 0).bits, f.Uint8s(0, 1), bytesOf(f.Int16s(0, 2)), bytesOf(f.Uint16s(0, 3)), bytesOf(f.Uint32s(0, 4)),
		bytesOf(f.Uint64s(0, 5)), bytesOf(f.Int64s(0, 6)), f.Strings(0, 7).Data, f.Binaries(0, 8).Data, bytesOf(f.Lists(0, 9).Values),
	}
	for c, want := range values {
		at := f.BufferOffset(0, c)
		if got := data[at : at+int64(len(want))]; len(want) == 0 || !bytes.Equal(got, want) {
			t.Errorf("column %s: the bytes at %d are not its values", everything.Columns[c].Name, at)
		}
	}
}
