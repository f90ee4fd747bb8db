package ingest

import (
	"context"
	"encoding/binary"
	"os"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/stages"
)

// PageLinks is one page with its links as the stage sees them, before any resolution.
type PageLinks struct {
	ID         uint32
	NS         int
	Title      string
	IsRedirect bool
	Redirect   string   // normalised target; "" if it is no valid title
	Links      []string // ordered, unique, normalised, main namespace
}

// List reads dump and calls visit for every page in page-id order: what `wikinav links` prints. Nothing is written but
// scratch files in the folder for temporary files, when the dump is large.
func List(ctx context.Context, dump *mediawiki.Dump, hatnotes bool, meter stages.Meter, visit func(PageLinks) error) error {
	byID := newSorter(scratch, sorterBudget)
	defer byID.Close()
	var buf []byte
	x := examiners{site: dump.Site(), needs: needs{hatnotes: hatnotes}}
	err := x.eachRecord(ctx, dump, meter, func(f *record) error {
		buf = appendRecord(appendString(buf[:0], f.redirect.Target), f)
		return byID.add(binary.BigEndian.AppendUint32(nil, f.id), buf)
	})
	if err != nil {
		return err
	}
	return byID.each(func(key, payload []byte) error {
		d := decoder{string(payload)}
		target := d.string()
		f := decodeRecord(binary.BigEndian.Uint32(key), []byte(d.s))
		p := PageLinks{ID: f.id, NS: int(f.ns), Title: f.title, IsRedirect: f.isRedirect, Redirect: target, Links: []string{}}
		for _, l := range f.links {
			p.Links = append(p.Links, l.Target)
		}
		return visit(p)
	})
}

// scratch opens a file that has no name any more.
func scratch() (*os.File, error) {
	f, err := os.CreateTemp("", "wikinav-links-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}
