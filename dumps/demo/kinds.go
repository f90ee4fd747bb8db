package demo

// kind is what an article is about.
type kind int

const (
	kindCentury kind = iota
	kindDecade
	kindYear
	kindTopic
	kindCountry
	kindRegion
	kindDistrict
	kindSettlement
	kindBuilding
	kindLandform
	kindPerson
	kindWork
	kindEvent
	kindKingdom
	kindClass
	kindOrder
	kindFamily
	kindGenus
	kindSpecies
	kindList
	kinds
)

// nouns are the varieties of a kind: the noun that its lead, its qualifier in a title and its category use.
var nouns = [kinds][]string{
	kindCentury:    {"century"},
	kindDecade:     {"decade"},
	kindYear:       {"year"},
	kindTopic:      {"topic"},
	kindCountry:    {"country"},
	kindRegion:     {"region"},
	kindDistrict:   {"district"},
	kindSettlement: {"village", "village", "village", "village", "town", "city"},
	kindBuilding:   {"church", "museum", "library", "castle", "stadium", "school", "hospital", "park", "temple", "university"},
	kindLandform:   {"river", "mountain", "lake"},
	kindPerson:     {"writer", "composer", "painter", "scientist", "politician"},
	kindWork:       {"novel", "opera", "painting", "treatise", "film"},
	kindEvent:      {"battle", "treaty", "siege", "election", "fire"},
	kindKingdom:    {"kingdom"},
	kindClass:      {"class"},
	kindOrder:      {"order"},
	kindFamily:     {"family"},
	kindGenus:      {"genus"},
	kindSpecies:    {"species"},
	kindList:       {"list"},
}

// unlimited stands in shown for all of them.
const unlimited = 1 << 30

// shown is how many pages of a kind their parent's article names. The rest hang below those that are named
// (world.below), so that a large family makes the world deeper and not only wider.
var shown = [kinds]int{
	kindDecade: unlimited, kindYear: unlimited, kindList: unlimited, kindRegion: unlimited, kindDistrict: unlimited,
	kindSettlement: 5, kindBuilding: 4, kindLandform: 4, kindPerson: 3, kindWork: 1,
	kindEvent: 4, kindClass: unlimited, kindOrder: unlimited, kindFamily: unlimited, kindGenus: 6, kindSpecies: 5,
}

// mayBeLost are the kinds of which a few pages are orphans (nothing links there) or dead ends (they link nowhere):
// both lie outside the largest strongly connected component.
var mayBeLost = [kinds]bool{kindSettlement: true, kindBuilding: true, kindPerson: true, kindWork: true, kindSpecies: true}
