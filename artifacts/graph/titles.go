package graph

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/wikinav/wikinav/artifacts/arrowio"
)

// titleIndex finds titles by open addressing: half its slots at least stay empty, a collision takes
// the next slot. It refers to the titles where they are, which a map of strings would copy. The
// seed differs from run to run, so that no file can be made to collide; it shows in no result.
type titleIndex struct {
	titles arrowio.Strings
	seed   maphash.Seed
	slots  []uint32 // node + 1; 0 is empty
}

// newTitleIndex calls repeated, unless it is nil, for each node whose title a smaller node has,
// which keeps it.
func newTitleIndex(titles arrowio.Strings, repeated func(node, first uint32)) *titleIndex {
	n := titles.Len()
	x := &titleIndex{titles, maphash.MakeSeed(), make([]uint32, 2<<bits.Len(uint(n)))}
	for u := range n {
		title := titles.Bytes(u)
		slot := x.slotOf(title)
		if taken := x.slots[slot]; taken == 0 {
			x.slots[slot] = uint32(u) + 1
		} else if repeated != nil {
			repeated(uint32(u), taken-1)
		}
	}
	return x
}

func (x *titleIndex) node(title string) (uint32, bool) {
	taken := x.slots[x.slotOf([]byte(title))]
	return max(taken, 1) - 1, taken > 0
}

// slotOf returns the slot that holds title, or the empty one where it belongs.
func (x *titleIndex) slotOf(title []byte) uint64 {
	mask := uint64(len(x.slots) - 1)
	for slot := maphash.Bytes(x.seed, title) & mask; ; slot = (slot + 1) & mask {
		taken := x.slots[slot]
		if taken == 0 || bytes.Equal(x.titles.Bytes(int(taken-1)), title) {
			return slot
		}
	}
}
