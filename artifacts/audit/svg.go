package audit

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

type Bar struct {
	Label string
	Value float64
}

// Chart sizes, in pixels.
const (
	chartWidth  = 640
	chartHeight = 320
	chartMargin = 48
)

// Bars draws a bar chart as SVG. Equal bars give equal bytes: the picture holds no clock and no random id.
func Bars(title, axis string, bars []Bar) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		chartWidth, chartHeight, chartWidth, chartHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, `<text x="%d" y="24" text-anchor="middle" font-size="15">%s</text>`+"\n", chartWidth/2, html.EscapeString(title))
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", chartWidth/2, chartHeight-6, html.EscapeString(axis))
	top := 0.0
	for _, bar := range bars {
		top = math.Max(top, bar.Value)
	}
	slot := float64(chartWidth-2*chartMargin) / float64(max(1, len(bars)))
	for i, bar := range bars {
		drawBar(&b, bar, chartMargin+float64(i)*slot, slot, top)
	}
	fmt.Fprintf(&b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="black"/>`+"\n</svg>\n",
		chartMargin, chartHeight-chartMargin, chartWidth-chartMargin, chartHeight-chartMargin)
	return b.String()
}

func drawBar(b *strings.Builder, bar Bar, x, slot, top float64) {
	room := float64(chartHeight - 2*chartMargin)
	height := 0.0
	if top > 0 {
		height = room * bar.Value / top
	}
	base := float64(chartHeight - chartMargin)
	middle := x + slot/2
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#4477aa"/>`+"\n", x+slot*0.1, base-height, slot*0.8, height)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", middle, base+16, html.EscapeString(bar.Label))
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="10">%s</text>`+"\n", middle, base-height-4, valueLabel(bar.Value))
}

func valueLabel(v float64) string {
	if v == math.Trunc(v) && v < 1e9 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func DegreeChart(title string, d Degrees) string {
	var bars []Bar
	for i, n := range d.Bins {
		bars = append(bars, Bar{binLabel(i), float64(n)})
	}
	return Bars(title, "links: each bar from its number up to the next", bars)
}

// binLabel names the smallest degree of a bin.
func binLabel(i int) string {
	if i == 0 {
		return "0"
	}
	return strconv.Itoa(1 << (i - 1))
}

func DistanceChart(d Distances) string {
	var bars []Bar
	for i, s := range d.Shares {
		v, err := strconv.ParseFloat(s.Value, 64)
		if err != nil {
			panic(err) // we wrote it
		}
		bars = append(bars, Bar{strconv.Itoa(i + 1), 100 * v})
	}
	return Bars("pairs by distance, in per cent", "distance", bars)
}
