package arrowio

import (
	"bytes"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Writer writes an Arrow file row by row, in record batches of schemas.BatchRows and constant memory.
type Writer struct {
	rows
	out *BatchWriter
}

// NewWriter begins a file of table t on w.
func NewWriter(w io.Writer, t schemas.Table, o Options) (*Writer, error) {
	out, err := NewBatchWriter(w, t, o)
	if err != nil {
		return nil, err
	}
	return &Writer{rows: newRows(t, out.write), out: out}, nil
}

// Close writes the rows that are left and finishes the file; it does not close the underlying
// writer. The file is whole only if Close succeeds.
func (w *Writer) Close() (Summary, error) {
	if err := w.flush(); err != nil {
		return Summary{}, err
	}
	return w.out.Close()
}

// WriteTable writes a whole table as one record batch; cols are those of WriteBatch.
func WriteTable(w io.Writer, t schemas.Table, o Options, cols ...any) (Summary, error) {
	b, err := NewBatchWriter(w, t, o)
	if err != nil {
		return Summary{}, err
	}
	if err := b.WriteBatch(cols...); err != nil {
		return Summary{}, err
	}
	return b.Close()
}

// BatchWriter writes an Arrow file of which each call makes one record batch.
type BatchWriter struct {
	records records
	file    *ipc.FileWriter
	err     error // the first error: the file lacks a batch, so Close must not succeed
}

// NewBatchWriter begins a file of table t on w. Nothing is written before the first batch or Close.
func NewBatchWriter(w io.Writer, t schemas.Table, o Options) (*BatchWriter, error) {
	return newBatchWriter(w, t, o, memory.DefaultAllocator)
}

func newBatchWriter(w io.Writer, t schemas.Table, o Options, mem memory.Allocator) (*BatchWriter, error) {
	if err := hostCanMap(); err != nil {
		return nil, err
	}
	meta, err := metadata(t, o)
	if err != nil {
		return nil, err
	}
	b := &BatchWriter{records: newRecords(w, t, meta)}
	b.file, err = ipc.NewFileWriter(b.records.out, ipc.WithSchema(b.records.schema), ipc.WithAllocator(mem))
	if err != nil {
		return nil, b.records.wrap(err)
	}
	return b, nil
}

// WriteBatch writes cols, in table order and of equal length, as the next record batch: []bool or
// Bools, []uint8, []int16, []uint16, []uint32, []uint64, []int64, []float64, Strings, Lists. It
// keeps no reference to them. Offsets that do not hold together, more values than 32-bit offsets
// reach, and strings that are not UTF-8 are errors.
func (b *BatchWriter) WriteBatch(cols ...any) error {
	return b.write(checkedColumns(b.records.table, cols))
}

func (b *BatchWriter) write(cols []column) error {
	if b.err == nil {
		b.err = b.records.write(b.file, cols)
	}
	return b.err
}

// Close finishes the file; it does not close the underlying writer. It repeats the first error of
// WriteBatch: the file is whole only if Close succeeds.
func (b *BatchWriter) Close() (Summary, error) {
	if b.err != nil {
		return Summary{}, b.err
	}
	if err := b.file.Close(); err != nil || b.records.out.err != nil {
		return Summary{}, b.records.wrap(err)
	}
	return b.records.summary(), nil
}

// records checks, writes and counts the batches of a file, for BatchWriter and ParquetWriter.
type records struct {
	table  schemas.Table
	schema *arrow.Schema
	out    *sink
	sum    *logical
	rows   int64
}

func newRecords(w io.Writer, t schemas.Table, meta arrow.Metadata) records {
	return records{table: t, schema: arrowSchema(t, meta), out: &sink{w: w}, sum: newLogical(t.ID)}
}

// write makes sure that Open would accept cols in a file of the table, and writes them.
func (b *records) write(file interface{ Write(arrow.Record) error }, cols []column) error {
	for i, c := range b.table.Columns {
		if err := cols[i].check(); err != nil {
			return fault.New(fault.Failure, "table %s: column %s: %w", b.table.ID, c.Name, err)
		}
	}
	rec := newRecord(b.schema, cols)
	defer rec.Release()
	if err := file.Write(rec); err != nil || b.out.err != nil {
		return b.wrap(err)
	}
	b.sum.add(cols)
	b.rows += rec.NumRows()
	return nil
}

func (b *records) summary() Summary { return Summary{Rows: b.rows, Logical: b.sum.hex()} }

func (b *records) wrap(err error) error {
	return fmt.Errorf("write table %s: %w", b.table.ID, b.out.first(err))
}

// newRecord wraps columns in an Arrow record that shares their memory; the caller releases it.
func newRecord(schema *arrow.Schema, cols []column) arrow.Record {
	arrays := make([]arrow.Array, len(cols))
	for i := range cols {
		data := cols[i].arrow()
		arrays[i] = array.MakeFromData(data)
		data.Release()
	}
	rec := array.NewRecord(schema, arrays, int64(cols[0].rows))
	for _, a := range arrays {
		a.Release()
	}
	return rec
}

func (c *column) arrow() *array.Data {
	k := c.kind()
	if !k.offsets {
		return newData(k.arrow, c.rows, nil, c.data)
	}
	offsets := c.offsets
	if len(offsets) == 0 {
		offsets = []int32{0} // the format asks for one
	}
	if list, ok := k.arrow.(*arrow.ListType); ok {
		values := newData(list.Elem(), len(c.data)/k.unit, nil, c.data)
		defer values.Release()
		return newData(k.arrow, c.rows, []arrow.ArrayData{values}, bytesOf(offsets))
	}
	return newData(k.arrow, c.rows, nil, bytesOf(offsets), c.data)
}

// newData has no validity bitmap: columns hold no nulls.
func newData(typ arrow.DataType, rows int, children []arrow.ArrayData, buffers ...[]byte) *array.Data {
	bufs := make([]*memory.Buffer, 1, 3)
	for _, b := range buffers {
		bufs = append(bufs, memory.NewBufferBytes(b))
	}
	return array.NewData(typ, rows, bufs, children, 0, 0)
}

// BatchLayout computes where the first column's values of batch i begin in a file with batches of
// rows rows: at byte offset0 + i*stride. The numbers hold for any values, for any number of
// batches, and for all options whose metadata has the same keys and lengths of values; all columns
// must have fixed width. It writes two batches of zeros to memory and looks.
func BatchLayout(t schemas.Table, o Options, rows int) (offset0, stride int64, err error) {
	var file bytes.Buffer
	w, err := NewBatchWriter(&file, t, o)
	if err != nil {
		return 0, 0, err
	}
	for range 2 {
		if err := w.write(zeros(t, rows)); err != nil {
			return 0, 0, err
		}
	}
	if _, err := w.Close(); err != nil {
		return 0, 0, err
	}
	f, err := parse(file.Bytes(), t)
	if err != nil {
		return 0, 0, fmt.Errorf("layout of table %s: %w", t.ID, err)
	}
	first := f.BufferOffset(0, 0)
	return first, f.BufferOffset(1, 0) - first, nil
}

func zeros(t schemas.Table, rows int) []column {
	cols := make([]column, len(t.Columns))
	for i, c := range t.Columns {
		if kinds[c.Type].offsets {
			panic("arrowio: column " + c.Name + " has no fixed width, so batches have no constant stride")
		}
		cols[i] = column{typ: c.Type, rows: rows, data: make([]byte, kinds[c.Type].size(int64(rows)))}
	}
	return cols
}
