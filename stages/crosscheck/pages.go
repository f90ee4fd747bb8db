package crosscheck

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"

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

// Columns that are read row by row.
var (
	pageSpace      = schemas.PagesTable.Index("ns")
	pageTitle      = schemas.PagesTable.Index("title")
	pageIsRedirect = schemas.PagesTable.Index("is_redirect")
	pageModel      = schemas.PagesTable.Index("model")
	redirectPage   = schemas.RedirectsTable.Index("page_id")
	redirectTarget = schemas.RedirectsTable.Index("target_title")
	redirectKind   = schemas.RedirectsTable.Index("kind")
)

func openDump(env *stages.Run) (*dump, error) {
	d := &dump{spaces: map[string]bool{}}
	var err error
	if d.pages, err = env.Table(schemas.Pages, "pages.arrow", schemas.PagesTable); err != nil {
		return nil, err
	}
	if d.redirects, err = env.Table(schemas.Redirects, "redirects.arrow", schemas.RedirectsTable); err != nil {
		return nil, err
	}
	d.ids = make([]uint32, 0, d.pages.Rows())
	var seen [1 << 16]bool
	for b := range d.pages.Batches() {
		d.ids = append(d.ids, d.pages.Uint32s(b, schemas.PagesTable.Index("page_id"))...)
		for _, ns := range d.pages.Int16s(b, pageSpace) {
			if !seen[uint16(ns)] {
				seen[uint16(ns)] = true
				d.spaces[spaceName(ns)] = true
			}
		}
	}
	d.sortRedirects()
	return d, nil
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
	return d.pages.Int16s(row/schemas.BatchRows, pageSpace)[row%schemas.BatchRows]
}

func (d *dump) isRedirect(row int) bool {
	return d.pages.Bools(row/schemas.BatchRows, pageIsRedirect).At(row % schemas.BatchRows)
}

// comparePages reads the table page. page_rows = pages_compared + pages_only_in_table +
// page_rows_other_namespaces + page_rows_not_utf8; the dump's pages are pages_compared +
// pages_only_in_dump.
func comparePages(ctx context.Context, path string, d *dump, f *findings) error {
	met, last := make([]bool, len(d.ids)), -1
	columns := []string{"page_id", "page_namespace", "page_title", "page_is_redirect", "page_content_model"}
	kinds := []string{"pages_compared", "pages_only_in_table", "pages_only_in_dump", "pages_title_differs", "pages_redirect_differs", "pages_model_differs"}
	err := f.eachRow(ctx, path, Page, columns, kinds, func(id uint32, title []byte, row []sqldump.Value) {
		n, known := d.row(id, last+1)
		switch {
		case known:
			last, met[n] = n, true
			f.run = 0
			d.compare(n, id, title, row, f)
		case !d.spaces[string(row[1].Bytes)]:
			f.count("page_rows_other_namespaces")
		default:
			f.differ("pages_only_in_table", id, "", string(row[1].Bytes)+":"+string(title))
			if len(d.ids) > 0 && id < d.ids[len(d.ids)-1] {
				f.miss()
			}
		}
	})
	if err != nil {
		return err
	}
	for n, there := range met {
		if !there {
			f.differ("pages_only_in_dump", d.ids[n], string(d.text(n, pageTitle)), "")
		}
	}
	return nil
}

// compare compares a page with its row: id, namespace, title, redirect, content model.
func (d *dump) compare(n int, id uint32, title []byte, row []sqldump.Value, f *findings) {
	f.count("pages_compared")
	space, redirect, model := string(row[1].Bytes), string(row[3].Bytes) == "1", row[4]
	if have := d.text(n, pageTitle); spaceName(d.space(n)) != space || !sameTitle(have, title) {
		f.differ("pages_title_differs", id, string(have), space+":"+string(title))
	}
	if have := d.isRedirect(n); have != redirect {
		f.differ("pages_redirect_differs", id, truth(have), truth(redirect))
	}
	// NULL is the default model of the namespace, which nothing here knows.
	if have := d.text(n, pageModel); !model.Null && !bytes.Equal(have, model.Bytes) {
		f.differ("pages_model_differs", id, string(have), string(model.Bytes))
	}
}

func (d *dump) redirectPage(record uint32) uint32 {
	return d.redirects.Uint32s(int(record)/schemas.BatchRows, redirectPage)[record%schemas.BatchRows]
}

func (d *dump) sortRedirects() {
	d.byPage = make([]uint32, d.redirects.Rows())
	for i := range d.byPage {
		d.byPage[i] = uint32(i)
	}
	slices.SortFunc(d.byPage, func(a, b uint32) int { return cmp.Compare(d.redirectPage(a), d.redirectPage(b)) })
}

// compareRedirects reads the table redirect. redirect_rows = redirects_compared +
// redirects_only_in_table + redirect_rows_unknown_pages + redirect_rows_not_utf8; the dump's
// redirects are redirects_compared + redirects_only_in_dump.
func compareRedirects(ctx context.Context, path string, d *dump, f *findings) error {
	met := make([]bool, len(d.byPage))
	columns := []string{"rd_from", "rd_namespace", "rd_title", "rd_interwiki"}
	kinds := []string{"redirects_compared", "redirects_only_in_table", "redirects_only_in_dump", "redirects_target_differs"}
	err := f.eachRow(ctx, path, Redirect, columns, kinds, func(id uint32, title []byte, row []sqldump.Value) {
		r := tableRedirect{row[1].Bytes, title, row[3].Bytes}
		n, known := slices.BinarySearchFunc(d.byPage, id, func(record, id uint32) int { return cmp.Compare(d.redirectPage(record), id) })
		if known {
			met[n] = true
			d.compareRedirect(d.byPage[n], id, r, f)
		} else if _, there := d.row(id, 0); !there {
			f.count("redirect_rows_unknown_pages")
		} else {
			f.differ("redirects_only_in_table", id, "", r.String())
		}
	})
	if err != nil {
		return err
	}
	for n, there := range met {
		if !there {
			f.differ("redirects_only_in_dump", d.redirectPage(d.byPage[n]), d.target(d.byPage[n]), "")
		}
	}
	return nil
}

type tableRedirect struct{ space, title, interwiki []byte }

func (r tableRedirect) String() string {
	return string(r.interwiki) + ":" + string(r.space) + ":" + string(r.title)
}

func (d *dump) target(record uint32) string {
	return d.redirects.Strings(int(record)/schemas.BatchRows, redirectTarget).At(int(record) % schemas.BatchRows)
}

func (d *dump) compareRedirect(record, id uint32, r tableRedirect, f *findings) {
	f.count("redirects_compared")
	target := d.target(record)
	kind := schemas.TargetKind(d.redirects.Uint8s(int(record)/schemas.BatchRows, redirectKind)[record%schemas.BatchRows])
	var same bool
	switch {
	case len(r.interwiki) > 0:
		same = kind == schemas.TargetInterwiki
	case string(r.space) == "0":
		same = kind == schemas.TargetMain && target == string(r.title)
	default:
		same = kind == schemas.TargetOther && sameTitle([]byte(target), r.title)
	}
	if !same {
		f.differ("redirects_target_differs", id, target, r.String())
	}
}

// sameTitle compares a title with its prefix, if it has one, with the same title in a table, which
// never has one.
func sameTitle(full, bare []byte) bool {
	if bytes.Equal(full, bare) {
		return true
	}
	_, rest, _ := bytes.Cut(full, []byte(":"))
	return bytes.Equal(rest, bare)
}

func spaceName(ns int16) string { return strconv.Itoa(int(ns)) }

func truth(redirect bool) string {
	if redirect {
		return "redirect"
	}
	return "no redirect"
}
