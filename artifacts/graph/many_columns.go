package graph

import (
	"encoding/binary"

	"github.com/wikinav/wikinav/schemas"
)

// tile is 64 nodes of 64 lanes: the squares of bits that become 4096 distances.
const tile = 64

// write turns the planes into bytes, in public order. Distances beyond 31 and rows of fewer than
// eight words go through Go.
func (m *Many) write(columns [][]uint8) {
	n := m.pred.Nodes()
	missing := m.someUnreached()
	byVector := m.vector && m.used <= vectorPlanes
	writers := make([]tileWriter, m.workers)
	parallel(m.workers, (n+tile-1)/tile, 16, func(worker, lo, hi int) {
		w := &writers[worker]
		if w.m == nil {
			w.m, w.columns, w.missing = m, columns, missing
			w.room = newVectorRoom(columns)
		}
		if byVector {
			w.vectorTiles(lo, hi)
			return
		}
		for t := lo; t < hi; t++ {
			w.tile(t*tile, min(n, (t+1)*tile))
		}
	})
}

// someUnreached reports whether some lane misses some node. After a pull only work can have such nodes.
func (m *Many) someUnreached() bool {
	n := m.pred.Nodes()
	if m.pulled {
		return len(m.work) > 0
	}
	for v := range uint32(n) {
		for k, x := range m.row(m.seen, v) {
			if x != m.full[k] {
				return true
			}
		}
	}
	return false
}

// tileWriter writes distances tile by tile.
type tileWriter struct {
	m       *Many
	columns [][]uint8
	missing bool
	squares [9][tile]uint64 // by plane; the last is what was not seen
	room    *vectorRoom
}

// tile writes the distances of the public nodes lo..hi-1, at most 64 of them.
func (w *tileWriter) tile(lo, hi int) {
	for word := range w.m.words {
		lanes := w.columns[min(len(w.columns), 64*word):min(len(w.columns), 64*word+64)]
		if len(lanes) == 0 {
			return
		}
		for b := range w.m.used {
			w.load(b, w.m.planes[b], word, lo, hi)
		}
		w.loadMissing(word, lo, hi)
		for lane := range lanes {
			w.spread(lanes[lane][lo:hi], lane)
		}
	}
}

// load makes one square: from a row per node to a row per lane.
func (w *tileWriter) load(b int, plane []uint64, word, lo, hi int) {
	square := &w.squares[b]
	for i, v := range w.m.rank[lo:hi] {
		square[i] = plane[int(v)*w.m.words+word]
	}
	clear(square[hi-lo:])
	transpose64(square)
}

func (w *tileWriter) loadMissing(word, lo, hi int) {
	if !w.missing {
		return
	}
	square := &w.squares[8]
	for i, v := range w.m.rank[lo:hi] {
		square[i] = w.m.full[word] &^ w.m.seen[int(v)*w.m.words+word]
	}
	clear(square[hi-lo:])
	transpose64(square)
}

func (w *tileWriter) spread(out []uint8, lane int) {
	if w.m.used <= 4 && !w.missing && len(out) == tile {
		w.spreadFour((*[tile]uint8)(out), lane)
		return
	}
	var eight [8]uint8
	for i := 0; i < len(out); i += 8 {
		var d uint64
		for b := range w.m.used {
			d |= eachBitAByte[uint8(w.squares[b][lane]>>i)] << b
		}
		if w.missing {
			d |= eachBitAByte[uint8(w.squares[8][lane]>>i)] * uint64(schemas.Unreached)
		}
		binary.LittleEndian.PutUint64(eight[:], d)
		copy(out[i:], eight[:])
	}
}

// spreadFour is spread where no distance is above 15 and every node was seen, which is nearly always.
func (w *tileWriter) spreadFour(out *[tile]uint8, lane int) {
	x0, x1, x2, x3 := w.squares[0][lane], w.squares[1][lane], w.squares[2][lane], w.squares[3][lane]
	for i := 0; i < tile; i += 8 {
		d := eachBitAByte[uint8(x0>>i)] | eachBitAByte[uint8(x1>>i)]<<1 | eachBitAByte[uint8(x2>>i)]<<2 | eachBitAByte[uint8(x3>>i)]<<3
		binary.LittleEndian.PutUint64(out[i:i+8], d)
	}
}

// eachBitAByte spreads eight bits over eight bytes, the lowest first.
var eachBitAByte = func() (t [256]uint64) {
	for x := range t {
		for b := range 8 {
			t[x] |= uint64(x>>b&1) << (8 * b)
		}
	}
	return t
}()

// transpose64 turns a square of bits over: bit j of word i becomes bit i of word j.
//
// Result:    exact. Idea: swap the off-diagonal quarters of the square, then those of each quarter, six times.
// Time:      192 swaps of two words. Space: in place.
// Reference: H. S. Warren, Hacker's Delight, 2nd ed., 2012, section 7-3, ISBN 9780321842688.
func transpose64(a *[64]uint64) {
	low := uint64(1)<<32 - 1
	for width := 32; width > 0; width /= 2 {
		for i := 0; i < 64; i = (i + width + 1) &^ width {
			swap := (a[i]>>width ^ a[i+width]) & low
			a[i] ^= swap << width
			a[i+width] ^= swap
		}
		low ^= low << (width / 2)
	}
}
