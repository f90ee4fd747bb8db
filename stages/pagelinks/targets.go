package pagelinks

import (
	"context"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// targets is every title of namespace 0 that a link can lead to, found by the number that
// linktarget returns it, or, in the layout without linktarget, by itself. A title's own number here
// is its rank in the order of reading.
type targets struct {
	keys  []uint64 // by title: lt_id, or the hash of the title
	spots []uint64 // by title: where it stands in text
	slots []uint32 // open addressing: rank + 1, 0 is free
	text  chunks
	other set // lt_ids of other namespaces

	rows, otherRows, notUTF8 int64
}

func newTargets() *targets { return &targets{slots: make([]uint32, 1024)} }

func (t *targets) read(ctx context.Context, env stages.Env, path string) error {
	var at []int
	begin := func(table sqldump.Table) (err error) {
		at, err = table.Find(colTargetID, colTargetNS, colTargetTitle)
		return err
	}
	meter := newTicker(env, "reading linktarget")
	defer meter.close()
	rows, err := sqldump.Read(ctx, path, begin, func(row []sqldump.Value) error {
		meter.tick()
		id, err := row[at[0]].Uint32()
		if err != nil {
			return err
		}
		return t.take(id, row[at[1]].Bytes, row[at[2]].Bytes)
	})
	t.rows += rows
	return err
}

// take enters one row. A title that is not UTF-8 is no title of ours: links to it lead to an unknown target.
func (t *targets) take(id uint32, ns, title []byte) error {
	switch {
	case string(ns) != "0":
		t.otherRows++
		t.other.add(id)
		return nil
	case !valid(title):
		t.notUTF8++
		return nil
	}
	if _, known := t.find(uint64(id), nil); known {
		return fault.New(fault.Malformed, "%s %d stands twice in the table", colTargetID, id)
	}
	return t.add(uint64(id), title)
}

// maxTitle is the length of a title in MediaWiki's tables.
const maxTitle = 255

func valid(title []byte) bool { return len(title) > 0 && len(title) <= maxTitle && utf8.Valid(title) }

// intern returns the number of a title, entering it if it is new.
func (t *targets) intern(title []byte) (uint32, error) {
	key := xxhash.Sum64(title)
	if rank, known := t.find(key, title); known {
		return rank, nil
	}
	return uint32(len(t.keys)), t.add(key, title)
}

// find returns the title under a key; where keys are hashes, title tells apart those that share one.
func (t *targets) find(key uint64, title []byte) (rank uint32, known bool) {
	for s := t.start(key); t.slots[s] != 0; s = t.after(s) {
		if rank := t.slots[s] - 1; t.keys[rank] == key && (title == nil || string(title) == string(t.text.at(t.spots[rank]))) {
			return rank, true
		}
	}
	return 0, false
}

func (t *targets) add(key uint64, title []byte) error {
	if len(t.keys) == math.MaxUint32 {
		return fault.New(fault.Failure, "more than %d link targets", math.MaxUint32)
	}
	t.keys, t.spots = append(t.keys, key), append(t.spots, t.text.add(title))
	if 4*len(t.keys) > 3*len(t.slots) {
		t.slots = make([]uint32, 2*len(t.slots))
		for rank := range t.keys {
			t.enter(uint32(rank))
		}
		return nil
	}
	t.enter(uint32(len(t.keys) - 1))
	return nil
}

func (t *targets) enter(rank uint32) {
	s := t.start(t.keys[rank])
	for t.slots[s] != 0 {
		s = t.after(s)
	}
	t.slots[s] = rank + 1
}

// start spreads keys that follow each other; the number of slots is a power of two.
func (t *targets) start(key uint64) int {
	high, _ := bits.Mul64(key*0x9e3779b97f4a7c15, uint64(len(t.slots)))
	return int(high)
}

func (t *targets) after(slot int) int { return (slot + 1) & (len(t.slots) - 1) }

// title returns a title with blanks, valid until the next call.
func (t *targets) title(rank uint32, buf []byte) []byte {
	buf = append(buf[:0], t.text.at(t.spots[rank])...)
	for i, c := range buf {
		if c == '_' {
			buf[i] = ' '
		}
	}
	return buf
}

// chunks holds short strings in blocks that never move, each behind its length.
type chunks struct {
	blocks [][]byte
	free   int // of the last block
}

const chunkBits = 20

func (c *chunks) add(s []byte) (spot uint64) {
	if c.free < 1+len(s) {
		c.blocks = append(c.blocks, make([]byte, 1<<chunkBits))
		c.free = 1 << chunkBits
	}
	block := len(c.blocks) - 1
	from := 1<<chunkBits - c.free
	c.blocks[block][from] = byte(len(s))
	copy(c.blocks[block][from+1:], s)
	c.free -= 1 + len(s)
	return uint64(block)<<chunkBits | uint64(from)
}

func (c *chunks) at(spot uint64) []byte {
	block, from := c.blocks[spot>>chunkBits], spot&(1<<chunkBits-1)
	return block[from+1 : from+1+uint64(block[from])]
}
