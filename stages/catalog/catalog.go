// Package catalog is the stage that gathers pages, labels and the instances of every family in one
// SQLite file, for people. No stage reads it.
//
// Each part that a release would publish gives its tables. A table that several parts give, as "instances", has the
// rows of all, in the order of its first column.
//
// Memory: the records of all parts, and the rows of a table that several give. Disk: about three
// times the file, while it is vacuumed.
package catalog

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

func New(parts ...release.Part) stages.Stage {
	inputs := []schemas.Artifact{schemas.Nodes}
	for _, p := range parts {
		inputs = append(inputs, p.Source())
	}
	return stages.Make(stages.Spec{
		Name: "catalog", Version: 7, Inputs: inputs, Outputs: []schemas.Artifact{schemas.CatalogArtifact}, Params: struct{}{},
	}, func(ctx context.Context, env *stages.Run) error { return run(ctx, env, parts) })
}

// run builds the file under a scratch name, because SQLite writes where it likes, and then copies
// it out.
func run(ctx context.Context, env *stages.Run, parts []release.Part) error {
	path := env.TempPath("catalog.sqlite")
	w, err := catalog.Create(ctx, path)
	if err != nil {
		return err
	}
	if err := fill(ctx, env, w, parts); err != nil {
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

func fill(ctx context.Context, env *stages.Run, w *catalog.Writer, parts []release.Part) error {
	if err := pages(ctx, env, w); err != nil {
		return err
	}
	tables, err := tablesOf(env, parts)
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

// tablesOf lists the tables of all parts, each once.
func tablesOf(env stages.Env, parts []release.Part) ([]flat.Rows, error) {
	var out []flat.Rows
	for _, p := range parts {
		files, err := stages.PartFiles(env, p.Source())
		if err != nil {
			return nil, err
		}
		if published, err := p.Published(files); err != nil {
			return nil, err
		} else if !published {
			continue
		}
		list, err := p.Tables(files)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return catalog.Merge(out), nil
}

func pages(ctx context.Context, env *stages.Run, w *catalog.Writer) error {
	t, err := env.Table(schemas.Nodes, "nodes.arrow", schemas.NodesTable)
	if err != nil {
		return err
	}
	if err := w.Begin(ctx, catalog.PageRows); err != nil {
		return err
	}
	column := schemas.NodesTable.Index
	meter := env.Meter("pages", "rows", t.Rows())
	defer meter.Done()
	for b := range t.Batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		nodes, ids, titles := t.Uint32s(b, column("node")), t.Uint32s(b, column("page_id")), t.Strings(b, column("title"))
		flags, in, out := t.Uint16s(b, column("flags")), t.Uint32s(b, column("in_degree")), t.Uint32s(b, column("out_degree"))
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
