package wikitext

import (
	"math/bits"

	"github.com/wikinav/wikinav/schemas"
)

// Counts says what became of every `[[` in the text that is read, and of every title in a hatnote if those are: Found is the sum of Kept and all fields from
// Interwiki to Unterminated. Markup that step A drops (comments, nowiki and its like, includeonly) is never read.
type Counts struct {
	Found         int64
	Kept          int64 // links to pages of namespace 0, every occurrence
	Interwiki     int64 // to another wiki, by a project's prefix or with a leading colon
	Interlanguage int64 // to another language without a leading colon: shown beside the page, not in it
	File          int64 // namespace 6, leading colon or not; and a balanced [[File:...]] whose caption holds links
	Category      int64 // namespace 14, leading colon or not
	OtherNS       int64
	Self          int64    // to the page itself or a part of it
	Invalid       int64    // a link by the grammar whose target is no title
	Unterminated  int64    // begins no link by the grammar: not closed, empty, broken target, or around another link
	Occurrences   [5]int64 // Kept by provenance, in the order of schemas.ProvenanceNames
}

// Add adds d to c, field by field.
func (c *Counts) Add(d Counts) {
	c.Found += d.Found
	c.Kept += d.Kept
	c.Interwiki += d.Interwiki
	c.Interlanguage += d.Interlanguage
	c.File += d.File
	c.Category += d.Category
	c.OtherNS += d.OtherNS
	c.Self += d.Self
	c.Invalid += d.Invalid
	c.Unterminated += d.Unterminated
	for i, n := range d.Occurrences {
		c.Occurrences[i] += n
	}
}

func (c *Counts) keep(at schemas.Provenance) {
	c.Kept++
	c.Occurrences[bits.TrailingZeros8(at)]++
}

// dropped gives the counter of the reason for which no page keeps a link to t; nil if there is none (step E).
func (c *Counts) dropped(t Title, s *Site) *int64 {
	switch {
	case t.Interwiki != "" && s.prefixes[t.Interwiki] == toLanguage && !t.Forced:
		return &c.Interlanguage
	case t.Interwiki != "":
		return &c.Interwiki
	case t.NS == nsFile:
		return &c.File
	case t.NS == nsCategory:
		return &c.Category
	case t.NS != nsMain:
		return &c.OtherNS
	}
	return nil
}
