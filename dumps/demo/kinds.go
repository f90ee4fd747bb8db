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
