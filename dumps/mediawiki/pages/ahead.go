package pages

import (
	"context"
	"io"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
)

// Size and number of the chunks that are unpacked ahead of the parser.
const (
	chunkSize  = 256 << 10
	chunksOver = 8
)

// chunk is a piece of unpacked content, all of one stream, and the error that followed it.
type chunk struct {
	data   []byte
	stream int64
	err    error
}

// ahead is a reader whose content is unpacked by a goroutine of its own.
type ahead struct {
	ctx    context.Context // of the call that reads; ends waiting
	cancel context.CancelFunc
	src    files.Content
	full   chan chunk
	free   chan []byte
	ended  chan struct{}

	now    chunk
	rest   []byte // of now.data
	stream int64  // where the stream of the bytes read last begins
	read   int64  // bytes given so far
	marks  []mark // where streams begin in what was read
	begun  int64  // streams so far
}

// mark says that from byte at of the content on, the stream at offset stream is read.
type mark struct{ at, stream int64 }

func readAhead(ctx context.Context, c files.Content) *ahead {
	own, cancel := context.WithCancel(ctx)
	a := &ahead{
		ctx: ctx, cancel: cancel, src: c, ended: make(chan struct{}),
		full: make(chan chunk, chunksOver), free: make(chan []byte, chunksOver+2),
	}
	go a.unpack(own)
	return a
}

// detach reads from a source that cannot be told to stop, as a terminal or a pipe: when ctx ends, Read returns although the source
// still waits. The goroutine that waits there ends with its call.
func detach(ctx context.Context, src io.Reader) io.Reader { return readAhead(ctx, files.Flat(src)) }

// unpack sends chunks until the content ends, fails, or nobody wants it any more.
func (a *ahead) unpack(ctx context.Context) {
	defer close(a.ended)
	defer close(a.full)
	for {
		buf := a.buffer()
		n, err := a.src.Read(buf)
		select {
		case a.full <- chunk{buf[:n], a.src.Stream(), err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (a *ahead) buffer() []byte {
	select {
	case buf := <-a.free:
		return buf[:chunkSize]
	default:
		return make([]byte, chunkSize)
	}
}

func (a *ahead) recycle(buf []byte) {
	select {
	case a.free <- buf:
	default:
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if err := a.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	a.read += int64(n)
	return n, nil
}

func (a *ahead) next() error {
	if a.now.data != nil {
		a.recycle(a.now.data)
		a.now.data = nil
	}
	select {
	case c, ok := <-a.full:
		if !ok {
			return context.Canceled
		}
		a.now = c
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
	a.rest, a.stream = a.now.data, a.now.stream
	if len(a.marks) == 0 || a.marks[len(a.marks)-1].stream != a.stream {
		a.marks = append(a.marks, mark{a.read, a.stream})
		a.begun++
	}
	return nil
}

// streamAt gives the offset of the stream that holds byte at of the content; at never falls from call to call.
func (a *ahead) streamAt(at int64) int64 {
	for len(a.marks) > 1 && a.marks[1].at <= at {
		a.marks = a.marks[1:]
	}
	return a.marks[0].stream
}

func (a *ahead) close() {
	a.cancel()
	a.src.Close()
	<-a.ended
}
