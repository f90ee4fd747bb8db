package catalog

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
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
	if want := "64e56011d3da6d63d4e0763b16c60aec5184fd9fd1116f12b9320ab8fc5d3c12"; got != want {
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

// things refer to pages: one to a page, or to none, and several.
var things = flat.Rows{
	Name: "things", Key: 1, Columns: []string{"id TEXT", "best_node INTEGER", "best_title TEXT", "node INTEGER", "path TEXT"},
	Refs: []flat.Ref{
		{Column: "best_node", Table: "pages", Key: "node", Null: true},
		{Column: "best_title", Table: "pages", Key: "title", Null: true},
		{Column: "node", Table: "pages", Key: "node"},
		{Column: "path", Table: "pages", Key: "node", List: true},
	},
}

func writeThings(t *testing.T, rows ...[]any) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	w, err := Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(t.Context(), PageRows); err != nil {
		t.Fatal(err)
	}
	for _, r := range pages {
		if err := w.Row(r...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Begin(t.Context(), things); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r...); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err = w.Close(t.Context())
	return path, err
}

func TestARowThatRefersToNothingIsAnError(t *testing.T) {
	whole := []any{"a", int64(0), "Apple", int64(7), "[7,0]"}
	if _, err := writeThings(t, whole, []any{"b", nil, nil, int64(0), "[]"}); err != nil {
		t.Error(err)
	}
	for column, change := range map[int]any{1: int64(3), 2: "Pear", 3: int64(8)} {
		orphan := slices.Clone(whole)
		orphan[0], orphan[column] = "b", change
		name, _, _ := strings.Cut(things.Columns[column], " ")
		_, err := writeThings(t, whole, orphan)
		if want := "things: " + name + ": row 2 refers to no row of table pages"; !errors.Is(err, fault.Mismatch) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestTheViewOfATableHasTheTitlesThatItLacks(t *testing.T) {
	path, err := writeThings(t, []any{"a", int64(0), "Apple", int64(0), "[7,0,1,0]"}, []any{"b", nil, nil, int64(7), "[]"})
	if err != nil {
		t.Fatal(err)
	}
	titled := flat.Rows{Name: "things_titled", Columns: make([]string, 7)}
	odd := canon.MustMarshal([]string{"", "Apple", pages[1][2].(string), "Apple"})
	want := texts([]row{
		{"a", int64(0), "Apple", int64(0), "[7,0,1,0]", "Apple", string(odd)}, {"b", nil, nil, int64(7), "[]", "", "[]"},
	})
	if got := dump(t, path, titled); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCompareSeesAViewOrAKeyThatSaysSomethingElse(t *testing.T) {
	row := []any{"a", int64(0), "Apple", int64(0), "[7]"}
	for change, want := range map[string]string{
		"":                        "",
		"DROP VIEW things_titled": "its definition",
		"DROP VIEW things_titled; CREATE VIEW things_titled AS SELECT 'x' AS title":                                 "its definition",
		"CREATE VIEW pages_titled AS SELECT 'x' AS title":                                                           "pages, its definition",
		"CREATE VIEW more AS SELECT 'x' AS title":                                                                   `view "more"`,
		"CREATE TABLE more (x)":                                                                                     "more: no table of that name",
		"DROP INDEX pages_title; CREATE INDEX pages_title ON pages (title)":                                         "pages, its definition",
		"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ' REFERENCES pages (title)', '')": "things, its definition",
	} {
		path, err := writeThings(t, row)
		if err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite3", path)
		if err == nil {
			_, err = db.Exec(change)
			err = errors.Join(err, db.Close())
		}
		if err != nil {
			t.Fatal(change, err)
		}
		all, some, got := PageRows, things, ""
		all.Each = func(visit func([]any) error) error {
			for _, r := range pages {
				if err := visit(r); err != nil {
					return err
				}
			}
			return nil
		}
		some.Each = func(visit func([]any) error) error { return visit(row) }
		err = Compare(t.Context(), path, []flat.Rows{all, some}, func(where string, a, b any) { got += fmt.Sprintf("%s: %v, %v", where, a, b) })
		if err != nil {
			got += err.Error()
		}
		if !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: got %q, want %q", change, got, want)
		}
	}
}
