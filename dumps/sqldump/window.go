package sqldump

import (
	"context"
	"io"
)

// window is the part of the text that is in memory.
type window struct {
	ctx      context.Context
	in       io.Reader
	buf      []byte
	pos, end int   // buf[pos:end] is ahead
	read     int64 // bytes of text up to end
	err      error // of in, sticky
}

const windowBytes = 1 << 20

// more reads on behind the end of the window; it is false at the end of the text or at an error, which err then holds.
func (w *window) more() bool {
	n := 0
	for tries := 0; n == 0 && w.err == nil; tries++ {
		if w.err = w.ctx.Err(); w.err == nil {
			n, w.err = w.in.Read(w.buf)
		}
		if n == 0 && w.err == nil && tries == 100 {
			w.err = io.ErrNoProgress
		}
	}
	if n > 0 {
		w.pos, w.end, w.read = 0, n, w.read+int64(n)
	}
	return n > 0
}

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

// skipBlanks gives the first byte that is no blank.
func (w *window) skipBlanks() (byte, error) {
	for {
		c, err := w.next()
		if err != nil || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c, err
		}
	}
}
