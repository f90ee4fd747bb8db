// Package jsonl writes and reads files of JSON lines: one canonical JSON object per line, and a newline at the end of every
// line, the last one included. What Write wrote, Decode reads; any other spelling of the same content is refused.
package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func Write[T any](w io.Writer, records []T) error {
	for i := range records {
		line, err := canon.Marshal(&records[i])
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Encode returns the lines of records. It panics if a record has no canonical form, which a record of ours has.
func Encode[T any](records []T) []byte {
	var out bytes.Buffer
	if err := Write(&out, records); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// Decode returns the record of each line. schema is what their field "schema" must say, "" for records without one; file is the
// name for messages. The error is that of the first bad line: fault.Malformed, placed at the file and the line.
func Decode[T any](data []byte, file, schema string) ([]T, error) {
	list, bad := DecodeAll[T](data, file, schema)
	if len(bad) > 0 {
		return nil, bad[0]
	}
	return list, nil
}

// DecodeAll is Decode for callers that want every bad line: an error for each is among bad, the records of the others in list.
func DecodeAll[T any](data []byte, file, schema string) (list []T, bad []error) {
	list = []T{}
	for n := 1; len(data) > 0; n++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		record, err := decode[T](line, schema)
		if err == nil && !ended {
			err = errors.New("the line does not end")
		}
		if err != nil {
			bad = append(bad, fault.New(fault.Malformed, "%w", err).At(file, Line(n)))
		} else {
			list = append(list, record)
		}
		data = rest
	}
	return list, bad
}

// Line names line n, counted from 1, in messages.
func Line(n int) string { return fmt.Sprintf("line %d", n) }

func decode[T any](line []byte, schema string) (record T, err error) {
	var head struct {
		Schema string `json:"schema"`
	}
	// First, because strict decoding would complain about the first new field of another version instead.
	if schema != "" && json.Unmarshal(line, &head) == nil && head.Schema != schema {
		return record, fmt.Errorf("record version %s is not supported, only %s is", fault.Quote(head.Schema), schema)
	}
	if err := canon.Decode(line, canon.MaxLine, &record); err != nil {
		return record, err
	}
	if !bytes.Equal(line, canon.MustMarshal(&record)) {
		return record, errors.New("not the canonical form of its content, or a field is missing")
	}
	return record, nil
}
