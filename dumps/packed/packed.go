// Package packed unpacks the text files that lie beside a dump, and reads their lines: edge lists, types, SQL tables. A packing is known by its
// first bytes, never by a name.
package packed

import (
	"bufio"
	"context"
	"io"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
)

// Reader gives the text of r. What is cut short or damaged is an error of Read, never a shorter text.
func Reader(r io.Reader) (io.Reader, error) {
	buf := bufio.NewReaderSize(r, 1<<20)
	head, err := buf.Peek(files.SniffLen)
	if err != nil && err != io.EOF {
		return nil, err
	}
	kind := files.Sniff(head)
	if kind == files.KindUnknown {
		return buf, nil
	}
	if err := kind.Refuse(); err != nil {
		return nil, err
	}
	text, err := files.Unpack(context.Background(), buf, kind, 0)
	return text, err
}
