package mediawiki

import (
	"context"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
)

// source gives the page elements of a dump in file order; io.EOF after every structural check passed.
// Errors are *fault.Error. close stops its goroutines and waits for them.
type source interface {
	next(ctx context.Context) (entry, error)
	foreign() int64
	close()
}

// whole reads a dump as one document, while a goroutine unpacks ahead of it.
type whole struct {
	ahead *ahead
	part  *part
	file  string
	read  int64  // page elements so far
	last  uint32 // id of the last good page
}

func (w *whole) foreign() int64 { return w.part.pages.Foreign() }
func (w *whole) close()         { w.ahead.close() }

func (w *whole) next(ctx context.Context) (entry, error) {
	w.ahead.ctx = ctx
	e, at, err := w.part.next()
	if err != nil {
		return entry{}, w.wrong(err)
	}
	w.read++
	e.offset = w.ahead.streamAt(at)
	e.where = fmt.Sprintf("stream at %d: page %d", e.offset, w.read)
	if e.page != nil {
		e.page.Offset = e.offset
		w.last = e.id
	}
	return e, nil
}

// wrong places an error between the last page and the next. io.EOF stays what it is.
func (w *whole) wrong(err error) error {
	if err == io.EOF {
		return err
	}
	where := fmt.Sprintf("stream at %d: page %d", w.ahead.stream, w.read+1)
	if w.last != 0 {
		where += fmt.Sprintf(" (last good page id %d)", w.last)
	}
	return place(err, w.file, where)
}

func newWhole(ctx context.Context, c content, file string, lim guard.Limits) (*whole, *guard.Pages) {
	w := &whole{ahead: readAhead(ctx, c), file: file}
	return w, guard.NewPages(w.ahead, guard.Whole, lim)
}
