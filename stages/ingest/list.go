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
		c := coder{out: buf[:0]}
		c.strings(&f.redirect.Target)
		c.record(f)
		buf = c.out
		return byID.add(binary.BigEndian.AppendUint32(nil, f.id), buf)
	})
	if err != nil {
		return err
	}
	return byID.each(func(key, payload []byte) error {
		var f record
		c := reader(payload)
		c.strings(&f.redirect.Target)
		c.record(&f)
		p := PageLinks{
			ID: binary.BigEndian.Uint32(key), NS: int(f.ns), Title: f.title, IsRedirect: f.isRedirect, Redirect: f.redirect.Target,
			Links: []string{},
		}
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
