package demo

import "strings"

// The themes of topics; a kind of article draws most of its topics from one of them.
const (
	themeLand = iota
	themeCulture
	themeLife
	themeSociety
)

// topics are the general articles that everything may link to.
var topics = [...][]string{
	themeLand: strings.Fields(`Village Town City Country Region District River Mountain Lake Valley Forest Island Coast
		Climate Bridge Harbour Railway Road Agriculture Fishing Mining Quarry Glacier Map`),
	themeCulture: strings.Fields(`Novel Opera Painting Treatise Film Poetry Theatre Music Sculpture Architecture Museum
		Library Church Temple Castle Stadium Park School University Hospital Festival Legend Language Religion`),
	themeLife: append(strings.Fields(`Animal Plant Fungus Species Genus Evolution Ecology Seed Leaf Flower Feather Bone
		Insect Bird Fish Mammal Habitat Taxonomy Pollination Predation Photosynthesis Botany`), "Life cycle", "Food web"),
	themeSociety: append(strings.Fields(`Writer Composer Painter Scientist Politician Law Trade War Battle Siege Treaty
		Election Monarchy Republic Parliament Fire Tax Census Newspaper Medicine Astronomy Physics`), "Industrial revolution",
		"Human migration"),
}

// themes tell which topics the articles of a kind draw from.
var themes = [kinds]int{
	kindYear: themeSociety, kindDecade: themeSociety, kindCentury: themeSociety, kindEvent: themeSociety,
	kindBuilding: themeCulture, kindPerson: themeCulture, kindWork: themeCulture,
	kindKingdom: themeLife, kindClass: themeLife, kindOrder: themeLife, kindFamily: themeLife, kindGenus: themeLife,
	kindSpecies: themeLife,
}

func (w *world) theme(i int) int {
	if t := &w.things[i]; t.kind == kindTopic {
		return t.variety
	}
	return themes[w.things[i].kind]
}
