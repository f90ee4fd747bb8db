package links

import (
	"hash/maphash"
	"strings"
)

// linkIndex finds links by their target: a hash table of places in a list, probed linearly. It is what a map would be
// without a second look-up for every new link and without keeping the strings a second time.
type linkIndex struct {
	seed  maphash.Seed // differs from run to run; nothing depends on the order in the table
	slots []uint32     // place in the list plus one; 0 is free
}

const smallIndex = 512 // slots of an index for an ordinary page

func newLinkIndex() linkIndex {
	return linkIndex{seed: maphash.MakeSeed(), slots: make([]uint32, smallIndex)}
}

// reset empties the index. Clearing costs its size: one page with many links must not slow down all later ones.
func (x *linkIndex) reset() {
	if len(x.slots) > 16*smallIndex {
		x.slots = make([]uint32, smallIndex)
		return
	}
	clear(x.slots)
}

// find gives the slot of title. If it is free, the caller must fill it: title then is the next link of the list.
func (x *linkIndex) find(title string, links []Link) *uint32 {
	if 2*len(links) >= len(x.slots) {
		x.grow(links)
	}
	return x.slot(title, links)
}

// slot is find with room for certain.
func (x *linkIndex) slot(title string, links []Link) *uint32 {
	mask := uint64(len(x.slots) - 1)
	for i := maphash.String(x.seed, title) & mask; ; i = (i + 1) & mask {
		slot := &x.slots[i]
		if *slot == 0 || links[*slot-1].Target == title {
			return slot
		}
	}
}

func (x *linkIndex) grow(links []Link) {
	x.slots = make([]uint32, 4*len(x.slots))
	for i, l := range links {
		*x.slot(l.Target, links) = uint32(i + 1)
	}
}

// arena makes copies of short strings, many to one allocation.
type arena struct{ strings.Builder }

// keep gives a copy of s that stays as it is.
func (a *arena) keep(s string) string {
	const chunk = 8 << 10
	if a.Cap()-a.Len() < len(s) { // never grow: that would copy what is there
		a.Builder = strings.Builder{}
		a.Grow(max(chunk, len(s)))
	}
	at := a.Len()
	a.WriteString(s)
	return a.String()[at:]
}
