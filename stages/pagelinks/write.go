package pagelinks

import (
	"context"
	"io"

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
	targets                targetBooks
}

// targetBooks says what became of the rows of linktarget: rows = other namespaces + not UTF-8 + titles. Where the
// titles stand in pagelinks there are no rows.
type targetBooks struct{ rows, other, notUTF8, titles int64 }

func (b *books) close(env stages.Env) {
	env.Count("rows", b.rows)
	env.Count("rows_from_unknown_page", b.fromUnknown)
	env.Count("rows_from_other_namespace", b.fromOther)
	env.Count("rows_to_unknown_target", b.toUnknown)
	env.Count("rows_to_other_namespace", b.toOther)
	env.Count("rows_repeated", b.repeated)
	env.Count("links", b.links)
	env.Count("pages_with_links", b.pages)
	env.Count("target_rows", b.targets.rows)
	env.Count("targets_other_namespace", b.targets.other)
	env.Count("targets_not_utf8", b.targets.notUTF8)
	env.Count("targets", b.targets.titles)
}

// write writes the links in order of their pages, and beside each the title that it leads to.
func (j *join) write(ctx context.Context, env stages.Env) error {
	t := j.targets
	j.books.targets = targetBooks{t.rows, t.otherRows, t.notUTF8, int64(len(t.keys))}
	return table(env, schemas.PageLinksFile, schemas.LinksTable, func(links *arrowio.Writer) error {
		return table(env, schemas.PageLinkTitlesFile, schemas.LinkTitlesTable, func(titles *arrowio.Writer) error {
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
		links.Uint32(0, uint32(link>>32))
		links.Uint64(1, xxhash.Sum64(buf))
		links.Uint8(2, schemas.ProvBody)
		titles.Text(0, buf)
		if err := links.EndRow(); err != nil {
			return err
		}
		return titles.EndRow()
	})
}

// table opens a row-wise table writer, lets fill use it, and closes it.
func table(env stages.Env, name string, t schemas.Table, fill func(*arrowio.Writer) error) error {
	return env.Write(name, func(w io.Writer) (arrowio.Summary, error) {
		tw, err := arrowio.NewWriter(w, t, stages.Options(env))
		if err != nil {
			return arrowio.Summary{}, err
		}
		if err := fill(tw); err != nil {
			return arrowio.Summary{}, err
		}
		return tw.Close()
	})
}
