package aar

import (
	"strings"
	"testing"
)

// BenchmarkFacts reads a long text with a dozen facts: reading the facts of all pages is most
// of what the stage does.
func BenchmarkFacts(b *testing.B) {
	rows := "| Population total | 2,385 |\n| Area (km²) | 656.4 |\n| Elevation (m) | 893 |\n| Established date | 12 December 1718 |\n" +
		"| Country | [Funabia](/wiki/Funabia) |\n| Coordinates | 24°3′14″S 65°55′9″E |\n| Length (km) | 5 |\n| Opened | 1900 |"
	prose := strings.Repeat("It is a [city](/wiki/City) of 1,234 houses and 5 rivers, founded in 1718, as is known. ", 85)
	text := oneRow("settlement", rows, prose)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Facts(text, 2026)
	}
}
