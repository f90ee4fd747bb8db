package library

import (
	"errors"
	"io"
)

// sink counts what is written, so that Arrow learns the file position without a file that seeks, and
// keeps the first error: the libraries drop some.
type sink struct {
	w   io.Writer
	pos int64
	end [4]byte // the last bytes written
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.pos += int64(n)
	s.remember(p[:n])
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	s.err = err
	return n, err
}

// Seek only tells the position: all that the Arrow writer asks for.
func (s *sink) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.ErrUnsupported
	}
	return s.pos, nil
}

// first prefers the error of the underlying writer, which may be about space, over what a library made of it.
func (s *sink) first(err error) error {
	if s.err != nil {
		return s.err
	}
	return err
}

func (s *sink) remember(p []byte) {
	if len(p) > len(s.end) {
		p = p[len(p)-len(s.end):]
	}
	copy(s.end[:], s.end[len(p):])
	copy(s.end[len(s.end)-len(p):], p)
}

// endsIn reports whether tail, of 4 bytes, is the last that was written.
func (s *sink) endsIn(tail string) bool { return string(s.end[:]) == tail }

// quiet is a sink whose errors only the sink's owner sees: the Parquet library panics on some and
// drops others.
type quiet struct{ *sink }

func (q quiet) Write(p []byte) (int, error) {
	_, _ = q.sink.Write(p) // kept in err
	return len(p), nil
}
