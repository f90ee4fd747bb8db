package dag

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Style is the colours of drawings, light and dark, for the page that shows them inline.
const Style = `.dag{--i:#1b1f24;--q:#59636e;--b:#fff;--f:#f3f5f8;--s:#8791a0;--p:#0b5cad;--n:#9c1f78;--r:#b3261e;` +
	`--g:#dcf3e2;--gs:#1c7434;--t:#fdeeb5;--ts:#8a6100;--k:#fbdcd9;--v:#d9e8fb;color:var(--i);` +
	`font:12px system-ui,"Noto Sans","DejaVu Sans",sans-serif;display:block}` +
	`.dag rect{fill:var(--f);stroke:var(--s)}.dag text{fill:var(--i);unicode-bidi:plaintext;text-anchor:middle}` +
	`.dag .q{fill:var(--q);font-size:11px}.dag .h{text-anchor:start;font-weight:600}.dag .l{text-anchor:start}` +
	`.dag path{fill:none;stroke:var(--s);stroke-width:1.2}.dag .e{fill:var(--q);font-size:11px;` +
	`paint-order:stroke;stroke:var(--b);stroke-width:4px}` +
	`.dag .told rect{fill:var(--v)}.dag .dropped rect{stroke-dasharray:5 3}` +
	`.dag .dropped text{fill:var(--q);text-decoration:line-through}` +
	`.dag .start rect{fill:var(--g);stroke:var(--gs)}.dag .goal rect{fill:var(--t);stroke:var(--ts)}` +
	`.dag .path rect{stroke:var(--p);stroke-width:2}.dag path.path{stroke:var(--p);stroke-width:2.4}` +
	`.dag .bottleneck rect{stroke:var(--n);stroke-width:3}.dag path.bottleneck{stroke:var(--n);stroke-width:3.2}` +
	`.dag .dominator rect{stroke:var(--n);stroke-width:4;stroke-dasharray:10 3}` +
	`.dag .wide rect{stroke-dasharray:3 2}.dag path.hidden{stroke:var(--r);stroke-dasharray:5 4}` +
	`.dag .hidden rect{stroke:var(--r);stroke-dasharray:5 4}` +
	`.dag .banned rect,.dag .hazard rect{fill:var(--k);stroke:var(--r)}` +
	`.dag .used rect{fill:var(--v)}.dag .asked rect,.dag path.asked{stroke:var(--n);stroke-width:3}` +
	`.dag path.imputed{stroke-dasharray:2 4}` +
	`.dag .more rect{fill:none;stroke-dasharray:2 3}.dag .more text{fill:var(--q)}` +
	`.dag path.more{stroke-dasharray:1 4;opacity:.7}` +
	`@media(prefers-color-scheme:dark){.dag{--i:#e6eaef;--q:#a3adba;--b:#14181d;--f:#232931;--s:#7b8694;` +
	`--p:#6cb2ff;--n:#ef8fd0;--r:#ff8a80;` +
	`--g:#173d24;--gs:#5bc97a;--t:#453708;--ts:#e0b33c;--k:#4d1f1d;--v:#1c3350}}`

// How SVG is shown.
type Frame int

const (
	Inline Frame = iota // in a page that has Style
	Alone               // as a file of its own
)

// SVG paints a drawing that was laid out.
func (d *Drawing) SVG(frame Frame) []byte {
	legend := d.legend()
	width, height := max(d.Width, 320), d.Height+legend.height
	var b strings.Builder
	b.WriteString(`<svg class="dag" role="img"`)
	if frame == Alone {
		b.WriteString(` xmlns="http://www.w3.org/2000/svg"`)
	}
	fmt.Fprintf(&b, ` width="%d" height="%d" viewBox="0 0 %d %d"><title>%s</title><desc>%s</desc>`,
		width, height, width, height, escape(d.Title), escape(d.Says))
	if frame == Alone {
		fmt.Fprintf(&b, `<style>%s.ground{fill:var(--b)!important;stroke:none!important}</style>`, Style)
		fmt.Fprintf(&b, `<rect class="ground" width="%d" height="%d"/>`, width, height)
	}
	for _, l := range d.Layers {
		if l.Label != "" {
			fmt.Fprintf(&b, `<text class="h" x="%d" y="%d">%s</text><text class="q l" x="%d" y="%d">%s</text>`,
				l.X, l.Y, escape(l.Label), l.X, l.Y+15, Counted(l.Size, "page"))
		}
	}
	for i := range d.Edges {
		d.Edges[i].paint(&b)
	}
	for i := range d.Nodes {
		d.Nodes[i].paint(&b, i)
	}
	legend.paint(&b, d.Height)
	b.WriteString("</svg>")
	return []byte(b.String())
}

func (e Edge) paint(b *strings.Builder) {
	fmt.Fprintf(b, `<path%s d="%s"`, classes(e.Marks), e.Path)
	if e.Note == "" {
		b.WriteString("/>")
	} else {
		fmt.Fprintf(b, "><title>%s</title></path>", escape(e.Note))
	}
	if e.Label != "" {
		fmt.Fprintf(b, `<text class="e" x="%d" y="%d">%s</text>`, e.X, e.Y+4, escape(cut(e.Label, 90)))
	}
}

func (n Node) paint(b *strings.Builder, at int) {
	y, room := n.Y+n.H/2+4, float64(n.W-10)
	title := ""
	if whole := n.whole(); whole != cut(n.Label, room) { // a board has a thousand cells that say all
		title = "<title>" + escape(whole) + "</title>"
	}
	fmt.Fprintf(b, `<g%s data-n="%d">%s<rect x="%d" y="%d" width="%d" height="%d" rx="4"/>`,
		classes(n.Marks), at, title, n.X, n.Y, n.W, n.H)
	if n.Under != "" {
		y -= 8
		fmt.Fprintf(b, `<text class="q" x="%d" y="%d">%s</text>`, n.X+n.W/2, y+16, escape(cut(n.Under, room*1.08)))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text></g>`, n.X+n.W/2, y, escape(cut(n.Label, room)))
}

// whole returns all that is said of a node.
func (n Node) whole() string {
	text := n.Label
	for _, more := range []string{n.Under, n.Note} {
		if more != "" {
			text += "\n" + more
		}
	}
	return text
}

func classes(marks []Mark) string {
	if len(marks) == 0 {
		return ""
	}
	names := make([]string, len(marks))
	for i, m := range marks {
		names[i] = string(m)
	}
	return ` class="` + strings.Join(names, " ") + `"`
}

// legend is the meanings of marks, in rows below the drawing.
type legend struct {
	entries []legendEntry
	height  int
}

type legendEntry struct {
	Meaning
	x, y int
}

func (d *Drawing) legend() (l legend) {
	x, y, room := edgeRoom, 0, max(d.Width, 320)-edgeRoom
	for _, m := range d.Legend() {
		w := 34 + int(wide(m.Says)) + 14
		if x+w > room && x > edgeRoom {
			x, y = edgeRoom, y+20
		}
		l.entries = append(l.entries, legendEntry{m, x, y})
		x += w
	}
	if len(l.entries) > 0 {
		l.height = y + 30
	}
	return l
}

func (l legend) paint(b *strings.Builder, top int) {
	for _, e := range l.entries {
		y := top + e.y + 4
		if e.Edge {
			fmt.Fprintf(b, `<path%s d="M%d %dh24"/>`, classes([]Mark{e.Mark}), e.x, y+7)
		} else {
			fmt.Fprintf(b, `<g%s><rect x="%d" y="%d" width="24" height="14" rx="3"/></g>`,
				classes([]Mark{e.Mark}), e.x, y)
		}
		fmt.Fprintf(b, `<text class="q l" x="%d" y="%d">%s</text>`, e.x+32, y+11, escape(e.Says))
	}
}

// escape returns a text as XML may hold it: markup is escaped, and characters that XML lacks, that
// control a terminal or that turn the direction of what follows are replaced by pictures.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\n':
			b.WriteString("&#10;")
		case r < ' ':
			b.WriteRune(0x2400 + r)
		case r == 0x7F:
			b.WriteRune('␡')
		case r == 0xFFFE || r == 0xFFFF || unicode.IsControl(r) || turns(r):
			b.WriteRune('�')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// turns reports whether a character turns the direction of the text that follows it.
func turns(r rune) bool {
	return slices.Contains([]rune{0x200E, 0x200F, 0x061C}, r) ||
		r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}
