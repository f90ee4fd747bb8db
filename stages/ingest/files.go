package ingest

import (
	"context"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Roles of the dump's files. A file of another stage, the demo, has no such role and is told by its name.
const (
	roleDump     = "dump"
	roleIndex    = "index"
	roleSiteInfo = "siteinfo"
	roleSQL      = "sql"
)

func role(f stages.File) string {
	kind, _, _ := strings.Cut(f.Role, "-") // the shards of a dump are numbered
	switch kind {
	case roleDump, roleIndex, roleSiteInfo, roleSQL:
		return kind
	}
	switch {
	case strings.Contains(f.Name, "-index.txt"):
		return roleIndex
	case strings.Contains(f.Name, ".sql"):
		return roleSQL
	}
	return roleDump
}

// open opens the dump with the files that belong to it. An index that was not given is not looked for: it would be an
// input that no key knows of.
func (s stage) open(ctx context.Context, env stages.Env) (*mediawiki.Dump, error) {
	files, err := env.Input(schemas.Dump)
	if err != nil {
		return nil, err
	}
	opts := mediawiki.Options{
		Index: mediawiki.IndexNone, VerifyText: s.params.VerifyText, Tolerate: s.params.Tolerate, Workers: env.Workers(),
		Reader: s.reader, PageText: s.params.PageText,
	}
	var paths []string
	for _, f := range files {
		switch role(f) {
		case roleDump:
			paths = append(paths, f.Path())
		case roleIndex:
			opts.Index = f.Path()
		case roleSiteInfo:
			opts.SiteInfoFile = f.Path()
		}
	}
	switch len(paths) {
	case 0:
		return nil, fault.New(fault.NotFound, "no dump among the %d input files", len(files))
	case 1:
		return mediawiki.Open(ctx, paths[0], opts)
	}
	if opts.Index != mediawiki.IndexNone {
		opts.Index = "" // each shard's own, beside it, which the build has digested
	}
	return mediawiki.OpenAll(ctx, paths, opts)
}

// tablePageProps is what MediaWiki itself found out about a page; the other tables go to other stages.
const tablePageProps = "page_props"

// propDisambiguation marks disambiguation pages there.
const propDisambiguation = "disambiguation"

// dabPages gives the ids of the pages that page_props calls disambiguation pages, nil if no such table was given.
func dabPages(ctx context.Context, env stages.Env) (map[uint32]bool, error) {
	files, err := env.Input(schemas.Dump)
	if err != nil {
		return nil, err
	}
	var pages map[uint32]bool
	for _, f := range files {
		if role(f) != roleSQL {
			continue
		}
		if pages == nil {
			pages = map[uint32]bool{}
		}
		if err := readPageProps(ctx, env, f.Path(), pages); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

func readPageProps(ctx context.Context, env stages.Env, path string, pages map[uint32]bool) error {
	var page, name int
	begin := func(t sqldump.Table) (err error) {
		if t.Name != tablePageProps {
			return fault.New(fault.Usage, "table %s is none that belongs to the dump, only %s does", fault.Quote(t.Name), tablePageProps).At(path, "")
		}
		if page, err = t.Column("pp_page"); err == nil {
			name, err = t.Column("pp_propname")
		}
		return err
	}
	rows, err := sqldump.Read(ctx, path, begin, func(row []sqldump.Value) error {
		if string(row[name].Bytes) != propDisambiguation {
			return nil
		}
		id, err := strconv.ParseUint(string(row[page].Bytes), 10, 32)
		pages[uint32(id)] = true
		return err
	})
	env.Count("page_props_rows", rows)
	return err
}
