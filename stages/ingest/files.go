package ingest

import (
	"context"
	"strings"

	"github.com/wikinav/wikinav/dumps/mediawiki"
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
		Reader: s.reader,
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
