package arrowio

import (
	"bytes"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// FuzzOpen reaches the parser as Open does when the digest matches. What it accepts must stay within the file.
func FuzzOpen(f *testing.F) {
	all := samples(f)
	for i, s := range all {
		f.Add(uint8(i), s.data)
	}
	f.Add(uint8(0), []byte(magic+"\x00\x00\x00\x00\x00\x00"+magic))
	f.Fuzz(func(t *testing.T, table uint8, data []byte) {
		file, err := parse(data, all[int(table)%len(all)].table)
		if err == nil {
			walk(t, file, data)
		}
	})
}

// FuzzParseParquet reaches the Parquet reader as ReadParquet does. Its seeds are small, a column of each type
// by itself: an input that reaches something new is first made smaller, byte by byte, which takes a minute
// for four kilobytes, in which the count of executions stands still.
func FuzzParseParquet(f *testing.F) {
	var tables []schemas.Table
	for i, c := range everything.Columns {
		tables = append(tables, schemas.Table{ID: "d/1", Columns: []schemas.Column{c}})
		var out bytes.Buffer
		w, err := NewParquetWriter(&out, tables[i])
		if err != nil {
			f.Fatal(err)
		}
		for _, row := range randomRows(6, 3) {
			if err := w.Row(row.cells()[i]); err != nil {
				f.Fatal(err)
			}
		}
		if _, err := w.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), out.Bytes())
	}
	f.Fuzz(func(t *testing.T, table uint8, data []byte) {
		if v, err := parseParquet(data, tables[int(table)%len(tables)]); err == nil {
			v.Logical()
		}
	})
}

// FuzzPages reaches what is inside the compression, two pages of a column: FuzzParseParquet rarely makes a frame that
// unpacks. What is accepted holds together and has no more rows than the row group.
func FuzzPages(f *testing.F) {
	const maxRows = 100
	for i, body := range []string{
		"\x05", "\x01\x00\x00\x00\xff\x00\x00\x00", "\xff\x7f\x00\x00", "\xff\xff\x00\x00", "abcd", "abcdefgh", "abcdefgh",
		"\x02\x00\x00\x00\xc3\x9f\x00\x00\x00\x00", "\x01\x00\x00\x00\xff",
		"\x02\x00\x00\x00\x03\x06\x02\x00\x00\x00\x06\x02abcdabcdabcd",
	} {
		f.Add(uint8(i), uint16(2), []byte(body), uint16(0), []byte(body))
	}
	f.Fuzz(func(t *testing.T, typ uint8, n uint16, one []byte, m uint16, two []byte) {
		c := column{typ: everything.Columns[int(typ)%len(everything.Columns)].Type}
		if c.kind().offsets {
			c.offsets = make([]int32, 1)
		}
		if c.appendPage(one, int64(n), maxRows) != nil || c.appendPage(two, int64(m), maxRows) != nil {
			return
		}
		if c.typ == schemas.ListUint32 && len(c.offsets) > 1 {
			c.rows++ // as in column: the last list is open until here
		}
		if c.rows > maxRows || c.kind().offsets && len(c.offsets) != c.rows+1 {
			t.Fatalf("%d rows with %d offsets, at most %d were allowed", c.rows, len(c.offsets), maxRows)
		}
		if c.check() == nil {
			newLogical("d/1").add([]column{c})
		}
	})
}
