package catalog

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/flat"
)

// The tables of the tests.
var (
	Pages = flat.Rows{
		Name: "pages", Key: 1, Indexes: []string{"page_id", "title"},
		Columns: []string{"node INTEGER", "page_id INTEGER", "title TEXT", "flags INTEGER", "in_degree INTEGER", "out_degree INTEGER"},
	}
	Instances = flat.Rows{
		Name: "instances", Key: 1, Indexes: []string{"split"},
		Columns: []string{"id TEXT", "family TEXT", "split TEXT", "key TEXT", "source INTEGER", "target INTEGER", "distance INTEGER", "witness TEXT"},
	}
)

type row []any

var (
	pages = []row{
		{int64(0), int64(12), "Apple", int64(0), int64(2), int64(1)},
		{int64(1), int64(15), "Straße \x00'\"; DROP TABLE pages; --", int64(2), int64(1), int64(2)},
		{int64(7), int64(1 << 31), "", int64(16), int64(0), int64(0)},
	}
	instances = []row{{"wr-easy-0001", "wikirace", "easy", "w:12:15", int64(0), int64(1), int64(3), "[0,7,1]"}}
)

// write makes a catalogue and gives its path, the number of rows and the logical digest.
func write(t *testing.T, name string, pages, instances []row) (path string, rows int64, logical string) {
	t.Helper()
	ctx := context.Background()
	path = filepath.Join(t.TempDir(), name)
	w, err := Create(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		table flat.Rows
		rows  []row
	}{{Pages, pages}, {Instances, instances}} {
		if err := w.Begin(ctx, part.table); err != nil {
			t.Fatal(err)
		}
		for _, r := range part.rows {
			if err := w.Row(r...); err != nil {
				t.Fatal(err)
			}
		}
	}
	rows, logical, err = w.Close(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return path, rows, logical
}

// dump gives every row of a table as text.
func dump(t *testing.T, path string, table flat.Rows) []string {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT * FROM " + table.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		values, into := make([]any, len(table.Columns)), make([]any, len(table.Columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%q", values))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func texts(rows []row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%q", []any(r)))
	}
	return out
}

func TestRowsComeBackAsTheyWere(t *testing.T) {
	path, rows, _ := write(t, "catalog.sqlite", pages, instances)
	if rows != 4 {
		t.Errorf("got %d rows, want 4", rows)
	}
	for _, c := range []struct {
		table flat.Rows
		want  []row
	}{{Pages, pages}, {Instances, instances}} {
		got, want := strings.Join(dump(t, path, c.table), "\n"), strings.Join(texts(c.want), "\n")
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.table.Name, got, want)
		}
	}
}

func TestTheSameRowsGiveTheSameBytesWhereverTheyAreWritten(t *testing.T) {
	var many []row
	for i := range int64(5000) {
		many = append(many, row{i, 10*i + 3, fmt.Sprintf("Page %d", i*7919%5000), i % 3, i, i})
	}
	a, _, first := write(t, "a.sqlite", many, instances)
	b, _, second := write(t, "odd ?#% name.sqlite", many, instances)
	if first != second {
		t.Errorf("logical digests %s and %s", first, second)
	}
	one, two := read(t, a), read(t, b)
	if !bytes.Equal(one, two) {
		t.Errorf("files of %d and %d bytes differ", len(one), len(two))
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTheFileIsAloneAndDense(t *testing.T) {
	path, _, _ := write(t, "catalog.sqlite", pages, instances)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the catalogue: %v, %v; want nothing", entries, err)
	}
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for pragma, want := range map[string]string{"page_size": "4096", "freelist_count": "0", "encoding": "UTF-8", "integrity_check": "ok"} {
		var got string
		if err := db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", pragma, got, err, want)
		}
	}
}

func TestWhoReadsCannotWrite(t *testing.T) {
	path, _, _ := write(t, "catalog.sqlite", pages, instances)
	before := read(t, path)
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{"DELETE FROM pages", "CREATE TABLE x (y)", "VACUUM", "PRAGMA user_version = 7"} {
		if _, err := db.Exec(change); err == nil {
			t.Errorf("%s: no error", change)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("the file has changed")
	}
}

func TestTheLogicalDigestChangesWithEachValue(t *testing.T) {
	_, _, want := write(t, "catalog.sqlite", pages, instances)
	seen := map[string]string{want: "nothing"}
	for p, part := range [][]row{pages, instances} {
		for r := range part {
			for c := range part[r] {
				changed := [][]row{clone(pages), clone(instances)}
				switch v := changed[p][r][c].(type) {
				case int64:
					changed[p][r][c] = v + 100
				case string:
					changed[p][r][c] = v + "x"
				}
				_, _, got := write(t, "catalog.sqlite", changed[0], changed[1])
				if other, twice := seen[got]; twice {
					t.Errorf("table %d, row %d, column %d: the same digest as after a change of %s", p, r, c, other)
				}
				seen[got] = fmt.Sprintf("table %d, row %d, column %d", p, r, c)
			}
		}
	}
	if _, _, fewer := write(t, "catalog.sqlite", pages[:2], instances); fewer == want {
		t.Error("a row less gives the same digest")
	}
}

func clone(rows []row) []row {
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = append(row{}, r...)
	}
	return out
}

// The digest is published in releases: other code computes it from the description at type logical.
func TestTheLogicalDigestIsThePublishedOne(t *testing.T) {
	_, _, got := write(t, "catalog.sqlite", pages[:1], nil)
	if want := "7b91cc152a7fa6cd94d380df4404eed4e09701d9653b31d82fb97c3cbac58310"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAKeyThatComesTwiceIsAnError(t *testing.T) {
	ctx := context.Background()
	w, err := Create(ctx, filepath.Join(t.TempDir(), "catalog.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(ctx, Pages); err != nil {
		t.Fatal(err)
	}
	if err := w.Row(pages[0]...); err != nil {
		t.Fatal(err)
	}
	if err := w.Row(pages[0]...); err == nil {
		t.Error("two rows of one key: no error")
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
}

func TestAFileThatIsThereIsNotWrittenOver(t *testing.T) {
	path, _, _ := write(t, "catalog.sqlite", pages, nil)
	before := read(t, path)
	ctx := context.Background()
	w, err := Create(ctx, path)
	if err == nil {
		if err = w.Begin(ctx, Pages); err == nil {
			t.Error("a catalogue that is there: no error")
		}
		w.Abort()
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("the file has changed")
	}
}

func TestWhatIsNoCatalogueIsRefusedAtOnce(t *testing.T) {
	ctx := context.Background()
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "absent.sqlite")); err == nil || !strings.Contains(err.Error(), "absent.sqlite") {
		t.Errorf("absent: got %v, want an error that names the file", err)
	}
	text := filepath.Join(t.TempDir(), "text.sqlite")
	if err := os.WriteFile(text, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, text); err == nil {
		t.Error("text: no error")
	}
}
