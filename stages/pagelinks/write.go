package pagelinks

import (
	"context"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

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
	env.Count("rows", b.rows)
	env.Count("rows_from_unknown_page", b.fromUnknown)
	env.Count("rows_from_other_namespace", b.fromOther)
	env.Count("rows_to_unknown_target", b.toUnknown)
	env.Count("rows_to_other_namespace", b.toOther)
	env.Count("rows_repeated", b.repeated)
	env.Count("links", b.links)
	env.Count("pages_with_links", b.pages)
	env.Count("target_rows", t.rows)
	env.Count("targets_other_namespace", t.otherRows)
	env.Count("targets_not_utf8", t.notUTF8)
	env.Count("targets", int64(len(t.keys)))
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
		links.Uint32(schemas.LinksPageID, uint32(link>>32))
		links.Uint64(schemas.LinksTarget, xxhash.Sum64(buf))
		links.Uint8(schemas.LinksProvenance, schemas.ProvBody)
		titles.Text(0, buf)
		if err := links.EndRow(); err != nil {
			return err
		}
		return titles.EndRow()
	})
}
