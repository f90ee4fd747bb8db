package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bar is a series of bars: a value for each name.
type Bar struct {
	Name   string // in the legend, where there are several series
	Values []float64
	Low    []float64 // of intervals; nil for none
	High   []float64
}

// Bars draws a bar for each name and series, side by side.
func (f Figure) Bars(names []string, list []Bar) []byte {
	p := f.newPlot()
	drawn, top := bars{log: f.LogY}, 0.0
	var legend []entry
	for i, s := range list {
		for k, v := range s.Values {
			if k >= len(names) || !finite(v) || f.LogY && v <= 0 {
				continue
			}
			wide := 0.8 / float64(len(list))
			b := bar{float64(k) - 0.4 + wide*float64(i), wide, v, math.NaN(), math.NaN(), colourOf(i)}
			if k < len(s.Low) && k < len(s.High) && finite(s.Low[k], s.High[k]) {
				b.low, b.high = s.Low[k], s.High[k]
			}
			drawn.list, top = append(drawn.list, b), math.Max(top, math.Max(v, b.high))
		}
		legend = append(legend, entry{s.Name, i, "box"})
	}
	if drawn.list == nil {
		return f.empty()
	}
	if len(list) < 2 {
		legend = nil
	}
	p.Add(rules{}, drawn)
	f.placed(p, names)
	return f.render(p, legend, fmt.Sprintf("Bars of %s for %d values of %s.", f.Y, len(names), f.X))
}

// bars draws rectangles from 0, or on a logarithmic axis from its end.
type bars struct {
	list []bar
	log  bool
}

type bar struct {
	x, wide, y, low, high float64
	colour                color.Color
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, r := range b.list {
		base := 0.0
		if b.log {
			base = p.Y.Min
		}
		from, to := x(r.x), x(r.x+r.wide*0.94)
		fillBox(c, r.colour, from, to, y(base), y(r.y))
		if finite(r.low, r.high) {
			whisker(c, (from+to)/2, y(r.low), y(r.high), colour(ink))
		}
	}
}

func fillBox(c draw.Canvas, of color.Color, from, to, low, top vg.Length) {
	c.FillPolygon(of, []vg.Point{{X: from, Y: low}, {X: to, Y: low}, {X: to, Y: top}, {X: from, Y: top}})
}

// DataRange has the base of the bars in it.
func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), 0, 0
	if b.log {
		ymin = math.Inf(1)
	}
	for _, r := range b.list {
		xmin, xmax = math.Min(xmin, r.x), math.Max(xmax, r.x+r.wide)
		for _, v := range []float64{r.y, r.low, r.high} {
			if finite(v) {
				ymin, ymax = math.Min(ymin, v), math.Max(ymax, v)
			}
		}
	}
	if b.log {
		ymin = math.Pow(10, math.Floor(math.Log10(ymin)-1e-9))
		if ymin > 0.09 && ymin < 1 {
			ymin = 0.5 // counts: one stands out a little
		}
		ymax *= 1.3
	}
	return xmin, xmax, ymin, ymax
}

// whisker draws an interval with its ends.
func whisker(c draw.Canvas, x, low, high vg.Length, of color.Color) {
	s := draw.LineStyle{Color: of, Width: 1.2}
	c.StrokeLine2(s, x, low, x, high)
	for _, y := range []vg.Length{low, high} {
		c.StrokeLine2(s, x-3, y, x+3, y)
	}
}

// rules are lines behind the data at the ticks of the Y axis.
type rules struct{ vertical bool }

func (r rules) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	s, axis := draw.LineStyle{Color: colour(rule), Width: 0.8}, &p.Y
	if r.vertical {
		axis = &p.X
	}
	for _, t := range plainly(axis.Tick.Marker).Ticks(axis.Min, axis.Max) {
		switch {
		case t.Label == "" || t.Value < axis.Min || t.Value > axis.Max:
		case r.vertical:
			c.StrokeLine2(s, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
		default:
			c.StrokeLine2(s, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
		}
	}
}

// Series is numbers along X, with their intervals where Low and High are there.
type Series struct {
	Name      string // in the legend, "" for none
	X, Y      []float64
	Low, High []float64
	Line      bool // join the numbers
	Points    bool // mark them
	Band      bool // shade the intervals instead of drawing each
	Of        int  // the place of the colour and the form
}

// Lines draws series. Names are the places 0, 1, ... of the X axis; nil for an axis of numbers.
// Series with intervals at the same places stand a little apart.
func (f Figure) Lines(names []string, list []Series) []byte {
	p, any := f.newPlot(), false
	p.Add(rules{})
	var legend []entry
	step := f.apart(names, list)
	for i, s := range list {
		s = f.usable(s)
		if len(s.X) == 0 {
			continue
		}
		any = true
		if s.Points && !s.Band {
			for k := range s.X {
				s.X[k] += step * (float64(i) - float64(len(list)-1)/2)
			}
		}
		s.add(p)
		if s.Name != "" {
			legend = append(legend, entry{s.Name, s.Of, s.mark()})
		}
	}
	if !any {
		return f.empty()
	}
	if names != nil {
		f.placed(p, names)
	}
	return f.render(p, legend, fmt.Sprintf("%d series of %s against %s.", len(list), f.Y, f.X))
}

// apart returns how far series stand apart, so that their intervals do not cover each other.
func (f Figure) apart(names []string, list []Series) float64 {
	if names == nil || len(list) < 2 {
		return 0
	}
	return math.Min(0.12, 0.5/float64(len(list)))
}

func (s Series) mark() string {
	switch {
	case s.Band:
		return "band"
	case s.Points && !s.Line:
		return "point"
	case !s.Points:
		return "line"
	}
	return ""
}

// usable copies the series without what cannot be drawn.
func (f Figure) usable(s Series) Series {
	out := s
	out.X, out.Y, out.Low, out.High = nil, nil, nil, nil
	for i := range min(len(s.X), len(s.Y)) {
		if !finite(s.X[i], s.Y[i]) || f.LogX && s.X[i] <= 0 || f.LogY && s.Y[i] <= 0 {
			continue
		}
		low, high := s.Y[i], s.Y[i]
		if i < len(s.Low) && i < len(s.High) && finite(s.Low[i], s.High[i]) {
			low, high = s.Low[i], s.High[i]
		}
		out.X, out.Y = append(out.X, s.X[i]), append(out.Y, s.Y[i])
		out.Low, out.High = append(out.Low, low), append(out.High, high)
	}
	return out
}

func (s Series) xy(ys []float64) plotter.XYs {
	out := make(plotter.XYs, len(ys))
	for i := range ys {
		out[i] = plotter.XY{X: s.X[i], Y: ys[i]}
	}
	return out
}

// add draws band, line, intervals and points, in this order.
func (s Series) add(p *plot.Plot) {
	c := colourOf(s.Of)
	if s.Band {
		around := s.xy(s.High)
		for i := len(s.X) - 1; i >= 0; i-- {
			around = append(around, plotter.XY{X: s.X[i], Y: s.Low[i]})
		}
		if band, err := plotter.NewPolygon(around); err == nil {
			band.Color, band.Width = shade(c, 46), 0
			p.Add(band)
		}
	}
	if line, err := plotter.NewLine(s.xy(s.Y)); err == nil && s.Line {
		line.LineStyle = draw.LineStyle{Color: c, Width: 2, Dashes: dashes[s.Of%len(dashes)]}
		p.Add(line)
	}
	if !s.Band {
		p.Add(intervals{s, c})
	}
	if points, err := plotter.NewScatter(s.xy(s.Y)); err == nil && s.Points {
		points.GlyphStyle = draw.GlyphStyle{Color: c, Radius: 3.6, Shape: glyphs[s.Of%len(glyphs)]}
		p.Add(points)
	}
}

// intervals draws whiskers where a series has intervals.
type intervals struct {
	s      Series
	colour color.Color
}

func (v intervals) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i := range v.s.X {
		if v.s.Low[i] != v.s.High[i] {
			whisker(c, x(v.s.X[i]), y(v.s.Low[i]), y(v.s.High[i]), v.colour)
		}
	}
}

func (v intervals) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, _, _ = plotter.XYRange(v.s.xy(v.s.Y))
	_, _, ymin, _ = plotter.XYRange(v.s.xy(v.s.Low))
	_, _, _, ymax = plotter.XYRange(v.s.xy(v.s.High))
	return xmin, xmax, ymin, ymax
}

// Box is the five numbers of a group.
type Box struct {
	Name                           string
	N                              int
	Min, Lower, Median, Upper, Max float64
}

// Boxes draws a box for each group, with whiskers to its least and its largest value.
func (f Figure) Boxes(list []Box) []byte {
	p := f.newPlot()
	p.Add(rules{})
	var names []string
	any := false
	for i, g := range list {
		name := g.Name
		if g.N > 0 {
			name += fmt.Sprintf(" (%d)", g.N)
		}
		names = append(names, name)
		if !finite(g.Min, g.Lower, g.Median, g.Upper, g.Max) || f.LogY && g.Min <= 0 {
			continue
		}
		b, err := plotter.NewBoxPlot(boxWide(f, len(list)), float64(i), plotter.Values{g.Min, g.Max})
		if err != nil {
			continue
		}
		any = true
		b.Quartile1, b.Median, b.Quartile3, b.Outside = g.Lower, g.Median, g.Upper, nil
		b.Min, b.AdjLow, b.AdjHigh, b.Max = g.Min, g.Min, g.Max, g.Max
		c := colourOf(0)
		b.FillColor = shade(c, 60)
		b.BoxStyle, b.MedianStyle = draw.LineStyle{Color: c, Width: 1.4}, draw.LineStyle{Color: colour(ink), Width: 2}
		b.WhiskerStyle = draw.LineStyle{Color: c, Width: 1.2}
		p.Add(b)
	}
	if !any {
		return f.empty()
	}
	f.placed(p, names)
	return f.render(p, nil, fmt.Sprintf("Quartiles of %s for %d groups.", f.Y, len(list)))
}

func boxWide(f Figure, n int) vg.Length {
	w, _ := f.size()
	return vg.Length(math.Min(46, float64(w-80)/float64(max(1, n))*0.6))
}

// Difference is a number with its interval.
type Difference struct {
	Name             string
	Value, Low, High float64
}

// Differences draws numbers with their intervals below each other, around a line at 0.
func (f Figure) Differences(list []Difference) []byte {
	p := f.newPlot()
	var names []string
	s := forest{}
	for i := len(list) - 1; i >= 0; i-- { // the first stands on top
		names = append(names, cut(list[i].Name, 44))
		if d := list[i]; finite(d.Value, d.Low, d.High) {
			s = append(s, ranged{float64(len(names) - 1), d})
		}
	}
	if len(s) == 0 {
		return f.empty()
	}
	p.Add(rules{vertical: true}, s)
	f.height(len(list)).rowsOf(p, names)
	return f.height(len(list)).render(p, nil, fmt.Sprintf("%d differences with their intervals.", len(list)))
}

// rowsOf makes a place for each name on the Y axis.
func (f Figure) rowsOf(p *plot.Plot, list []string) {
	p.Y.Tick.Marker, p.Y.Tick.Length = names{list, 1}, 0
	p.Y.Min, p.Y.Max = -0.6, float64(len(list))-0.4
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
}

// forest is differences by their row.
type forest []ranged

type ranged struct {
	row float64
	Difference
}

func (s forest) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: colour(ink), Width: 1.2}, x(0), c.Min.Y, x(0), c.Max.Y)
	for _, d := range s {
		of := colourOf(0)
		if d.Low <= 0 && d.High >= 0 {
			of = colour(faint)
		}
		at := y(d.row)
		c.StrokeLine2(draw.LineStyle{Color: of, Width: 2}, x(d.Low), at, x(d.High), at)
		for _, end := range []float64{d.Low, d.High} {
			c.StrokeLine2(draw.LineStyle{Color: of, Width: 1.4}, x(end), at-4, x(end), at+4)
		}
		c.DrawGlyph(draw.GlyphStyle{Color: of, Radius: 4, Shape: draw.CircleGlyph{}}, vg.Point{X: x(d.Value), Y: at})
	}
}

func (s forest) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, d := range s {
		xmin, xmax = math.Min(xmin, d.Low), math.Max(xmax, d.High)
		ymin, ymax = math.Min(ymin, d.row), math.Max(ymax, d.row)
	}
	if pad := 0.04 * (xmax - xmin); pad > 0 {
		xmin, xmax = xmin-pad, xmax+pad
	}
	return xmin, xmax, ymin, ymax
}

// Heat draws a cell for each row and column: the larger its number, the darker. NaN is an empty
// one.
func (f Figure) Heat(rows, columns []string, cells [][]float64) []byte {
	h := heat{cells: cells, least: math.Inf(1), most: math.Inf(-1), small: f.Small || len(columns) > 12}
	for _, row := range cells {
		for _, v := range row {
			if finite(v) {
				h.least, h.most = math.Min(h.least, v), math.Max(h.most, v)
			}
		}
	}
	if !finite(h.least, h.most) {
		return f.empty()
	}
	if f.Bounds[0] != f.Bounds[1] {
		h.least, h.most = f.Bounds[0], f.Bounds[1]
		f.Bounds = [2]float64{}
	}
	tall := f.height(len(rows))
	p := tall.newPlot()
	p.Add(h)
	tall.placed(p, columns)
	var down []string
	for i := len(rows) - 1; i >= 0; i-- {
		down = append(down, cut(rows[i], 36))
	}
	tall.rowsOf(p, down)
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows))-0.5
	p.X.LineStyle.Width, p.X.Padding, p.Y.Padding = 0, 2, 2
	return tall.render(p, nil, fmt.Sprintf("%d by %d numbers as shades.", len(rows), len(columns)))
}

type heat struct {
	cells       [][]float64
	least, most float64
	small       bool
}

func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	label := p.X.Tick.Label
	styled(&label, 10, ink)
	label.Rotation, label.XAlign, label.YAlign = 0, draw.XCenter, draw.YCenter
	for i, row := range h.cells {
		at := float64(len(h.cells) - 1 - i)
		for k, v := range row {
			if !finite(v) {
				continue
			}
			share := 1.0
			if h.most > h.least {
				share = math.Min(1, math.Max(0, (v-h.least)/(h.most-h.least)))
			}
			from, to, low, top := x(float64(k)-0.48), x(float64(k)+0.48), y(at-0.46), y(at+0.46)
			darkness := uint8(16 + 110*share) // ink stays readable on it
			fillBox(c, shade(colourOf(0), darkness), from, to, low, top)
			if !h.small {
				c.FillText(label, vg.Point{X: (from + to) / 2, Y: (low + top) / 2}, fmt.Sprintf("%.2g", v))
			}
		}
	}
}

func (h heat) DataRange() (xmin, xmax, ymin, ymax float64) {
	columns := 0
	for _, row := range h.cells {
		columns = max(columns, len(row))
	}
	return -0.5, float64(columns) - 0.5, -0.5, float64(len(h.cells)) - 0.5
}
