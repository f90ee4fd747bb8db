package game

// counting counts the bytes that are read of a column.
type counting struct {
	lookup
	reads *int
}

func (c counting) at(u uint32) uint8 {
	*c.reads++
	return c.lookup.at(u)
}

// CountReads counts from now on the bytes that are read to tell which links are optimal.
func (g *Game) CountReads() *int {
	reads := new(int)
	g.entering = counting{g.entering, reads}
	return reads
}
