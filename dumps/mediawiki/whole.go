package mediawiki

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
)

// A batch of a dump that is read as one document ends with the page that reaches one of these.
const (
	batchPages = 64
	batchBytes = 1 << 20
)

// whole reads a dump as one document. One goroutine unpacks, or more where the packing allows; one scans the XML; workers check
// the pages.
type whole struct {
	ahead *ahead
	part  *part
	read  int64 // page elements so far
}

func newWhole(ctx context.Context, c content, lim guard.Limits) (*whole, *guard.Pages) {
	w := &whole{ahead: readAhead(ctx, c)}
	return w, guard.NewPages(w.ahead, guard.Whole, lim)
}

// scan starts to read pages.
func (w *whole) scan(ctx context.Context, path string, workers int) *ordered {
	list := func(ctx context.Context, give func(task) bool) bool {
		w.ahead.ctx = ctx
		for {
			t := w.batch()
			if !give(t) || t.err != nil {
				return false // the last batch has its own end
			}
		}
	}
	return runOrdered(ctx, path, workers, list, w.ahead.close)
}

// scanned are pages that are decoded and not yet checked.
type scanned struct {
	batch
	pages []scannedPage
	check *checker
}

type scannedPage struct {
	rec guard.Record
	got decoded
}

// batch reads the pages of one batch.
func (w *whole) batch() *scanned {
	s := &scanned{check: w.part.check}
	passed, size := w.part.pages.Foreign(), 0
	for len(s.pages) < batchPages && size < batchBytes {
		rec, got, err := w.part.read()
		if err != nil {
			s.err, s.stream = err, w.ahead.stream
			break
		}
		w.read++
		offset := w.ahead.streamAt(rec.Offset)
		s.entries = append(s.entries, entry{offset: offset, where: fmt.Sprintf("stream at %d: page %d", offset, w.read)})
		s.pages = append(s.pages, scannedPage{*rec, got})
		size += len(got.text)
	}
	s.foreign = w.part.pages.Foreign() - passed
	return s
}

// run checks the pages.
func (s *scanned) run(context.Context) batch {
	for i := range s.pages {
		e := &s.entries[i]
		e.judge(s.check, &s.pages[i].rec, s.pages[i].got)
		if e.page != nil {
			e.page.Offset = e.offset
		}
	}
	s.pages = nil
	return s.batch
}
