// Package catalog is the stage that gathers pages, labels and the instances of every family in one SQLite file, for people. No stage
// reads it.
//
// Each part of a release gives its tables. A table that several parts give, as "instances", has the rows of all, in the order of its
// first column.
//
// Memory: the records of all parts, and the rows of a table that several give. Disk: about three times the file, while it is vacuumed.
package catalog

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

type stage struct{ parts []release.Part }

// New returns the stage for the tables of parts.
func New(parts ...release.Part) stages.Stage { return stage{parts} }

func (s stage) Spec() stages.Spec {
	inputs := []schemas.Artifact{schemas.Nodes}
	for _, p := range s.parts {
		inputs = append(inputs, p.Source())
	}
	return stages.Spec{Name: "catalog", Version: 6, Inputs: inputs, Outputs: []schemas.Artifact{schemas.CatalogArtifact}, Params: struct{}{}}
}

// Run builds the file under a scratch name, because SQLite writes where it likes, and then copies it out.
func (s stage) Run(ctx context.Context, env stages.Env) error {
	path := env.TempPath("catalog.sqlite")
	w, err := catalog.Create(ctx, path)
	if err != nil {
		return err
	}
	if err := s.fill(ctx, env, w); err != nil {
		w.Abort()
		return err
	}
	rows, logical, err := w.Close(ctx)
	if err != nil {
		return err
	}
	return env.Write("catalog.sqlite", func(out io.Writer) (arrowio.Summary, error) {
		f, err := os.Open(path)
		if err != nil {
			return arrowio.Summary{}, err
		}
		defer f.Close()
		_, err = io.Copy(out, f)
		return arrowio.Summary{Rows: rows, Logical: logical}, err
	})
}

func (s stage) fill(ctx context.Context, env stages.Env, w *catalog.Writer) error {
	if err := pages(ctx, env, w); err != nil {
		return err
	}
	tables, err := s.tables(env)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := w.Begin(ctx, t); err != nil {
			return err
		}
		n := int64(0)
		err := t.Each(func(values []any) error {
			n++
			if err := ctx.Err(); err != nil {
				return err
			}
			return w.Row(values...)
		})
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		env.Count(t.Name, n)
	}
	return nil
}

// tables lists the tables of all parts, each once.
func (s stage) tables(env stages.Env) ([]flat.Rows, error) {
	var out []flat.Rows
	for _, p := range s.parts {
		files, err := stages.PartFiles(env, p.Source())
		if err != nil {
			return nil, err
		}
		list, err := p.Tables(files)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			at := slices.IndexFunc(out, func(have flat.Rows) bool { return have.Name == t.Name })
			if at < 0 {
				out = append(out, t)
				continue
			}
			out[at].Each = merged(out[at].Each, t.Each)
		}
	}
	return out, nil
}

// merged visits the rows of both in the order of their first column, which is text.
func merged(a, b func(func([]any) error) error) func(func([]any) error) error {
	return func(visit func([]any) error) error {
		var rows [][]any
		keep := func(values []any) error {
			rows = append(rows, values)
			return nil
		}
		if err := a(keep); err != nil {
			return err
		}
		if err := b(keep); err != nil {
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

// pagesTable has the nodes of the graph.
var pagesTable = flat.Rows{
	Name: "pages", Key: 1, Indexes: []string{"page_id", "title"},
	Columns: []string{"node INTEGER", "page_id INTEGER", "title TEXT", "flags INTEGER", "in_degree INTEGER", "out_degree INTEGER"},
}

var (
	colNode   = schemas.NodesTable.Index("node")
	colPageID = schemas.NodesTable.Index("page_id")
	colTitle  = schemas.NodesTable.Index("title")
	colFlags  = schemas.NodesTable.Index("flags")
	colIn     = schemas.NodesTable.Index("in_degree")
	colOut    = schemas.NodesTable.Index("out_degree")
)

func pages(ctx context.Context, env stages.Env, w *catalog.Writer) error {
	t, err := stages.OpenTable(env, schemas.Nodes, "nodes.arrow", schemas.NodesTable)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := w.Begin(ctx, pagesTable); err != nil {
		return err
	}
	meter := env.Meter("pages", "rows", t.Rows())
	defer meter.Done()
	for b := range t.Batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		nodes, ids, titles, flags := t.Uint32s(b, colNode), t.Uint32s(b, colPageID), t.Strings(b, colTitle), t.Uint16s(b, colFlags)
		in, out := t.Uint32s(b, colIn), t.Uint32s(b, colOut)
		for i := range nodes {
			err := w.Row(int64(nodes[i]), int64(ids[i]), titles.At(i), int64(flags[i]), int64(in[i]), int64(out[i]))
			if err != nil {
				return err
			}
		}
		meter.Add(int64(len(nodes)))
	}
	env.Count("pages", t.Rows())
	return nil
}
