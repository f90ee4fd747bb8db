package dag

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Board's cells are squares where labels are short, and as wide as theirs where they are not.
const (
	cellHigh = 34
	cellWide = 34
)

// Board puts nodes into the cells that Layer and Cell name: row and column. Edges are straight.
func (d *Drawing) Board() {
	w := cellWide
	for _, n := range d.Nodes {
		w = max(w, min(nodeWide, int(wide(n.Label))+12))
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		n.W, n.H = w, cellHigh
		n.X, n.Y = edgeRoom+n.Cell*(w+4), edgeRoom+n.Layer*(cellHigh+4)
		d.grow(*n)
	}
	d.straight()
}

// grow makes the drawing as large as a node needs.
func (d *Drawing) grow(n Node) {
	d.Width, d.Height = max(d.Width, n.X+n.W+edgeRoom), max(d.Height, n.Y+n.H+edgeRoom)
}

// compass is where moves lead on a map, by their words.
var compass = map[string][2]int{
	"north": {0, -1}, "south": {0, 1}, "east": {1, 0}, "west": {-1, 0},
	"northeast": {1, -1}, "northwest": {-1, -1}, "southeast": {1, 1}, "southwest": {-1, 1},
	"n": {0, -1}, "s": {0, 1}, "e": {1, 0}, "w": {-1, 0},
	"ne": {1, -1}, "nw": {-1, -1}, "se": {1, 1}, "sw": {-1, 1},
	"up": {1, -2}, "down": {-1, 2}, "in": {2, 1}, "out": {-2, -1},
}

// Compass puts nodes where the labels of edges lead from the first node: north is up. A place that
// is taken moves to the nearest free one, so that a map that contradicts itself still shows all.
// Layer and Cell become row and column. Edges that lead to and fro are one line.
func (d *Drawing) Compass() {
	at := make([]*[2]int, len(d.Nodes))
	taken := map[[2]int]bool{}
	put := func(i int, want [2]int) {
		cell := free(taken, want)
		taken[cell], at[i] = true, &cell
	}
	for i := range d.Nodes {
		if at[i] != nil {
			continue
		}
		put(i, [2]int{0, lowest(taken)})
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			from := queue[0]
			for _, e := range d.Edges {
				by, to := compass[strings.ToLower(e.Label)], e.To
				if e.To == from {
					by, to = [2]int{-by[0], -by[1]}, e.From
				} else if e.From != from {
					continue
				}
				if at[to] == nil {
					put(to, [2]int{at[from][0] + by[0], at[from][1] + by[1]})
					queue = append(queue, to)
				}
			}
		}
	}
	d.rooms(at)
	d.merge()
	d.straight()
	for i := range d.Edges {
		if !d.Edges[i].both {
			d.arrow(&d.Edges[i])
		}
	}
}

// lowest returns the row below all taken ones.
func lowest(taken map[[2]int]bool) int {
	low := 0
	for cell := range taken { // a maximum
		low = max(low, cell[1]+2)
	}
	return low
}

// free returns the free cell nearest to want: rings around it, each from its upper left corner on.
func free(taken map[[2]int]bool, want [2]int) [2]int {
	for ring := 0; ; ring++ {
		best, far := want, -1
		for dy := -ring; dy <= ring; dy++ {
			for dx := -ring; dx <= ring; dx++ {
				cell := [2]int{want[0] + dx, want[1] + dy}
				if length := dx*dx + dy*dy; !taken[cell] && (far < 0 || length < far) {
					best, far = cell, length
				}
			}
		}
		if far >= 0 {
			return best
		}
	}
}

// Sizes of a map: rooms, and the room between them for the names of moves.
const (
	roomWide = 128
	roomHigh = 30
	roomX    = roomWide + 76
	roomY    = roomHigh + 38
)

func (d *Drawing) rooms(at []*[2]int) {
	columns, rows := used(at, 0), used(at, 1)
	for i, cell := range at {
		n := &d.Nodes[i]
		n.Cell, n.Layer = slices.Index(columns, cell[0]), slices.Index(rows, cell[1])
		n.W, n.H = roomWide, roomHigh
		n.X, n.Y = edgeRoom+n.Cell*roomX, edgeRoom+n.Layer*roomY
		d.grow(*n)
	}
}

// used lists the columns or rows that hold something, in order: empty ones are left out.
func used(at []*[2]int, axis int) (list []int) {
	for _, cell := range at {
		list = append(list, cell[axis])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// short are the moves as edges of a map name them.
var short = map[string]string{
	"north": "N", "south": "S", "east": "E", "west": "W", "northeast": "NE", "northwest": "NW",
	"southeast": "SE", "southwest": "SW",
}

func shortOf(move string) string { return cmp.Or(short[strings.ToLower(move)], move) }

// merge makes one edge of two that lead to and fro: its label has both moves, and one that leads
// only to has an arrow.
func (d *Drawing) merge() {
	var kept []Edge
	place := map[[2]int]int{}
	for _, e := range d.Edges {
		first, ok := place[[2]int{e.To, e.From}]
		same, twice := place[[2]int{e.From, e.To}]
		move, note := shortOf(e.Label), strings.TrimSuffix(e.Label+": "+e.Note, ": ")
		switch {
		case twice:
			kept[same].Label += ", " + move
			kept[same].Note += "\n" + note
		case ok:
			kept[first].Label += " / " + move
			kept[first].Note += "\n" + note
			kept[first].both = true
			if !slices.Contains(e.Marks, Imputed) {
				kept[first].Marks = slices.DeleteFunc(slices.Clone(kept[first].Marks),
					func(m Mark) bool { return m == Imputed })
			}
		default:
			place[[2]int{e.From, e.To}] = len(kept)
			e.Label, e.Note = move, note
			kept = append(kept, e)
		}
	}
	d.Edges = kept
}

// straight draws edges from border to border on the line between the middles.
func (d *Drawing) straight() {
	for i := range d.Edges {
		e := &d.Edges[i]
		from, to := d.Nodes[e.From], d.Nodes[e.To]
		x, y := from.X+from.W/2, from.Y+from.H/2
		if e.From == e.To { // a loop above the box
			e.Path = fmt.Sprintf("M%d %dc-14 -22 14 -22 0 0", x, from.Y)
			e.X, e.Y = x+24, from.Y-10
			continue
		}
		tx, ty := to.X+to.W/2, to.Y+to.H/2
		x1, y1 := border(from, tx-x, ty-y)
		x2, y2 := border(to, x-tx, y-ty)
		e.Path = fmt.Sprintf("M%d %dL%d %d", x1, y1, x2, y2)
		e.X, e.Y = (x1+x2)/2, (y1+y2)/2
	}
}

// arrow draws a head at the end of a straight edge.
func (d *Drawing) arrow(e *Edge) {
	from, to := d.Nodes[e.From], d.Nodes[e.To]
	dx, dy := from.X+from.W/2-to.X-to.W/2, from.Y+from.H/2-to.Y-to.H/2
	x, y := border(to, dx, dy)
	long := math.Hypot(float64(dx), float64(dy))
	if long == 0 {
		return
	}
	ux, uy := float64(dx)/long, float64(dy)/long
	at := func(side float64) (int, int) {
		return x + int(math.Round(8*ux-4*side*uy)), y + int(math.Round(8*uy+4*side*ux))
	}
	lx, ly := at(1)
	rx, ry := at(-1)
	e.Path += fmt.Sprintf("M%d %dL%d %dL%d %d", lx, ly, x, y, rx, ry)
}

// border returns where the ray from the middle of n in a direction leaves its box.
func border(n Node, dx, dy int) (int, int) {
	x, y, w, h := n.X+n.W/2, n.Y+n.H/2, n.W/2, n.H/2
	if dx == 0 && dy == 0 {
		return x, y
	}
	if abs(dx)*h > abs(dy)*w {
		return x + w*sign(dx), y + dy*w/abs(dx)
	}
	return x + dx*h/abs(dy), y + h*sign(dy)
}

func abs(n int) int { return max(n, -n) }

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
