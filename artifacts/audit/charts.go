package audit

import (
	"fmt"
	"math"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/figure"
)

// DegreeChart draws how many pages have how many links, each bin up to the next power of two, both
// in powers. subtitle says of which graph.
func DegreeChart(title, links, subtitle string, d Degrees) []byte {
	var names []string
	var counts []float64
	for i, n := range d.Bins {
		names, counts = append(names, binLabel(i)), append(counts, float64(n))
	}
	f := figure.Figure{Title: title, Subtitle: subtitle, X: links, Y: "pages", LogY: true}
	return f.Bars(names, []figure.Bar{{Values: counts}})
}

// binLabel names the degrees of a bin.
func binLabel(i int) string {
	if i < 2 {
		return strconv.Itoa(i)
	}
	return fmt.Sprintf("%d–%d", 1<<(i-1), 1<<i-1)
}

// DistanceChart draws the share of pairs at each distance, with its interval.
func DistanceChart(subtitle string, d Distances) []byte {
	var names []string
	b := figure.Bar{}
	for i, s := range d.Shares {
		names = append(names, strconv.Itoa(i+1))
		b.Values = append(b.Values, 100*Real(s.Value))
		b.Low, b.High = append(b.Low, 100*Real(s.Low)), append(b.High, 100*Real(s.High))
	}
	if d.Exact {
		b.Low, b.High = nil, nil
	}
	f := figure.Figure{
		Title: "Pairs of pages by distance", Subtitle: subtitle,
		X: "links on a shortest path", Y: "% of the pairs",
	}
	return f.Bars(names, []figure.Bar{b})
}

// EccentricityChart draws how many sources have their farthest page at each distance.
func EccentricityChart(subtitle string, d Distances) []byte {
	var names []string
	b := figure.Bar{}
	for _, e := range d.Eccentricities {
		names, b.Values = append(names, strconv.Itoa(e.Links)), append(b.Values, float64(e.Sources))
	}
	f := figure.Figure{
		Title: "Pages by their eccentricity", Subtitle: subtitle,
		X: "links to the farthest page", Y: "sources",
	}
	return f.Bars(names, []figure.Bar{b})
}

// Real returns a number of a report, NaN where it has none.
func Real(decimal string) float64 {
	v, err := strconv.ParseFloat(decimal, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
