package arrowio

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/wikinav/wikinav/schemas"
)

// BatchWriter writes an Arrow file of which each call gives one record batch.
type BatchWriter struct {
	table  schemas.Table
	schema *arrow.Schema
	out    *sink
	file   *ipc.FileWriter
	sum    *logical
	rows   int64
	err    error // the first error: the file lacks a batch, so Close must not succeed
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
	b := &BatchWriter{table: t, schema: arrowSchema(t, meta), out: &sink{w: w}, sum: newLogical(t.ID)}
	b.file, err = ipc.NewFileWriter(b.out, ipc.WithSchema(b.schema), ipc.WithAllocator(mem))
	if err != nil {
		return nil, b.wrap(err)
	}
	return b, nil
}

// WriteBatch writes cols, in table order and of equal length, as the next record batch: []bool or Bools, []uint8,
// []int16, []uint16, []uint32, []uint64, []int64, []float64, Strings, Lists. It keeps no reference to them. Offsets that do not
// hold together, more values than 32-bit offsets reach, and strings that are not UTF-8 are errors.
func (b *BatchWriter) WriteBatch(cols ...any) error {
	if b.err == nil {
		b.err = b.writeBatch(cols)
	}
	return b.err
}

func (b *BatchWriter) writeBatch(cols []any) error {
	rows, err := checkBatch(b.table, cols)
	if err != nil {
		return err
	}
	rec := newRecord(b.schema, cols, rows)
	defer rec.Release()
	if err := b.file.Write(rec); err != nil {
		return b.wrap(err)
	}
	b.sum.add(cols, rows)
	b.rows += int64(rows)
	return nil
}

// Close finishes the file; it does not close the underlying writer. It repeats the first error of WriteBatch: the file is
// whole only if Close succeeds.
func (b *BatchWriter) Close() (Summary, error) {
	if b.err != nil {
		return Summary{}, b.err
	}
	if err := b.file.Close(); err != nil || b.out.err != nil {
		return Summary{}, b.wrap(err)
	}
	return Summary{Rows: b.rows, Logical: b.sum.hex()}, nil
}

func (b *BatchWriter) wrap(err error) error {
	return fmt.Errorf("write table %s: %w", b.table.ID, b.out.first(err))
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
