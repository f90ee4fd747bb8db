package graph

import "math/bits"

// frontier is the set of nodes with bits that are new at one depth. It is in list while the search pushes, in active
// while it pulls; the bitmap says of any row whether its content counts, so that stale rows need no clearing.
type frontier struct {
	list      []uint32
	active    []uint64 // bitmap
	fresh     []uint64 // bitmap of the next frontier while it is found by pulling; zero otherwise
	listed    bool     // list is valid; active is not, but for the first depth
	newNodes  int
	pushEdges int64 // in-degrees of the nodes
}

func bitmapLen(n int) int { return (n + 63) / 64 }

func (f *frontier) clearFrontier() {
	f.list, f.listed, f.newNodes, f.pushEdges = f.list[:0], true, 0, 0
	clear(f.active)
	clear(f.fresh)
}

// markNew adds u to the bitmap and tells whether it was not there.
func (f *frontier) markNew(u uint32) bool {
	word, bit := &f.active[u/64], uint64(1)<<(u%64)
	isNew := *word&bit == 0
	*word |= bit
	return isNew
}

// enlist makes the list valid.
func (f *frontier) enlist() {
	if f.listed {
		return
	}
	f.list = f.list[:0]
	for w, x := range f.active {
		for ; x != 0; x &= x - 1 {
			f.list = append(f.list, uint32(64*w+bits.TrailingZeros64(x)))
		}
	}
	f.listed = true
}

// unlist makes the bitmap valid.
func (f *frontier) unlist() {
	if !f.listed {
		return
	}
	clear(f.active)
	for _, u := range f.list {
		f.active[u/64] |= 1 << (u % 64)
	}
	f.listed = false
}
