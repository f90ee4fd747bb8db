package mediawiki

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
	"github.com/wikinav/wikinav/schemas/fault"
)

// multistream is a dump that is read by its index.
type multistream struct {
	file   *os.File
	path   string
	check  *checker
	lim    guard.Limits
	reader string // of Options
}

// streamsFrom reads the streams of bytes [from, end) of the file.
func (m *multistream) streamsFrom(from, end int64) *streams.Reader {
	return streams.NewReader(io.NewSectionReader(m.file, from, end-from), from)
}

// stream goes to the next stream of r and gives its pages.
func (m *multistream) stream(ctx context.Context, r *streams.Reader, shape guard.Part) (*guard.Pages, int64, error) {
	at, err := r.Next()
	if err == io.EOF {
		err = fault.New(fault.Malformed, "the file ends where a stream must begin")
	}
	if err != nil {
		return nil, at, place(err, m.path, streamWhere(at))
	}
	one := &bounded{content: streamContent{r, at}, ctx: ctx, limit: maxStream}
	return guard.NewPages(one, shape, m.lim), at, nil
}

func streamWhere(at int64) string { return fmt.Sprintf("stream at %d", at) }

// read reads the pages of one group, and the footer after the last.
func (m *multistream) read(ctx context.Context, g group) (b batch) {
	b.end = g.end
	r := m.streamsFrom(g.offset, g.end)
	pages, _, err := m.stream(ctx, r, guard.Body)
	if err != nil {
		b.err = err
		return b
	}
	part := newPart(pages, m.check, m.reader)
	for b.err == nil {
		e, err := m.page(part, g, len(b.entries))
		if err == io.EOF {
			break
		}
		if b.err = err; err == nil {
			b.entries = append(b.entries, e)
		}
	}
	b.foreign = pages.Foreign()
	if b.err == nil {
		b.err = m.after(ctx, r, g)
	}
	return b
}

// page reads page k of a group and compares it with the index.
func (m *multistream) page(part *part, g group, k int) (entry, error) {
	where := fmt.Sprintf("stream at %d: page %d of %d", g.offset, k+1, len(g.entries))
	e, err := part.next()
	if err == io.EOF && k == len(g.entries) {
		return e, io.EOF
	}
	if err == io.EOF {
		err = fault.New(fault.Malformed, "the stream has %d pages, the index lists %d", k, len(g.entries))
	} else if err == nil {
		err = differ(&e, g.entries, k)
	}
	if err != nil {
		return e, place(err, m.path, where)
	}
	e.where, e.offset = where, g.offset
	if e.page != nil {
		e.page.Offset = g.offset
	}
	return e, nil
}

// differ compares page k of a stream with its line in the index. A malformed page is compared as far as it could be read.
func differ(e *entry, listed []indexEntry, k int) error {
	if k == len(listed) {
		return fault.New(fault.Malformed, "page id %d is not in the index, which lists %d pages", e.id, len(listed))
	}
	want := listed[k]
	if e.id != want.id && (e.malformed == "" || e.id != 0) {
		return fault.New(fault.Malformed, "page id %d, the index lists %d", e.id, want.id)
	}
	if e.title != want.title && e.malformed == "" {
		return fault.New(fault.Malformed, "title %s, the index lists %s", fault.Quote(e.title), fault.Quote(want.title))
	}
	return nil
}

// after checks that a group's stream is all of its bytes. After the last group the footer must close the root, and end the file.
func (m *multistream) after(ctx context.Context, r *streams.Reader, g group) error {
	if g.last {
		if err := m.footer(ctx, r); err != nil {
			return err
		}
	}
	return m.nothingLeft(r, g.end)
}

func (m *multistream) footer(ctx context.Context, r *streams.Reader) error {
	pages, at, err := m.stream(ctx, r, guard.Foot)
	if err != nil {
		return err
	}
	rec, err := pages.Next()
	if err == nil {
		err = fault.New(fault.Malformed, "page id %d, expected the end of the root: the index lists no such stream", rec.ID)
	}
	if err != io.EOF {
		return place(err, m.path, streamWhere(at))
	}
	return nil
}

func (m *multistream) nothingLeft(r *streams.Reader, end int64) error {
	at, err := r.Next()
	switch {
	case err == io.EOF:
		return nil
	case err == nil:
		err = fault.New(fault.Malformed, "a stream that the index does not list, up to %d", end)
	}
	return place(err, m.path, streamWhere(at))
}
