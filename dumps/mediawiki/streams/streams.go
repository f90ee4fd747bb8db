// Package streams reads the bzip2 streams of a file one by one and knows where each begins.
//
// A multistream dump is many bzip2 streams behind each other. The standard library reads them as one and does not say
// where a stream ends, so a missing, repeated or foreign stream would pass. Here each stream ends with its own io.EOF,
// after its checksum held, and Next refuses bytes that begin no stream.
//
// A stream's end is found by showing the decoder an end of input in front of every byte-aligned stream header (ten
// bytes: "BZh", the level, a 48-bit block or footer mark). If the decoder has not finished by then, the header was
// compressed data that looks like one (probability 2^-77 a byte), and the stream is reported as damaged.
package streams

import (
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
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
	in      input
	decoder io.Reader
	offset  int64
	err     error // state of the current stream: nil while it is read, io.EOF after its good end
}

// NewReader reads streams from src, whose first byte stands at offset start of the file.
func NewReader(src io.Reader, start int64) *Reader {
	return &Reader{in: input{src: src, buf: make([]byte, 64<<10), base: start}, err: io.EOF}
}

// Next goes to the next stream and gives its offset in the file; io.EOF when no bytes are left. The stream before must
// have been read to its end.
func (r *Reader) Next() (offset int64, err error) {
	if r.err != io.EOF {
		return 0, errors.New("the stream before is not read to its end")
	}
	at := r.in.offset()
	head, err := r.in.peek(headerLen)
	if err != nil {
		return at, err
	}
	if len(head) == 0 {
		return at, io.EOF
	}
	if !header(head) {
		r.err = &Damage{at, fmt.Errorf("no bzip2 stream begins here: found %q", head)}
		return at, r.err
	}
	r.offset, r.err = at, nil
	r.in.begin()
	r.decoder = bzip2.NewReader(&r.in)
	return at, nil
}

// Read reads the current stream; io.EOF at its end, after its checksum was found right. Damage is a *Damage.
func (r *Reader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.decoder.Read(p)
	switch {
	case err == nil:
	case r.in.failed != nil:
		r.err = r.in.failed
	case err == io.EOF:
		r.err = io.EOF
	default:
		r.err = &Damage{r.offset, err}
	}
	return n, r.err
}

// Offset is the number of bytes of the file that the decoder has taken, plus where the reader started.
func (r *Reader) Offset() int64 { return r.in.offset() }

func header(b []byte) bool {
	if len(b) < headerLen || !bytes.HasPrefix(b, []byte("BZh")) || b[3] < '1' || b[3] > '9' {
		return false
	}
	mark := string(b[4:headerLen])
	return mark == "\x31\x41\x59\x26\x53\x59" || mark == "\x17\x72\x45\x38\x50\x90"
}
