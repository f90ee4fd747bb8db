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
