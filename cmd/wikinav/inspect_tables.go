package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// lines shows a text file as it is, line by line.
func lines(stage, name string) forms {
	return forms{formatJSONL: func(_ context.Context, v *view) error {
		return v.copyLines(stage, name)
	}}
}

func (v *view) copyLines(stage, name string) error {
	f, err := v.file(stage, name)
	if err != nil {
		return err
	}
	data, err := f.Read()
	if err != nil {
		return err
	}
	return v.printLines(data)
}

func (v *view) printLines(data []byte) error {
	for line := range bytes.Lines(data) {
		if err := v.out.record(line); err != nil {
			return err
		}
	}
	return nil
}

// table shows any table: its columns under their names.
func table(stage, name string, t schemas.Table) forms { return rows(stage, name, t, rowLine) }

// rows shows a table by lines of its own.
func rows(stage, name string, t schemas.Table, lineOf func(f *arrowio.File, t schemas.Table, b, i int) []byte) forms {
	return forms{formatJSONL: func(ctx context.Context, v *view) error {
		f, err := v.table(stage, name, t)
		if err != nil {
			return err
		}
		if f.Metadata(schemas.KeyAnchors) == schemas.AnchorsOff {
			fmt.Fprintf(v.notes, "%s has no rows because anchors are off in this build; wikinav build --set ingest.anchors=on reads them\n", name)
		}
		return eachRow(ctx, f, func(b, i int) error { return v.out.record(lineOf(f, t, b, i)) }, v.out.full)
	}}
}

func (v *view) table(stage, name string, t schemas.Table) (*arrowio.File, error) {
	file, err := v.file(stage, name)
	if err != nil {
		return nil, err
	}
	f, err := file.Open(t)
	if err != nil {
		return nil, err
	}
	v.open = append(v.open, f)
	return f, nil
}

// eachRow visits rows in order until done says that it is enough.
func eachRow(ctx context.Context, f *arrowio.File, visit func(b, i int) error, done func() bool) error {
	for b := range f.Batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range f.BatchRows(b) {
			if done() {
				return nil
			}
			if err := visit(b, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowLine gives one row as a canonical object.
func rowLine(f *arrowio.File, t schemas.Table, b, i int) []byte {
	record := map[string]any{}
	for c, col := range t.Columns {
		record[col.Name] = cell(f, col.Type, b, c, i)
	}
	return append(canon.MustMarshal(record), '\n')
}

// cell returns a value as canonical JSON has it: 64-bit hashes and binary values in hex, because numbers end at 2^53, and
// doubles as text.
func cell(f *arrowio.File, t schemas.Type, b, c, i int) any {
	switch t {
	case schemas.Bool:
		return f.Bools(b, c).At(i)
	case schemas.Uint8:
		return f.Uint8s(b, c)[i]
	case schemas.Int16:
		return f.Int16s(b, c)[i]
	case schemas.Uint16:
		return f.Uint16s(b, c)[i]
	case schemas.Uint32:
		return f.Uint32s(b, c)[i]
	case schemas.Uint64:
		return number64(f.Uint64s(b, c)[i])
	case schemas.Int64:
		return f.Int64s(b, c)[i]
	case schemas.Float64:
		return strconv.FormatFloat(f.Float64s(b, c)[i], 'g', -1, 64)
	case schemas.String:
		return f.Strings(b, c).At(i)
	case schemas.Binary:
		return hex.EncodeToString(f.Binaries(b, c).Bytes(i))
	case schemas.ListUint32:
		return append([]uint32{}, f.Lists(b, c).At(i)...)
	}
	panic("inspect: unknown column type")
}

func number64(v uint64) any {
	if v <= canon.MaxInt {
		return v
	}
	return fmt.Sprintf("0x%016x", v)
}
