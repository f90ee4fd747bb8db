package blocks

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// sumChunk is small enough to stay in the first cache.
const sumChunk = 8 << 10

// sum is bzip2's checksum: CRC-32 with the highest bit of each byte first. That of hash/crc32, which machines have instructions
// for, takes the lowest first; so bytes go in with their bits reversed, and the result comes out so.
func (d *Decoder) sum(plain []byte) uint32 {
	crc := uint32(0)
	for len(plain) > 0 {
		chunk := plain[:min(len(plain), sumChunk)]
		mirrored := d.bitwise[:len(chunk)]
		mirror(mirrored, chunk)
		crc = crc32.Update(crc, crc32.IEEETable, mirrored)
		plain = plain[len(chunk):]
	}
	return bits.Reverse32(crc)
}

// mirror reverses the bits of each byte.
func mirror(dst, src []byte) {
	for len(src) >= 8 {
		x := binary.LittleEndian.Uint64(src)
		x = x>>1&(0x55*ones) | x&(0x55*ones)<<1
		x = x>>2&(0x33*ones) | x&(0x33*ones)<<2
		x = x>>4&(0x0F*ones) | x&(0x0F*ones)<<4
		binary.LittleEndian.PutUint64(dst, x)
		src, dst = src[8:], dst[8:]
	}
	for i, b := range src {
		dst[i] = bits.Reverse8(b)
	}
}

// Combine adds a block's checksum to that of the blocks before it in the stream, 0 for none.
func Combine(stream, block uint32) uint32 { return bits.RotateLeft32(stream, 1) ^ block }
