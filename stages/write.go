package stages

import (
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
)

// Rows is a WriteFunc for a table that fill writes row by row.
func Rows(t schemas.Table, o arrowio.Options, fill func(*arrowio.Writer) error) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		rows, err := arrowio.NewWriter(w, t, o)
		if err != nil {
			return arrowio.Summary{}, err
		}
		if err := fill(rows); err != nil {
			return arrowio.Summary{}, err
		}
		return rows.Close()
	}
}

// WriteRows writes the declared output called name as such a table.
func WriteRows(env Env, name string, t schemas.Table, fill func(*arrowio.Writer) error) error {
	return env.Write(name, Rows(t, Options(env), fill))
}

// Lines is a WriteFunc for text whose lines are rows.
func Lines(text []byte, rows int) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		_, err := w.Write(text)
		return arrowio.Summary{Rows: int64(rows)}, err
	}
}

// ParquetRows is Rows for a Parquet file.
func ParquetRows(t schemas.Table, fill func(*arrowio.ParquetWriter) error) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		rows, err := arrowio.NewParquetWriter(w, t)
		if err != nil {
			return arrowio.Summary{}, err
		}
		if err := fill(rows); err != nil {
			return arrowio.Summary{}, err
		}
		return rows.Close()
	}
}

// Bytes is a WriteFunc for a small file without rows.
func Bytes(data []byte) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		_, err := w.Write(data)
		return NoRows, err
	}
}
