package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/schemas/fault"
)

// PageRows is the table of the graph's nodes, without its rows.
var PageRows = flat.Rows{
	Name: "pages", Key: 1, Unique: []string{"page_id", "title"},
	Columns: []string{"node INTEGER", "page_id INTEGER", "title TEXT", "flags INTEGER", "in_degree INTEGER", "out_degree INTEGER"},
}

// Merge lists each table once: one that several parts give has the rows of all, in the order of
// their first column, which is text.
func Merge(list []flat.Rows) []flat.Rows {
	var out []flat.Rows
	for _, t := range list {
		at := slices.IndexFunc(out, func(have flat.Rows) bool { return have.Name == t.Name })
		if at < 0 {
			out = append(out, t)
			continue
		}
		out[at].Each = merged(out[at].Each, t.Each)
	}
	return out
}

func merged(a, b func(func([]any) error) error) func(func([]any) error) error {
	return func(visit func([]any) error) error {
		var rows [][]any
		keep := func(values []any) error {
			rows = append(rows, values)
			return nil
		}
		if err := errors.Join(a(keep), b(keep)); err != nil {
			return err
		}
		slices.SortStableFunc(rows, func(x, y []any) int { return cmp.Compare(x[0].(string), y[0].(string)) })
		for _, values := range rows {
			if err := visit(values); err != nil {
				return err
			}
		}
		return nil
	}
}

// errDiffers ends the comparison of a table at its first difference.
var errDiffers = errors.New("differs")

// Compare compares the catalogue at path with the rows that it must have, and calls differs for the
// first place of each table where it has others, and for a table that is none of these. The indexes,
// which answer questions in place of the rows, and the words of every definition must be those of
// Begin. An error says that the file cannot be read.
func Compare(ctx context.Context, path string, tables []flat.Rows, differs func(where string, want, got any)) error {
	db, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	have, err := tablesIn(ctx, db, tables)
	if err != nil {
		return err
	}
	if err := compareIndexes(ctx, db, tables, differs); err != nil {
		return err
	}
	for _, t := range tables {
		if !slices.Contains(have, t.Name) {
			differs(t.Name, "a table", "none")
		} else if err := compareTable(ctx, db, t, differs); err != nil && !errors.Is(err, errDiffers) {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	for _, name := range have {
		if !slices.ContainsFunc(tables, func(t flat.Rows) bool { return t.Name == name }) {
			differs(name, "no table of that name", "one")
		}
	}
	return nil
}

// compareIndexes checks that indexes say what the rows say, and compares the definitions of tables,
// their indexes and views.
func compareIndexes(ctx context.Context, db *sql.DB, tables []flat.Rows, differs func(where string, want, got any)) error {
	var sound string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&sound); err != nil {
		return err
	}
	if sound != "ok" {
		differs("PRAGMA integrity_check", "ok", sound)
	}
	for _, t := range tables {
		var got string
		const ask = "SELECT coalesce(group_concat(sql, '; '), '') FROM " +
			"(SELECT sql FROM sqlite_schema WHERE tbl_name IN (?, ?) AND sql IS NOT NULL ORDER BY rowid)"
		if err := db.QueryRowContext(ctx, ask, t.Name, titled(t)).Scan(&got); err != nil {
			return err
		}
		if want := strings.Join(statements(t), "; "); got != want && got != "" { // a table that is not there is told below
			differs(t.Name+", its definition", oneLine(want), oneLine(got))
		}
	}
	return nil
}

func oneLine(definition string) string { return strings.Join(strings.Fields(definition), " ") }

// tablesIn lists the tables, and refuses what could answer with something else than its rows: views
// but those of titles, whose definitions are compared and which are never asked.
func tablesIn(ctx context.Context, db *sql.DB, tables []flat.Rows) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT type, name FROM sqlite_schema ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			return nil, err
		}
		view := func(t flat.Rows) bool { return kind == "view" && name == titled(t) }
		switch {
		case kind == "table":
			names = append(names, name)
		case kind != "index" && !slices.ContainsFunc(tables, view):
			return nil, fmt.Errorf("%s %s, where a catalogue has tables, indexes and views of titles",
				kind, fault.Quote(name))
		}
	}
	return names, rows.Err()
}

// quoted is a name in SQL, whatever it is made of.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// compareTable compares a table row by row, in the order in which they were written.
func compareTable(ctx context.Context, db *sql.DB, t flat.Rows, differs func(where string, want, got any)) error {
	var names []string
	for _, c := range t.Columns {
		name, _, _ := strings.Cut(c, " ")
		names = append(names, quoted(name))
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY rowid", strings.Join(names, ", "), quoted(t.Name)))
	if err != nil {
		differs(t.Name, "its columns", err)
		return errDiffers
	}
	defer rows.Close()
	n, got, into := 0, make([]any, len(names)), make([]any, len(names))
	for i := range got {
		into[i] = &got[i]
	}
	err = t.Each(func(want []any) error {
		where := fmt.Sprintf("%s, row %d", t.Name, n)
		if !rows.Next() {
			differs(where, fmt.Sprint(want), "no row")
			return errors.Join(rows.Err(), errDiffers)
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i := range want {
			if !reflect.DeepEqual(want[i], got[i]) {
				differs(where+", "+strings.Trim(names[i], `"`), fmt.Sprint(want[i]), fmt.Sprint(got[i]))
				return errDiffers
			}
		}
		n++
		return ctx.Err()
	})
	if err == nil && rows.Next() {
		differs(t.Name, fmt.Sprintf("%d rows", n), "more")
	}
	return err
}
