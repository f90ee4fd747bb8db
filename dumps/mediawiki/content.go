package mediawiki

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
	"github.com/wikinav/wikinav/schemas/fault"
)

// content is the decompressed content of a file. io.EOF from Read means that everything up to the end of the file was
// unpacked and its checksums held. close may be called while Read runs, which then ends soon.
type content interface {
	io.Reader
	stream() int64 // where the stream that the last Read read from begins in the file
	taken() int64  // bytes of the file that were used so far
	close()
}

// unpack gives the content of src, a file of the given kind. Of bzip2, workers goroutines unpack blocks; 0 is the one that reads.
func unpack(ctx context.Context, src io.Reader, kind Kind, workers int) (content, error) {
	if kind == KindBzip2 {
		if workers == 0 {
			return &bzip2Content{r: streams.NewReader(src, 0)}, nil
		}
		return &bzip2Content{r: streams.NewParallel(ctx, src, 0, workers)}, nil
	}
	counted := &counter{src: src}
	switch kind {
	case KindGzip:
		unzipped, err := gzip.NewReader(bufio.NewReader(counted))
		if err != nil {
			return nil, err
		}
		return &flatContent{unzipped, counted, func() {}}, nil
	case KindZstd:
		return newZstdContent(counted)
	}
	return &flatContent{counted, counted, func() {}}, nil
}

// flatContent is a file that is not cut into streams.
type flatContent struct {
	io.Reader
	file *counter
	end  func()
}

func (c *flatContent) stream() int64 { return 0 }
func (c *flatContent) taken() int64  { return c.file.n }
func (c *flatContent) close()        { c.end() }

// zstdWindow is the largest window that is read: what zstd -d itself allows without being asked.
const zstdWindow = 128 << 20

// zstdContent tells damage from errors of the file: the decoder has errors of many types.
type zstdContent struct {
	flatContent
}

func newZstdContent(file *counter) (content, error) {
	d, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return &zstdContent{flatContent{d, file, func() {}}}, nil
}

func (c *zstdContent) Read(p []byte) (int, error) {
	n, err := c.flatContent.Read(p)
	switch {
	case err == nil || err == io.EOF:
		return n, err
	case c.file.failed != nil:
		return n, c.file.failed
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return n, fault.New(fault.Malformed, "zstd window of more than %d MiB", zstdWindow>>20)
	}
	return n, fault.New(fault.Malformed, "zstd: %w", err)
}

// bzip2Content reads the streams of a file behind each other, as bzip2 itself does.
type bzip2Content struct {
	r      *streams.Reader
	at     int64
	inside bool
}

func (c *bzip2Content) stream() int64 { return c.at }
func (c *bzip2Content) taken() int64  { return c.r.Offset() }
func (c *bzip2Content) close()        { c.r.Close() }

// Read never gives bytes of two streams at once, so that stream holds for all of them.
func (c *bzip2Content) Read(p []byte) (int, error) {
	for {
		if !c.inside {
			at, err := c.r.Next()
			if err == io.EOF {
				return 0, io.EOF
			}
			c.at, c.inside = at, err == nil
			if err != nil {
				return 0, err
			}
		}
		n, err := c.r.Read(p)
		if err == io.EOF {
			c.inside, err = false, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// streamContent is the current stream of a multistream dump alone.
type streamContent struct {
	*streams.Reader
	at int64
}

func (c streamContent) stream() int64 { return c.at }
func (c streamContent) taken() int64  { return c.Reader.Offset() }
func (c streamContent) close()        { c.Reader.Close() }

// counter counts the bytes read through it and keeps what the file failed with.
type counter struct {
	src    io.Reader
	n      int64
	failed error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.failed = err
	}
	return n, err
}

// meter publishes how far a file is read, for Progress.
type meter struct {
	src  io.Reader
	done *atomic.Int64
}

func (m meter) Read(p []byte) (int, error) {
	n, err := m.src.Read(p)
	m.done.Add(int64(n))
	return n, err
}
