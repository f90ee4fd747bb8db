package streams

import (
	"encoding/binary"
	"io"

	"github.com/wikinav/wikinav/dumps/blocks"
)

const (
	readSize = 64 << 10
	// maxPiece holds any block; a longer stretch without a mark is no block as a whole.
	maxPiece = blocks.MaxPacked + readSize
)

// splitter cuts a file in front of every mark. Pieces are slices of its buffers, which are only ever written behind them.
type splitter struct {
	src   io.Reader
	buf   []byte
	begin int   // of the current piece in buf
	seen  int   // bit of buf from which to look on
	base  int64 // offset of buf[0] in the file
	mark  int64 // bit of the file at which a block's mark begins in the current piece; -1 when none does
	yield func(piece) bool
}

// run yields pieces until the file ends or fails, which is the error, or nobody wants more.
func (s *splitter) run() error {
	for {
		s.makeRoom()
		n := len(s.buf)
		k, err := s.src.Read(s.buf[n : n+readSize])
		s.buf = s.buf[:n+k]
		if !s.cutAll() {
			return nil
		}
		if err != nil {
			s.cut(len(s.buf))
			return err
		}
		if len(s.buf)-s.begin > maxPiece && !s.cutBefore(8*len(s.buf), false) {
			return nil
		}
	}
}

// makeRoom takes a new buffer, with the current piece, where the old one is full. Its size pays for the copy.
func (s *splitter) makeRoom() {
	if cap(s.buf)-len(s.buf) >= readSize {
		return
	}
	rest := s.buf[s.begin:]
	s.buf = append(make([]byte, 0, 2*len(rest)+8*readSize), rest...)
	s.base += int64(s.begin)
	s.seen -= 8 * s.begin
	s.begin = 0
}

// cutAll yields all pieces that end in front of a mark in the buffer.
func (s *splitter) cutAll() bool {
	for {
		next, block, ok := findMark(s.buf, s.seen)
		if !ok {
			s.seen = next
			return true
		}
		if !s.cutBefore(next, block) {
			return false
		}
	}
}

// cutBefore yields the piece up to bit next of the buffer, at which a mark may begin; the byte of that bit is in both pieces.
func (s *splitter) cutBefore(next int, block bool) bool {
	if !s.cut(min(next/8+1, len(s.buf))) {
		return false
	}
	s.begin, s.seen, s.mark = next/8, next+1, -1
	if block {
		s.mark = 8*s.base + int64(next)
	}
	return true
}

// cut yields the current piece, which ends in front of byte end of the buffer.
func (s *splitter) cut(end int) bool {
	p := piece{at: s.base + int64(s.begin), data: s.buf[s.begin:end:end]}
	if s.mark >= 0 {
		p.guess = &guess{bit: s.mark}
	}
	return s.yield(p)
}

// The marks of a block and of a stream's footer: digits of pi, and of its square root.
const (
	blockMark = 0x314159265359
	footMark  = 0x177245385090
	markBits  = 48
)

// markAt gives the 48 bits at bit at of b; 0, which is no mark, where b has not as many.
func markAt(b []byte, at int) uint64 {
	b = b[min(at/8, len(b)):]
	shift := at % 8
	if 8*len(b) < shift+markBits {
		return 0
	}
	var eight [8]byte
	copy(eight[:], b)
	return binary.BigEndian.Uint64(eight[:]) << shift >> (64 - markBits)
}

// fits says, for the second and the third byte of a place, at which of its bits which mark may begin: bit s for
// a block's mark at shift s, bit 8+s for a footer's. These two bytes lie inside of a mark at any shift.
var fits = func() (f [2][256]uint16) {
	for kind, mark := range []uint64{blockMark, footMark} {
		for shift := range 8 {
			for i := range 2 {
				f[i][byte(mark>>(markBits-16+shift-8*i))] |= 1 << (8*kind + shift)
			}
		}
	}
	return f
}()

// findMark gives the bit at which the first mark of b at or behind bit from begins, and whether it is a block's. Without one, ok is
// false and next is the bit from which to look again once more bytes follow.
func findMark(b []byte, from int) (next int, block, ok bool) {
	for i := from / 8; i+7 <= len(b); i++ {
		if fits[0][b[i+1]]&fits[1][b[i+2]] == 0 {
			continue
		}
		for shift := range 8 {
			at := 8*i + shift
			mark := markAt(b, at)
			if at >= from && (mark == blockMark || mark == footMark) {
				return at, mark == blockMark, true
			}
		}
	}
	return max(from, 8*(len(b)-6)), false, false
}
