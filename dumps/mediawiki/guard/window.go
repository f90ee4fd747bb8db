package guard

import (
	"bytes"
	"io"
)

// lookahead is as much as any decision inside text needs: the longest character reference, "&#x0010FFFF;", and some room.
const lookahead = 16

// window is the part of the document that is in memory: buf[r:w] is not consumed yet.
type window struct {
	src  io.Reader
	buf  []byte
	r, w int
	base int64 // document offset of buf[0]
	err  error // what src ended with; io.EOF included
}

// Offset is the document offset of the next byte to be consumed.
func (b *window) Offset() int64 { return b.base + int64(b.r) }

func (b *window) rest() []byte { return b.buf[b.r:b.w] }

// ended says that no byte follows the window.
func (b *window) ended() bool { return b.err != nil }

// ensure makes n bytes available unless the document ends before; it reports whether they are.
// It moves what is left, so slices of the window die here.
func (b *window) ensure(n int) bool {
	if b.w-b.r >= n {
		return true
	}
	b.base += int64(b.r)
	b.w = copy(b.buf, b.buf[b.r:b.w])
	b.r = 0
	for idle := 0; b.w < n && b.err == nil; {
		k, err := b.src.Read(b.buf[b.w:])
		b.w += k
		b.err = err
		if idle++; k > 0 {
			idle = 0
		}
		if idle > 100 {
			b.err = io.ErrNoProgress
		}
	}
	return b.w >= n
}

// has says whether the window continues with prefix, reading on as far as that takes.
func (b *window) has(prefix string) bool {
	b.ensure(len(prefix))
	return bytes.HasPrefix(b.rest(), []byte(prefix))
}

// skipPast consumes everything up to and including mark, and reports whether mark was found.
func (b *window) skipPast(mark string) bool {
	for {
		if i := bytes.Index(b.rest(), []byte(mark)); i >= 0 {
			b.r += i + len(mark)
			return true
		}
		if b.ended() {
			return false
		}
		b.r = max(b.r, b.w-len(mark)+1)
		b.ensure(len(mark))
	}
}

// failed is the reading error, nil when the document merely ended.
func (b *window) failed() error {
	if b.err == io.EOF {
		return nil
	}
	return b.err
}
