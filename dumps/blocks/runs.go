package blocks

import (
	"encoding/binary"
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
