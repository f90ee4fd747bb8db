// Package figure draws plots of plain numbers as SVG: bars, lines and points with their intervals,
// boxes, differences, tables of shades. It is the one place that knows the library that plots.
//
// It promises that
//   - equal numbers give equal bytes: no clock, no random id;
//   - a figure says what it is of: title and subtitle stand in it, and in words for who does not
//     see it;
//   - it follows the colours of the page, light and dark, and brings its own as a file; series
//     differ by form and not by colour alone, in colours that people who see colours differently
//     can tell apart;
//   - texts of strangers do nothing but show;
//   - what is not a finite number is left out, and a figure without numbers says that it has none.
//
// It computes nothing: intervals, fits and quartiles are its caller's. The library brings 7 MB of
// fonts, so that producers alone link the package.
package figure

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/wikinav/wikinav/artifacts/webpage"
)

// Figure is what all plots have. Its methods draw them.
type Figure struct {
	Title    string
	Subtitle string // what it is of: the wiki and the recipe, or the release and the rules
	X, Y     string // what the axes measure
	LogX     bool   // axes whose ticks are powers of ten; what is not above 0 is left out
	LogY     bool
	Bounds   [2]float64 // of Y; where they are equal, those of the numbers
	Small    bool       // one of several that stand side by side

	rows int // below each other, which decide the height; 0 for the usual one
}

// Sizes in pixels.
const (
	wide, high           = 680, 340 // of the plot
	smallWide, smallHigh = 320, 210
	margin               = 10
	titleHigh            = 24 // of the line of the title
	lineHigh             = 18 // of a line of the subtitle or the legend
)

func (f Figure) size() (w, h int) {
	w, h = wide, high
	if f.Small {
		w, h = smallWide, smallHigh
	}
	if f.rows > 0 {
		h = 64 + 24*f.rows
	}
	return w, h
}

// height returns the figure with so many rows below each other.
func (f Figure) height(rows int) Figure {
	f.rows = rows
	return f
}

// colours are those of a page, and a name for each in its style sheet. A figure is drawn in the
// light ones, which are then made to follow the page.
var colours = []struct{ name, light, dark string }{
	{"ink", "#1b1f24", "#e6edf3"},
	{"faint", "#57606a", "#a9b4c0"},
	{"rule", "#d5dae0", "#343c46"},
	{"paper", "#ffffff", "#0f1318"},
	{"c1", "#0067b1", "#6cb6ff"},
	{"c2", "#c14a00", "#ff9b5e"},
	{"c3", "#00785a", "#4fd3a5"},
	{"c4", "#a2407f", "#f09bce"},
	{"c5", "#8a6100", "#e8bd4a"},
	{"c6", "#2f6f9f", "#8fd0f5"},
	{"c7", "#5d4db3", "#b7aaf8"},
	{"c8", "#3d434b", "#c5ccd4"},
}

// Places in colours.
const (
	ink = iota
	faint
	rule
	paper
	series // the first of those of series
)

func colour(i int) color.Color {
	c := parse(colours[i].light)
	return color.NRGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255}
}

// shade is a colour through which the paper shows.
func shade(of color.Color, alpha uint8) color.Color {
	c := color.NRGBAModel.Convert(of).(color.NRGBA)
	c.A = alpha
	return c
}

// colourOf returns the colour of the i-th series.
func colourOf(i int) color.Color { return colour(series + i%(len(colours)-series)) }

// glyphs and dashes tell series apart where colours do not.
var (
	glyphs = []draw.GlyphDrawer{
		draw.CircleGlyph{},
		draw.BoxGlyph{},
		draw.PyramidGlyph{},
		draw.RingGlyph{},
		draw.SquareGlyph{},
		draw.TriangleGlyph{},
		draw.PlusGlyph{},
		draw.CrossGlyph{},
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}
	// shapes are the glyphs in the legend, around 0,0; the first three are filled.
	shapes = []string{
		"M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z", "M-3-3h6v6h-6z", "M0-4L3.6 2.6h-7.2z",
		"M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z", "M-3-3h6v6h-6z", "M0-4L3.6 2.6h-7.2z",
		"M-3.5 0h7M0-3.5v7", "M-3-3l6 6M-3 3l6-6",
	}
)

// style is the sheet of a figure. Its colours have names of their own, so that no page changes
// them by chance.
var style = func() string {
	light, dark := "", ""
	for _, c := range colours {
		light += "--fig-" + c.name + ":" + c.light + ";"
		dark += "--fig-" + c.name + ":" + c.dark + ";"
	}
	return ".fig{" + light + `font-family:"Liberation Sans",Arimo,Arial,Helvetica,sans-serif;display:block}` +
		"@media(prefers-color-scheme:dark){.fig{" + dark + "}}"
}()

// newPlot returns an empty plot with axes.
func (f Figure) newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Label.Text, p.Y.Label.Text = webpage.Plain(f.X), webpage.Plain(f.Y)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Tick.Color, a.Width, a.Tick.Width = colour(faint), colour(faint), 1, 1
		styled(&a.Label.TextStyle, 12, faint)
		styled(&a.Tick.Label, 11, ink)
		a.Label.Padding, a.Padding = 4, 6
	}
	if f.Small {
		p.X.Label.TextStyle.Font.Size, p.Y.Label.TextStyle.Font.Size = 11, 11
		p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 10, 10
	}
	if f.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, powers{}
	}
	if f.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, powers{}
	}
	return p
}

func styled(s *text.Style, size vg.Length, of int) {
	s.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	s.Color = colour(of)
}

// powers are the ticks of a logarithmic axis: powers of ten, and between few of them 2 and 5.
type powers struct{}

func (powers) Ticks(least, most float64) (list []plot.Tick) {
	if least <= 0 || most < least {
		return nil
	}
	low, top := math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
	every := math.Max(1, math.Ceil((top-low)/7))
	for e := low; e <= top; e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v < least*0.999 || v > most*1.001 {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 && math.Mod(e-low, every) == 0 || m != 1 && top-low <= 2 {
				t.Label = number(v)
			}
			list = append(list, t)
		}
	}
	return list
}

// number writes a value of an axis: large ones with k and M.
func number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e9:
		return trimmed(v/1e9) + "G"
	case a >= 1e6:
		return trimmed(v/1e6) + "M"
	case a >= 1e4:
		return trimmed(v/1e3) + "k"
	}
	return trimmed(v)
}

func trimmed(v float64) string {
	return strings.NewReplacer("e-0", "e-", "e+0", "e").Replace(fmt.Sprintf("%.4g", v))
}

// decimals are the ticks of a plain axis.
type decimals struct{}

func (decimals) Ticks(least, most float64) (list []plot.Tick) {
	if !finite(least, most) || most <= least {
		return plot.DefaultTicks{}.Ticks(least, most)
	}
	step := math.Pow(10, math.Floor(math.Log10((most-least)/3)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if (most-least)/(step*m) <= 6 {
			step *= m
			break
		}
	}
	for k := int64(math.Ceil(least/step - 1e-9)); float64(k)*step <= most+step*1e-9; k++ {
		list = append(list, plot.Tick{Value: float64(k) * step, Label: number(float64(k) * step)})
	}
	return list
}

// names are the ticks of an axis with a place for each name.
type names struct {
	list  []string
	every int
}

func (n names) Ticks(_, _ float64) (list []plot.Tick) {
	for i, name := range n.list {
		t := plot.Tick{Value: float64(i)}
		if i%n.every == 0 {
			t.Label = name
		}
		list = append(list, t)
	}
	return list
}

// longest is the runes that the name of a place or a series may have.
const longest = 26

func cut(name string, most int) string {
	name = webpage.Plain(name)
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}

// placed makes a place for each name on the X axis. Names that do not fit side by side are slanted,
// and where that is not enough every second, third, ... stands.
func (f Figure) placed(p *plot.Plot, list []string) {
	w, _ := f.size()
	room, widest := float64(w-70)/float64(max(1, len(list))), 0.0
	ticks := names{make([]string, len(list)), 1}
	for i, name := range list {
		ticks.list[i] = cut(name, longest)
		widest = math.Max(widest, 6.2*float64(len([]rune(ticks.list[i])))+8)
	}
	if widest > room {
		p.X.Tick.Label.Rotation = math.Pi / 5
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YTop
		ticks.every = max(1, int(math.Ceil(16/room)))
	}
	p.X.Tick.Marker, p.X.Tick.Length, p.X.Scale = ticks, 3, plot.LinearScale{}
	p.X.Min, p.X.Max = -0.5, float64(len(list))-0.5
}

// entry is a line of the legend.
type entry struct {
	name  string
	place int // of its colour among series
	mark  string
}

// render draws a plot below its title and legend.
func (f Figure) render(p *plot.Plot, legend []entry, says string) []byte {
	w, h := f.size()
	p.Y.Tick.Marker, p.X.Tick.Marker = plainly(p.Y.Tick.Marker), plainly(p.X.Tick.Marker)
	if f.Bounds[0] != f.Bounds[1] {
		p.Y.Min, p.Y.Max = f.Bounds[0], f.Bounds[1]
	}
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		if _, log := a.Scale.(plot.LogScale); log && a.Min == a.Max { // the library would take 1 off
			a.Min, a.Max = a.Min/2, a.Max*2
		}
	}
	canvas := vgsvg.New(vg.Length(w), vg.Length(h))
	c := draw.New(canvas)
	c.SetLineWidth(1)
	p.Draw(draw.Crop(c, 2, -12, 2, -8))
	var body strings.Builder
	_, _ = canvas.WriteTo(&body) // to memory
	return f.frame(drawing(body.String()), legend, says)
}

// plainly returns a ticker whose numbers are written as ours.
func plainly(t plot.Ticker) plot.Ticker {
	if _, ok := t.(plot.DefaultTicks); ok {
		return decimals{}
	}
	return t
}

// drawing is what the library wrote, without its frame.
func drawing(svg string) string {
	from, to := strings.Index(svg, "<g "), strings.LastIndex(svg, "</svg>")
	body := svg[from:to]
	body = fonts.ReplaceAllString(body, "")
	body = strings.NewReplacer("\n\tstyle=", " style=", "\t", "", ";fill-opacity:1", "", `style=""`, "").Replace(body)
	return following.ReplaceAllStringFunc(body, func(hex string) string {
		name, light, _ := strings.Cut(hex, ":")
		return property(name, nearest(light))
	})
}

// nearest returns the colour of ours that another is: what is translucent was rounded.
func nearest(hex string) (best int) {
	least, of := math.MaxInt, parse(hex)
	for i, c := range colours {
		mine, far := parse(c.light), 0
		for k := range mine {
			far += (mine[k] - of[k]) * (mine[k] - of[k])
		}
		if far < least {
			best, least = i, far
		}
	}
	return best
}

func parse(hex string) (rgb [3]int) {
	_, _ = fmt.Sscanf(hex, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]) // ours
	return rgb
}

var (
	fonts     = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;font-weight:[^;"]*;font-style:[^;"]*;?`)
	following = regexp.MustCompile(`(fill|stroke):#[0-9A-Fa-f]{6}`)
)

// frame writes the file: title, subtitle, legend, and the drawing below.
func (f Figure) frame(body string, legend []entry, says string) []byte {
	w, h := f.size()
	var head strings.Builder
	y := margin + 12
	line := func(style, words string) {
		fmt.Fprintf(&head, `<text x="%d" y="%d" style="%s">%s</text>`+"\n", margin, y, style, escape(words))
	}
	size, room := 14.0, float64(w-2*margin)
	if f.Small {
		size = 12
	}
	for _, words := range wrapped(webpage.Plain(f.Title), room/(size*0.53)) {
		line(fmt.Sprintf("font-size:%gpx;font-weight:bold;%s", size, fill(ink)), words)
		y += lineHigh
	}
	for _, words := range wrapped(webpage.Plain(f.Subtitle), room/5.6) {
		line("font-size:11px;"+fill(faint), words)
		y += lineHigh - 3
	}
	y += 4
	x := margin
	for i, e := range legend {
		name := cut(e.name, 40)
		width := 22 + int(6.4*float64(len([]rune(name)))) + 14
		if x+width > w && x > margin {
			x, y = margin, y+lineHigh
		}
		key(&head, e, x, y)
		fmt.Fprintf(&head, `<text x="%d" y="%d" style="font-size:12px;%s">%s</text>`+"\n",
			x+22, y, fill(ink), escape(name))
		if x += width; i == len(legend)-1 {
			y += lineHigh
		}
	}
	top := y - 8
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img"`)
	fmt.Fprintf(&b, ` width="%d" height="%d" viewBox="0 0 %[1]d %[2]d">`, w, h+top)
	fmt.Fprintf(&b, "<title>%s</title><desc>%s</desc>\n<style>%s</style>\n",
		escape(f.Title), escape(strings.TrimSpace(f.Subtitle+". "+says)), style)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" style="%s"/>`+"\n", w, h+top, fill(paper))
	fmt.Fprintf(&b, "%s<g transform=\"translate(0,%d)\">\n%s</g>\n</svg>\n", head.String(), top, body)
	return []byte(b.String())
}

// fill is a colour that follows the page, and the light one for programs that know no variables.
func fill(i int) string { return property("fill", i) }

func property(name string, i int) string {
	c := colours[i]
	return name + ":" + c.light + ";" + name + ":var(--fig-" + c.name + ")"
}

// key draws what a line of the legend is about.
func key(b *strings.Builder, e entry, x, y int) {
	at := series + e.place%(len(colours)-series)
	switch e.mark {
	case "box":
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="14" height="10" style="%s"/>`, x, y-9, fill(at))
		return
	case "band":
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="16" height="10" style="%s;fill-opacity:.2"/>`, x, y-9, fill(at))
	}
	if e.mark != "point" {
		var lengths []string
		for _, d := range dashes[e.place%len(dashes)] {
			lengths = append(lengths, fmt.Sprint(float64(d)))
		}
		fmt.Fprintf(b, `<path d="M%d %dh16" style="fill:none;stroke-width:2;stroke-dasharray:%s;%s"/>`, x, y-4,
			strings.Join(append(lengths, []string{"none"}[min(len(lengths), 1):]...), ","), property("stroke", at))
	}
	if e.mark == "point" || e.mark == "" {
		k, inside := e.place%len(shapes), "fill:none"
		if k < 3 {
			inside = fill(at)
		}
		fmt.Fprintf(b, `<path transform="translate(%d,%d)" d="%s" style="%s;%s"/>`,
			x+8, y-4, shapes[k], inside, property("stroke", at))
	}
}

// wrapped breaks a text into lines of about so many characters.
func wrapped(words string, room float64) (lines []string) {
	for _, word := range strings.Fields(words) {
		last := len(lines) - 1
		if last >= 0 && float64(len([]rune(lines[last]))+1+len([]rune(word))) <= room {
			lines[last] += " " + word
		} else {
			lines = append(lines, cut(word, max(2, int(room))))
		}
	}
	return lines
}

func escape(words string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(webpage.Plain(words))
}

// finite reports whether all numbers are.
func finite(list ...float64) bool {
	return !slices.ContainsFunc(list, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// empty says that there is nothing to draw.
func (f Figure) empty() []byte {
	f = f.height(1)
	w, h := f.size()
	const line = `<text x="%d" y="%d" text-anchor="middle" style="font-size:12px;%s">no numbers</text>` + "\n"
	return f.frame(fmt.Sprintf(line, w/2, h/2, fill(faint)), nil, "It has no numbers.")
}
