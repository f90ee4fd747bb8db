package stages

import (
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	_ "github.com/wikinav/wikinav/artifacts/arrowio/library" // the encoders, for whoever holds a stage
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// table is a WriteFunc for a table that begin begins and fill writes row by row.
func table[W interface {
	Close() (arrowio.Summary, error)
}](begin func(io.Writer) (W, error), fill func(W) error) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		rows, err := begin(w)
		if err == nil {
			err = fill(rows)
		}
		if err != nil {
			return arrowio.Summary{}, err
		}
		return rows.Close()
	}
}

// Rows is a WriteFunc for a table that fill writes row by row.
func Rows(t schemas.Table, o arrowio.Options, fill func(*arrowio.Writer) error) WriteFunc {
	return table(func(w io.Writer) (*arrowio.Writer, error) { return arrowio.NewWriter(w, t, o) }, fill)
}

// WriteRows writes the declared output called name as such a table.
func WriteRows(env Env, name string, t schemas.Table, fill func(*arrowio.Writer) error) error {
	return env.Write(name, Rows(t, Options(env), fill))
}

func Lines(text []byte, rows int) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		_, err := w.Write(text)
		return arrowio.Summary{Rows: int64(rows)}, err
	}
}

func ParquetRows(t schemas.Table, fill func(*arrowio.ParquetWriter) error) WriteFunc {
	return table(func(w io.Writer) (*arrowio.ParquetWriter, error) { return arrowio.NewParquetWriter(w, t) }, fill)
}

// Bytes is a WriteFunc for a small file without rows.
func Bytes(data []byte) WriteFunc { return Lines(data, -1) }

// JSONLines writes records as canonical JSON, one a line; they are the rows of the file.
func JSONLines[T any](records []T) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		return arrowio.Summary{Rows: int64(len(records))}, jsonl.Write(w, records)
	}
}

// Packed packs what write writes with gzip, of which every reader of JSON lines knows. The library
// is one whose version go.mod states, so that another Go writes no other bytes.
func Packed(write WriteFunc) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return arrowio.Summary{}, err
		}
		sum, err := write(z)
		return sum, errors.Join(err, z.Close())
	}
}

// Parquet writes records as the table that their codec lays flat.
func Parquet[T any](c *flat.Codec[T], records []T) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) { return c.WriteParquet(w, records) }
}

// WriteRecords writes the declared outputs NAME.jsonl and NAME.parquet: the records, and the same laid flat.
func WriteRecords[T any](env Env, name string, c *flat.Codec[T], records []T) error {
	if err := env.Write(name+".jsonl", JSONLines(records)); err != nil {
		return err
	}
	return env.Write(name+".parquet", Parquet(c, records))
}

func WriteQuotas(env Env, list []schemas.Quota) error {
	return env.Write(schemas.QuotasFile, Lines(canon.MustMarshal(append([]schemas.Quota{}, list...)), len(list)))
}

// JSONDocument writes a canonical JSON file of one line, which has no rows.
func JSONDocument[T any](v T) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) { return NoRows, jsonl.Write(w, []T{v}) }
}

// Canonical writes a canonical JSON file without the end of a line: the form of documents that a release publishes and verifies.
func Canonical(v any) WriteFunc { return Bytes(canon.MustMarshal(v)) }

// ReadJSONLines returns the records of a file that JSONLines wrote. A line that is not such a record is a fault.Mismatch: the file
// is an artifact of ours.
func ReadJSONLines[T any](f File) ([]T, error) {
	data, err := f.Read()
	if err != nil {
		return nil, err
	}
	if data, err = jsonl.Unpacked(data, f.Name); err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err).At(f.Name, "")
	}
	list, bad := jsonl.DecodeAll[T](data, f.Name, "")
	if len(bad) > 0 {
		return nil, fault.New(fault.Mismatch, "%w", bad[0])
	}
	return list, nil
}
