package streams

import "encoding/binary"

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
