package jsonl

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// PackedSuffix ends the names of files of JSON lines that are packed.
const PackedSuffix = ".gz"

// What a packed file of a stranger may unpack to: records that repeat much pack a hundredfold, and
// what is small may.
const (
	packedAllowance = 64 << 20
	packedRatio     = 128
)

// Unpack returns the lines of r, which has size bytes: unpacked where the name of the file says
// that it is packed. More than its size can honestly hold is refused while it is read.
func Unpack(r io.Reader, name string, size int64) (io.Reader, error) {
	if !strings.HasSuffix(name, PackedSuffix) {
		return r, nil
	}
	lines, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return &bounded{lines, packedAllowance + packedRatio*size}, nil
}

// Unpacked is Unpack for a file in memory.
func Unpacked(data []byte, name string) ([]byte, error) {
	if !strings.HasSuffix(name, PackedSuffix) {
		return data, nil
	}
	lines, err := Unpack(bytes.NewReader(data), name, int64(len(data)))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(lines)
}

// bounded is a reader that refuses what comes after left bytes.
type bounded struct {
	io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("unpacks to more than %d bytes and %d times its size",
			int64(packedAllowance), packedRatio)
	}
	return n, err
}
