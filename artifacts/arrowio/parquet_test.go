package arrowio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqmeta "github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	"github.com/klauspost/compress/zstd"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var titles = schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "title", Type: schemas.String}}}

func titlesParquet(t *testing.T, title func(i int) string, rows int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewParquetWriter(&out, titles)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Row(title(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestParquetFooterSaysWhatTheSpecificationWants(t *testing.T) {
	t.Parallel()
	data, _ := parquetFile(t, randomRows(2, schemas.BatchRows+5))
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	meta := r.MetaData()
	if got := meta.GetCreatedBy(); got != "wikinav" {
		t.Errorf("created by %q", got)
	}
	if keys := meta.KeyValueMetadata().Keys(); len(keys) != 1 || keys[0] != KeySchema {
		t.Errorf("metadata keys %q, want %s alone", keys, KeySchema)
	}
	if got := []int64{meta.RowGroup(0).NumRows(), meta.RowGroup(1).NumRows()}; r.NumRowGroups() != 2 || got[0] != schemas.BatchRows || got[1] != 5 {
		t.Errorf("row groups %v", got)
	}
	for c := range meta.Schema.NumColumns() {
		chunk, err := meta.RowGroup(0).ColumnChunk(c)
		if err != nil {
			t.Fatal(err)
		}
		set, err := chunk.StatsSet()
		if err != nil || !set || chunk.Compression() != compress.Codecs.Zstd || chunk.HasDictionaryPage() {
			t.Errorf("column %d: statistics %t (%v), codec %s, dictionary %t", c, set, err, chunk.Compression(), chunk.HasDictionaryPage())
		}
	}
}

// The library keeps references to the smallest and largest string until the column is closed, which is after the
// buffers of the batch are in use again.
func TestParquetStatisticsAreThoseOfTheirRowGroup(t *testing.T) {
	t.Parallel()
	data := titlesParquet(t, func(i int) string { return fmt.Sprintf("%d-%05d", i/schemas.BatchRows, i%schemas.BatchRows) }, 2*schemas.BatchRows)
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for g := range 2 {
		chunk, err := r.MetaData().RowGroup(g).ColumnChunk(0)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := chunk.Statistics()
		if err != nil {
			t.Fatal(err)
		}
		s := stats.(*pqmeta.ByteArrayStatistics)
		low, high := fmt.Sprintf("%d-00000", g), fmt.Sprintf("%d-%05d", g, schemas.BatchRows-1)
		if string(s.Min()) != low || string(s.Max()) != high {
			t.Errorf("row group %d: got %q to %q, want %q to %q", g, s.Min(), s.Max(), low, high)
		}
	}
}

func TestReadParquetRefusesAnotherTable(t *testing.T) {
	t.Parallel()
	data := titlesParquet(t, func(int) string { return "a" }, 3)
	for name, table := range map[string]schemas.Table{
		"id":      {ID: "demo/2", Columns: titles.Columns},
		"name":    {ID: "demo/1", Columns: []schemas.Column{{Name: "x", Type: schemas.String}}},
		"type":    {ID: "demo/1", Columns: []schemas.Column{{Name: "title", Type: schemas.Binary}}},
		"columns": demo,
	} {
		_, err := ReadParquet(dir(t, "t.parquet", data), "t.parquet", table, digest.Bytes(data))
		if !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "t.parquet") {
			t.Errorf("%s: got %v, want a mismatch that names the file", name, err)
		}
	}
}

func TestReadParquetRefusesNullsAndLargeRowGroups(t *testing.T) {
	t.Parallel()
	nulls := foreignParquet(t, []bool{true, false, true}, true)
	if _, err := parseParquet(nulls, titles); err == nil {
		t.Error("a nullable column was accepted")
	}
	large := foreignParquet(t, make([]bool, schemas.BatchRows+1), false)
	if _, err := parseParquet(large, titles); err == nil || !strings.Contains(err.Error(), "row group 0") {
		t.Errorf("a row group of %d rows: got %v", schemas.BatchRows+1, err)
	}
	if _, err := parseParquet(foreignParquet(t, make([]bool, 3), false), titles); err == nil || !strings.Contains(err.Error(), "codec 0") {
		t.Errorf("a file with the library's defaults: got %v, want its codec refused", err)
	}
}

// foreignParquet writes titles with the library's defaults.
func foreignParquet(t *testing.T, valid []bool, nullable bool) []byte {
	t.Helper()
	meta := arrow.NewMetadata([]string{KeySchema}, []string{titles.ID})
	schema := arrow.NewSchema([]arrow.Field{{Name: "title", Type: arrow.BinaryTypes.String, Nullable: nullable}}, &meta)
	b := array.NewStringBuilder(memory.DefaultAllocator)
	for _, ok := range valid {
		if ok || !nullable {
			b.Append("a")
		} else {
			b.AppendNull()
		}
	}
	rec := array.NewRecord(schema, []arrow.Array{b.NewArray()}, int64(len(valid)))
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &out, parquet.NewWriterProperties(), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rec), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Damage with a matching digest reaches the reader, which refuses the file or returns as many rows
// as before, and allocates in proportion to the file.
func TestDamagedParquetIsRefusedOrHasItsRows(t *testing.T) {
	var before, after runtime.MemStats
	whole, _ := parquetFile(t, randomRows(5, 40))
	runtime.ReadMemStats(&before)
	refused := 0
	for i := range whole {
		for _, mask := range []byte{0x01, 0x10, 0x80, 0xFF} {
			damaged := bytes.Clone(whole)
			damaged[i] ^= mask
			if v, err := parseParquet(damaged, everything); err != nil {
				refused++
			} else if v.Logical(); v.Rows() != 40 {
				t.Errorf("byte %d ^ %#x: %d rows", i, mask, v.Rows())
			}
		}
		if _, err := parseParquet(whole[:i], everything); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", i, len(whole))
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / uint64(5*len(whole)); each > 4<<20 {
		t.Errorf("%d bytes allocated for each damaged file of %d bytes", each, len(whole))
	}
	t.Logf("%d of %d damaged files were refused", refused, 4*len(whole))
}

// replaced returns data with every varint that says from made to say to.
func replaced(t *testing.T, data []byte, from, to uint64) []byte {
	t.Helper()
	old, is := binary.AppendUvarint(nil, from<<1), binary.AppendUvarint(nil, to<<1)
	if bytes.Count(data, old) < 1 {
		t.Fatalf("%d does not stand in the file", from)
	}
	return bytes.ReplaceAll(data, old, is)
}

// A column chunk that claims 2^36 bytes once made the library allocate them.
func TestAColumnThatClaimsMoreThanTheFileHoldsIsRefused(t *testing.T) {
	t.Parallel()
	data := titlesParquet(t, func(i int) string { return fmt.Sprint(i * i * 7919) }, 9000)
	f, err := readParquetFooter(data[must64(footerStart(data)) : len(data)-8])
	if err != nil {
		t.Fatal(err)
	}
	start := must64(footerStart(data))
	claim := replaced(t, data[start:len(data)-8], uint64(f.groups[0].chunks[0].bytes), 1<<36)
	hostile := append(bytes.Clone(data[:start]), claim...)
	hostile = append(binary.LittleEndian.AppendUint32(hostile, uint32(len(claim))), parquetMagic...)
	if _, err := parseParquet(hostile, titles); err == nil || !strings.Contains(err.Error(), "68719476736 bytes at 4 are not in the file") {
		t.Errorf("got %v", err)
	}
}

// A zstd frame that is longer than its page claims once took gigabytes.
func TestAPageIsDecompressedNoFurtherThanItClaims(t *testing.T) {
	t.Parallel()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	bomb := enc.EncodeAll(make([]byte, 256<<20), nil)
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, claim := range []int64{0, 5, 1 << 20} {
		p := &pages{left: 8 << 20, zstd: dec}
		if _, err := p.unpack(page{packed: int64(len(bomb)), plain: claim}, bomb); err == nil {
			t.Errorf("a frame of 256 MiB stands for %d bytes", claim)
		}
	}
	if _, err := (&pages{left: 8 << 20, zstd: dec}).unpack(page{packed: int64(len(bomb)), plain: 256 << 20}, bomb); err == nil || !strings.Contains(err.Error(), "claim more") {
		t.Errorf("a page beyond the allowance: got %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

func must64(n int64, err error) int64 {
	if err != nil {
		panic(err)
	}
	return n
}

// parseParquet reads data, a whole file, against t.
func parseParquet(data []byte, t schemas.Table) (*views, error) {
	return collect(t, parseGroups(data, t))
}

// parseGroups yields the row groups of data, a whole file, against t.
func parseGroups(data []byte, t schemas.Table) iter.Seq2[batch, error] {
	return func(yield func(batch, error) bool) {
		if err := eachGroup(data, t, func(b batch) bool { return yield(b, nil) }); err != nil {
			yield(batch{}, err)
		}
	}
}
