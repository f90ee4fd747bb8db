package linkgraph

import (
	"bytes"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// hashTitle is the hash under which links name their targets; a test puts a worse one in its place.
var hashTitle = xxhash.Sum64

// titles finds a page's row by the hash of its title: open addressing, three quarters full, 16
// bytes a title. Titles of which two have the same hash are kept aside and told apart by their
// bytes, so that a collision between pages costs time and never an edge.
type titles struct {
	title  func(row uint32) []byte
	hashes []uint64
	rows   []uint32 // row + 1; 0 is a free slot
	twins  map[uint64][]uint32
}

// newTitles returns a table for n titles at most.
func newTitles(n int, title func(row uint32) []byte) *titles {
	size := n + n/3 + 1
	return &titles{
		title: title, hashes: make([]uint64, size), rows: make([]uint32, size), twins: map[uint64][]uint32{},
	}
}

// add enters a title that no other page has.
func (t *titles) add(title []byte, row uint32) {
	h := hashTitle(title)
	slot := t.slot(h)
	if t.rows[slot] == 0 {
		t.hashes[slot], t.rows[slot] = h, row+1
		return
	}
	if t.twins[h] == nil {
		t.twins[h] = []uint32{t.rows[slot] - 1}
	}
	t.twins[h] = append(t.twins[h], row)
}

// slot returns the place of h, or the free place where it belongs; newTitles leaves one free at
// least. The search begins at h's share of the table: a product in place of a remainder.
func (t *titles) slot(h uint64) int {
	high, _ := bits.Mul64(h, uint64(len(t.rows)))
	s := int(high)
	for t.rows[s] != 0 && t.hashes[s] != h {
		if s++; s == len(t.rows) {
			s = 0
		}
	}
	return s
}

// byHash finds the page whose title has hash h. exact gives the title that is meant; it is asked only where
// several pages share the hash.
func (t *titles) byHash(h uint64, exact func() []byte) (row uint32, ok bool) {
	slot := t.slot(h)
	if t.rows[slot] == 0 {
		return 0, false
	}
	if len(t.twins) > 0 {
		if twins := t.twins[h]; twins != nil {
			return t.among(twins, exact())
		}
	}
	return t.rows[slot] - 1, true
}

func (t *titles) among(rows []uint32, title []byte) (uint32, bool) {
	for _, row := range rows {
		if bytes.Equal(t.title(row), title) {
			return row, true
		}
	}
	return 0, false
}

// find finds the page with exactly that title.
func (t *titles) find(title []byte) (row uint32, ok bool) {
	row, ok = t.byHash(hashTitle(title), func() []byte { return title })
	return row, ok && bytes.Equal(t.title(row), title)
}
