package dag

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Way is the direction in which layers follow each other.
type Way int

const (
	Across Way = iota // from left to right, with one line of text in a node
	Down              // from top to bottom, with two
)

// Sizes in pixels.
const (
	edgeRoom  = 16 // around everything
	headRoom  = 38 // above layers that have a heading
	nodeWide  = 156
	nodeHigh  = 26
	stopWide  = 236
	stopHigh  = 42
	besides   = 10 // between nodes of a layer
	between   = 52 // between layers
	betweenV  = 34
	labelHigh = 14
)

// frame is what a way of layers makes of sizes: along the layers, and within one.
type frame struct {
	way                  Way
	size, gap, step, bar int // of a node within its layer, to the next; of a layer, to the next; of the heading
}

var frames = map[Way]frame{
	Across: {Across, nodeHigh, besides, nodeWide + between, headRoom},
	Down:   {Down, stopWide, 2 * besides, stopHigh + betweenV, 0},
}

// item is a node in its layer, or the bend of an edge that passes a layer.
type item struct {
	node   int // -1 for a bend
	layer  int
	place  float64 // of its middle within the layer
	before []int   // items of the layer before that it is joined with
	after  []int
}

// layout orders the items of layers so that few edges cross, and puts each near those it is joined
// with.
//
// Idea:      layers in order, barycentres, and places that are nearest to the mean of the
// neighbours at a least gap.
// Reference: K. Sugiyama, S. Tagawa, M. Toda, Methods for Visual Understanding of Hierarchical
// System Structures, 1981, https://doi.org/10.1109/TSMC.1981.4308636.
type layout struct {
	d     *Drawing
	f     frame
	items []item
	rows  [][]int // items by layer, in their order
	bends [][]int // by edge, the items that it passes
}

// Lay puts the nodes into their layers. An edge that leads to its own layer or back is drawn around
// them.
func (d *Drawing) Lay(way Way) {
	l := &layout{d: d, f: frames[way], bends: make([][]int, len(d.Edges))}
	if len(d.Layers) == 0 {
		l.f.bar = 0
	}
	l.fill()
	l.untangle()
	for range sweeps {
		l.settle(true)
		l.settle(false)
	}
	l.place()
	l.route()
}

const sweeps = 8

// mostBends bounds the bends of a drawing that a stranger made: further edges cross what they pass.
const mostBends = 2000

// fill makes the items.
func (l *layout) fill() {
	for i, n := range l.d.Nodes {
		l.add(i, n.Layer)
	}
	for i, e := range l.d.Edges {
		last := e.From
		from, to := l.d.Nodes[e.From].Layer, l.d.Nodes[e.To].Layer
		for layer := from + 1; layer < to && len(l.items) < len(l.d.Nodes)+mostBends; layer++ {
			bend := l.add(-1, layer)
			l.bends[i] = append(l.bends[i], bend)
			l.join(last, bend)
			last = bend
		}
		if from < to {
			l.join(last, e.To)
		}
	}
}

func (l *layout) add(node, layer int) int {
	for len(l.rows) <= layer {
		l.rows = append(l.rows, nil)
	}
	at := len(l.items)
	l.items = append(l.items, item{node: node, layer: layer})
	l.rows[layer] = append(l.rows[layer], at)
	return at
}

func (l *layout) join(a, b int) {
	l.items[a].after = append(l.items[a].after, b)
	l.items[b].before = append(l.items[b].before, a)
}

// untangle sorts each layer by the mean place of what it is joined with, to and fro, and keeps the
// order with the fewest crossings.
func (l *layout) untangle() {
	l.number()
	best, fewest := clone(l.rows), l.crossings()
	for turn := 0; turn < sweeps && fewest > 0; turn++ {
		for k := range l.rows {
			row := k
			if turn%2 == 1 {
				row = len(l.rows) - 1 - k
			}
			l.sort(l.rows[row], turn%2 == 0)
		}
		if n := l.crossings(); n < fewest {
			best, fewest = clone(l.rows), n
		}
	}
	l.rows = best
	l.number()
}

func clone(rows [][]int) [][]int {
	out := make([][]int, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
	}
	return out
}

// number puts the items of each layer into the places of their order.
func (l *layout) number() {
	for _, row := range l.rows {
		l.space(row)
	}
}

// space puts a layer around 0 at even distances.
func (l *layout) space(row []int) {
	for k, at := range row {
		l.items[at].place = float64(k) - float64(len(row)-1)/2
	}
}

func (l *layout) sort(row []int, forward bool) {
	slices.SortStableFunc(row, func(a, b int) int {
		switch last := l.rest(a); { // the node for the rest stands last
		case last == l.rest(b):
			return cmp.Compare(l.mean(a, forward), l.mean(b, forward))
		case last:
			return 1
		}
		return -1
	})
	l.space(row)
}

func (l *layout) rest(at int) bool {
	n := l.items[at].node
	return n >= 0 && l.d.Nodes[n].Has(More)
}

// mean returns the mean place of the neighbours on one side; an item without any stays.
func (l *layout) mean(at int, forward bool) float64 {
	x := l.items[at]
	list := x.after
	if forward {
		list = x.before
	}
	if len(list) == 0 {
		return x.place
	}
	sum := 0.0
	for _, n := range list {
		sum += l.items[n].place
	}
	return sum / float64(len(list))
}

// crossings counts the pairs of joins that cross.
func (l *layout) crossings() (n int) {
	for _, row := range l.rows {
		var ends [][2]float64
		for _, a := range row {
			for _, b := range l.items[a].after {
				ends = append(ends, [2]float64{l.items[a].place, l.items[b].place})
			}
		}
		for i, e := range ends {
			for _, f := range ends[:i] {
				if (e[0]-f[0])*(e[1]-f[1]) < 0 {
					n++
				}
			}
		}
	}
	return n
}

// settle moves the items of each layer, in their order and one place apart at least, as near to
// their neighbours' means as can be: the least squares of all places that are so.
func (l *layout) settle(forward bool) {
	for k := range l.rows {
		row := l.rows[k]
		if !forward {
			row = l.rows[len(l.rows)-1-k]
		}
		wish := make([]float64, len(row))
		for i, at := range row {
			wish[i] = l.mean(at, forward) - float64(i)
		}
		for i, v := range ascending(wish) {
			l.items[row[i]].place = v + float64(i)
		}
	}
}

// ascending returns the sequence that never falls and is nearest to v: neighbours that fall are
// pooled in their mean.
func ascending(v []float64) []float64 {
	type pool struct {
		sum float64
		n   int
	}
	var pools []pool
	for _, x := range v {
		pools = append(pools, pool{x, 1})
		for k := len(pools) - 1; k > 0 && pools[k-1].sum*float64(pools[k].n) > pools[k].sum*float64(pools[k-1].n); k-- {
			pools[k-1] = pool{pools[k-1].sum + pools[k].sum, pools[k-1].n + pools[k].n}
			pools = pools[:k]
		}
	}
	out := v[:0]
	for _, p := range pools {
		for range p.n {
			out = append(out, p.sum/float64(p.n))
		}
	}
	return out
}

// place turns places into pixels.
func (l *layout) place() {
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range l.items {
		least, most = min(least, x.place), max(most, x.place)
	}
	if len(l.items) == 0 {
		least, most = 0, 0
	}
	pitch := float64(l.f.size + l.f.gap)
	for i := range l.items {
		l.items[i].place = math.Round((l.items[i].place - least) * pitch)
	}
	within := int(math.Round((most-least)*pitch)) + l.f.size
	along := (len(l.rows)-1)*l.f.step + edgeRoom*2
	if l.f.way == Across {
		l.d.Width, l.d.Height = along+nodeWide, within+l.f.bar+2*edgeRoom
	} else {
		l.d.Width, l.d.Height = within+2*edgeRoom, along+stopHigh
	}
	for at, x := range l.items[:len(l.d.Nodes)] {
		n := &l.d.Nodes[at]
		n.X, n.Y = l.at(x)
		n.W, n.H = nodeWide, nodeHigh
		if l.f.way == Down {
			n.W, n.H = stopWide, stopHigh
		}
	}
	for i := range l.d.Layers {
		l.d.Layers[i].X, l.d.Layers[i].Y = edgeRoom+i*l.f.step, edgeRoom+labelHigh-4
	}
}

// at returns the left upper corner of an item.
func (l *layout) at(x item) (int, int) {
	along, within := edgeRoom+x.layer*l.f.step, edgeRoom+int(x.place)
	if l.f.way == Across {
		return along, within + l.f.bar
	}
	return within, along
}

// route draws the edges from the end of a node to the beginning of the next.
func (l *layout) route() {
	for i := range l.d.Edges {
		e := &l.d.Edges[i]
		from, to := l.d.Nodes[e.From], l.d.Nodes[e.To]
		if from.Layer >= to.Layer {
			l.around(e, from, to)
			continue
		}
		var b strings.Builder
		x, y := l.leaves(from)
		fmt.Fprintf(&b, "M%d %d", x, y)
		sx, sy := x, y
		for _, at := range l.bends[i] {
			bx, by := l.at(l.items[at])
			x, y = l.through(&b, x, y, bx, by)
		}
		tx, ty := l.enters(to)
		l.curve(&b, x, y, tx, ty)
		l.head(&b, tx, ty)
		e.Path, e.X, e.Y = b.String(), (sx+tx)/2, (sy+ty)/2
	}
}

func (l *layout) leaves(n Node) (int, int) {
	if l.f.way == Across {
		return n.X + n.W, n.Y + n.H/2
	}
	return n.X + n.W/2, n.Y + n.H
}

func (l *layout) enters(n Node) (int, int) {
	if l.f.way == Across {
		return n.X, n.Y + n.H/2
	}
	return n.X + n.W/2, n.Y
}

// through draws a line past a layer at the bend whose corner is given.
func (l *layout) through(b *strings.Builder, x, y, bx, by int) (int, int) {
	if l.f.way == Across {
		by += nodeHigh / 2
		l.curve(b, x, y, bx, by)
		fmt.Fprintf(b, "H%d", bx+nodeWide)
		return bx + nodeWide, by
	}
	bx += stopWide / 2
	l.curve(b, x, y, bx, by)
	fmt.Fprintf(b, "V%d", by+stopHigh)
	return bx, by + stopHigh
}

func (l *layout) curve(b *strings.Builder, x, y, tx, ty int) {
	switch {
	case l.f.way == Across && y == ty:
		fmt.Fprintf(b, "H%d", tx)
	case l.f.way == Down && x == tx:
		fmt.Fprintf(b, "V%d", ty)
	case l.f.way == Across:
		fmt.Fprintf(b, "C%d %d %d %d %d %d", (x+tx)/2, y, (x+tx)/2, ty, tx, ty)
	default:
		fmt.Fprintf(b, "C%d %d %d %d %d %d", x, (y+ty)/2, tx, (y+ty)/2, tx, ty)
	}
}

// head draws an arrowhead.
func (l *layout) head(b *strings.Builder, x, y int) {
	if l.f.way == Across {
		fmt.Fprintf(b, "M%d %dL%d %dL%d %d", x-6, y-3, x, y, x-6, y+3)
		return
	}
	fmt.Fprintf(b, "M%d %dL%d %dL%d %d", x-3, y-6, x, y, x+3, y-6)
}

// around draws an edge that leads to its own layer or back: below all nodes, or beside them.
func (l *layout) around(e *Edge, from, to Node) {
	var b strings.Builder
	if l.f.way == Across {
		low := l.d.Height - edgeRoom/2
		x, y, tx, ty := from.X+from.W/2, from.Y+from.H, to.X+to.W/2, to.Y+to.H
		fmt.Fprintf(&b, "M%d %dC%d %d %d %d %d %dM%d %dL%d %dL%d %d", x, y, x, low+edgeRoom, tx, low+edgeRoom, tx, ty,
			tx-3, ty+6, tx, ty, tx+3, ty+6)
		e.X, e.Y = (x+tx)/2, low
		l.d.Height = max(l.d.Height, low+edgeRoom*2)
	} else {
		side := l.d.Width - edgeRoom/2
		x, y, tx, ty := from.X+from.W, from.Y+from.H/2, to.X+to.W, to.Y+to.H/2
		fmt.Fprintf(&b, "M%d %dC%d %d %d %d %d %dM%d %dL%d %dL%d %d", x, y, side+edgeRoom, y, side+edgeRoom, ty, tx, ty,
			tx+6, ty-3, tx, ty, tx+6, ty+3)
		e.X, e.Y = side, (y+ty)/2
	}
	e.Path = b.String()
}

// Texts.

// wide is the width of a text of 12 pixels in most fonts without serifs, in pixels.
func wide(text string) (w float64) {
	for _, r := range text {
		w += runeWide(r)
	}
	return w
}

func runeWide(r rune) float64 {
	switch {
	case strings.ContainsRune("ijltf.,:;|!'()[] ", r):
		return 3.9
	case r == 'm' || r == 'w' || r == 'M' || r == 'W' || r == '@':
		return 10.4
	case r >= 'A' && r <= 'Z' || r >= 0x410 && r <= 0x42F:
		return 8.3
	case r < 0x1100:
		return 6.8
	}
	return 12.5 // the scripts of East Asia, pictures
}

// cut shortens a text to a width.
func cut(text string, room float64) string {
	if wide(text) <= room {
		return text
	}
	w, end := wide("…"), 0
	for i, r := range text {
		if w += runeWide(r); w > room {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return strings.TrimRight(text[:end], " ") + "…"
}
