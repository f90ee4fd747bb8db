// Package jsonl writes and reads files of JSON lines: one canonical JSON object per line, and a
// newline at the end of every line, the last one included. What Write wrote, Decode reads; any
// other spelling of the same content is refused.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

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

// Encode returns the lines of records. It panics if a record has no canonical form, which a record
// of ours has.
func Encode[T any](records []T) []byte {
	var out bytes.Buffer
	if err := Write(&out, records); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// Decode returns the record of each line. schema is what their field "schema" must say, "" for
// records without one; file is the name for messages. The error is that of the first bad line:
// fault.Malformed, placed at the file and the line.
func Decode[T any](data []byte, file, schema string) ([]T, error) {
	list, bad := DecodeAll[T](data, file, schema)
	if len(bad) > 0 {
		return nil, bad[0]
	}
	return list, nil
}

// DecodeAll is Decode for callers that want every bad line: an error for each is among bad, the
// records of the others in list.
func DecodeAll[T any](data []byte, file, schema string) (list []T, bad []error) {
	list = []T{}
	err := Each(bytes.NewReader(data), file, func(n int, line []byte) error {
		record, err := DecodeLine[T](line, schema)
		if err != nil {
			bad = append(bad, At(file, n, err))
		} else {
			list = append(list, record)
		}
		return nil
	})
	if err != nil {
		bad = append(bad, err)
	}
	return list, bad
}

// Each visits the lines of r, counted from 1 and without their ends, one at a time: what follows
// the line is not in memory. A line that does not end, or that is longer than canon.MaxLine, is
// refused. Errors, those of visit too, are placed at file and line; those without a kind are
// fault.Malformed.
func Each(r io.Reader, file string, visit func(n int, line []byte) error) error {
	lines, n := bufio.NewScanner(r), 0
	lines.Buffer(nil, canon.MaxLine+1)
	lines.Split(ended)
	for lines.Scan() {
		n++
		if err := visit(n, lines.Bytes()); err != nil {
			return At(file, n, err)
		}
	}
	switch err := lines.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return At(file, n+1, fmt.Errorf("the line is longer than %d bytes", canon.MaxLine))
	default:
		return At(file, n+1, err)
	}
}

// ended is a split function that takes lines which end.
func ended(data []byte, atEOF bool) (advance int, line []byte, err error) {
	switch i := bytes.IndexByte(data, '\n'); {
	case i >= 0:
		return i + 1, data[:i], nil
	case atEOF && len(data) > 0:
		return 0, nil, errors.New("the line does not end")
	}
	return 0, nil, nil
}

// At places an error at line n of a file, unless it says its place. An error without a kind is
// fault.Malformed.
func At(file string, n int, err error) error {
	var placed *fault.Error
	if errors.As(err, &placed) && placed.File != "" {
		return err
	}
	kind := fault.KindOf(err)
	if kind == fault.Failure {
		kind = fault.Malformed
	}
	return fault.New(kind, "%w", err).At(file, Line(n))
}

// Line names line n, counted from 1, in messages.
func Line(n int) string { return fmt.Sprintf("line %d", n) }

// DecodeLine returns the record of a line without its end; schema is as in Decode.
func DecodeLine[T any](line []byte, schema string) (record T, err error) {
	err = DecodeInto(&record, line, schema)
	return record, err
}

// DecodeInto is DecodeLine into what record points at, which is zero. It is one function for all
// types, where DecodeLine is compiled for each.
func DecodeInto(record any, line []byte, schema string) error {
	if len(line) <= canon.MaxLine && canon.DecodeCanonical(line, record) && hasSchema(record, schema) {
		return nil
	}
	reflect.ValueOf(record).Elem().SetZero()
	var head struct {
		Schema string `json:"schema"`
	}
	// First, because strict decoding would complain about the first new field of another version
	// instead.
	if schema != "" && json.Unmarshal(line, &head) == nil && head.Schema != schema {
		return fmt.Errorf("record version %s is not supported, only %s is", fault.Quote(head.Schema), schema)
	}
	if err := canon.Decode(line, canon.MaxLine, record); err != nil {
		return err
	}
	return errors.New("not the canonical form of its content, or a field is missing")
}

// hasSchema reports whether the field Schema of a record says schema; "" is that of records without
// one.
func hasSchema(record any, schema string) bool {
	return schema == "" || reflect.ValueOf(record).Elem().FieldByName("Schema").String() == schema
}
