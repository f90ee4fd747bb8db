package minisign

import (
	"encoding/binary"
	"math/bits"
)

// sum512 returns the BLAKE2b-512 hash of a message without a key: RFC 7693, 3.3. It is written out
// here because the published package brings vector code of 45 KB, and what is hashed is a manifest.
func sum512(message []byte) (sum [64]byte) {
	h := initial
	h[0] ^= 0x01010000 ^ 64 // parameters: one tree node, no key, 64 bytes of hash
	done := uint64(0)
	for len(message) > blockBytes {
		done += blockBytes
		compress(&h, message[:blockBytes], done, false)
		message = message[blockBytes:]
	}
	var last [blockBytes]byte
	copy(last[:], message)
	compress(&h, last[:], done+uint64(len(message)), true)
	for i, word := range h {
		binary.LittleEndian.PutUint64(sum[8*i:], word)
	}
	return sum
}

const blockBytes = 128

var initial = [8]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
}

// sigma is the order in which a round takes the words of a block; round 10 is round 0 again.
var sigma = [10][16]uint8{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

func compress(h *[8]uint64, block []byte, done uint64, last bool) {
	var m, v [16]uint64
	for i := range m {
		m[i] = binary.LittleEndian.Uint64(block[8*i:])
	}
	copy(v[:], h[:])
	copy(v[8:], initial[:])
	v[12] ^= done
	if last {
		v[14] = ^v[14]
	}
	for round := range 12 {
		s := &sigma[round%10]
		for i := range 8 { // four columns, then four diagonals
			a, turn := i%4, i/4
			b, c, d := 4+(a+turn)%4, 8+(a+2*turn)%4, 12+(a+3*turn)%4
			v[a] += v[b] + m[s[2*i]]
			v[d] = bits.RotateLeft64(v[d]^v[a], -32)
			v[c] += v[d]
			v[b] = bits.RotateLeft64(v[b]^v[c], -24)
			v[a] += v[b] + m[s[2*i+1]]
			v[d] = bits.RotateLeft64(v[d]^v[a], -16)
			v[c] += v[d]
			v[b] = bits.RotateLeft64(v[b]^v[c], -63)
		}
	}
	for i := range h {
		h[i] ^= v[i] ^ v[i+8]
	}
}
