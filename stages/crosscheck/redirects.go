package crosscheck

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

func (d *dump) redirectPage(record uint32) uint32 {
	return d.redirects.Uint32s(int(record)/schemas.BatchRows, schemas.RedirectsPageID)[record%schemas.BatchRows]
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
func compareRedirects(ctx context.Context, env stages.Env, path string, d *dump, f *findings) error {
	var at []int
	begin := func(t sqldump.Table) (err error) {
		at, err = t.Find("rd_from", "rd_namespace", "rd_title", "rd_interwiki")
		return err
	}
	for _, name := range []string{"redirects_compared", "redirects_only_in_table", "redirects_only_in_dump", "redirects_target_differs"} {
		f.counts[name] += 0
	}
	met := make([]bool, len(d.byPage))
	var title []byte
	rows, err := sqldump.Read(ctx, path, begin, func(row []sqldump.Value) error {
		id, err := row[at[0]].Uint32()
		if err != nil {
			return err
		}
		title = blanks(title, row[at[2]].Bytes)
		r := tableRedirect{row[at[1]].Bytes, title, row[at[3]].Bytes}
		if !utf8.Valid(title) {
			f.count("redirect_rows_not_utf8")
			return nil
		}
		n, known := slices.BinarySearchFunc(d.byPage, id, func(record, id uint32) int { return cmp.Compare(d.redirectPage(record), id) })
		if known {
			met[n] = true
			d.compareRedirect(d.byPage[n], id, r, f)
			return nil
		}
		if _, there := d.row(id, 0); !there {
			f.count("redirect_rows_unknown_pages")
			return nil
		}
		f.differ("redirects_only_in_table", id, "", r.String())
		return nil
	})
	if err != nil {
		return err
	}
	env.Count("redirect_rows", rows)
	for n, there := range met {
		if !there {
			f.differ("redirects_only_in_dump", d.redirectPage(d.byPage[n]), d.target(d.byPage[n]), "")
		}
	}
	return nil
}

// tableRedirect is one row of the table redirect.
type tableRedirect struct{ space, title, interwiki []byte }

func (r tableRedirect) String() string {
	return string(r.interwiki) + ":" + string(r.space) + ":" + string(r.title)
}

func (d *dump) target(record uint32) string {
	return d.redirects.Strings(int(record)/schemas.BatchRows, schemas.RedirectsTargetTitle).At(int(record) % schemas.BatchRows)
}

func (d *dump) compareRedirect(record, id uint32, r tableRedirect, f *findings) {
	f.count("redirects_compared")
	target := d.target(record)
	kind := schemas.TargetKind(d.redirects.Uint8s(int(record)/schemas.BatchRows, schemas.RedirectsKind)[record%schemas.BatchRows])
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

// blanks copies a title of a table to buf, with blanks.
func blanks(buf, title []byte) []byte {
	buf = append(buf[:0], title...)
	for i, c := range buf {
		if c == '_' {
			buf[i] = ' '
		}
	}
	return buf
}

func spaceName(ns int16) string { return strconv.Itoa(int(ns)) }

func truth(redirect bool) string {
	if redirect {
		return "redirect"
	}
	return "no redirect"
}
