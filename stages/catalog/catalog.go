// Package catalog is the stage that gathers pages, their labels and instances in one SQLite file, for people. No stage reads it.
//
// Memory: the largest file of instances. Disk: about three times the file, while it is vacuumed.
package catalog

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

type stage struct{}

// New returns the stage; it has no parameters.
func New() stages.Stage { return stage{} }

func (stage) Spec() stages.Spec {
	return stages.Spec{
		Name: "catalog", Version: 5,
		Inputs:  []schemas.Artifact{schemas.Nodes, schemas.Labels, schemas.Wikirace, schemas.Constrained},
		Outputs: []schemas.Artifact{schemas.CatalogArtifact},
		Params:  struct{}{},
	}
}

// Run builds the file under a scratch name, because SQLite writes where it likes, and then copies it out.
func (stage) Run(ctx context.Context, env stages.Env) error {
	path := env.TempPath("catalog.sqlite")
	w, err := catalog.Create(ctx, path)
	if err != nil {
		return err
	}
	if err := fill(ctx, env, w); err != nil {
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

func fill(ctx context.Context, env stages.Env, w *catalog.Writer) error {
	if err := w.Begin(ctx, catalog.Pages); err != nil {
		return err
	}
	if err := pages(ctx, env, w); err != nil {
		return err
	}
	if err := w.Begin(ctx, catalog.Labels); err != nil {
		return err
	}
	if err := labels(ctx, env, w); err != nil {
		return err
	}
	if err := w.Begin(ctx, catalog.Instances); err != nil {
		return err
	}
	banned, err := bannedInstances(env)
	if err != nil {
		return err
	}
	for i := range banned { // ids of this family come before those of the other
		if err := addBanned(env, w, &banned[i]); err != nil {
			return err
		}
	}
	if err := eachInstance(env, func(in *schemas.WikiraceInstance) error { return addInstance(env, w, in) }); err != nil {
		return err
	}
	if err := w.Begin(ctx, catalog.WikiraceFeatures); err != nil {
		return err
	}
	if err := eachInstance(env, func(in *schemas.WikiraceInstance) error { return addFeatures(w, in) }); err != nil {
		return err
	}
	if err := w.Begin(ctx, catalog.ConstrainedFeatures); err != nil {
		return err
	}
	for i := range banned {
		if err := addBannedFeatures(w, &banned[i]); err != nil {
			return err
		}
	}
	return nil
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

// eachInstance reads the split files in order of their names, and so the ids, which begin with the split's name, in order.
func eachInstance(env stages.Env, visit func(*schemas.WikiraceInstance) error) error {
	files, err := env.Input(schemas.Wikirace)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".jsonl") {
			continue
		}
		if err := split(f, visit); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func split(f stages.File, visit func(*schemas.WikiraceInstance) error) error {
	data, err := f.Read()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, canon.MaxLine)
	for n := 1; lines.Scan(); n++ {
		var in schemas.WikiraceInstance
		err := canon.Decode(lines.Bytes(), canon.MaxLine, &in)
		if err == nil {
			err = visit(&in)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

func addInstance(env stages.Env, w *catalog.Writer, in *schemas.WikiraceInstance) error {
	env.Count("instances", 1)
	return w.Row(in.ID, "wikirace", in.Split, in.Key, int64(in.Source.Node), int64(in.Target.Node),
		int64(in.Distance), string(canon.MustMarshal(in.Witness)))
}
