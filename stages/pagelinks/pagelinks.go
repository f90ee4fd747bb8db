// Package pagelinks is the stage that takes the links of a graph from the SQL tables pagelinks and
// linktarget, in the place of those that ingest found in the wikitext.
//
// It owns the join: row -> page of the dump, target number -> title. The result has the layout of
// ingest's links, so that linkgraph resolves redirects and missing pages by the same rules and in
// the same books. Rows from other namespaces, from pages that the dump has not, and to targets that
// no table knows are counted, never guessed. A table does not say where in its text a link stands:
// every link has the provenance `body` (docs/decisions/0007).
//
// Memory: 1 bit for each page id twice and 1 for each target number; 28 bytes and the title for
// each target of namespace 0, up to twice that while the lists grow; 128 MiB for sorting. Disk: 8
// bytes of scratch for each link. Time is linear but for sorting.
package pagelinks

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

type stage struct {
	budget int // links that are sorted in memory
}

func New() stages.Stage { return stage{runLinks} }

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name: "pagelinks", Version: 1,
		Inputs:  []schemas.Artifact{schemas.LinkTables, schemas.Pages},
		Outputs: []schemas.Artifact{schemas.PageLinks},
		Params:  struct{}{},
	}
}

// Estimate: a packed row takes about 3 bytes, a link 8 in scratch and 40 in the result. The memory
// is that of the sorter; targets come to it, about 10 times their packed size, but which file holds
// them is known only once it is read.
func (s stage) Estimate(inputs []stages.File) stages.Estimate {
	var bytes int64
	for _, f := range inputs {
		bytes += f.Digest.Bytes
	}
	return stages.Estimate{Disk: 8 * bytes, Memory: 2 * 8 * runLinks}
}

// Run joins rows with pages and targets, sorts, and writes.
func (s stage) Run(ctx context.Context, env stages.Env) error {
	given, err := open(ctx, env)
	if err != nil {
		return err
	}
	pages, err := readPages(env)
	if err != nil {
		return err
	}
	j := &join{pages: pages, targets: newTargets(), links: newLinks(env.Temp, s.budget)}
	defer j.links.Close()
	if given.byNumber() {
		if err := j.targets.read(ctx, env, given.linktarget); err != nil {
			return err
		}
	}
	if err := j.read(ctx, env, given); err != nil {
		return err
	}
	if err := j.write(ctx, env); err != nil {
		return err
	}
	j.books.close(env, j.targets)
	return nil
}

// tables are the files that the links are joined from.
type tables struct {
	pagelinks, linktarget string // paths
	layout                sqldump.Table
}

// byNumber tells the layout since 2024, in which a row names its target by a number. Where both are
// there it wins.
func (t tables) byNumber() bool { return numbered(t.layout) }

func numbered(pagelinks sqldump.Table) bool { return slices.Contains(pagelinks.Columns, colTarget) }

// needed lists the columns that a row is read from.
func needed(pagelinks sqldump.Table) []string {
	if numbered(pagelinks) {
		return []string{colFrom, colTarget}
	}
	return []string{colFrom, colOldNS, colOldTitle}
}

// open knows the tables by their content.
func open(ctx context.Context, env stages.Env) (tables, error) {
	var given tables
	files, err := env.Input(schemas.LinkTables)
	if err != nil {
		return given, err
	}
	for _, f := range files {
		t, err := sqldump.Head(ctx, f.Path())
		if err != nil {
			return given, err
		}
		switch t.Name {
		case Pagelinks:
			given.pagelinks, given.layout = f.Path(), t
		case Linktarget:
			given.linktarget = f.Path()
		}
	}
	return given, Check(given.pagelinks, given.layout, given.linktarget != "")
}

// Names of the tables, and of the columns that are read.
const (
	Pagelinks  = "pagelinks"
	Linktarget = "linktarget"

	colFrom        = "pl_from"
	colFromNS      = "pl_from_namespace"
	colTarget      = "pl_target_id"
	colOldNS       = "pl_namespace"
	colOldTitle    = "pl_title"
	colTargetID    = "lt_id"
	colTargetNS    = "lt_namespace"
	colTargetTitle = "lt_title"
)

// Check tells before anything is read whether links can come from the tables: path is the file of
// pagelinks, "" where there is none.
func Check(path string, layout sqldump.Table, linktarget bool) error {
	if path == "" {
		return fault.New(fault.NotFound, "links are to come from the table %s, which is not there", Pagelinks).
			Hint("give --sql <wiki>-<date>-pagelinks.sql.gz and --sql <wiki>-<date>-linktarget.sql.gz")
	}
	if _, err := layout.Find(needed(layout)...); err != nil {
		return fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	if numbered(layout) && !linktarget {
		return fault.New(fault.NotFound, "the table %s names targets by number (%s), and the table %s that says their titles is missing",
			Pagelinks, colTarget, Linktarget).At(path, "").Hint("give --sql %s, too", sibling(path))
	}
	return nil
}

// sibling is how a dump site calls the linktarget table that belongs to a pagelinks table.
func sibling(path string) string {
	if name := filepath.Base(path); strings.Contains(name, Pagelinks) {
		return strings.Replace(name, Pagelinks, Linktarget, 1)
	}
	return "<wiki>-<date>-linktarget.sql.gz"
}
