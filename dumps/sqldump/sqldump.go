// Package sqldump reads the rows of a table from the SQL that a wiki's site publishes: CREATE TABLE, then INSERT
// statements of any length.
//
// Columns are found by the file's own CREATE TABLE, never by position. The reader goes byte by byte, so that a title with
// `),(` in it splits nothing, and holds one row at a time: its memory is a window of 1 MiB, and twice the longest row. It
// promises that a file that is cut short is an error: the last statement must end, and the dump's own end must follow.
// Values are bytes: binary columns are no UTF-8. A row costs no allocation.
package sqldump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Limits, so that memory does not depend on what a file claims.
const (
	maxValue     = 16 << 20
	maxColumns   = 64
	maxWritten   = 2*maxValue + 2 // of a hexadecimal value as it is written
	maxStatement = 1 << 20        // of statements other than INSERT that are looked into
	maxHead      = 1 << 16        // of an INSERT before its rows
	maxName      = 64
)

// Table is what a file's CREATE TABLE says.
type Table struct {
	Name    string
	Columns []string
}

// Column gives the place of a column, and names it in the error if the table has none.
func (t Table) Column(name string) (int, error) {
	if i := slices.Index(t.Columns, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("table %s has no column %s: it has %s", t.Name, name, strings.Join(t.Columns, ", "))
}

// Find returns the places of columns, in the order of names; the error names the first that the table lacks.
func (t Table) Find(names ...string) ([]int, error) {
	at := make([]int, len(names))
	for i, name := range names {
		var err error
		if at[i], err = t.Column(name); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// Value is one value of a row. Bytes are valid during the visit; Null tells NULL from the empty string.
type Value struct {
	Bytes []byte
	Null  bool
}

// Uint32 reads a number. NULL is an error, and so is all else that is not decimal digits of a number of 32 bits.
func (v Value) Uint32() (uint32, error) {
	var n uint64
	ok := !v.Null && len(v.Bytes) > 0
	for _, c := range v.Bytes {
		if ok = ok && c >= '0' && c <= '9'; !ok {
			break
		}
		n = 10*n + uint64(c-'0')
		ok = n <= math.MaxUint32
	}
	if !ok {
		return 0, fmt.Errorf("%.40q where a number from 0 to %d is wanted", v.Bytes, uint32(math.MaxUint32))
	}
	return uint32(n), nil
}

// Read reads the file at path. Begin is called with the table before its first row, visit with every row, which holds a
// value for each column of the table; an error of either ends the reading. It gives the number of rows.
func Read(ctx context.Context, path string, begin func(Table) error, visit func(row []Value) error) (rows int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, fault.Opening(path, err)
	}
	defer f.Close()
	text, err := packed.Reader(f)
	if err != nil {
		return 0, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	p := &parser{window: window{ctx: ctx, in: text, buf: make([]byte, windowBytes)}, begin: begin, visit: visit}
	err = p.file()
	var known *fault.Error
	if err == nil || errors.As(err, &known) || ctx.Err() != nil {
		return p.rows, err
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	where := fmt.Sprintf("byte %d, row %d", p.read-int64(p.end-p.pos), p.rows+1)
	return p.rows, fault.New(fault.Malformed, "%w", err).At(path, where)
}

// errKnown ends the reading of a file of which only the table is wanted.
var errKnown = errors.New("the table is known")

// Head gives the table of the file at path, whose rows it does not read.
func Head(ctx context.Context, path string) (Table, error) {
	var found Table
	begin := func(t Table) error {
		found = t
		return errKnown
	}
	_, err := Read(ctx, path, begin, nil)
	switch {
	case errors.Is(err, errKnown):
		return found, nil
	case err == nil:
		err = fault.New(fault.Malformed, "no CREATE TABLE in it").At(path, "")
	}
	return found, err
}
