package wikitext

import "github.com/wikinav/wikinav/schemas"

// place is where a link stands, in the order of precedence: a link in a table in a template is inTemplate.
type place uint8

const (
	inRefs place = iota
	inCaptions
	inTemplate
	inTable
	inBody
)

// provenances gives the bit of each place.
var provenances = [...]schemas.Provenance{
	inRefs:     schemas.ProvRefs,
	inCaptions: schemas.ProvCaptions,
	inTemplate: schemas.ProvTemplateArgs,
	inTable:    schemas.ProvTables,
	inBody:     schemas.ProvBody,
}

// tour finds the places of positions that are asked for in rising order. A position is inside some pair of a kind
// exactly if it is before the furthest end of the pairs that begin before it; so crossing pairs of different kinds
// need no care, and a pair that was never closed, with end 0, reaches nowhere.
type tour struct {
	marks                          *marks
	bracket, brace, table          int // how many of each have begun
	refs, captions, braces, tables int // furthest ends
}

func (t *tour) at(pos int) place {
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
func (t *tour) enter(pos int) {
	m := t.marks
	for ; t.brace < len(m.braces) && m.braces[t.brace].start < pos; t.brace++ {
		b := m.braces[t.brace]
		t.braces = max(t.braces, b.end)
		if b.ref {
			t.refs = max(t.refs, b.end)
		}
	}
	for ; t.table < len(m.tables) && m.tables[t.table].start < pos; t.table++ {
		t.tables = max(t.tables, m.tables[t.table].end)
	}
	for ; t.bracket < len(m.brackets) && m.brackets[t.bracket].captionStart() < pos; t.bracket++ {
		if b := m.brackets[t.bracket]; b.file {
			t.captions = max(t.captions, b.end)
		}
	}
}
