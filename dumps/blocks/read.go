package blocks

// readSymbols decodes all symbols of the block into the low bytes of the table, and counts them. It gives their number.
func (d *Decoder) readSymbols(in *bitReader) (n int, err error) {
	d.table.reset()
	s, nodes := &d.symbols, &d.table.nodes
	run, digit := 0, uint(0)
	for _, chosen := range d.choice {
		c := &d.codes[chosen]
		for range groupSize {
			if in.n < maxCodeLen {
				in.fill()
			}
			entry := c.fast[in.word>>(64-fastBits)]
			symbol, length := entry>>5, uint(entry&31)
			if length == 0 {
				if symbol, length = c.slow(uint32(in.word >> (64 - maxCodeLen))); length == 0 {
					return 0, Damage("bits that are no code")
				}
			}
			in.word <<= length
			in.n -= length
			if symbol <= 1 {
				// A run of the front byte, its length in digits 1 and 2 of base 2.
				if run += int(symbol+1) << digit; run > MaxSize-n {
					return 0, Damage("a run past the end of the block")
				}
				digit++
				continue
			}
			if run > 0 {
				d.table.repeat(n, run, s.recent[0])
				n += run
				run, digit = 0, 0
			}
			if symbol == s.end {
				return n, nil
			}
			if n >= MaxSize {
				return 0, Damage("more bytes than a block may have")
			}
			b := s.front(int(symbol - 1))
			nodes[n] = uint32(b)
			d.table.count[b]++
			n++
		}
		if in.next > len(in.src)+8 {
			return 0, ErrShort
		}
	}
	return 0, Damage("the groups end before the block")
}
