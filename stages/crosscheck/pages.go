package crosscheck

import (
	"bytes"
	"context"
	"slices"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// dump is what ingest read.
type dump struct {
	pages, redirects *arrowio.File
	ids              []uint32        // of the pages, ascending
	spaces           map[string]bool // namespaces that the dump has pages of
	byPage           []uint32        // records of redirects.arrow in order of their page ids
}

func openDump(env stages.Env) (*dump, error) {
	d := &dump{spaces: map[string]bool{}}
	var err error
	if d.pages, err = stages.OpenTable(env, schemas.Pages, "pages.arrow", schemas.PagesTable); err != nil {
		return nil, err
	}
	if d.redirects, err = stages.OpenTable(env, schemas.Redirects, "redirects.arrow", schemas.RedirectsTable); err != nil {
		d.pages.Close()
		return nil, err
	}
	d.ids = make([]uint32, 0, d.pages.Rows())
	var seen [1 << 16]bool
	for b := range d.pages.Batches() {
		d.ids = append(d.ids, d.pages.Uint32s(b, schemas.PagesPageID)...)
		for _, ns := range d.pages.Int16s(b, schemas.PagesNS) {
			if !seen[uint16(ns)] {
				seen[uint16(ns)] = true
				d.spaces[spaceName(ns)] = true
			}
		}
	}
	d.sortRedirects()
	return d, nil
}

// Close unmaps the tables.
func (d *dump) Close() {
	d.pages.Close()
	d.redirects.Close()
}

// row finds a page; hint is where it most likely is, behind the page before.
func (d *dump) row(id uint32, hint int) (int, bool) {
	if hint < len(d.ids) && d.ids[hint] == id {
		return hint, true
	}
	return slices.BinarySearch(d.ids, id)
}

func (d *dump) text(row, col int) []byte {
	return d.pages.Strings(row/schemas.BatchRows, col).Bytes(row % schemas.BatchRows)
}

func (d *dump) space(row int) int16 {
	return d.pages.Int16s(row/schemas.BatchRows, schemas.PagesNS)[row%schemas.BatchRows]
}

func (d *dump) isRedirect(row int) bool {
	return d.pages.Bools(row/schemas.BatchRows, schemas.PagesIsRedirect).At(row % schemas.BatchRows)
}

// comparePages reads the table page. page_rows = pages_compared + pages_only_in_table +
// page_rows_other_namespaces + page_rows_not_utf8; the dump's pages are pages_compared +
// pages_only_in_dump.
func comparePages(ctx context.Context, env stages.Env, path string, d *dump, f *findings) error {
	var at []int
	begin := func(t sqldump.Table) (err error) {
		at, err = t.Find("page_id", "page_namespace", "page_title", "page_is_redirect", "page_content_model")
		return err
	}
	for _, name := range []string{"pages_compared", "pages_only_in_table", "pages_only_in_dump", "pages_title_differs", "pages_redirect_differs", "pages_model_differs"} {
		f.counts[name] += 0 // that there is none is worth saying
	}
	met, last := make([]bool, len(d.ids)), -1
	var title []byte
	rows, err := sqldump.Read(ctx, path, begin, func(row []sqldump.Value) error {
		id, err := row[at[0]].Uint32()
		if err != nil {
			return err
		}
		title = blanks(title, row[at[2]].Bytes)
		p := tablePage{row[at[1]].Bytes, title, row[at[3]].Bytes, row[at[4]]}
		if !utf8.Valid(title) {
			f.count("page_rows_not_utf8")
			return nil
		}
		n, known := d.row(id, last+1)
		if known {
			last, met[n] = n, true
			d.compare(n, id, p, f)
			return nil
		}
		if !d.spaces[string(p.space)] {
			f.count("page_rows_other_namespaces")
			return nil
		}
		f.differ("pages_only_in_table", id, "", string(p.space)+":"+string(title))
		return nil
	})
	if err != nil {
		return err
	}
	env.Count("page_rows", rows)
	for n, there := range met {
		if !there {
			f.differ("pages_only_in_dump", d.ids[n], string(d.text(n, schemas.PagesTitle)), "")
		}
	}
	return nil
}

// tablePage is one row of the table page.
type tablePage struct {
	space, title, redirect []byte
	model                  sqldump.Value
}

func (d *dump) compare(n int, id uint32, p tablePage, f *findings) {
	f.count("pages_compared")
	if have := d.text(n, schemas.PagesTitle); spaceName(d.space(n)) != string(p.space) || !sameTitle(have, p.title) {
		f.differ("pages_title_differs", id, string(have), string(p.space)+":"+string(p.title))
	}
	if have := d.isRedirect(n); have != (string(p.redirect) == "1") {
		f.differ("pages_redirect_differs", id, truth(have), truth(!have))
	}
	// NULL is the default model of the namespace, which nothing here knows.
	if have := d.text(n, schemas.PagesModel); !p.model.Null && !bytes.Equal(have, p.model.Bytes) {
		f.differ("pages_model_differs", id, string(have), string(p.model.Bytes))
	}
}
