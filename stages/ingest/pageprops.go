package ingest

import (
	"context"
	"strconv"

	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

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
