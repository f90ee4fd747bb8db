// Package rng gives the random streams that everything drawn in wikinav comes from.
//
// A stream is named, never shared: one per instance, shard or other drawn thing, derived from a root seed
// and a stable name. So a result never depends on workers, on the order of work, or on earlier draws.
// The generator is PCG-DXSM of math/rand/v2, whose outputs Go pins by its own regression test; on top of it
// there are only integer methods, because floating point and library shuffles may change between versions.
package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"strconv"
)

// domain separates our derivation from any other use of SHA-256; the digit rises if the derivation changes.
const domain = "wikinav/rng/1\x00"

// Stream is one random stream. It is not safe for concurrent use: derive one per goroutine.
type Stream struct{ pcg *rand.PCG }

// New derives the stream of root and parts, length-prefixed: ("a","b") and ("ab") differ.
func New(root uint64, parts ...string) *Stream {
	h := sha256.New()
	h.Write([]byte(domain))
	h.Write(binary.BigEndian.AppendUint64(nil, root))
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	sum := h.Sum(nil)
	return &Stream{rand.NewPCG(binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:]))}
}

// Part writes an integer as the part of a stream's name: decimal, no padding.
func Part[T ~int | ~int64 | ~uint32 | ~uint64](v T) string {
	if v < 0 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(uint64(v), 10)
}

func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Below gives a uniform integer in [0, n). It panics for n <= 0.
// Lemire's multiply-high with exact rejection: https://doi.org/10.1145/3230636
func (s *Stream) Below(n int) int {
	if n <= 0 {
		panic("rng: Below needs n > 0")
	}
	hi, lo := bits.Mul64(s.pcg.Uint64(), uint64(n))
	if lo < uint64(n) {
		for reject := -uint64(n) % uint64(n); lo < reject; {
			hi, lo = bits.Mul64(s.pcg.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// Choose draws k of the integers 0..n-1 without replacement, in drawing order (partial Fisher-Yates from the front).
// It panics unless 0 <= k <= n. It takes O(k) memory, so that few can be drawn from many.
func (s *Stream) Choose(n, k int) []int {
	if k < 0 || k > n {
		panic("rng: Choose needs 0 <= k <= n")
	}
	moved := make(map[int]int, k)
	at := func(i int) int {
		if v, ok := moved[i]; ok {
			return v
		}
		return i
	}
	out := make([]int, k)
	for i := range out {
		j := i + s.Below(n-i)
		out[i] = at(j)
		moved[j] = at(i)
	}
	return out
}

// Shuffled permutes items in place, from the last one down.
func Shuffled[T any](s *Stream, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := s.Below(i + 1)
		items[i], items[j] = items[j], items[i]
	}
}
