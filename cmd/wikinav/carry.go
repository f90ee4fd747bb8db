package main

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/carry"
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas/fault"
)

// carryFlags say from which release records are taken over.
type carryFlags struct {
	cli.ProgressFlag
	From   string   `flag:"carry" usage:"older release whose records are taken over where they hold"`
	Redraw []string `flag:"redraw" usage:"families whose records are those of the build all the same; repeatable"`

	old *release.Release
}

// open opens the older release, which the new one then supersedes unless another is named.
func (f *carryFlags) open(cmd *cobra.Command, opts *release.WriteOptions) (err error) {
	if f.From == "" {
		if len(f.Redraw) > 0 {
			return fault.New(fault.Usage, "--redraw needs --carry: without it all records are those of the build")
		}
		return nil
	}
	if f.old, err = release.Open(f.From); err != nil {
		return err
	}
	progress := cli.NewProgress(cmd.ErrOrStderr(), f.Progress)
	meter := func(phase, unit string, total int64) release.Meter {
		return progress.Meter("release", phase, unit, total)
	}
	opts.Carry = carryFrom(f.old, meter)
	opts.Carry.Redraw = f.Redraw
	opts.Previous = cmp.Or(opts.Previous, f.old.Manifest())
	return nil
}

func (f *carryFlags) close() {
	if f.old != nil {
		f.old.Close()
	}
}

// carryFrom returns how records of a release are taken over.
func carryFrom(old *release.Release, meter func(phase, unit string, total int64) release.Meter) *release.Carry {
	return &release.Carry{
		Old: old, Parts: artifacts.All, Fates: carry.Fates(runtime.GOMAXPROCS(0), meter), Catalog: writeCatalog,
	}
}

// writeCatalog writes the catalogue of a release from its other tables.
func writeCatalog(ctx context.Context, path string, r *release.Release) error {
	pages, err := pagesOf(filepath.Dir(path), r.Manifest())
	if err != nil {
		return err
	}
	tables, err := tablesOf(r)
	if err != nil {
		return err
	}
	w, err := catalog.Create(ctx, path)
	if err != nil {
		return err
	}
	for _, t := range append([]flat.Rows{pages}, tables...) {
		err := w.Begin(ctx, t)
		if err == nil {
			err = t.Each(func(values []any) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return w.Row(values...)
			})
		}
		if err != nil {
			w.Abort()
			return err
		}
	}
	_, _, err = w.Close(ctx)
	return err
}

// tablesOf returns the tables that the parts of a release have in its catalogue.
func tablesOf(r *release.Release) ([]flat.Rows, error) {
	var tables []flat.Rows
	for _, p := range artifacts.All {
		if files := r.Part(p); len(files.Names()) > 0 {
			list, err := p.Tables(files)
			if err != nil {
				return nil, err
			}
			tables = append(tables, list...)
		}
	}
	return catalog.Merge(tables), nil
}
