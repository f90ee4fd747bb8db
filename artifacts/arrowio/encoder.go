package arrowio

import (
	"fmt"
	"io"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Encoder gives the batches of one file their form.
type Encoder interface {
	// Write writes a batch: the columns of the table in their order, of equal length and checked. The
	// encoder of Parquet may refer to text until the next batch or Close; nothing else is kept.
	Write(cols []Values) error
	// Close finishes the file; it does not close the underlying writer.
	Close() error
}

// Values are a batch's values in one column, laid as Arrow lays them: numbers one behind the other
// and bools a bit each in Data; of strings and lists, value i is Data from Offsets[i] to
// Offsets[i+1], counted in bytes or numbers. Offsets may be nil where there are none.
type Values struct {
	Rows    int
	Offsets []int32
	Data    []byte
}

// NewEncoder begins a file of table t on w, whose metadata are the pairs of keys, which ascend, and values.
type NewEncoder func(w io.Writer, t schemas.Table, keys, values []string) (Encoder, error)

var arrowEncoder, parquetEncoder NewEncoder = unlinked, unlinked

// Register takes the encoders that the writers use. A program that writes tables imports
// artifacts/arrowio/library for its side effect, which is to call Register; one that only reads them
// does without, and without the libraries behind it.
func Register(arrow, parquet NewEncoder) { arrowEncoder, parquetEncoder = arrow, parquet }

func unlinked(io.Writer, schemas.Table, []string, []string) (Encoder, error) {
	return nil, fault.New(fault.Failure, "this program was built to read tables and not to write them").
		Hint("import artifacts/arrowio/library where the program is put together")
}

// records checks, encodes and counts the batches of a file, for BatchWriter and ParquetWriter.
type records struct {
	table schemas.Table
	file  Encoder
	sum   *logical
	rows  int64
}

func newRecords(begin NewEncoder, w io.Writer, t schemas.Table, keys, values []string) (records, error) {
	if err := hostCanMap(); err != nil {
		return records{}, err
	}
	file, err := begin(w, t, keys, values)
	r := records{table: t, file: file, sum: newLogical(t.ID)}
	return r, r.wrap(err)
}

// write makes sure that the readers would accept cols in a file of the table, and writes them.
func (r *records) write(cols []column) error {
	values := make([]Values, len(cols))
	for i, c := range cols {
		if err := c.check(); err != nil {
			return fault.New(fault.Failure, "table %s: column %s: %w", r.table.ID, r.table.Columns[i].Name, err)
		}
		values[i] = Values{c.rows, c.offsets, c.data}
	}
	if err := r.file.Write(values); err != nil {
		return r.wrap(err)
	}
	r.sum.add(cols)
	r.rows += int64(cols[0].rows)
	return nil
}

func (r *records) close() (Summary, error) {
	if err := r.file.Close(); err != nil {
		return Summary{}, r.wrap(err)
	}
	return Summary{Rows: r.rows, Logical: r.sum.hex()}, nil
}

func (r *records) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write table %s: %w", r.table.ID, err)
}
