package mediawiki

import (
	"bufio"
	"compress/gzip"
	"io"
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
)

// content is the decompressed content of a file. io.EOF from Read means that everything up to the end of the file was
// unpacked and its checksums held.
type content interface {
	io.Reader
	stream() int64 // where the stream that the last Read read from begins in the file
	taken() int64  // bytes of the file that were used so far
}

// unpack gives the content of src, a file of the given kind.
func unpack(src io.Reader, kind Kind) (content, error) {
	if kind == KindBzip2 {
		return &bzip2Content{r: streams.NewReader(src, 0)}, nil
	}
	counted := &counter{src: src}
	if kind != KindGzip {
		return &flatContent{counted, counted}, nil
	}
	unzipped, err := gzip.NewReader(bufio.NewReader(counted))
	if err != nil {
		return nil, err
	}
	return &flatContent{unzipped, counted}, nil
}

// flatContent is a file that is not cut into streams.
type flatContent struct {
	io.Reader
	file *counter
}

func (c *flatContent) stream() int64 { return 0 }
func (c *flatContent) taken() int64  { return c.file.n }

// bzip2Content reads the streams of a file behind each other, as bzip2 itself does.
type bzip2Content struct {
	r      *streams.Reader
	at     int64
	inside bool
}

func (c *bzip2Content) stream() int64 { return c.at }
func (c *bzip2Content) taken() int64  { return c.r.Offset() }

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

// counter counts the bytes read through it.
type counter struct {
	src io.Reader
	n   int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.n += int64(n)
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
