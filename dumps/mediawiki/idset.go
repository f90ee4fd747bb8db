package mediawiki

// idSet is a set of page ids. Ids of a wiki are dense up to its largest, so it is made of small bitmaps.
type idSet map[uint32]*[64]uint64

// add reports whether id was new.
func (s idSet) add(id uint32) bool {
	bits := s[id>>12]
	if bits == nil {
		bits = new([64]uint64)
		s[id>>12] = bits
	}
	word, bit := &bits[id>>6&63], uint64(1)<<(id&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
