package sqldump

import (
	"context"
	"io"
)

// window is the part of the text that is in memory: buf[mark:end] is kept, the rest is read over. Every byte is copied
// at most a few times, however long a row is: space is doubled when half of it is kept.
type window struct {
	ctx       context.Context
	in        io.Reader
	buf       []byte
	mark      int // what is kept begins here: the row at hand
	pos, end  int
	discarded int64 // bytes of text before buf[0]
	err       error // of in, sticky
}

// windowBytes is the window of a file whose rows are short.
const windowBytes = 1 << 20

func newWindow(ctx context.Context, in io.Reader) *window {
	return &window{ctx: ctx, in: in, buf: make([]byte, windowBytes)}
}

// offset is how many bytes of text were consumed.
func (w *window) offset() int64 { return w.discarded + int64(w.pos) }

// keep makes the next byte the first that is kept.
func (w *window) keep() { w.mark = w.pos }

// more reads on; it is false at the end of the text or at an error, which err then holds.
func (w *window) more() bool {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err != nil {
		return false
	}
	w.room()
	for tries := 0; tries < 100; tries++ {
		n, err := w.in.Read(w.buf[w.end:])
		w.end, w.err = w.end+n, err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	w.err = io.ErrNoProgress
	return false
}

func (w *window) room() {
	if w.end < len(w.buf) {
		return
	}
	to := w.buf
	if w.end-w.mark > len(w.buf)/2 {
		to = make([]byte, 2*len(w.buf))
	}
	copy(to, w.buf[w.mark:w.end])
	w.discarded += int64(w.mark)
	w.pos, w.end, w.mark, w.buf = w.pos-w.mark, w.end-w.mark, 0, to
}

// next gives one byte. What was read is not kept, unless a row is being read.
func (w *window) next() (byte, error) {
	if w.pos == w.end && !w.more() {
		return 0, w.err
	}
	c := w.buf[w.pos]
	w.pos++
	return c, nil
}

// back takes the last byte back.
func (w *window) back() { w.pos-- }

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skipBlanks gives the first byte that is no blank.
func (w *window) skipBlanks() (byte, error) {
	for {
		c, err := w.next()
		if err != nil || !blank(c) {
			return c, err
		}
	}
}
