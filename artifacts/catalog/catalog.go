// Package catalog writes and reads catalog.sqlite, for people who would rather ask in SQL. It is
// the only home of SQLite; no stage and no evaluator reads the file.
//
// The file is built in one go in key order, without a journal, and vacuumed: so its pages are as
// dense as they can be, and the same rows give the same bytes under one version of the library. Its
// header holds that version; LogicalSHA256 names the rows whatever wrote them.
package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Writer fills a new catalogue. Tables are filled one after another.
type Writer struct {
	db      *sql.DB
	tx      *sql.Tx
	insert  *sql.Stmt
	table   flat.Rows
	logical *logical
	rows    int64
}

// Create makes the catalogue at path, which must not exist.
func Create(ctx context.Context, path string) (*Writer, error) {
	db, err := sql.Open("sqlite3", "file:"+escape(path)+"?_journal_mode=OFF&_synchronous=OFF&mode=rwc")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // pragmas belong to a connection
	if _, err := db.ExecContext(ctx, "PRAGMA page_size=4096; PRAGMA encoding='UTF-8'"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Writer{db: db, logical: newLogical()}, nil
}

// escape keeps characters with a meaning in a SQLite URI out of it.
func escape(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// Begin creates table t; the rows that follow are its own. A column holds nulls only if it refers
// to another table and some rows refer to none. The SQL types carry no length: integers are 64-bit,
// text is UTF-8.
func (w *Writer) Begin(ctx context.Context, t flat.Rows) error {
	if err := w.end(ctx); err != nil {
		return err
	}
	if _, err := w.db.ExecContext(ctx, statements(t)[0]); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(t.Columns)), ",")
	stmt, err := tx.PrepareContext(ctx, fmt.Sprintf("INSERT INTO %s VALUES (%s)", t.Name, marks))
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	w.table, w.tx, w.insert = t, tx, stmt
	w.logical.table(t)
	return nil
}

// statements lists those that make a table, and then its indexes and its view.
func statements(t flat.Rows) []string {
	list := []string{fmt.Sprintf("CREATE TABLE %s (\n  %s\n)", t.Name, strings.Join(definitions(t), ",\n  "))}
	index := func(kind string, columns []string) {
		for _, c := range columns {
			list = append(list, fmt.Sprintf("CREATE %s %s_%s ON %s (%s)", kind, t.Name, c, t.Name, c))
		}
	}
	index("UNIQUE INDEX", t.Unique)
	index("INDEX", t.Indexes)
	if titles := titlesOf(t); len(titles) > 0 {
		list = append(list, fmt.Sprintf("CREATE VIEW %s AS SELECT t.*,\n  %s\nFROM %s AS t",
			titled(t), strings.Join(titles, ",\n  "), t.Name))
	}
	return list
}

// definitions lists the columns of a table and its key.
func definitions(t flat.Rows) []string {
	var out, key []string
	for i, c := range t.Columns {
		name, typ, _ := strings.Cut(c, " ")
		def := quoted(name) + " " + typ // some are words of SQL
		if i < t.Key {
			key = append(key, quoted(name))
		}
		if t.Key == 1 && i == 0 {
			def += " PRIMARY KEY" // in place, so that an integer key is the row number
		}
		ref, there := refOf(t, name)
		if !ref.Null {
			def += " NOT NULL"
		}
		if there && !ref.List {
			def += fmt.Sprintf(" REFERENCES %s (%s)", ref.Table, ref.Key)
		}
		out = append(out, def)
	}
	if t.Key == 1 {
		return out
	}
	return append(out, "PRIMARY KEY ("+strings.Join(key, ", ")+")")
}

func refOf(t flat.Rows, column string) (flat.Ref, bool) {
	i := slices.IndexFunc(t.Refs, func(r flat.Ref) bool { return r.Column == column })
	if i < 0 {
		return flat.Ref{}, false
	}
	return t.Refs[i], true
}

// titled names the view of a table with the titles of the pages that its columns name by node.
func titled(t flat.Rows) string { return t.Name + "_titled" }

// titlesOf lists the columns that the view of a table has besides the table's own: a title for each
// node that has none in the table, and a JSON list of titles for each list of nodes. A view stores
// nothing: it costs no bytes, and cannot say another title than the table of pages.
func titlesOf(t flat.Rows) (list []string) {
	for _, r := range t.Refs {
		if r.Table != PageRows.Name || r.Key != "node" {
			continue
		}
		stem := strings.TrimSuffix(strings.TrimSuffix(r.Column, "node"), "_")
		column, value, form := strings.TrimPrefix(stem+"_title", "_"), "t."+r.Column, "%s"
		if r.List {
			column, value = strings.TrimSuffix(r.Column, "_nodes")+"_titles", "list.value"
			form = "(SELECT json_group_array(%s) FROM json_each(t." + r.Column + ") AS list)"
		}
		if slices.Contains(t.Columns, column+" TEXT") {
			continue
		}
		title := fmt.Sprintf(form, "(SELECT p.title FROM pages AS p WHERE p.node = "+value+")")
		list = append(list, title+" AS "+column)
	}
	return list
}

// Row adds a row to the current table. Values are int64, float64, string or nil, one per column.
func (w *Writer) Row(values ...any) error {
	if len(values) != len(w.table.Columns) {
		panic(fmt.Sprintf("catalog: %d values for the %d columns of %s", len(values), len(w.table.Columns), w.table.Name))
	}
	w.logical.row(values)
	w.rows++
	_, err := w.insert.Exec(values...)
	return err
}

func (w *Writer) end(ctx context.Context) error {
	if w.tx == nil {
		return nil
	}
	err := errors.Join(w.insert.Close(), w.tx.Commit())
	w.tx = nil
	for _, more := range statements(w.table)[1:] {
		if err != nil {
			return err
		}
		_, err = w.db.ExecContext(ctx, more)
	}
	return err
}

// Close finishes the file and returns the number of rows and the logical digest over all tables. A
// row that refers to none of another table is an error.
func (w *Writer) Close(ctx context.Context) (rows int64, logicalSHA256 string, err error) {
	err = w.end(ctx)
	if err == nil {
		err = orphan(ctx, w.db)
	}
	if err == nil {
		_, err = w.db.ExecContext(ctx, "VACUUM")
	}
	return w.rows, w.logical.sum(), errors.Join(err, w.db.Close())
}

// orphan returns an error that names the first row that refers to none of another table.
func orphan(ctx context.Context, db *sql.DB) error {
	var table, parent, column string
	var row int64
	const ask = `SELECT c."table", c.rowid, c.parent, k."from" FROM pragma_foreign_key_check AS c
		JOIN pragma_foreign_key_list(c."table") AS k ON k.id = c.fkid LIMIT 1`
	err := db.QueryRowContext(ctx, ask).Scan(&table, &row, &parent, &column)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = fault.New(fault.Mismatch, "row %d refers to no row of table %s", row, parent).
			At(table, column)
	}
	return err
}

// Abort gives up: the file at path is worthless and the caller's to remove.
func (w *Writer) Abort() error {
	if w.tx != nil {
		w.insert.Close()
		w.tx.Rollback()
	}
	return w.db.Close()
}

// Open opens a finished catalogue for reading; nothing that reads it can change it. A file that is
// absent or no database is an error at once, and not at the first question.
func Open(ctx context.Context, path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file:"+escape(path)+"?mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, "SELECT count(*) FROM sqlite_schema"); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return db, nil
}
