package pages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/ordered"
)

// A batch of a dump that is read as one document ends with the page that reaches one of these.
const (
	batchPages = 64
	batchBytes = 1 << 20
)

// whole reads a dump as one document: one goroutine unpacks, or more where the packing allows, and
// one scans the XML.
type whole struct {
	ahead *ahead
	part  *part
	read  int64 // page elements so far
	heads int64 // streams so far that begin with a page, give or take blanks
	last  int64 // where the last of them begins
}

// meter publishes how far a file is read.
type meter struct {
	src  io.Reader
	done *atomic.Int64
}

func (m meter) Read(p []byte) (int, error) {
	n, err := m.src.Read(p)
	m.done.Add(int64(n))
	return n, err
}

func (doc *Document) openWhole(ctx context.Context, in io.Reader, kind files.Kind, extra files.Extra) error {
	c, err := files.Unpack(ctx, meter{in, &doc.done}, kind, doc.opts.Workers)
	if err != nil {
		return err
	}
	a := readAhead(ctx, files.Bound(ctx, c, 0))
	doc.release = a.close
	pages := guard.NewPages(a, guard.Whole, doc.opts.limits())
	if err := doc.begin(pages, extra); err != nil {
		return files.Place(err, doc.Path, streamAt(a.stream)+": page 1")
	}
	w := &whole{ahead: a, part: doc.newPart(pages)}
	doc.stream = func() int64 { return a.stream }
	doc.unlisted = w.unlisted
	doc.start = func() *ordered.Map[batch] {
		return ordered.Start(ctx, doc.opts.Workers, batchesPerWorker*doc.opts.Workers, w.batches, doc.checked)
	}
	return nil
}

// blanks is how much white space may stand between the start of a stream and its first page.
const blanks = 16

// unlisted returns how many streams the file has, if it is cut into streams where pages begin: one
// of them could be missing, and nothing would show it. A packer that cuts anywhere is not meant,
// since what is left of its file is damaged.
func (w *whole) unlisted() int64 {
	if 2*w.heads < w.ahead.begun-2 { // head and foot
		return 0
	}
	return w.heads
}

// batches reads the document to its end.
func (w *whole) batches(ctx context.Context, yield func(batch) bool) error {
	w.ahead.ctx = ctx
	for {
		b, err := w.batch(ctx)
		if !yield(b) || err != nil {
			return err
		}
	}
}

// batch reads the pages of one batch, and the error behind them.
func (w *whole) batch(ctx context.Context) (b batch, err error) {
	passed, size := w.part.Foreign, 0
	for len(b.elements) < batchPages && size < batchBytes {
		e, next := w.part.next(ctx)
		if next != nil {
			err = next
			break
		}
		w.read++
		e.Offset = w.ahead.streamAt(e.rec.Offset)
		if e.Offset > w.last && e.rec.Offset-w.ahead.marks[0].at <= blanks {
			w.last = e.Offset
			w.heads++
		}
		e.Where = fmt.Sprintf("%s: page %d", streamAt(e.Offset), w.read)
		b.elements = append(b.elements, e)
		if size += len(e.got.text); e.turns != nil {
			break // the turn is given back with this batch, so that the next long text must not be of it
		}
	}
	b.foreign = w.part.Foreign - passed
	return b, err
}

// checked judges the elements of a batch, up to the first that cannot be examined.
func (doc *Document) checked(_ context.Context, b batch) (batch, error) {
	for i := range b.elements {
		e := &b.elements[i]
		if err := doc.judge(e); err != nil {
			b.elements = b.elements[:i]
			return b, files.Place(err, doc.Path, e.Where)
		}
	}
	return b, nil
}

func stopped(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
