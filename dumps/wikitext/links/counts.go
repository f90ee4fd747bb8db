package links

import (
	"math/bits"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
)

// Counts says what became of every `[[` in the text that is read, and of every title in a hatnote if those are: Found is the sum of
// all from Kept to Unterminated. Markup that is dropped (comments, nowiki and its like, includeonly) is never read.
type Counts [numCounts]int64

// What Counts counts.
const (
	Found         = iota
	Kept          // links to pages of namespace 0, every occurrence
	Interwiki     // to another wiki, by a project's prefix or with a leading colon
	Interlanguage // to another language without a leading colon: shown beside the page, not in it
	File          // namespace 6, leading colon or not; and a balanced [[File:...]] whose caption holds links
	Category      // namespace 14, leading colon or not
	OtherNS
	Self         // to the page itself or a part of it
	Invalid      // a link by the grammar whose target is no title
	Unterminated // begins no link by the grammar: not closed, empty, broken target, or around another link
	InFirst      // from here on Kept by provenance, in the order of schemas.ProvenanceNames
	numCounts    = InFirst + 5
)

var countNames = [InFirst]string{
	"links_found", "links_kept", "links_interwiki", "links_interlanguage", "links_file", "links_category", "links_other_ns", "links_self",
	"links_invalid", "links_unterminated",
}

// ByName returns the counts under their names.
func (c *Counts) ByName() map[string]int64 {
	m := map[string]int64{}
	for i, name := range countNames {
		m[name] = c[i]
	}
	for i, name := range schemas.ProvenanceNames {
		m["links_in_"+name] = c[InFirst+i]
	}
	return m
}

func (c *Counts) Add(d Counts) {
	for i, n := range d {
		c[i] += n
	}
}

func (c *Counts) keep(at schemas.Provenance) {
	c[Kept]++
	c[InFirst+bits.TrailingZeros8(at)]++
}

// dropped is what a link to t is counted as that no page keeps; Kept if there is no reason to drop it.
func dropped(t titles.Title, s *titles.Site) int {
	switch {
	case t.Interwiki != "" && s.IsLanguage(t.Interwiki) && !t.Forced:
		return Interlanguage
	case t.Interwiki != "":
		return Interwiki
	case t.NS == titles.NSFile:
		return File
	case t.NS == titles.NSCategory:
		return Category
	case t.NS != titles.NSMain:
		return OtherNS
	}
	return Kept
}
