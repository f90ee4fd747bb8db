package demo

import "strings"

// The varieties of a list article: what it lists.
const (
	listCountries = iota
	listRegions
	listRivers
	listMountains
	listLakes
	listDistricts   // of a country
	listSettlements // of a region
	listGenera      // of an order
	timeline        // of a country
)

// addLists adds the lists. None leads deeper than its parent's own articles do: a list of all villages would make
// every village near.
func (w *world) addLists() {
	w.addList(-1, listCountries, "List of countries")
	w.addList(-1, listRegions, "List of regions")
	w.addList(-1, listRivers, "List of rivers")
	w.addList(-1, listMountains, "List of mountains")
	w.addList(-1, listLakes, "List of lakes")
	w.addListOfEach(kindCountry, listDistricts, "List of districts of ")
	w.addListOfEach(kindCountry, timeline, "Timeline of ")
	w.addListOfEach(kindRegion, listSettlements, "List of settlements in ")
	w.addListOfEach(kindOrder, listGenera, "List of genera of ")
}

func (w *world) addList(parent, variety int, name string) {
	w.add(thing{kind: kindList, parent: parent, variety: variety, name: name, year: lastYear})
}

func (w *world) addListOfEach(k kind, variety int, prefix string) {
	for _, i := range w.ofKind[k] {
		w.addList(i, variety, prefix+w.things[i].name)
	}
}

// members are what list i lists.
func (w *world) members(i int) []int {
	t := &w.things[i]
	switch t.variety {
	case listCountries:
		return w.ofKind[kindCountry]
	case listRegions:
		return w.ofKind[kindRegion]
	case listRivers, listMountains, listLakes:
		return w.landforms(t.variety - listRivers)
	case listDistricts:
		return w.grandkids(t.parent, kindRegion, kindDistrict)
	case timeline:
		return w.eventsIn(t.parent)
	case listSettlements:
		return w.grandkids(t.parent, kindDistrict, kindSettlement)
	case listGenera:
		return w.grandkids(t.parent, kindFamily, kindGenus)
	}
	panic("demo: list of unknown variety")
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
