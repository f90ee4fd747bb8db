package links

import (
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/schemas"
)

// place is where a link stands, in the order of precedence: a link in a table in a template is
// inTemplate.
type place uint8

const (
	inRefs place = iota
	inCaptions
	inTemplate
	inTable
	inBody
)

// provenances returns the bit of each place.
var provenances = [...]schemas.Provenance{
	inRefs:     schemas.ProvRefs,
	inCaptions: schemas.ProvCaptions,
	inTemplate: schemas.ProvTemplateArgs,
	inTable:    schemas.ProvTables,
	inBody:     schemas.ProvBody,
}

// tour finds the places of positions that are asked for in rising order. A position is inside some
// pair of a kind exactly if it is before the furthest end of the pairs that begin before it; so
// crossing pairs of different kinds need no care, and a pair that was never closed, with end 0,
// reaches nowhere.
type tour struct {
	marks                          *markup.Marks
	bracket, brace, table          int   // how many of each have begun
	refs, captions, braces, tables int32 // furthest ends
}

func (t *tour) at(pos int32) place {
	t.enter(pos)
	switch {
	case pos < t.refs:
		return inRefs
	case pos < t.captions:
		return inCaptions
	case pos < t.braces:
		return inTemplate
	case pos < t.tables:
		return inTable
	}
	return inBody
}

// enter takes up the pairs that begin before pos.
func (t *tour) enter(pos int32) {
	m := t.marks
	for ; t.brace < len(m.Braces) && m.Braces[t.brace].Start < pos; t.brace++ {
		b := m.Braces[t.brace]
		t.braces = max(t.braces, b.End)
		if b.Ref {
			t.refs = max(t.refs, b.End)
		}
	}
	for ; t.table < len(m.Tables) && m.Tables[t.table].Start < pos; t.table++ {
		t.tables = max(t.tables, m.Tables[t.table].End)
	}
	for ; t.bracket < len(m.Brackets) && m.Brackets[t.bracket].CaptionStart() < pos; t.bracket++ {
		if b := m.Brackets[t.bracket]; b.File {
			t.captions = max(t.captions, b.End)
		}
	}
}

// placeOf says where links of the body of a tag are, at the least.
func placeOf(tag string) place {
	switch tag {
	case "ref", "references":
		return inRefs
	case "gallery", "imagemap":
		return inCaptions
	}
	return inBody
}
