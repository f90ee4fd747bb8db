package pages

import (
	"context"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
	"github.com/wikinav/wikinav/dumps/ordered"
	"github.com/wikinav/wikinav/schemas/fault"
)

// maxStream bounds the decompressed bytes of one stream of a multistream dump.
const maxStream = 64 << 20

// openGroups reads the head of a multistream dump: bytes [0, first) of the file must hold the
// root's start tag, siteinfo, and nothing else.
func (doc *Document) openGroups(ctx context.Context, indexPath string, extra files.Extra) error {
	ix, err := openIndex(indexPath, doc.Size)
	if err != nil {
		return err
	}
	doc.release = func() { ix.file.Close() }
	first := ix.ahead.offset
	r := doc.streams(0, first)
	pages, at, err := doc.nextStream(ctx, r, guard.Head)
	if err == nil {
		err = doc.begin(pages, extra)
	}
	if err == nil {
		err = noPage(pages, " in front of the first stream that the index lists")
	}
	if err == nil {
		err = doc.nothingLeft(r, first)
	}
	if err != nil {
		return files.Place(err, doc.Path, streamAt(at))
	}
	doc.Indexed = true
	doc.start = func() *ordered.Map[batch] {
		return ordered.Start(ctx, doc.opts.Workers, batchesPerWorker*doc.opts.Workers, ix.groups, doc.readGroup)
	}
	return nil
}

// streams reads the streams of bytes [from, end) of the file.
func (doc *Document) streams(from, end int64) *streams.Reader {
	return streams.NewReader(io.NewSectionReader(doc.file, from, end-from), from)
}

// nextStream goes to the next stream of r and returns its pages.
func (doc *Document) nextStream(ctx context.Context, r *streams.Reader, shape guard.Part) (*guard.Pages, int64, error) {
	at, err := r.Next()
	if err == io.EOF {
		err = fault.New(fault.Malformed, "the file ends where a stream must begin")
	}
	if err != nil {
		return nil, at, files.Place(err, doc.Path, streamAt(at))
	}
	return guard.NewPages(files.Bound(ctx, files.OneStream(r, at), maxStream), shape, doc.opts.limits()), at, nil
}

// readGroup reads the pages of one group, and the footer after the last.
func (doc *Document) readGroup(ctx context.Context, g group) (batch, error) {
	b := batch{end: g.end}
	r := doc.streams(g.offset, g.end)
	pages, _, err := doc.nextStream(ctx, r, guard.Body)
	if err != nil {
		return b, err
	}
	part := doc.newPart(pages)
	for {
		e, err := doc.listed(ctx, part, g, len(b.elements))
		if err == io.EOF {
			break
		}
		if err != nil {
			return b, files.Place(err, doc.Path, e.Where)
		}
		b.elements = append(b.elements, e)
	}
	b.foreign = pages.Foreign
	if g.last {
		if err := doc.footer(ctx, r); err != nil {
			return b, err
		}
	}
	return b, doc.nothingLeft(r, g.end)
}

// listed reads page k of a group and compares it with the index.
func (doc *Document) listed(ctx context.Context, part *part, g group, k int) (Element, error) {
	e, err := part.next(ctx)
	e.Offset, e.Where = g.offset, fmt.Sprintf("%s: page %d of %d", streamAt(g.offset), k+1, len(g.entries))
	if err == io.EOF && k < len(g.entries) {
		err = fault.New(fault.Malformed, "the stream has %d pages, the index lists %d", k, len(g.entries))
	}
	if err != nil {
		return e, err
	}
	title := e.rec.Title
	if err := doc.judge(&e); err != nil {
		return e, err
	}
	return e, differ(&e, title, g.entries, k)
}

// differ compares page k of a stream with its line in the index. A malformed page is compared as
// far as it could be read.
func differ(e *Element, title string, listed []indexEntry, k int) error {
	if k == len(listed) {
		return fault.New(fault.Malformed, "page id %d is not in the index, which lists %d pages", e.ID, len(listed))
	}
	want := listed[k]
	if e.ID != want.id && (e.Malformed == "" || e.ID != 0) {
		return fault.New(fault.Malformed, "page id %d, the index lists %d", e.ID, want.id)
	}
	if title != want.title && e.Malformed == "" {
		return fault.New(fault.Malformed, "title %s, the index lists %s", fault.Quote(title), fault.Quote(want.title))
	}
	return nil
}

// footer reads the stream behind the last group, which must close the root.
func (doc *Document) footer(ctx context.Context, r *streams.Reader) error {
	pages, at, err := doc.nextStream(ctx, r, guard.Foot)
	if err == nil {
		err = noPage(pages, ", expected the end of the root: the index lists no such stream")
	}
	if err != nil {
		return files.Place(err, doc.Path, streamAt(at))
	}
	return nil
}

// noPage reads a part to its end, in which no page may stand.
func noPage(pages *guard.Pages, where string) error {
	rec, err := pages.Next()
	if err == nil {
		return fault.New(fault.Malformed, "page id %d%s", rec.ID, where)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// nothingLeft checks that the streams read so far are all of the bytes up to end.
func (doc *Document) nothingLeft(r *streams.Reader, end int64) error {
	at, err := r.Next()
	switch {
	case err == io.EOF:
		return nil
	case err == nil:
		err = fault.New(fault.Malformed, "a stream that the index does not list, up to %d", end)
	}
	return files.Place(err, doc.Path, streamAt(at))
}
