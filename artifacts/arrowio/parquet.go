package arrowio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// Every choice that shows in the bytes of a Parquet file is stated here: the library's defaults may change.
const (
	parquetMagic     = "PAR1"
	parquetCreator   = "wikinav"
	parquetZstdLevel = 3
	parquetPageBytes = 1 << 20
	parquetBatch     = 1024 // rows between two looks at the size of a page
)

// ParquetWriter writes a Parquet file row by row, in row groups of schemas.BatchRows and constant
// memory: zstd, plain encoding, statistics. Of a table's metadata it has KeySchema.
type ParquetWriter struct {
	rows
	records records
	file    *pqarrow.FileWriter
}

// NewParquetWriter begins a Parquet file of table t on w.
func NewParquetWriter(w io.Writer, t schemas.Table) (*ParquetWriter, error) {
	if err := hostCanMap(); err != nil {
		return nil, err
	}
	p := &ParquetWriter{records: newRecords(w, t, arrow.NewMetadata([]string{KeySchema}, []string{t.ID}))}
	p.rows = newRows(t, p.writeGroup)
	var err error
	p.file, err = pqarrow.NewFileWriter(p.records.schema, quiet{p.records.out},
		parquetProperties(), pqarrow.NewArrowWriterProperties())
	if err != nil || p.records.out.err != nil {
		return nil, p.records.wrap(err)
	}
	return p, nil
}

func parquetProperties() *parquet.WriterProperties {
	return parquet.NewWriterProperties(
		parquet.WithVersion(parquet.V2_6),
		parquet.WithDataPageVersion(parquet.DataPageV1),
		parquet.WithDataPageSize(parquetPageBytes),
		parquet.WithBatchSize(parquetBatch),
		parquet.WithMaxRowGroupLength(schemas.BatchRows),
		parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.Plain),
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithCompressionLevel(parquetZstdLevel),
		parquet.WithStats(true),
		parquet.WithCreatedBy(parquetCreator),
		parquet.WithRootName("schema"),
	)
}

// writeGroup writes a batch as a row group, and lets its text go to the library, which refers to
// the smallest and largest strings for the statistics until the next row group begins. Reusing it,
// as Writer does, would publish those of the wrong rows.
func (p *ParquetWriter) writeGroup(cols []column) error {
	err := p.records.write(p.file, cols)
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
	out := p.records.out
	if err := p.file.Close(); err != nil || out.err != nil {
		return Summary{}, p.records.wrap(err)
	}
	// The library's Close drops the errors of its last row group and footer; this is how they show.
	if n := int64(p.file.NumRows()); n != p.records.rows || !out.endsIn(parquetMagic) {
		err := fmt.Errorf("the library closed the file after %d of %d rows or without a footer", n, p.records.rows)
		return Summary{}, p.records.wrap(err)
	}
	return p.records.summary(), nil
}

// Table is a Parquet file in memory. Its batches are the file's row groups, its columns Go slices of its own.
type Table struct{ views }

// ReadParquet reads the whole Parquet file called name below root, which must be a regular file of
// the size and SHA-256 that want says, with exactly the columns of t and no nulls. Errors are those
// of Open.
//
// Only bytes that have the digest reach the Parquet library, which is not made for hostile ones.
// Its panics become errors, and its buffers are limited (see budget); a zstd frame that is longer
// than its page says can still make it ask for more.
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
		if f := schema.Field(i); f.Name != c.Name || f.Nullable || !sameType(f.Type, kinds[c.Type].arrow) {
			return fmt.Errorf("column %d is %s of type %s, expected %s of type %s",
				i, f.Name, f.Type, c.Name, kinds[c.Type].arrow)
		}
	}
	for i := range raw.NumRowGroups() {
		if n := raw.MetaData().RowGroup(i).NumRows(); n < 1 || n > schemas.BatchRows {
			return fmt.Errorf("row group %d: %d rows, at most %d are accepted", i, n, schemas.BatchRows)
		}
	}
	return nil
}

// sameType reports whether got is the Arrow type want. Parquet names the child of a list
// differently and calls it nullable, which copyChunks makes good by refusing nulls.
func sameType(got, want arrow.DataType) bool {
	if l, ok := got.(*arrow.ListType); ok && want.ID() == arrow.LIST {
		return l.Elem().ID() == arrow.UINT32
	}
	return got.ID() == want.ID()
}

func readGroup(r *pqarrow.FileReader, group int, t schemas.Table, mem *budget) (batch, error) {
	b := batch{rows: int(r.ParquetReader().MetaData().RowGroup(group).NumRows())}
	for i, c := range t.Columns {
		mem.renew()
		col, err := readParquetColumn(r, group, i, c.Type)
		if err == nil && col.rows != b.rows {
			err = fmt.Errorf("%d rows, the footer says %d", col.rows, b.rows)
		}
		if err == nil {
			err = col.check()
		}
		if err != nil {
			return batch{}, fmt.Errorf("column %s: %w", c.Name, err)
		}
		b.cols = append(b.cols, col)
	}
	return b, nil
}

// readParquetColumn reads one column of one row group.
func readParquetColumn(r *pqarrow.FileReader, group, col int, typ schemas.Type) (column, error) {
	leaves := make(map[int]bool)
	for leaf := range r.ParquetReader().MetaData().Schema.NumColumns() {
		leaves[leaf] = true
	}
	groups := []int{group}
	reader, err := r.GetFieldReader(context.Background(), col, leaves, groups)
	if err != nil {
		return column{}, err
	}
	defer reader.Release()
	chunks, err := r.ReadColumn(groups, reader)
	if err != nil {
		return column{}, err
	}
	defer chunks.Release()
	return copyChunks(chunks, typ)
}

// copyChunks returns the values of c, which are of type t, as one column that shares nothing with c.
func copyChunks(c *arrow.Chunked, t schemas.Type) (column, error) {
	if c.NullN() != 0 {
		return column{}, fmt.Errorf("%d nulls", c.NullN())
	}
	out := column{typ: t}
	k := out.kind()
	if k.offsets {
		out.offsets = make([]int32, 1, c.Len()+1)
	}
	for _, chunk := range c.Chunks() {
		switch a := chunk.(type) {
		case *array.Boolean:
			for i := range a.Len() {
				out.appendBool(a.Value(i))
			}
			continue
		case array.BinaryLike:
			for i := range a.Len() {
				out.offsets = append(out.offsets, out.offsets[out.rows+i]+int32(a.ValueLen(i)))
			}
			out.data = append(out.data, a.ValueBytes()...)
		case *array.List:
			values, last := a.ListValues().(*array.Uint32), out.offsets[out.rows]
			if values.NullN() != 0 {
				return column{}, errors.New("nulls in a list")
			}
			for i := range a.Len() {
				from, to := a.ValueOffsets(i)
				out.data = append(out.data, bytesOf(values.Uint32Values()[from:to])...)
				last += int32(to - from)
				out.offsets = append(out.offsets, last)
			}
		default: // numbers
			if d := a.Data(); d.Len() > 0 {
				out.data = append(out.data, d.Buffers()[1].Bytes()[d.Offset()*k.unit:(d.Offset()+d.Len())*k.unit]...)
			}
		}
		out.rows += chunk.Len()
	}
	return out, nil
}

// parquetBudget is far above what 65,536 rows of ours take, a few MiB, and below what a machine has.
const parquetBudget = 2 << 30

// budget is an allocator that panics rather than hand out more than parquetBudget for one column of
// one row group. Page sizes in a Parquet file are claims that the library allocates before it
// checks them.
type budget struct {
	memory.Allocator
	left int64
}

func newBudget() *budget {
	return &budget{Allocator: memory.NewGoAllocator(), left: parquetBudget}
}

// renew begins the next column. What the library forgot to free is the garbage collector's by now.
func (b *budget) renew() { b.left = parquetBudget }

func (b *budget) Allocate(size int) []byte {
	b.take(int64(size))
	return b.Allocator.Allocate(size)
}

func (b *budget) Reallocate(size int, p []byte) []byte {
	b.take(int64(size) - int64(len(p)))
	return b.Allocator.Reallocate(size, p)
}

func (b *budget) Free(p []byte) {
	b.left += int64(len(p))
	b.Allocator.Free(p)
}

func (b *budget) take(n int64) {
	if n > b.left {
		panic(fmt.Sprintf("a buffer of %d bytes is over the limit of memory", n))
	}
	b.left -= n
}
