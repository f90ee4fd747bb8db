package streams

import "io"

// piece is a part of the file.
type piece struct {
	at    int64 // offset in the file; -1 for the byte behind the piece before
	data  []byte
	guess *guess // of the block that begins in its first byte; nil when there is none
}

// window holds the bytes of the file that the chain may still need, and the guesses for them.
type window struct {
	// next returns the bytes of the file piece by piece: each begins where the one before ended, or before that. Its error is
	// final; a piece lives until the next call.
	next    func() (piece, error)
	buf     []byte
	base    int64 // offset of buf[0]
	guesses []*guess
	ended   bool
	failed  error // of the source; nil at the end of the file
}

// peek gives the n bytes at offset at, fewer at the end of the file. They live until the next call.
func (w *window) peek(at int64, n int) []byte {
	for !w.ended && w.end() < at+int64(n) {
		w.pull()
	}
	from := min(int(at-w.base), len(w.buf))
	return w.buf[from:min(from+n, len(w.buf))]
}

func (w *window) end() int64 { return w.base + int64(len(w.buf)) }

func (w *window) pull() {
	p, err := w.next()
	if p.at >= 0 && len(p.data) > 0 {
		p.data = p.data[w.end()-p.at:]
	}
	w.buf = append(w.buf, p.data...)
	if p.guess != nil {
		w.guesses = append(w.guesses, p.guess)
	}
	if err != nil {
		w.ended = true
		if err != io.EOF {
			w.failed = err
		}
	}
}

// drop forgets the bytes before offset at. They are moved out only when they are half of the buffer, so each byte moves once or twice.
func (w *window) drop(at int64) {
	if used := int(at - w.base); used > len(w.buf)/2 {
		w.buf = w.buf[:copy(w.buf, w.buf[min(used, len(w.buf)):])]
		w.base = at
	}
}

// direct reads pieces from a source, without guesses.
func direct(src io.Reader) func() (piece, error) {
	buf := make([]byte, 32<<10)
	return func() (piece, error) {
		n, err := src.Read(buf)
		return piece{-1, buf[:n], nil}, err
	}
}
