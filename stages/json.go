package stages

import (
	"bytes"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// JSONLines writes records as canonical JSON, one a line; they are the rows of the file.
func JSONLines[T any](records []T) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		for i := range records {
			if err := writeLine(w, &records[i]); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return arrowio.Summary{Rows: int64(len(records))}, nil
	}
}

// JSONDocument writes a canonical JSON file of one line, which has no rows.
func JSONDocument(v any) WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) { return NoRows, writeLine(w, v) }
}

func writeLine(w io.Writer, v any) error {
	line, err := canon.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// ReadJSONLines gives the records of a file that JSONLines wrote. A line that is no such record is a fault.Mismatch: the
// file is an artifact of ours.
func ReadJSONLines[T any](f File) ([]T, error) {
	data, err := f.Read()
	if err != nil {
		return nil, err
	}
	var out []T
	for line := range bytes.Lines(data) {
		var record T
		if err := canon.Decode(line, canon.MaxLine, &record); err != nil {
			return nil, fault.New(fault.Mismatch, "%w", err).At(f.Name, fmt.Sprintf("line %d", len(out)+1))
		}
		out = append(out, record)
	}
	return out, nil
}
