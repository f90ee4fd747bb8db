package mediawiki

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Next gives the next page in file order; the caller owns it. io.EOF comes only after every structural check passed. Any other
// error is a *fault.Error, is the first in file order, and is final. Malformed pages within Options.Tolerate and
// pages of negative namespaces are passed over and listed by Skipped.
func (d *Dump) Next(ctx context.Context) (*Page, error) {
	for d.err == nil {
		page, err := d.advance(ctx)
		if err != nil {
			d.err = err
		} else if page != nil {
			return page, nil
		}
	}
	return nil, d.err
}

// advance takes one page element; a nil page without error is one that is passed over.
func (d *Dump) advance(ctx context.Context) (*Page, error) {
	if err := ctx.Err(); err != nil {
		return nil, place(err, d.doc.path, "")
	}
	e, err := d.doc.source.next(ctx)
	d.counts.foreign = d.doc.source.foreign()
	if err == io.EOF {
		err = d.follow()
		if err == io.EOF {
			err = d.end()
		}
		return nil, err
	}
	if err != nil {
		return nil, place(err, d.doc.path, "")
	}
	d.counts.read++
	if e.id != 0 && !d.ids.add(e.id) {
		return nil, fault.New(fault.Malformed, "page id %d for the second time", e.id).At(d.doc.path, e.where)
	}
	if e.page == nil {
		return nil, d.skip(&e)
	}
	d.spans[len(d.spans)-1].add(e.id)
	return e.page, d.admit(&e)
}

// skip counts and lists an element that is no page, or says why it may not be skipped.
func (d *Dump) skip(e *entry) error {
	s := Skipped{Offset: e.offset, Reason: e.malformed}
	if e.id != 0 {
		s.PageID = &e.id
	}
	if e.negative() {
		s.Reason = "negative namespace"
		d.counts.negativeNS++
	} else {
		d.counts.malformed++
		if d.counts.malformed > int64(d.opts.Tolerate) {
			return e.fault(d.doc.path)
		}
	}
	d.skipped = append(d.skipped, s)
	return nil
}

// maxNamed bounds the lists of names that accompany a counter.
const maxNamed = 1000

func (d *Dump) admit(e *entry) error {
	d.counts.keep(e.found)
	if d.opts.VerifyText == VerifyStrict && e.found.has(foundSumMismatch) {
		return fault.New(fault.Malformed, "page id %d: its text has not the sha1 %s that the dump declares", e.id, fault.Quote(e.page.SHA1)).
			At(d.doc.path, e.where)
	}
	if e.found.has(foundLikeInterwiki) && len(d.interwiki) < maxNamed {
		d.interwiki = append(d.interwiki, e.page.Title)
	}
	d.newest = max(d.newest, e.page.RevTime)
	return nil
}

// end is the last check: it gives io.EOF, or the error that only the whole dump shows.
func (d *Dump) end() error {
	wrong := d.counts.found[foundSumMismatch]
	if d.opts.VerifyText == VerifyCount && wrong*1000 > d.counts.kept {
		return fault.New(fault.Malformed, "the text of %d of %d pages has not the sha1 that the dump declares, more than 1 in 1,000",
			wrong, d.counts.kept).At(d.doc.path, "end of the dump").Hint("a dump that was edited can be read with --verify-text off")
	}
	d.finished.Store(d.size)
	d.now.Store(new(atomic.Int64))
	return io.EOF
}
