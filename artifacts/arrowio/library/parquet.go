package library

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"github.com/wikinav/wikinav/artifacts/arrowio"
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

func properties() *parquet.WriterProperties {
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

// parquetEncoder writes each batch as a row group.
type parquetEncoder struct {
	encoder
	file *pqarrow.FileWriter
	rows int
}

func newParquet(w io.Writer, t schemas.Table, keys, values []string) (arrowio.Encoder, error) {
	p := &parquetEncoder{encoder: encoder{schema: schemaOf(t, keys, values), out: &sink{w: w}}}
	var err error
	p.file, err = pqarrow.NewFileWriter(p.schema, quiet{p.out}, properties(), pqarrow.NewArrowWriterProperties())
	p.encoder.file = p.file
	return p, p.out.first(err)
}

func (p *parquetEncoder) Write(cols []arrowio.Values) error {
	p.rows += cols[0].Rows
	return p.encoder.Write(cols)
}

// Close finishes the file. The library's Close drops the errors of its last row group and footer;
// this is how they show.
func (p *parquetEncoder) Close() error {
	if err := p.encoder.Close(); err != nil {
		return err
	}
	if n := p.file.NumRows(); n != p.rows || !p.out.endsIn(parquetMagic) {
		return fmt.Errorf("the library closed the file after %d of %d rows or without a footer", n, p.rows)
	}
	return nil
}
