package arrowio

import (
	"bytes"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/schemas"
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
	err     error // the first error: the file lacks a batch, so Close must not succeed
}

// NewBatchWriter begins a file of table t on w. Nothing is written before the first batch or Close.
func NewBatchWriter(w io.Writer, t schemas.Table, o Options) (*BatchWriter, error) {
	keys, values, err := metadata(t, o)
	if err != nil {
		return nil, err
	}
	r, err := newRecords(arrowEncoder, w, t, keys, values)
	if err != nil {
		return nil, err
	}
	return &BatchWriter{records: r}, nil
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
		b.err = b.records.write(cols)
	}
	return b.err
}

// Close finishes the file; it does not close the underlying writer. It repeats the first error of
// WriteBatch: the file is whole only if Close succeeds.
func (b *BatchWriter) Close() (Summary, error) {
	if b.err != nil {
		return Summary{}, b.err
	}
	return b.records.close()
}

// ParquetWriter writes a Parquet file row by row, in row groups of schemas.BatchRows and constant
// memory: zstd, plain encoding, statistics. Of a table's metadata it has KeySchema.
type ParquetWriter struct {
	rows
	records records
}

// NewParquetWriter begins a Parquet file of table t on w.
func NewParquetWriter(w io.Writer, t schemas.Table) (*ParquetWriter, error) {
	r, err := newRecords(parquetEncoder, w, t, []string{KeySchema}, []string{t.ID})
	if err != nil {
		return nil, err
	}
	p := &ParquetWriter{records: r}
	p.rows = newRows(t, p.writeGroup)
	return p, nil
}

// writeGroup writes a batch as a row group, and lets its text go to the encoder, which refers to
// the smallest and largest strings for the statistics until the next row group begins. Reusing it,
// as Writer does, would publish those of the wrong rows.
func (p *ParquetWriter) writeGroup(cols []column) error {
	err := p.records.write(cols)
	for i := range cols {
		if cols[i].kind().offsets {
			cols[i].data = nil
		}
	}
	return err
}

// Close writes the rows that are left and finishes the file; it does not close the underlying
// writer. The file is whole only if Close succeeds.
func (p *ParquetWriter) Close() (Summary, error) {
	if err := p.flush(); err != nil {
		return Summary{}, err
	}
	return p.records.close()
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
