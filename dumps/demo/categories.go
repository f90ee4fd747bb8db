package demo

import "slices"

// categories are the names of the categories of thing i, without prefix.
func (w *world) categories(i int) []string {
	t := &w.things[i]
	noun := capital(plural(noun(t.kind, t.variety)))
	if t.kind == kindTopic || t.kind <= kindYear || t.kind == kindList || t.parent < 0 {
		return []string{noun}
	}
	if t.kind == kindPerson || t.kind == kindSettlement {
		return []string{noun, noun + " of " + w.placeName(i)}
	}
	return []string{capital(plural(kindName(t.kind))) + " of " + w.placeName(i), noun}
}

// kindName is the most general noun of a kind.
func kindName(k kind) string {
	switch k {
	case kindBuilding:
		return "building"
	case kindLandform:
		return "landform"
	case kindWork:
		return "work"
	case kindEvent:
		return "event"
	}
	return noun(k, 0)
}

// categoryPages are the pages of all categories in use, in order of their names.
func (w *world) categoryPages() []page {
	names := []string{"Stubs", "Categories"}
	for i := range w.things {
		names = append(names, w.categories(i)...)
	}
	slices.Sort(names)
	var pages []page
	for _, name := range slices.Compact(names) {
		text := "Pages about ''" + name + "''.\n\n[[Category:Categories]]\n"
		pages = append(pages, newPage(nsCategory, "Category:"+name, wikitext, formatWikitext, text))
	}
	return pages
}
