package blocks

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// expand appends raw to dst, with every four equal bytes repeated as often as the byte behind them says.
func expand(dst, raw []byte, limit int) ([]byte, error) {
	limit += len(dst)
	dst = slices.Grow(dst, min(len(raw), limit-len(dst)))
	for {
		n := nextRun(raw)
		if len(dst)+n > limit {
			return dst, ErrLarge
		}
		dst = append(dst, raw[:n]...)
		if n == len(raw) {
			return dst, nil
		}
		last, more := raw[n-1], int(raw[n])
		raw = raw[n+1:]
		if len(dst)+more > limit {
			return dst, ErrLarge
		}
		for range more {
			dst = append(dst, last)
		}
	}
}

// nextRun gives how many bytes of raw come before the count of its first run: up to and including four equal bytes. Without
// a run, or where its count is missing, that is all of raw.
func nextRun(raw []byte) int {
	i := 0
	for ; i+9 <= len(raw); i += 6 {
		// A zero byte of differ stands for two neighbours that are equal; three in a row are a run. Six runs can begin in a word.
		differ := binary.LittleEndian.Uint64(raw[i:]) ^ binary.LittleEndian.Uint64(raw[i+1:])
		equal := ^(differ&^highs + ^uint64(highs) | differ) & highs
		if run := equal & (equal >> 8) & (equal >> 16); run != 0 {
			return i + bits.TrailingZeros64(run)/8 + 4
		}
	}
	for ; i+4 <= len(raw); i++ {
		if raw[i] == raw[i+1] && raw[i] == raw[i+2] && raw[i] == raw[i+3] {
			return i + 4
		}
	}
	return len(raw)
}

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
