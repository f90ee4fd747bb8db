package arrowio

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

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

// ParquetWriter writes a Parquet file row by row, in row groups of schemas.BatchRows and constant memory: zstd, plain
// encoding, statistics. Of a table's metadata it has KeySchema.
type ParquetWriter struct {
	rows
	schema *arrow.Schema
	out    *sink
	file   *pqarrow.FileWriter
	sum    *logical
	total  int64
}

// NewParquetWriter begins a Parquet file of table t on w.
func NewParquetWriter(w io.Writer, t schemas.Table) (*ParquetWriter, error) {
	p := &ParquetWriter{
		schema: arrowSchema(t, arrow.NewMetadata([]string{KeySchema}, []string{t.ID})),
		out:    &sink{w: w},
		sum:    newLogical(t.ID),
	}
	p.rows = newRows(t, p.writeGroup)
	var err error
	p.file, err = pqarrow.NewFileWriter(p.schema, quiet{p.out}, parquetProperties(), pqarrow.NewArrowWriterProperties())
	if err != nil || p.out.err != nil {
		return nil, p.wrap(err)
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

// writeGroup writes a batch as a row group.
func (p *ParquetWriter) writeGroup(cols ...any) error {
	rows, err := checkBatch(p.table, cols)
	if err != nil {
		return err
	}
	rec := newRecord(p.schema, cols, rows)
	defer rec.Release()
	if err := p.file.Write(rec); err != nil || p.out.err != nil {
		return p.wrap(err)
	}
	p.sum.add(cols, rows)
	p.total += int64(rows)
	p.letGo()
	return nil
}

// letGo gives the text of the batch to the library, which refers to its smallest and largest strings for the statistics
// until the next row group begins. Reusing it, as Writer does, would publish those of the wrong rows.
func (p *ParquetWriter) letGo() {
	for i := range p.cells {
		p.cells[i].bytes = nil
	}
}

// Close writes the rows that are left and finishes the file; it does not close the underlying writer. The file is
// whole only if Close succeeds.
func (p *ParquetWriter) Close() (Summary, error) {
	if err := p.finish(); err != nil {
		return Summary{}, err
	}
	if err := p.file.Close(); err != nil || p.out.err != nil {
		return Summary{}, p.wrap(err)
	}
	// The library's Close drops the errors of its last row group and footer; this is how they show.
	if n := int64(p.file.NumRows()); n != p.total || !p.out.endsIn(parquetMagic) {
		return Summary{}, p.wrap(fmt.Errorf("the library closed the file after %d of %d rows or without a footer", n, p.total))
	}
	return Summary{Rows: p.total, Logical: p.sum.hex()}, nil
}

func (p *ParquetWriter) wrap(err error) error {
	return fmt.Errorf("write parquet table %s: %w", p.table.ID, p.out.first(err))
}
