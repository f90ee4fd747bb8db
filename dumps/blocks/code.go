package blocks

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
