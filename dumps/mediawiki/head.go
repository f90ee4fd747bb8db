package mediawiki

import (
	"context"
	"io"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas/fault"
)

// head reads stream 0 of a multistream dump, bytes [0, end): the root's start tag, siteinfo, and nothing else.
func (m *multistream) head(ctx context.Context, end int64, extra extra) (info wikitext.SiteInfo, err error) {
	r := m.streamsFrom(0, end)
	pages, at, err := m.stream(ctx, r, guard.Head)
	if err != nil {
		return info, err
	}
	info, err = readIntro(pages, extra)
	if err == nil {
		err = noPage(pages)
	}
	if err != nil {
		return info, place(endless(err), m.path, streamWhere(at))
	}
	return info, m.nothingLeft(r, end)
}

func noPage(pages *guard.Pages) error {
	rec, err := pages.Next()
	if err == nil {
		return fault.New(fault.Malformed, "page id %d in front of the first stream that the index lists", rec.ID)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// endless turns an io.EOF that came too early into an error.
func endless(err error) error {
	if err == io.EOF {
		return fault.New(fault.Malformed, "the dump ends before its first page")
	}
	return err
}
