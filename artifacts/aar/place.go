package aar

import (
	"math/big"
	"regexp"
	"slices"
)

// Place is what the text of a page says of its place on earth. Lat and Lng are millionths of a
// degree, and 0 unless Located; numbers are as the page shows them, without commas.
type Place struct {
	Located             bool
	Lat, Lng            int64
	Elevation           string // in metres; "" where the page does not state it
	Kind                string // of the table places, "" for none
	Country, Settlement bool
	Population, Area    string // of a country
}

// placeTable is the table places.
type placeTable struct {
	RadiusKM int `json:"radius_km"`
	Kinds    []struct {
		Kind         string
		Infobox      []string
		BuildingType []string `json:"building_type"`
	}
	BuildingTypeInfobox     []string `json:"building_type_infobox"`
	BuildingTypeParams      []string `json:"building_type_params"`
	SettlementInfobox       []string `json:"settlement_infobox"`
	CountryInfobox          []string `json:"country_infobox"`
	CountryPopulationParams []string `json:"country_population_params"`
	CountryAreaParams       []string `json:"country_area_params"`
}

var placeKinds = lazily[placeTable]("places")

// PlaceOf reads the place of a page from its text and facts; ok is false for one that is
// neither located nor a country.
func PlaceOf(text string, facts []Fact) (p Place, ok bool) {
	for _, f := range facts {
		switch {
		case f.Kind == "coordinates":
			p.Lat, p.Lng, p.Located = readCoordinates(f.Value)
		case f.Kind == "elevation" && f.Unit == "m":
			p.Elevation = f.Value
		}
	}
	b := readInfobox(text)
	name := foldName(b.name)
	p.Country = name != "" && slices.Contains(placeKinds().CountryInfobox, name)
	p.Settlement = name != "" && slices.Contains(placeKinds().SettlementInfobox, name)
	p.Kind = b.placeKind(name)
	if p.Country {
		p.Population = b.number(placeKinds().CountryPopulationParams)
		p.Area = b.number(placeKinds().CountryAreaParams)
	}
	return p, p.Located || p.Country
}

// placeKind returns the first kind of places that applies: by the infobox, or by the type of a
// building.
func (b *infobox) placeKind(name string) string {
	building := ""
	for _, param := range placeKinds().BuildingTypeParams {
		if cell, ok := b.value(param); ok && slices.Contains(placeKinds().BuildingTypeInfobox, name) {
			building = foldName(cell)
			break
		}
	}
	for _, k := range placeKinds().Kinds {
		if slices.Contains(k.Infobox, name) || building != "" && slices.Contains(k.BuildingType, building) {
			return k.Kind
		}
	}
	return ""
}

// number returns the number in the first of the rows that can be read, by the rules for cells
// alone.
func (b *infobox) number(params []string) string {
	for _, name := range params {
		label, _ := factKinds().label(name)
		for _, r := range b.rows {
			for _, p := range factKinds().rows[r.label] {
				if r.label != label || p.Type != "number" {
					continue
				}
				if f := p.read(r, 0); f.ok {
					return f.Value
				}
			}
		}
	}
	return ""
}

// A degree, minutes and seconds, and a letter; each number may have decimals.
const angle = `(\d+(?:\.\d+)?)°(?:(\d+(?:\.\d+)?)′)?(?:(\d+(?:\.\d+)?)″)?`

var coordinates = regexp.MustCompile(`^` + angle + `([NS]) ` + angle + `([EW])$`)

// readCoordinates reads a cell of coordinates as millionths of a degree.
func readCoordinates(cell string) (lat, lng int64, ok bool) {
	m := coordinates.FindStringSubmatch(cell)
	if m == nil {
		return 0, 0, false
	}
	lat, lng = millionths(m[1:4], m[4] == "S"), millionths(m[5:8], m[8] == "W")
	const right = 90_000_000
	return lat, lng, max(lat, -lat) <= right && max(lng, -lng) <= 2*right
}

// millionths adds up degrees, minutes and seconds exactly, and rounds half away from zero.
func millionths(parts []string, negative bool) int64 {
	sum, unit := new(big.Rat), big.NewRat(1_000_000, 1)
	for _, part := range parts {
		if n, ok := new(big.Rat).SetString(part); ok {
			sum.Add(sum, n.Mul(n, unit))
		}
		unit.Quo(unit, big.NewRat(60, 1))
	}
	sum.Add(sum, big.NewRat(1, 2))
	n := new(big.Int).Quo(sum.Num(), sum.Denom()).Int64()
	if negative {
		return -n
	}
	return n
}
