// Package streams reads the bzip2 streams of a file one by one, knows where each begins, and unpacks by several goroutines.
//
// A multistream dump is many bzip2 streams behind each other. The standard library reads them as one and does not say
// where a stream ends, so a missing, repeated or foreign stream would pass. Here each stream ends with its own io.EOF,
// after the checksum of each block and that over all blocks held, and Next refuses bytes that begin no stream.
//
// A stream is a chain: a header, blocks that each begin with a 48-bit mark at any bit, a footer with a mark of its own. Only
// decoding a block tells where the next one begins. NewParallel guesses: it cuts the file wherever a mark stands, and has each piece
// decoded as if a block began there. Reader then follows the chain. Where a guess stands at the place that the chain
// has come to and did not run out of its piece, its result is the block; a mark that is data inside a block is thus
// only a piece decoded in vain, and the block around it is decoded again from all the bytes that it needs.
// Results do not depend on the number of goroutines.
//
// Memory: per goroutine a decoder of 12 MiB, and some four pieces with their blocks in flight, each about 1 MiB. A block that unpacks to more
// than 4 MiB is left to the reader, so at most one at a time takes up to 46 MB.
package streams

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/wikinav/wikinav/dumps/blocks"
)

// headerLen is the length of "BZh", the level and the mark of the first block.
const headerLen = 10

// Damage is an error in the compressed data of one stream, as opposed to an error of the disk.
type Damage struct {
	Offset int64 // of the stream
	Err    error
}

func (e *Damage) Error() string { return fmt.Sprintf("bzip2 stream at %d: %v", e.Offset, e.Err) }

// Unwrap gives the decoder's error.
func (e *Damage) Unwrap() error { return e.Err }

// Reader reads the streams of one input. Like archive/tar, Next goes to a stream and Read reads it.
type Reader struct {
	in     window
	own    *decoder // for blocks that no guess covers; nil until one is needed
	stream stream
	bit    int64       // where the chain has come to, in bits of the file
	plain  []byte      // the rest of the current block
	guess  *guess      // what plain is of; nil where it is our own
	free   chan []byte // buffers of guesses that were read; nil without goroutines
	err    error       // state of the current stream: nil while it is read, io.EOF after its good end
	close  func()
}

// stream is the state of the stream that is being read.
type stream struct {
	offset int64
	level  int    // of its header, 1 to 9
	sum    uint32 // of the blocks so far
}

// NewReader reads streams from src, whose first byte stands at offset start of the file.
func NewReader(src io.Reader, start int64) *Reader { return newReader(direct(src), start) }

func newReader(next func() (piece, error), start int64) *Reader {
	return &Reader{in: window{base: start, next: next}, bit: 8 * start, err: io.EOF, close: func() {}}
}

// Close ends the goroutines of NewParallel and waits for them; it reads no more from the source.
func (r *Reader) Close() { r.close() }

// Next goes to the next stream and gives its offset in the file; io.EOF when no bytes are left. The stream before must
// have been read to its end.
func (r *Reader) Next() (offset int64, err error) {
	if r.err != io.EOF {
		return 0, errors.New("the stream before is not read to its end")
	}
	at := r.bit / 8
	head := r.in.peek(at, headerLen)
	switch {
	case len(head) < headerLen && r.in.failed != nil:
		return at, r.in.failed
	case len(head) == 0:
		r.release()
		return at, io.EOF
	case !header(head):
		r.err = &Damage{at, fmt.Errorf("no bzip2 stream begins here: found %q", head)}
		return at, r.err
	}
	r.stream = stream{offset: at, level: int(head[3] - '0')}
	r.bit += 8 * 4
	r.err = nil
	return at, nil
}

func header(b []byte) bool {
	if len(b) < headerLen || !bytes.HasPrefix(b, []byte("BZh")) || b[3] < '1' || b[3] > '9' {
		return false
	}
	mark := markAt(b, 4*8)
	return mark == blockMark || mark == footMark
}

// Read reads the current stream; io.EOF at its end, after its checksum was found right. Damage is a *Damage.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.plain) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.recycle()
		if r.err = r.advance(); r.err != nil && r.err != io.EOF {
			r.release()
		}
	}
	n := copy(p, r.plain)
	r.plain = r.plain[n:]
	return n, nil
}

// Offset is how far the file was used: up to the end of the block that is being read, or of the stream.
func (r *Reader) Offset() int64 { return (r.bit + 7) / 8 }

// decoder is a decoder with a buffer for what it unpacks.
type decoder struct {
	blocks *blocks.Decoder
	plain  []byte
}

// decoders are kept between streams: the tables are large, and a worker reads thousands of small ranges.
var decoders = sync.Pool{New: func() any { return &decoder{blocks: blocks.NewDecoder()} }}

// release gives the reader's own decoder back once no byte of it is needed any more.
func (r *Reader) release() {
	if r.own != nil && len(r.plain) == 0 {
		decoders.Put(r.own)
		r.own, r.plain = nil, nil
	}
}
