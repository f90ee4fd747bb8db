// Package catalog writes and reads catalog.sqlite, for people who would rather ask in SQL. It is the only home of
// SQLite; no stage and no evaluator reads the file.
//
// The file is built in one go in key order, without a journal, and vacuumed: so its pages are as dense as they can
// be, and the same rows give the same bytes under one version of the library. Its header holds that version;
// LogicalSHA256 names the rows whatever wrote them.
package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// Table is one table of the catalogue. Columns are as in SQL; the first is the primary key and rows come in its order.
type Table struct {
	Name    string
	Columns []string // "node INTEGER", "title TEXT"
	Indexes []string // names of columns that people look things up by
}

// Tables of the catalogue. The SQL types carry no length: integers are 64-bit, text is UTF-8.
var (
	Pages = Table{
		Name: "pages",
		Columns: []string{
			"node INTEGER", "page_id INTEGER", "title TEXT", "flags INTEGER", "in_degree INTEGER", "out_degree INTEGER",
		},
		Indexes: []string{"page_id", "title"},
	}
	// Labels has a row for each page with a type. mask has a bit for each label, in the order of schemas.LabelNames; label is the
	// name of the primary one, "" for none.
	Labels = Table{
		Name:    "labels",
		Columns: []string{"node INTEGER", "mask INTEGER", "label TEXT", "n_labels INTEGER", "source TEXT", "class TEXT", "conflict INTEGER"},
		Indexes: []string{"label"},
	}
	Instances = Table{
		Name: "instances",
		Columns: []string{
			"id TEXT", "family TEXT", "split TEXT", "key TEXT", "source INTEGER", "target INTEGER", "distance INTEGER",
			"witness TEXT",
		},
		Indexes: []string{"split"},
	}
	// WikiraceFeatures has a row for each instance of wikirace. Decimals are given as text and kept as numbers: SQLite
	// turns one into the other in a column of type REAL. Lists are JSON.
	WikiraceFeatures = Table{
		Name: "wikirace_features",
		Columns: []string{
			"id TEXT", "n_shortest_paths INTEGER", "n_shortest_saturated INTEGER", "opt_first INTEGER", "out_degree INTEGER",
			"opt_first_menu INTEGER", "menu_size INTEGER", "source_in_degree INTEGER", "target_in_degree INTEGER",
			"target_out_degree INTEGER", "target_in_max_out INTEGER", "dag_layers TEXT", "bottlenecks TEXT", "dominators TEXT",
			"cut_source INTEGER", "cut_dag_cut INTEGER", "cut_dag_all INTEGER", "cut_gain REAL", "random_keeps_opt REAL",
			"rw_full REAL", "rw_menu REAL", "rw_method TEXT", "greedy_in_success INTEGER", "greedy_in_steps INTEGER", "greedy_out_success INTEGER",
			"greedy_out_steps INTEGER",
		},
	}
)

// ConstrainedFeatures has a row for each instance under a ban; its distance among the instances is the length that the ban leaves, its
// witness the path. Numbers that may have no value are -1 then; ban_witness is a node, or -1.
var ConstrainedFeatures = Table{
	Name: "constrained_features",
	Columns: []string{
		"id TEXT", "banned_category TEXT", "unlabelled TEXT", "ban_witness INTEGER", "baseline_length INTEGER", "constrained_length INTEGER",
		"detour INTEGER", "binding TEXT", "baseline_path TEXT", "baseline_paths_clean INTEGER", "baseline_paths_all INTEGER",
		"unlabelled_on_path INTEGER", "length_if_unlabelled_forbidden INTEGER", "successors_banned INTEGER", "successors_all INTEGER",
		"shortest_banned INTEGER", "shortest_all INTEGER", "first_moves_feasible INTEGER", "first_moves_optimal INTEGER",
		"compat_found INTEGER", "compat_iterations INTEGER", "compat_length INTEGER",
	},
	Indexes: []string{"banned_category"},
}

// Writer fills a new catalogue. Tables are filled one after another.
type Writer struct {
	db      *sql.DB
	tx      *sql.Tx
	insert  *sql.Stmt
	table   Table
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

// Begin creates table t; the rows that follow are its own.
func (w *Writer) Begin(ctx context.Context, t Table) error {
	if err := w.end(ctx); err != nil {
		return err
	}
	columns := append([]string{t.Columns[0] + " PRIMARY KEY NOT NULL"}, notNull(t.Columns[1:])...)
	create := fmt.Sprintf("CREATE TABLE %s (%s)", t.Name, strings.Join(columns, ", "))
	if _, err := w.db.ExecContext(ctx, create); err != nil {
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

func notNull(columns []string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c + " NOT NULL"
	}
	return out
}

// Row adds a row to the current table. Values are int64 or string, one per column.
func (w *Writer) Row(values ...any) error {
	if len(values) != len(w.table.Columns) {
		panic(fmt.Sprintf("catalog: %d values for the %d columns of %s", len(values), len(w.table.Columns), w.table.Name))
	}
	w.logical.row(values)
	w.rows++
	_, err := w.insert.Exec(values...)
	return err
}

// end commits the current table and builds its indexes.
func (w *Writer) end(ctx context.Context) error {
	if w.tx == nil {
		return nil
	}
	err := errors.Join(w.insert.Close(), w.tx.Commit())
	w.tx = nil
	for _, column := range w.table.Indexes {
		if err != nil {
			return err
		}
		_, err = w.db.ExecContext(ctx, fmt.Sprintf("CREATE INDEX %s_%s ON %s (%s)", w.table.Name, column, w.table.Name, column))
	}
	return err
}

// Close finishes the file and tells the number of rows and the logical digest over all tables.
func (w *Writer) Close(ctx context.Context) (rows int64, logicalSHA256 string, err error) {
	err = w.end(ctx)
	if err == nil {
		_, err = w.db.ExecContext(ctx, "VACUUM")
	}
	return w.rows, w.logical.sum(), errors.Join(err, w.db.Close())
}

// Abort gives up: the file at path is worthless and the caller's to remove.
func (w *Writer) Abort() error {
	if w.tx != nil {
		w.insert.Close()
		w.tx.Rollback()
	}
	return w.db.Close()
}

// Open opens a finished catalogue for reading; nothing that reads it can change it. A file that is absent or no
// database is an error at once, and not at the first question.
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
