package pagelinks

import (
	"context"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// join turns rows of pagelinks into links.
type join struct {
	pages   pages
	targets *targets
	links   *links
	books   books
}

func (j *join) read(ctx context.Context, env stages.Env, given tables) error {
	var layout layout
	meter := newTicker(env, "reading pagelinks")
	defer meter.close()
	_, err := sqldump.Read(ctx, given.pagelinks, layout.find, func(row []sqldump.Value) error {
		meter.tick()
		j.books.rows++
		return j.row(&layout, row)
	})
	return err
}

// layout says where the columns of pagelinks are.
type layout struct {
	from, fromNS int // fromNS is -1 where there is no such column
	target       int // in the layout by number
	ns, title    int // in the layout before 2024
	byNumber     bool
}

func (l *layout) find(t sqldump.Table) error {
	l.fromNS = slices.Index(t.Columns, colFromNS)
	l.byNumber = numbered(t)
	at, err := t.Find(needed(t)...)
	if err != nil {
		return err
	}
	if l.from = at[0]; l.byNumber {
		l.target = at[1]
	} else {
		l.ns, l.title = at[1], at[2]
	}
	return nil
}

// row puts one row into exactly one of the books, or takes it as a link.
func (j *join) row(l *layout, row []sqldump.Value) error {
	id, err := row[l.from].Uint32()
	if err != nil {
		return err
	}
	switch {
	case l.fromNS >= 0 && string(row[l.fromNS].Bytes) != "0", j.pages.other.has(id):
		j.books.fromOther++
		return nil
	case !j.pages.main.has(id):
		j.books.fromUnknown++
		return nil
	}
	rank, ok, err := j.target(l, row)
	if err != nil || !ok {
		return err
	}
	return j.links.add(uint64(id)<<32 | uint64(rank))
}

// target returns the number of the title that a row links to, if it is one of namespace 0 that is known.
func (j *join) target(l *layout, row []sqldump.Value) (rank uint32, ok bool, err error) {
	if !l.byNumber {
		return j.titled(row[l.ns].Bytes, row[l.title].Bytes)
	}
	if row[l.target].Null { // between 2022 and 2024, rows that were not converted yet
		j.books.toUnknown++
		return 0, false, nil
	}
	n, err := row[l.target].Uint32()
	if err != nil {
		return 0, false, err
	}
	if rank, ok = j.targets.find(uint64(n), nil); ok {
		return rank, true, nil
	}
	if j.targets.other.has(n) {
		j.books.toOther++
	} else {
		j.books.toUnknown++
	}
	return 0, false, nil
}

// titled is target in the layout before 2024.
func (j *join) titled(ns, title []byte) (rank uint32, ok bool, err error) {
	switch {
	case string(ns) != "0":
		j.books.toOther++
		return 0, false, nil
	case !valid(title):
		j.targets.notUTF8++
		j.books.toUnknown++
		return 0, false, nil
	}
	rank, err = j.targets.intern(title)
	return rank, err == nil, err
}

// ticker tells a meter of rows, some at a time.
type ticker struct {
	meter stages.Meter
	rows  int64
}

const tickRows = 1 << 16

func newTicker(env stages.Env, phase string) *ticker {
	return &ticker{meter: env.Meter(phase, "rows", -1)}
}

func (t *ticker) tick() {
	if t.rows++; t.rows%tickRows == 0 {
		t.meter.Add(tickRows)
	}
}

func (t *ticker) close() {
	t.meter.Add(t.rows % tickRows)
	t.meter.Done()
}

// set is a set of numbers, a bit for each up to the largest.
type set []uint64

func (s *set) add(n uint32) {
	word := int(n / 64)
	for word >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[word] |= 1 << (n % 64)
}

func (s set) has(n uint32) bool {
	word := int(n / 64)
	return word < len(s) && s[word]>>(n%64)&1 == 1
}

// pages says of which namespace a page of the dump is: 0, or another.
type pages struct{ main, other set }

func readPages(env stages.Env) (pages, error) {
	var p pages
	file, err := stages.OpenTable(env, schemas.Pages, "pages.arrow", schemas.PagesTable)
	if err != nil {
		return p, err
	}
	defer file.Close()
	id, ns := schemas.PagesTable.Index("page_id"), schemas.PagesTable.Index("ns")
	for b := range file.Batches() {
		ids, spaces := file.Uint32s(b, id), file.Int16s(b, ns)
		for i := range ids {
			if spaces[i] == 0 {
				p.main.add(ids[i])
			} else {
				p.other.add(ids[i])
			}
		}
	}
	return p, nil
}

// books says what became of each row: rows = from_unknown_page + from_other_namespace + to_other_namespace +
// to_unknown_target + repeated + links.
type books struct {
	rows                   int64
	fromUnknown, fromOther int64
	toUnknown, toOther     int64
	repeated, links, pages int64
}

// close writes the books. Of the rows of linktarget: rows = other namespaces + not UTF-8 + titles.
// Where the titles stand in pagelinks there are no rows.
func (b *books) close(env stages.Env, t *targets) {
	stages.Counts(env, map[string]int64{
		"rows": b.rows, "rows_from_unknown_page": b.fromUnknown, "rows_from_other_namespace": b.fromOther,
		"rows_to_unknown_target": b.toUnknown, "rows_to_other_namespace": b.toOther, "rows_repeated": b.repeated,
		"links": b.links, "pages_with_links": b.pages,
		"target_rows": t.rows, "targets_other_namespace": t.otherRows, "targets_not_utf8": t.notUTF8, "targets": int64(len(t.keys)),
	})
}

// write writes the links in order of their pages, and beside each the title that it leads to.
func (j *join) write(ctx context.Context, env stages.Env) error {
	return stages.WriteRows(env, schemas.PageLinksFile, schemas.LinksTable, func(links *arrowio.Writer) error {
		return stages.WriteRows(env, schemas.PageLinkTitlesFile, schemas.LinkTitlesTable, func(titles *arrowio.Writer) error {
			return j.fill(ctx, links, titles)
		})
	})
}

func (j *join) fill(ctx context.Context, links, titles *arrowio.Writer) error {
	var buf []byte
	last := ^uint64(0) // no link has it: there is no such rank
	return j.links.each(func(link uint64) error {
		if link == last {
			j.books.repeated++
			return nil
		}
		if link>>32 != last>>32 {
			j.books.pages++
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		last = link
		j.books.links++
		buf = j.targets.title(uint32(link), buf)
		if err := links.Row(uint32(link>>32), xxhash.Sum64(buf), schemas.ProvBody); err != nil {
			return err
		}
		return titles.Row(buf)
	})
}
