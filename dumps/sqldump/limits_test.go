package sqldump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/schemas/fault"
)

func TestAnInsertMayNameItsColumns(t *testing.T) {
	body := "INSERT INTO t (`b`, a) VALUES ('x',1),('y',2);\nINSERT INTO `t` (`b`) VALUES ('z');\nINSERT IGNORE INTO t VALUES (3,'w');\n"
	got, err := rowsOf(t, write(t, head+body+tail))
	if want := []string{"1|x", "2|y", "<null>|z", "3|w"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for name, columns := range map[string]string{"unknown": "`a`,`c`", "twice": "`a`,`a`"} {
		_, err := rowsOf(t, write(t, head+"INSERT INTO `t` ("+columns+") VALUES (1,2);\n"+tail))
		if !errors.Is(err, fault.Malformed) {
			t.Errorf("%s column: got %v, want malformed", name, err)
		}
	}
}

// TestAnInsertOfManyMebibytesIsRead crosses the window's end in every kind of value.
func TestAnInsertOfManyMebibytesIsRead(t *testing.T) {
	var b strings.Builder
	b.WriteString(head + "INSERT INTO `t` VALUES ")
	const n = 700_000
	for i := range n {
		fmt.Fprintf(&b, "(%d,'it\\'s row ),( %d')%c", i, i, map[bool]byte{true: ';', false: ','}[i == n-1])
	}
	b.WriteString("\n" + tail)
	if b.Len() < 17<<20 {
		t.Fatalf("the statement has %d bytes", b.Len())
	}
	i := 0
	rows, err := Read(context.Background(), write(t, b.String()), func(Table) error { return nil }, func(row []Value) error {
		if a, b := fmt.Sprint(i), fmt.Sprintf("it's row ),( %d", i); string(row[0].Bytes) != a || string(row[1].Bytes) != b {
			return fmt.Errorf("row %d is %s, %s", i, row[0].Bytes, row[1].Bytes)
		}
		i++
		return nil
	})
	if err != nil || rows != n {
		t.Errorf("got %d rows, %v; want %d", rows, err, n)
	}
}

func TestLimitsHoldWhateverAFileClaims(t *testing.T) {
	columns := func(n int) (create, row string) {
		var c, r []string
		for i := range n {
			c, r = append(c, fmt.Sprintf("`c%d` int", i)), append(r, "1")
		}
		return "CREATE TABLE `t` (" + strings.Join(c, ",") + ");", "(" + strings.Join(r, ",") + ")"
	}
	for _, n := range []int{maxColumns, maxColumns + 1} {
		create, row := columns(n)
		_, err := rowsOf(t, write(t, create+"INSERT INTO t VALUES "+row+";"+tail))
		if got := errors.Is(err, fault.Malformed); got != (n > maxColumns) {
			t.Errorf("%d columns: %v", n, err)
		}
	}
	long := strings.Repeat("v", maxValue)
	for _, extra := range []string{"", "v"} {
		for form, value := range map[string]string{
			"plain": "'" + long + extra + "'", "escaped": "'" + long[1:] + extra + `\n'`,
			"hex": "0x" + strings.Repeat("41", maxValue+len(extra)), "number": strings.Repeat("1", maxValue+len(extra)),
		} {
			_, err := rowsOf(t, write(t, head+"INSERT INTO `t` VALUES (1,"+value+");\n"+tail))
			if got := errors.Is(err, fault.Malformed); got != (extra != "") {
				t.Errorf("%s value of %d bytes too many: malformed %t, want %t", form, len(extra), got, extra != "")
			}
		}
	}
}

func TestBinaryValuesNeedNotBeUTF8(t *testing.T) {
	got, err := rowsOf(t, write(t, head+"INSERT INTO `t` VALUES (1,_binary 'a\xff\nb'),(2,'\xc3');\n"+tail))
	if want := []string{"1|a\xff\nb", "2|\xc3"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestRowsAfterTheEndNeedAnEndOfTheirOwn(t *testing.T) {
	text := head + tail + "INSERT INTO `t` VALUES (1,'a');\n"
	if _, err := rowsOf(t, write(t, text)); !errors.Is(err, fault.Malformed) {
		t.Errorf("got %v, want malformed", err)
	}
}

func TestHeadReadsTheTableAlone(t *testing.T) {
	table, err := Head(context.Background(), write(t, head+"INSERT INTO `t` VALUES (1,'cut"))
	if err != nil || table.Name != "t" || !slices.Equal(table.Columns, []string{"a", "b"}) {
		t.Errorf("got %+v, %v", table, err)
	}
	for name, text := range map[string]string{"empty": "", "xml": "<mediawiki>", "no table": tail} {
		if _, err := Head(context.Background(), write(t, text)); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: got %v, want malformed", name, err)
		}
	}
}

// TestTheWorstTextTakesLinearTime reads 1 MiB and 4 MiB of what could be read again and again.
func TestTheWorstTextTakesLinearTime(t *testing.T) {
	for name, unit := range map[string]string{
		"quotes": "''", "escapes": `\'`, "comments": "*/*", "parentheses": "((", "statements": "A;", "names": "INSERT", "blanks": " \n",
	} {
		for _, before := range []string{head + "INSERT INTO `t` VALUES (1,'", "", "/*", "CREATE TABLE t (", head + "INSERT INTO `t` ("} {
			path := write(t, before+strings.Repeat(unit, (1<<20)/len(unit)))
			start := time.Now()
			_, _ = rowsOf(t, path) // an error or not, but soon
			if took := time.Since(start); took > time.Second {
				t.Errorf("%s after %.20q: 1 MiB took %v", name, before, took)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for name, row := range map[string]func(i int) string{
		"pagelinks":  func(i int) string { return fmt.Sprintf("(%d,0,%d)", 1000+i*7%900_000, 200_000+i*13%5_000_000) },
		"linktarget": func(i int) string { return fmt.Sprintf("(%d,0,'Some_title_of_a_page_(%d)')", i, i) },
		"escapes":    func(i int) string { return fmt.Sprintf(`(%d,0,'It\'s_a_\"title\"_%d')`, i, i) },
	} {
		b.Run(name, func(b *testing.B) {
			var text bytes.Buffer
			text.WriteString("CREATE TABLE `t` (`a` int,`b` int,`c` int);\nINSERT INTO `t` VALUES ")
			for i := range 1_000_000 {
				text.WriteString(row(i) + ",")
			}
			text.WriteString(row(0) + ";\n" + tail)
			path := filepath.Join(b.TempDir(), "t.sql")
			if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				if _, err := Read(context.Background(), path, func(Table) error { return nil }, func([]Value) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
