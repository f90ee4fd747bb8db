// Package crosscheck is the stage that compares the dump with the SQL tables page and redirect,
// which say the same things of the same wiki at another moment.
//
// It owns the comparison and decides nothing: no later stage reads it. A dump and its tables are
// read from a living database one after the other, so that differences are counted and listed,
// never an error. Of each kind the first are listed, in the order of the table.
//
// Memory: 4 bytes and 1 bit for each page of the dump, 8 for each redirect; titles are read in the mapping.
package crosscheck

import (
	"context"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// Names of the tables that are compared.
const (
	Page     = "page"
	Redirect = "redirect"
)

// listed is how many differences of each kind are listed.
const listed = 1000

func New() stages.Stage {
	return stages.Make(stages.Spec{
		Name: "crosscheck", Version: 1,
		Inputs:  []schemas.Artifact{schemas.PageTables, schemas.Pages, schemas.Redirects},
		Outputs: []schemas.Artifact{schemas.Crosscheck},
		Params:  struct{}{},
	}, run)
}

// run compares with each table that is there.
func run(ctx context.Context, env *stages.Run) error {
	files, err := env.Input(schemas.PageTables)
	if err != nil {
		return err
	}
	d, err := openDump(env)
	if err != nil {
		return err
	}
	found := &findings{counts: map[string]int64{}}
	for _, f := range files {
		t, err := sqldump.Head(ctx, f.Path())
		if err != nil {
			return err
		}
		switch t.Name {
		case Page:
			err = comparePages(ctx, f.Path(), d, found)
		case Redirect:
			err = compareRedirects(ctx, f.Path(), d, found)
		}
		if err != nil {
			return err
		}
	}
	stages.WarnAbove(env, CodeMissing, schemas.Ratio{Num: found.longest, Den: 1}, schemas.Ratio{Num: usualRun, Den: 1})
	return found.write(env)
}

// A stream that a multistream dump has lost is a hundred pages in a row. Pages that were deleted or moved between the two readings are
// few, and seldom neighbours.
const (
	// CodeMissing is the code of the warning that the dump lacks so many pages in a row.
	CodeMissing = "W_PAGES_MISSING"
	usualRun    = 20
)

// findings are counters, and the first differences of each kind.
type findings struct {
	counts map[string]int64
	lines  []schemas.Difference

	run, longest int64 // pages of the table in a row that the dump lacks: up to now, at most; newer ones than the dump's last do not count
}

// miss counts a page that the dump lacks.
func (f *findings) miss() {
	f.run++
	f.longest = max(f.longest, f.run)
}

func (f *findings) count(name string) { f.counts[name]++ }

func (f *findings) differ(kind string, id uint32, dump, table string) {
	if f.count(kind); f.counts[kind] <= listed {
		f.lines = append(f.lines, schemas.Difference{Kind: kind, PageID: id, Dump: dump, Table: table})
	}
}

// eachRow visits the columns of each row of a table, of which the first is a page id and the third a title, which is given with
// blanks. Titles that are not UTF-8 are counted, and so are all rows; that there is none of kinds is worth saying.
func (f *findings) eachRow(
	ctx context.Context, path, table string, columns, kinds []string, visit func(id uint32, title []byte, row []sqldump.Value),
) error {
	for _, name := range kinds {
		f.counts[name] += 0
	}
	var at []int
	begin := func(t sqldump.Table) (err error) {
		at, err = t.Find(columns...)
		return err
	}
	picked, title := make([]sqldump.Value, len(columns)), []byte{}
	rows, err := sqldump.Read(ctx, path, begin, func(row []sqldump.Value) error {
		for i := range picked {
			picked[i] = row[at[i]]
		}
		id, err := picked[0].Uint32()
		if err != nil {
			return err
		}
		title = append(title[:0], picked[2].Bytes...)
		for i, c := range title {
			if c == '_' {
				title[i] = ' '
			}
		}
		if !utf8.Valid(title) {
			f.count(table + "_rows_not_utf8")
			return nil
		}
		visit(id, title, picked)
		return nil
	})
	f.counts[table+"_rows"] += rows
	return err
}

func (f *findings) write(env stages.Env) error {
	stages.Counts(env, f.counts)
	return env.Write(schemas.CrosscheckFile, stages.Bytes(jsonl.Encode(f.lines)))
}
