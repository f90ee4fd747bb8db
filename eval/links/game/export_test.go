package game

import (
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// OptionsSHA256 is SHA-256 of the canonical form of o, in hex.
func OptionsSHA256(o schemas.GameOptions) string { return digest.SHA256(canon.MustMarshal(o)) }

// Violations counts the moves onto banned pages.
func (g *Game) Violations() int {
	if g.ban == nil {
		return 0
	}
	return len(g.broken())
}

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
