package arrowio

import (
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
	return &Writer{rows: newRows(t, out.WriteBatch), out: out}, nil
}

// Close writes the rows that are left and finishes the file; it does not close the underlying writer. The file is
// whole only if Close succeeds.
func (w *Writer) Close() (Summary, error) {
	if err := w.finish(); err != nil {
		return Summary{}, err
	}
	return w.out.Close()
}
