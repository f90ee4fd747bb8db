package streams

import (
	"bytes"
	"io"
)

// input hands the decoder bytes up to the next stream header. Being an io.ByteReader, it is never read ahead of.
type input struct {
	src    io.Reader
	buf    []byte
	r, w   int
	stop   int   // buf[r:stop] may be handed out
	base   int64 // file offset of buf[0]
	atNext bool  // buf[stop:] begins another stream
	failed error // error of src other than io.EOF
	eof    bool
}

func (in *input) offset() int64 { return in.base + int64(in.r) }

// peek gives the next n bytes, fewer at the end of the file.
func (in *input) peek(n int) ([]byte, error) {
	in.fill(n)
	if in.failed != nil {
		return nil, in.failed
	}
	return in.buf[in.r:min(in.r+n, in.w)], nil
}

// fill makes n bytes available where the file has them.
func (in *input) fill(n int) {
	if in.w-in.r >= n || in.eof || in.failed != nil {
		return
	}
	in.base += int64(in.r)
	in.w = copy(in.buf, in.buf[in.r:in.w])
	in.r, in.stop = 0, 0
	k, err := io.ReadAtLeast(in.src, in.buf[in.w:], n-in.w)
	in.w += k
	switch err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		in.eof = true
	default:
		in.failed = err
	}
}

// begin starts a stream at the next byte, whose header has been peeked.
func (in *input) begin() {
	in.atNext = false
	in.bound(in.r + headerLen)
}

// bound sets stop to the next header at or after from, or to where a header might be cut off by the window.
func (in *input) bound(from int) {
	for ; from < in.w; from++ {
		i := bytes.Index(in.buf[from:in.w], []byte("BZh"))
		if i < 0 {
			break
		}
		from += i
		if header(in.buf[from:in.w]) {
			in.stop, in.atNext = from, true
			return
		}
	}
	in.stop = in.w
	if !in.eof {
		in.stop = max(in.r, in.w-headerLen+1)
	}
}

// ReadByte gives the next byte of the current stream.
func (in *input) ReadByte() (byte, error) {
	if in.r == in.stop {
		if err := in.more(); err != nil {
			return 0, err
		}
	}
	c := in.buf[in.r]
	in.r++
	return c, nil
}

func (in *input) more() error {
	if in.atNext {
		return io.EOF
	}
	in.fill(headerLen)
	if in.failed != nil {
		return in.failed
	}
	in.bound(in.r)
	if in.r == in.stop {
		return io.EOF
	}
	return nil
}

// Read makes input an io.Reader, as bzip2.NewReader wants; the decoder itself takes bytes one by one.
func (in *input) Read(p []byte) (int, error) {
	for n := range p {
		c, err := in.ReadByte()
		if err != nil {
			return n, err
		}
		p[n] = c
	}
	return len(p), nil
}
