package wikitext

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// FactCounts says what became of every value that could be a fact: Found is the sum of Kept, Refused, Aside, Repeated
// and Disagreed.
type FactCounts struct {
	Found     int64 // parameters of infoboxes with a value; coord, convert and date templates outside
	Kept      int64
	Refused   int64    // not what the rule of a kind allows
	Aside     int64    // coordinates in the text of a page whose own are given
	Repeated  int64    // another source gave the same value of the same key before
	Disagreed int64    // sources of one key gave different values: none is kept
	ByKind    [5]int64 // Kept in the order of schemas.FactKinds
	Infoboxes int64
	Empty     int64 // parameters of infoboxes without value, not in Found
	Templates TemplateCounts
}

// Add adds d to c, field by field.
func (c *FactCounts) Add(d FactCounts) {
	c.Found += d.Found
	c.Kept += d.Kept
	c.Refused += d.Refused
	c.Aside += d.Aside
	c.Repeated += d.Repeated
	c.Disagreed += d.Disagreed
	for i, n := range d.ByKind {
		c.ByKind[i] += n
	}
	c.Infoboxes += d.Infoboxes
	c.Empty += d.Empty
	c.Templates.Add(d.Templates)
}

func (c *FactCounts) keep(kind string) {
	c.Kept++
	c.ByKind[slices.Index(schemas.FactKinds, kind)]++
}
