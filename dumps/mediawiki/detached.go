package mediawiki

import (
	"context"
	"io"
)

// detached reads from a source that cannot be told to stop, as a terminal or a pipe: when its context ends, Read returns although
// the source still waits. The goroutine that waits there ends with its call.
type detached struct {
	ctx  context.Context
	full chan chunk
	free chan []byte
	now  chunk
	rest []byte // of now.data
}

func newDetached(ctx context.Context, src io.Reader) *detached {
	d := &detached{ctx: ctx, full: make(chan chunk), free: make(chan []byte, 1)}
	go d.pump(src)
	return d
}

func (d *detached) pump(src io.Reader) {
	for buf := make([]byte, chunkSize); ; {
		n, err := src.Read(buf)
		select {
		case d.full <- chunk{data: buf[:n], err: err}:
		case <-d.ctx.Done():
			return
		}
		if err != nil {
			return
		}
		select {
		case buf = <-d.free:
		case <-d.ctx.Done():
			return
		}
	}
}

func (d *detached) Read(p []byte) (int, error) {
	for len(d.rest) == 0 {
		if d.now.err != nil {
			return 0, d.now.err
		}
		if d.now.data != nil {
			d.free <- d.now.data[:chunkSize]
			d.now.data = nil
		}
		select {
		case d.now = <-d.full:
			d.rest = d.now.data
		case <-d.ctx.Done():
			return 0, d.ctx.Err()
		}
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}
