package blocks

import (
	"encoding/binary"
	"fmt"
)

const (
	maxCodeLen = 20
	maxSymbols = 258 // two run digits, 255 positions, the end
	fastBits   = 10  // codes up to this length are one look-up: six tables of 2 KiB stay in the first cache
)

// code is a canonical prefix code.
type code struct {
	fast   [1 << fastBits]uint16  // by the next bits: symbol<<5 | length; 0 for codes that are longer, or none
	bound  [maxCodeLen + 1]uint32 // codes of this length, as 20 bits, are below it
	offset [maxCodeLen + 1]uint32 // what to add to a code of this length for its place in sorted
	sorted [maxSymbols + 1]uint16 // symbols by code; unused places are never reached
	count  [maxCodeLen + 2]uint16 // scratch: symbols of each length
	place  [maxCodeLen + 2]uint16 // scratch: where the next symbol of a length goes
}

// build makes the code whose symbols have these lengths, 1 to 20. It is false when there are more codes of a length than bits allow.
func (c *code) build(lengths []uint8) bool {
	clear(c.count[:])
	for _, l := range lengths {
		c.count[l]++
	}
	first, places := uint32(0), uint16(0)
	for l := 1; l <= maxCodeLen; l++ {
		c.place[l] = places
		shift := maxCodeLen - l
		c.offset[l] = uint32(places) - first>>shift
		first += uint32(c.count[l]) << shift
		c.bound[l] = first
		places += c.count[l]
		if first > 1<<maxCodeLen {
			return false
		}
	}
	for symbol, l := range lengths {
		c.sorted[c.place[l]] = uint16(symbol)
		c.place[l]++
	}
	c.buildFast(lengths)
	return true
}

func (c *code) buildFast(lengths []uint8) {
	clear(c.fast[:])
	at := 0
	for _, symbol := range c.sorted[:len(lengths)] {
		l := uint(lengths[symbol])
		if l > fastBits {
			return
		}
		same := c.fast[at : at+1<<(fastBits-l)]
		for i := range same {
			same[i] = symbol<<5 | uint16(l)
		}
		at += len(same)
	}
}

// slow decodes a code longer than fastBits from the next 20 bits; the length is 0 when there is none.
func (c *code) slow(next uint32) (symbol uint16, length uint) {
	for l := uint(fastBits + 1); l <= maxCodeLen; l++ {
		if next < c.bound[l] {
			return c.sorted[(c.offset[l]+next>>(maxCodeLen-l))%(maxSymbols+1)], l
		}
	}
	return 0, 0
}

// bitReader reads bits, the highest of each byte first. Behind the end of src it gives zeros; over tells.
type bitReader struct {
	src  []byte
	next int    // byte of src that is not in word yet
	word uint64 // the bits at hand, from the highest
	n    uint   // how many
}

func newBitReader(src []byte, at int) bitReader {
	b := bitReader{src: src, next: at / 8}
	b.fill()
	b.skip(uint(at % 8))
	return b
}

// fill makes at least 56 bits available.
func (b *bitReader) fill() {
	if len(b.src)-b.next < 8 {
		b.fillSlowly()
		return
	}
	b.word |= binary.BigEndian.Uint64(b.src[b.next:]) >> b.n
	b.next += int((63 - b.n) >> 3)
	b.n |= 56
}

func (b *bitReader) fillSlowly() {
	for b.n < 56 {
		if b.next < len(b.src) {
			b.word |= uint64(b.src[b.next]) << (56 - b.n)
		}
		b.next++
		b.n += 8
	}
}

func (b *bitReader) skip(k uint) {
	b.word <<= k
	b.n -= k
}

// take gives the next k bits, at most 32.
func (b *bitReader) take(k uint) uint32 {
	if b.n < k {
		b.fill()
	}
	v := uint32(b.word >> 32 >> (32 - k))
	b.skip(k)
	return v
}

// offset is the number of bits of src that were used.
func (b *bitReader) offset() int { return 8*b.next - int(b.n) }

// over says that more bits were used than src has.
func (b *bitReader) over() bool { return b.offset() > 8*len(b.src) }

const (
	minTables = 2
	maxTables = 6
	groupSize = 50 // symbols that share a table
	// maxGroups is as many as a full block can use, its end included.
	maxGroups = MaxSize/groupSize + 2
)

// readTables reads which bytes occur, the table of each group, and the tables.
func (d *Decoder) readTables(in *bitReader) error {
	used := d.symbols.readUsed(in)
	if used == 0 {
		return Damage("no byte occurs")
	}
	d.tables = int(in.take(3))
	if d.tables < minTables || d.tables > maxTables {
		return Damage(fmt.Sprintf("%d tables, expected 2 to 6", d.tables))
	}
	if err := d.readChoice(in); err != nil {
		return err
	}
	for i := range d.tables {
		if err := d.codes[i].read(in, used+2); err != nil {
			return err
		}
	}
	return nil
}

// readChoice reads the table of each group. There may be more groups than a block can use; lbzip2 and others write such.
func (d *Decoder) readChoice(in *bitReader) error {
	groups := int(in.take(15))
	order := [maxTables]byte{0, 1, 2, 3, 4, 5}
	d.choice = d.choice[:0]
	for range groups {
		j := 0
		for in.take(1) == 1 {
			if j++; j >= d.tables {
				return Damage("a group names no table")
			}
		}
		chosen := order[j]
		copy(order[1:j+1], order[:j])
		order[0] = chosen
		if len(d.choice) < maxGroups {
			d.choice = append(d.choice, chosen)
		}
	}
	return nil
}

// read reads the lengths of n symbols, each as the difference to the one before.
func (c *code) read(in *bitReader, n int) error {
	var lengths [maxSymbols]uint8
	length := int(in.take(5))
	for i := range n {
		for {
			if length < 1 || length > maxCodeLen {
				return Damage(fmt.Sprintf("a code of %d bits", length))
			}
			if in.take(1) == 0 {
				break
			}
			length += 1 - 2*int(in.take(1))
		}
		lengths[i] = uint8(length)
	}
	if !c.build(lengths[:n]) {
		return Damage("more codes than bits allow")
	}
	return nil
}

// symbols turns symbols into bytes: positions in a list whose entries move to the front.
type symbols struct {
	recent [256]byte // bytes by how recently they occurred
	end    uint16    // the symbol that ends the block
}

// readUsed reads which bytes occur and gives how many.
func (s *symbols) readUsed(in *bitReader) int {
	used := 0
	rows := in.take(16)
	for row := range 16 {
		if rows&(0x8000>>row) == 0 {
			continue
		}
		columns := in.take(16)
		for column := range 16 {
			if columns&(0x8000>>column) != 0 {
				s.recent[used] = byte(16*row + column)
				used++
			}
		}
	}
	s.end = uint16(used + 1)
	return used
}

// front gives the byte at position i, from 1, and moves it to the front.
func (s *symbols) front(i int) byte {
	if i < 8 {
		// Most positions are small: eight entries are one word, moved without a branch.
		word := binary.LittleEndian.Uint64(s.recent[:8])
		b := word >> (8 * i) & 0xFF
		moved := ^uint64(0) >> (56 - 8*i)
		binary.LittleEndian.PutUint64(s.recent[:8], word&^moved|word<<8&moved|b)
		return byte(b)
	}
	b := s.recent[i]
	copy(s.recent[1:i+1], s.recent[:i])
	s.recent[0] = b
	return b
}
