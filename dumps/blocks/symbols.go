package blocks

import (
	"encoding/binary"
)

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
