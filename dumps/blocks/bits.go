package blocks

import "encoding/binary"

// bitReader reads bits, the highest of each byte first. Behind the end of src it gives zeros; over tells.
type bitReader struct {
	src  []byte
	next int    // byte of src that is not in word yet
	word uint64 // the bits at hand, from the highest
	n    uint   // how many
}

func newBitReader(src []byte, at int) bitReader {
	b := bitReader{src: src, next: at / 8}
	b.fill()
	b.skip(uint(at % 8))
	return b
}

// fill makes at least 56 bits available.
func (b *bitReader) fill() {
	if len(b.src)-b.next < 8 {
		b.fillSlowly()
		return
	}
	b.word |= binary.BigEndian.Uint64(b.src[b.next:]) >> b.n
	b.next += int((63 - b.n) >> 3)
	b.n |= 56
}

func (b *bitReader) fillSlowly() {
	for b.n < 56 {
		if b.next < len(b.src) {
			b.word |= uint64(b.src[b.next]) << (56 - b.n)
		}
		b.next++
		b.n += 8
	}
}

func (b *bitReader) skip(k uint) {
	b.word <<= k
	b.n -= k
}

// take gives the next k bits, at most 32.
func (b *bitReader) take(k uint) uint32 {
	if b.n < k {
		b.fill()
	}
	v := uint32(b.word >> 32 >> (32 - k))
	b.skip(k)
	return v
}

// offset is the number of bits of src that were used.
func (b *bitReader) offset() int { return 8*b.next - int(b.n) }

// over says that more bits were used than src has.
func (b *bitReader) over() bool { return b.offset() > 8*len(b.src) }
