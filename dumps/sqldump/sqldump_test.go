package sqldump

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

const head = "-- MySQL dump\n/*!40101 SET x = 1 */;\nDROP TABLE IF EXISTS `t`;\nCREATE TABLE `t` (\n  `a` int(8) NOT NULL DEFAULT '0',\n" +
	"  `b` varbinary(255) COMMENT 'x;y)',\n  PRIMARY KEY (`a`),\n  KEY `k` (`b`)\n) ENGINE=InnoDB;\nLOCK TABLES `t` WRITE;\n"

const tail = "UNLOCK TABLES;\n-- Dump completed on 2026-01-01\n"

func write(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.sql")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func rowsOf(t testing.TB, path string) ([]string, error) {
	t.Helper()
	var rows []string
	_, err := Read(context.Background(), path, func(Table) error { return nil }, func(row []Value) error {
		var parts []string
		for _, v := range row {
			text := string(v.Bytes)
			if v.Null {
				text = "<null>"
			}
			parts = append(parts, text)
		}
		rows = append(rows, strings.Join(parts, "|"))
		return nil
	})
	return rows, err
}

func TestValuesOfEveryForm(t *testing.T) {
	body := "INSERT INTO `t` VALUES (1,'plain'),(-2,'it\\'s'),(3,'a''b'),(4,'x),(y'),(5,NULL),(6.5e3,''),(7,_binary 'bin'),(8,0x4142),\n" +
		"(9,'\\0\\n\\r\\t\\b\\Z\\\\\\\"');\nINSERT INTO `t` (`a`, `b`) VALUES (10,';');\n"
	got, err := rowsOf(t, write(t, head+body+tail))
	want := []string{
		"1|plain", "-2|it's", "3|a'b", "4|x),(y", "5|<null>", "6.5e3|", "7|bin", "8|AB", "9|\x00\n\r\t\b\x1a\\\"", "10|;",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestWhatIsCutOrOddIsMalformed(t *testing.T) {
	whole := head + "INSERT INTO `t` VALUES (1,'a'),(2,'b');\n" + tail
	if _, err := rowsOf(t, write(t, whole)); err != nil {
		t.Fatal(err)
	}
	end := strings.Index(whole, "UNLOCK")
	for cut := 1; cut < end; cut++ {
		if _, err := rowsOf(t, write(t, whole[:cut])); !errors.Is(err, fault.Malformed) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	for name, body := range map[string]string{
		"too few values": "(1)", "too many": "(1,2,3)", "no value": "(1,)", "a word": "(1,x)", "no comma": "(1,'a')(2,'b')", "another table": "",
	} {
		text := head + "INSERT INTO `t` VALUES " + body + ";\n" + tail
		if body == "" {
			text = head + "INSERT INTO `u` VALUES (1,'a');\n" + tail
		}
		if _, err := rowsOf(t, write(t, text)); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := rowsOf(t, "nowhere.sql"); !errors.Is(err, fault.NotFound) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestARealTableHasItsRowsAndNamesAMissingColumn(t *testing.T) {
	root := os.Getenv("WIKINAV_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "data", "dumps", "aawiki-20260101-pagelinks.sql.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("sample data are not there: %v", err)
	}
	var table Table
	rows, err := Read(context.Background(), path, func(t Table) error { table = t; return nil }, func([]Value) error { return nil })
	if err != nil || rows != 637 || table.Name != "pagelinks" {
		t.Errorf("%d rows of %s, %v; want 637 of pagelinks", rows, table.Name, err)
	}
	if _, err := table.Column("pl_target_id"); err != nil {
		t.Error(err)
	}
	if _, err := table.Column("pl_title"); err == nil || !strings.Contains(err.Error(), "pl_title") {
		t.Errorf("a missing column: %v", err)
	}
}

func TestNumbersAreThoseOf32Bits(t *testing.T) {
	for text, want := range map[string]uint32{"0": 0, "17": 17, "00017": 17, "4294967295": 1<<32 - 1} {
		if got, err := (Value{Bytes: []byte(text)}).Uint32(); err != nil || got != want {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1.5", "1e3", " 1", "4294967296", "42949672950", "99999999999999999999999999", "x"} {
		if got, err := (Value{Bytes: []byte(text)}).Uint32(); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
	if _, err := (Value{Bytes: []byte("1"), Null: true}).Uint32(); err == nil {
		t.Error("NULL is a number")
	}
}

func TestFindNamesTheColumnThatIsMissing(t *testing.T) {
	table := Table{Name: "page", Columns: []string{"a", "b", "c"}}
	if at, err := table.Find("c", "a"); err != nil || !slices.Equal(at, []int{2, 0}) {
		t.Errorf("got %v, %v", at, err)
	}
	if _, err := table.Find("a", "x"); err == nil || !strings.Contains(err.Error(), "no column x") {
		t.Errorf("got %v", err)
	}
}
