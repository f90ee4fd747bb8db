package arrowio

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// Table is a Parquet file in memory. Its batches are the file's row groups, its columns Go slices of its own.
type Table struct{ views }

// ReadParquet reads the whole Parquet file called name below root, which must be a regular file of the size and
// SHA-256 that want says, with exactly the columns of t and no nulls. Errors are those of Open.
//
// Only bytes that have the digest reach the Parquet library, which is not made for hostile ones. Its panics become errors, and its
// buffers are limited (see budget); a zstd frame that is longer than its page says can still make it ask for more.
func ReadParquet(root *os.Root, name string, t schemas.Table, want digest.Digest) (*Table, error) {
	data, err := readFile(root, name, want.Bytes)
	if err != nil {
		return nil, err
	}
	if err := checkDigest(name, data, want); err != nil {
		return nil, err
	}
	v, err := parseParquet(data, t)
	if err != nil {
		return nil, located(name, err)
	}
	return &Table{*v}, nil
}

// parseParquet runs the library, on this goroutine alone: recover does not reach another's panics.
func parseParquet(data []byte, t schemas.Table) (v *views, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, fmt.Errorf("parquet: %v", p)
		}
	}()
	mem := newBudget()
	raw, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(parquet.NewReaderProperties(mem)))
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	r, err := pqarrow.NewFileReader(raw, pqarrow.ArrowReadProperties{BatchSize: schemas.BatchRows}, mem)
	if err != nil {
		return nil, err
	}
	if err := checkParquet(raw, r, t); err != nil {
		return nil, err
	}
	v = &views{table: t}
	for group := range raw.NumRowGroups() {
		b, err := readGroup(r, group, t, mem)
		if err != nil {
			return nil, fmt.Errorf("row group %d: %w", group, err)
		}
		v.batches = append(v.batches, b)
	}
	if v.Rows() != raw.NumRows() {
		return nil, fmt.Errorf("%d rows, the footer says %d", v.Rows(), raw.NumRows())
	}
	return v, nil
}

// checkParquet compares what the footer says with t, before any page is read.
func checkParquet(raw *file.Reader, r *pqarrow.FileReader, t schemas.Table) error {
	if id := raw.MetaData().KeyValueMetadata().FindValue(KeySchema); id == nil || *id != t.ID {
		return fmt.Errorf("schema is not %q", t.ID)
	}
	schema, err := r.Schema()
	if err != nil {
		return err
	}
	if schema.NumFields() != len(t.Columns) {
		return fmt.Errorf("%d columns, expected %d", schema.NumFields(), len(t.Columns))
	}
	for i, c := range t.Columns {
		if f := schema.Field(i); f.Name != c.Name || f.Nullable || !sameType(f.Type, c.Type) {
			return fmt.Errorf("column %d is %s of type %s, expected %s of type %s", i, f.Name, f.Type, c.Name, arrowType(c.Type))
		}
	}
	for i := range raw.NumRowGroups() {
		if n := raw.MetaData().RowGroup(i).NumRows(); n < 1 || n > schemas.BatchRows {
			return fmt.Errorf("row group %d: %d rows, at most %d are accepted", i, n, schemas.BatchRows)
		}
	}
	return nil
}

func readGroup(r *pqarrow.FileReader, group int, t schemas.Table, mem *budget) (batch, error) {
	rows := int(r.ParquetReader().MetaData().RowGroup(group).NumRows())
	b := batch{rows: rows}
	for i, c := range t.Columns {
		mem.renew()
		col, err := readParquetColumn(r, group, i, c.Type)
		if err != nil {
			return batch{}, fmt.Errorf("column %s: %w", c.Name, err)
		}
		n, ok := fits(c.Type, col)
		if !ok || n != rows {
			return batch{}, fmt.Errorf("column %s: %d rows of %T, the footer says %d", c.Name, n, col, rows)
		}
		if err := checkColumn(c.Type, col); err != nil {
			return batch{}, fmt.Errorf("column %s: %w", c.Name, err)
		}
		b.cols = append(b.cols, col)
	}
	return b, nil
}

// readParquetColumn reads one column of one row group.
func readParquetColumn(r *pqarrow.FileReader, group, col int, typ schemas.Type) (any, error) {
	leaves := make(map[int]bool)
	for leaf := range r.ParquetReader().MetaData().Schema.NumColumns() {
		leaves[leaf] = true
	}
	groups := []int{group}
	reader, err := r.GetFieldReader(context.Background(), col, leaves, groups)
	if err != nil {
		return nil, err
	}
	defer reader.Release()
	chunks, err := r.ReadColumn(groups, reader)
	if err != nil {
		return nil, err
	}
	defer chunks.Release()
	return copyChunks(chunks, typ)
}
