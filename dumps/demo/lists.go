package demo

import "strings"

// lists are the varieties of a list article: of which things there is one each, -1 for one in all, its name, and what it lists. None
// leads deeper than its parent's own articles do: a list of all villages would make every village near.
var lists = []struct {
	each    kind
	name    string
	members func(w *world, parent int) []int
}{
	{-1, "List of countries", func(w *world, _ int) []int { return w.ofKind[kindCountry] }},
	{-1, "List of regions", func(w *world, _ int) []int { return w.ofKind[kindRegion] }},
	{-1, "List of rivers", func(w *world, _ int) []int { return w.landforms(0) }},
	{-1, "List of mountains", func(w *world, _ int) []int { return w.landforms(1) }},
	{-1, "List of lakes", func(w *world, _ int) []int { return w.landforms(2) }},
	{kindCountry, "List of districts of ", func(w *world, i int) []int { return w.grandkids(i, kindRegion, kindDistrict) }},
	{kindCountry, "Timeline of ", func(w *world, i int) []int { return w.eventsIn(i) }},
	{kindRegion, "List of settlements in ", func(w *world, i int) []int { return w.grandkids(i, kindDistrict, kindSettlement) }},
	{kindOrder, "List of genera of ", func(w *world, i int) []int { return w.grandkids(i, kindFamily, kindGenus) }},
}

func (w *world) addLists() {
	for variety, l := range lists {
		if l.each < 0 {
			w.add(thing{kind: kindList, parent: -1, variety: variety, name: l.name, year: lastYear})
			continue
		}
		for _, i := range w.ofKind[l.each] {
			w.add(thing{kind: kindList, parent: i, variety: variety, name: l.name + w.things[i].name, year: lastYear})
		}
	}
}

// members are what list i lists.
func (w *world) members(i int) []int {
	return lists[w.things[i].variety].members(w, w.things[i].parent)
}

// landforms are all rivers, mountains or lakes that their regions name; the others stay remote.
func (w *world) landforms(variety int) []int {
	var out []int
	for _, i := range w.ofKind[kindLandform] {
		if t := &w.things[i]; t.variety == variety && t.rank < about[kindLandform].Shown {
			out = append(out, i)
		}
	}
	return out
}

func (w *world) grandkids(i int, child, grandchild kind) []int {
	var out []int
	for _, c := range w.kids(i, child) {
		out = append(out, w.listed(c, grandchild)...)
	}
	return out
}

// eventsIn are the events in country i that the articles of their districts name.
func (w *world) eventsIn(i int) []int {
	var out []int
	for _, region := range w.kids(i, kindRegion) {
		out = append(out, w.grandkids(region, kindDistrict, kindEvent)...)
	}
	return out
}

// plural is the English plural of the nouns in this package.
func plural(noun string) string {
	switch {
	case noun == "species":
		return noun
	case noun == "genus":
		return "genera"
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "ss"):
		return noun + "es"
	case strings.HasSuffix(noun, "y"):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}
