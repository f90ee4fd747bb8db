package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/wikinav/wikinav/eval/judge"
)

// Size of a chart, and of the frame inside it, in pixels.
const (
	chartWidth, chartHeight = 640, 420
	left, right, top        = 64, 616, 56
	bottom                  = 312
)

// colours are those of Okabe and Ito, which people who see colours differently can tell apart.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

type svg struct{ bytes.Buffer }

// Chart draws success rates with their 95 % intervals: a group an interval on the x axis, a line a
// run. names are those of the runs. The text is a whole SVG file; it depends on its arguments
// alone.
func Chart(c Curve, title string, names []string) []byte {
	d := &svg{}
	d.line(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`,
		chartWidth, chartHeight, chartWidth, chartHeight)
	d.line(`<rect width="%d" height="%d" fill="#ffffff"/>`, chartWidth, chartHeight)
	d.text(left, 24, "start", 15, title)
	d.axes(c)
	for i, name := range names {
		d.series(c, i, len(names))
		d.legend(i, name)
	}
	d.line(`</svg>`)
	return d.Bytes()
}

func (d *svg) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *svg) text(x, y float64, anchor string, size int, s string) {
	fmt.Fprintf(d, `<text x="%s" y="%s" text-anchor="%s" font-size="%d">`, px(x), px(y), anchor, size)
	_ = xml.EscapeText(d, []byte(s)) // to memory
	d.line(`</text>`)
}

// px writes a coordinate with one digit after the point.
func px(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

func xOf(i, n int) float64 { return left + (right-left)*(float64(i)+0.5)/float64(n) }

func yOf(share float64) float64 { return bottom - (bottom-top)*share }

func (d *svg) axes(c Curve) {
	for tick := range 6 {
		share := float64(tick) / 5
		y := yOf(share)
		d.line(`<line x1="%d" y1="%s" x2="%d" y2="%s" stroke="#dddddd"/>`, left, px(y), right, px(y))
		d.text(left-8, y+4, "end", 12, strconv.FormatFloat(share, 'f', 1, 64))
	}
	d.line(`<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#333333"/>`, left, bottom, right, bottom)
	every := c.labelEvery()
	for i, g := range c.Groups {
		for k, part := range g.label() {
			if i%every == 0 {
				d.text(xOf(i, len(c.Groups)), bottom+16+14*float64(k), "middle", 11, shorten(part, longestLabel))
			}
		}
	}
	d.text((left+right)/2, bottom+50, "middle", 12, c.Name)
	fmt.Fprintf(d, `<g transform="rotate(-90 16 %d)">`, (top+bottom)/2)
	d.text(16, (top+bottom)/2, "middle", 12, "success rate")
	d.line(`</g>`)
}

// longestLabel is the characters that a label may have, and labelChar the pixels of one with what
// is around it.
const longestLabel, labelChar = 14, 7

// labelEvery returns how many groups share a label, so that none runs into the next.
func (c Curve) labelEvery() int {
	longest := 1
	for _, g := range c.Groups {
		for _, part := range g.label() {
			longest = max(longest, min(longestLabel, utf8.RuneCountInString(part)))
		}
	}
	return 1 + ((longest+1)*labelChar*len(c.Groups)-1)/(right-left)
}

// series draws run i of n: whiskers, a line through the rates, and a point each. Runs stand side by
// side, so that whiskers do not cover each other.
func (d *svg) series(c Curve, i, n int) {
	colour, shift := colours[i%len(colours)], (float64(i)-float64(n-1)/2)*8
	points := ""
	for k, g := range c.Groups {
		m := g.Success[i]
		if m.Value == nil {
			continue
		}
		x, y := xOf(k, len(c.Groups))+shift, yOf(judge.Number(*m.Value))
		d.line(`<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s"/>`, px(x), px(yOf(judge.Number(*m.Lo))), px(x), px(yOf(judge.Number(*m.Hi))), colour)
		d.line(`<circle cx="%s" cy="%s" r="3.5" fill="%s"/>`, px(x), px(y), colour)
		points += px(x) + "," + px(y) + " "
	}
	if points != "" {
		d.line(`<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`, points[:len(points)-1], colour)
	}
}

// legend names run i, three to a row.
func (d *svg) legend(i int, name string) {
	x, y := float64(left+i%3*184), float64(bottom+76+i/3*16)
	d.line(`<rect x="%s" y="%s" width="10" height="10" fill="%s"/>`, px(x), px(y-9), colours[i%len(colours)])
	d.text(x+16, y, "start", 12, shorten(name, 24))
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
