package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/dsnet/compress/bzip2"
)

const pagesPerStream = 100

// multistream writes a dump as one bzip2 stream after the other and counts where each begins.
type multistream struct {
	out     io.Writer
	zip     *bzip2.Writer
	offset  int64
	streams int
}

// writeMultistream writes head, pages and closing tag, and beside them the index. It returns the number of streams.
func writeMultistream(ctx context.Context, dump, index io.Writer, pages []page) (int, error) {
	m := &multistream{out: dump}
	if err := m.stream([]byte(head)); err != nil {
		return 0, err
	}
	var lines, body bytes.Buffer
	for from := 0; from < len(pages); from += pagesPerStream {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		body.Reset()
		for _, p := range pages[from:min(from+pagesPerStream, len(pages))] {
			writePage(&body, p)
			fmt.Fprintf(&lines, "%d:%d:%s\n", m.offset, p.id, escape(p.title))
		}
		if err := m.stream(body.Bytes()); err != nil {
			return 0, err
		}
	}
	if err := m.stream([]byte(tail)); err != nil {
		return 0, err
	}
	list := &multistream{out: index}
	return m.streams, list.stream(lines.Bytes())
}

// stream compresses data into one complete stream at the end of the file.
func (m *multistream) stream(data []byte) error {
	if err := m.reset(); err != nil {
		return err
	}
	if _, err := m.zip.Write(data); err != nil {
		return err
	}
	if err := m.zip.Close(); err != nil {
		return err
	}
	m.offset += m.zip.OutputOffset
	m.streams++
	return nil
}

// reset keeps the compressor's tables from stream to stream: they are larger than a stream.
func (m *multistream) reset() (err error) {
	if m.zip == nil {
		m.zip, err = bzip2.NewWriter(m.out, &bzip2.WriterConfig{Level: 9})
		return err
	}
	return m.zip.Reset(m.out)
}
