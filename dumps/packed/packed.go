// Package packed unpacks the text files that lie beside a dump, and reads their lines: edge lists, types, SQL tables. A packing is known by its
// first bytes, never by a name. Dumps themselves have a reader of their own, which is faster and checks more
// (dumps/mediawiki).
package packed

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory that a zstd file can ask for.
const maxWindow = 128 << 20

// Reader gives the text of r. What is cut short or damaged is an error of Read, never a shorter text.
func Reader(r io.Reader) (io.Reader, error) {
	buf := bufio.NewReaderSize(r, 1<<20)
	head, err := buf.Peek(6)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzip.NewReader(buf)
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzip2.NewReader(buf), nil
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstd.NewReader(buf, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	case bytes.HasPrefix(head, []byte{0xfd, '7', 'z', 'X', 'Z'}), bytes.HasPrefix(head, []byte{'7', 'z', 0xbc, 0xaf}):
		return nil, errors.New("packed with xz or 7z: unpack it first")
	}
	return buf, nil
}
