package files

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Content is the decompressed content of a file. io.EOF from Read means that everything up to the end of the file was
// unpacked and its checksums held. Close may be called while Read runs, which then ends soon.
type Content struct {
	io.Reader
	Stream func() int64 // where the stream that the last Read read from begins in the file
	Taken  func() int64 // bytes of the file that were used so far
	Close  func()
}

// Unpack returns the content of src, a file of the given kind. Of bzip2, workers goroutines unpack blocks; 0 is the one that reads.
func Unpack(ctx context.Context, src io.Reader, kind Kind, workers int) (c Content, err error) {
	if kind == KindBzip2 {
		all := &allStreams{r: streams.NewReader(src, 0)}
		if workers > 0 {
			all.r = streams.NewParallel(ctx, src, 0, workers)
		}
		return Content{all, func() int64 { return all.at }, all.r.Offset, all.r.Close}, nil
	}
	counted := &counter{src: src}
	c = Flat(counted)
	c.Taken = func() int64 { return counted.n }
	switch kind {
	case KindGzip:
		c.Reader, err = gzip.NewReader(bufio.NewReader(counted))
	case KindZstd:
		var d *zstd.Decoder
		d, err = zstd.NewReader(counted, zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderConcurrency(1))
		c.Reader = &zstdReader{d, counted}
	}
	return c, err
}

// Flat returns what r gives as content that is not cut into streams and takes nothing of a file.
func Flat(r io.Reader) Content {
	nothing := func() int64 { return 0 }
	return Content{r, nothing, nothing, func() {}}
}

// OneStream returns the content of the stream that r has come to, which begins at offset at of the file.
func OneStream(r *streams.Reader, at int64) Content {
	return Content{r, func() int64 { return at }, r.Offset, r.Close}
}

// unpackFile returns the content of a file beside a dump. What no packing begins with is taken as it is.
func unpackFile(f *os.File) (Content, error) {
	kind, err := sniff(f)
	if err != nil {
		return Content{}, err
	}
	if kind == KindUnknown {
		kind = KindXML
	}
	if err := kind.Refuse(); err != nil {
		return Content{}, err
	}
	return Unpack(context.Background(), f, kind, 0)
}

// OpenBeside opens a file beside a dump, packed or not.
func OpenBeside(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c, err := unpackFile(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{c, f}, nil
}

// zstdWindow is the largest window that is read: what zstd -d itself allows without being asked.
const zstdWindow = 128 << 20

// zstdReader tells damage from errors of the file: the decoder has errors of many types.
type zstdReader struct {
	d    *zstd.Decoder
	file *counter
}

func (z *zstdReader) Read(p []byte) (int, error) {
	n, err := z.d.Read(p)
	switch {
	case err == nil || err == io.EOF:
		return n, err
	case z.file.failed != nil:
		return n, z.file.failed
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return n, fault.New(fault.Malformed, "zstd window of more than %d MiB", zstdWindow>>20)
	}
	return n, fault.New(fault.Malformed, "zstd: %w", err)
}

// allStreams reads the streams of a file behind each other, as bzip2 itself does.
type allStreams struct {
	r      *streams.Reader
	at     int64
	inside bool
}

// Read never reads bytes of two streams at once, so that at holds for all of them.
func (s *allStreams) Read(p []byte) (n int, err error) {
	for {
		if !s.inside {
			at, err := s.r.Next()
			if err != io.EOF {
				s.at, s.inside = at, err == nil
			}
			if err != nil {
				return 0, err
			}
		}
		n, err = s.r.Read(p)
		if err == io.EOF {
			s.inside, err = false, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

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

// Ratio limit: any 16 MiB of output must take more than 1/2,000 of it as input. It is measured in steps of 1 MiB.
const (
	ratioLimit = 2000
	ratioStep  = 1 << 20
	ratioSteps = 16
)

// bounded refuses decompression bombs and stops when its context ends.
type bounded struct {
	Content
	ctx   context.Context // of the run that reads
	limit int64           // most bytes of output, 0 for no limit
	out   int64
	marks [ratioSteps]int64 // Taken() at the last steps
}

// Bound returns c with an error where it is a decompression bomb, unpacks to more than limit bytes (0 for no limit), or ctx is done.
func Bound(ctx context.Context, c Content, limit int64) Content {
	c.Reader = &bounded{Content: c, ctx: ctx, limit: limit}
	return c
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	next := (b.out/ratioStep + 1) * ratioStep
	p = p[:min(int64(len(p)), next-b.out)]
	n, err := b.Reader.Read(p)
	b.out += int64(n)
	switch {
	case b.limit > 0 && b.out > b.limit:
		return 0, fault.New(fault.Malformed, "stream unpacks to more than %d bytes", b.limit)
	case b.out == next && !b.ratioHolds():
		return 0, fault.New(fault.Malformed, "compression ratio above %d:1 over 16 MiB", ratioLimit)
	}
	return n, err
}

// ratioHolds is called at each full step of output.
func (b *bounded) ratioHolds() bool {
	step := b.out / ratioStep
	mark := &b.marks[step%ratioSteps]
	before := *mark
	*mark = b.Taken()
	return step < ratioSteps || (*mark-before)*ratioLimit >= ratioSteps*ratioStep
}
