package sqldump

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// parse reads a text in a window of that many bytes.
func parse(in io.Reader, size int) (rows []string, err error) {
	w := window{ctx: context.Background(), in: in, buf: make([]byte, size)}
	p := &parser{window: w, begin: func(Table) error { return nil }, visit: func(row []Value) error {
		var b strings.Builder
		for _, v := range row {
			fmt.Fprintf(&b, "%t%q,", v.Null, v.Bytes)
		}
		rows = append(rows, b.String())
		return nil
	}}
	return rows, p.file()
}

// FuzzTheWindowNeverShows reads any text twice, once in the smallest window, a byte at a time: rows and errors are the
// same, and no text without an end is taken for a whole one.
func FuzzTheWindowNeverShows(f *testing.F) {
	f.Add(head + "INSERT INTO `t` VALUES (1,'a');\n" + tail)
	f.Add("CREATE TABLE `t` (\n`a` int\n);INSERT INTO t VALUES ((1)")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(strings.NewReader(text), windowBytes)
		small, smallErr := parse(iotest.OneByteReader(strings.NewReader(text)), 1)
		if !slices.Equal(got, small) || fmt.Sprint(err) != fmt.Sprint(smallErr) {
			t.Errorf("got %q, %v; in a small window %q, %v", got, err, small, smallErr)
		}
		if upper := strings.ToUpper(text); err == nil && !strings.Contains(upper, "UNLOCK") && !strings.Contains(text, "-- Dump completed") {
			t.Errorf("no end, no error, %d rows", len(got))
		}
	})
}
