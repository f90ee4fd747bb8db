// Package demo is the stage that stands in when no input is named: it writes the demo dump, and the types of its pages, which then go
// through the same readers as a real one. dumps/demo does the work.
package demo

import (
	"context"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// Names of the files, in the form of a published dump, so that wiki and date are read off them as usual.
const (
	DumpName  = demo.Wiki + "-" + demo.Date + "-pages-articles-multistream.xml.bz2"
	IndexName = demo.Wiki + "-" + demo.Date + "-pages-articles-multistream-index.txt.bz2"
	TypesName = demo.Wiki + "-" + demo.Date + "-instance-types.ttl.bz2"
)

// Params of the demo snapshot. The seed is its own: the samplers' root seed does not touch it.
type Params struct {
	Seed  uint64 `json:"seed"`
	Pages int    `json:"pages"`
}

// Default is the demo snapshot that everybody builds.
func Default() Params { return Params{Seed: demo.Seed, Pages: 20_000} }

func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: "demo", Version: 4, Params: p,
		Outputs: []schemas.Artifact{schemas.Dump, schemas.PageTables, schemas.LinkTables, schemas.TypeFiles},
	}, p.run)
}

// tableName names the file of an SQL table as dump sites do, but for the packing.
func tableName(table string) string { return demo.Wiki + "-" + demo.Date + "-" + table + ".sql.bz2" }

// run writes the dump, the tables beside it, and the types of its pages.
func (p Params) run(ctx context.Context, env *stages.Run) error {
	if err := p.writeDump(ctx, env); err != nil {
		return err
	}
	if err := p.writeTables(ctx, env); err != nil {
		return err
	}
	return env.Write(TypesName, func(types io.Writer) (arrowio.Summary, error) {
		sum, err := demo.WriteTypes(ctx, types, p.options(env))
		env.Count("typed", int64(sum.Things))
		return stages.NoRows, err
	})
}

func (p Params) options(env stages.Env) demo.Options {
	return demo.Options{Seed: p.Seed, Pages: p.Pages, Meter: func(phase, unit string, total int64) demo.Meter {
		return env.Meter(phase, unit, total)
	}}
}

// writeTables opens the files one inside the other and fills them together.
func (p Params) writeTables(ctx context.Context, env stages.Env) error {
	to := map[string]io.Writer{}
	fill := func() error { return demo.WriteTables(ctx, to, p.options(env)) }
	for _, table := range demo.Tables {
		inner := fill
		fill = func() error {
			return env.Write(tableName(table), func(w io.Writer) (arrowio.Summary, error) {
				to[table] = w
				return stages.NoRows, inner()
			})
		}
	}
	return fill()
}

// writeDump writes dump and index side by side, because the index holds the offsets of the dump's streams.
func (p Params) writeDump(ctx context.Context, env stages.Env) error {
	return env.Write(DumpName, func(dump io.Writer) (arrowio.Summary, error) {
		err := env.Write(IndexName, func(index io.Writer) (arrowio.Summary, error) {
			sum, err := demo.Write(ctx, dump, index, p.options(env))
			env.Count("pages", int64(sum.Pages))
			return stages.NoRows, err
		})
		return stages.NoRows, err
	})
}
