package dag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/schemas"
)

// Pages is the pages of a wiki and their links.
type Pages interface {
	Len() int
	PageID(u uint32) uint32
	Title(u uint32) string
	// Successors returns the nodes that u links to, ascending.
	Successors(u uint32) []uint32
}

// Pair is two pages and what is known of the way between them.
type Pair struct {
	Title          string
	Source, Target uint32
	Column         []uint8  // links from each node to Target; Unreached also for a page that must not be entered
	Dominators     []uint32 // between the ends, on every path
	// Menu returns those of a page's links that a player is shown; nil where all are. It may return
	// its argument.
	Menu   func(u uint32, links []uint32) []uint32
	Banned func(u uint32) bool // pages that must not be entered; nil for none
	Back   bool                // also a link from Target to Source, if there is one
	Most   int                 // nodes of a layer that are drawn, the one for all others included; 0 for MostNodes
}

// MostNodes is how many nodes of a layer are drawn unless somebody asks for others.
const MostNodes = 9

// FromPair returns the pages on the shortest paths of a pair in layers by their distance to the
// target, laid out. Where there is no path, or one too far for a column, it has the two ends.
//
// Time: the links of the pages on the paths. Space: these pages.
func FromPair(w Pages, p Pair) Drawing {
	b := builder{pages: w, pair: p, most: max(2, cmp.Or(p.Most, MostNodes))}
	b.find()
	b.count()
	b.keep()
	b.connect()
	b.back()
	b.describe()
	b.d.Lay(Across)
	return b.d
}

// onPaths is a page on shortest paths: how many there are from the source to it, and from it to the
// target. Counts are floats: they are for comparing, and exact to 2^53.
type onPaths struct {
	to, from float64
	node     int // of the drawing, -1 until it is one
}

type builder struct {
	pages  Pages
	pair   Pair
	most   int
	layers [][]uint32
	seen   []map[uint32]*onPaths // by layer
	path   []uint32              // the smallest shortest path by node, both ends included
	lost   bool                  // there is no way to draw
	more   []int                 // by layer, the node for those that are not drawn, or -1
	d      Drawing
}

// find walks from the source to pages that are nearer, layer by layer. A column that the links
// contradict leaves no way, as does one that knows none.
func (b *builder) find() {
	p := b.pair
	b.layers, b.seen = [][]uint32{{p.Source}}, []map[uint32]*onPaths{{p.Source: {to: 1, node: -1}}}
	b.path = []uint32{p.Source}
	b.lost = p.Column[p.Source] >= schemas.Far
	for left := p.Column[p.Source]; left > 0 && !b.lost; left-- {
		last, next := len(b.layers)-1, map[uint32]*onPaths{}
		var list []uint32
		for _, u := range b.layers[last] {
			for _, v := range b.nearer(u, left-1) {
				if next[v] == nil {
					next[v], list = &onPaths{node: -1}, append(list, v)
				}
				next[v].to += b.seen[last][u].to
			}
		}
		slices.Sort(list)
		b.layers, b.seen = append(b.layers, list), append(b.seen, next)
		ahead := b.nearer(b.path[last], left-1)
		if b.lost = len(ahead) == 0; !b.lost {
			b.path = append(b.path, ahead[0])
		}
	}
	if b.lost {
		b.layers, b.path = [][]uint32{{p.Source}, {p.Target}}, nil
		b.seen = append(b.seen[:1], map[uint32]*onPaths{p.Target: {node: -1}})
	}
}

// nearer lists the links of u that are left links from the target.
func (b *builder) nearer(u uint32, left uint8) (list []uint32) {
	for _, v := range b.pages.Successors(u) {
		if b.pair.Column[v] == left {
			list = append(list, v)
		}
	}
	return list
}

// count counts the paths from each page to the target.
func (b *builder) count() {
	last := len(b.layers) - 1
	for i := last; i >= 0; i-- {
		for _, u := range b.layers[i] {
			x := b.seen[i][u]
			if i == last {
				x.from = 1
				continue
			}
			for _, v := range b.pages.Successors(u) {
				if y := b.seen[i+1][v]; y != nil {
					x.from += y.from
				}
			}
		}
	}
}

// keep makes nodes of the pages of each layer that most paths go through; those of the smallest
// path and on every path are always drawn.
func (b *builder) keep() {
	for i, layer := range b.layers {
		kept := slices.Clone(layer)
		slices.SortStableFunc(kept, func(u, v uint32) int {
			if c := cmp.Compare(b.first(v), b.first(u)); c != 0 {
				return c
			}
			x, y := b.seen[i][u], b.seen[i][v]
			return cmp.Compare(y.to*y.from, x.to*x.from)
		})
		b.more = append(b.more, -1)
		if len(kept) > b.most {
			kept = kept[:b.most-1]
		}
		slices.Sort(kept)
		for _, u := range kept {
			b.seen[i][u].node = len(b.d.Nodes)
			b.d.Nodes = append(b.d.Nodes, b.node(i, u))
		}
		if left := len(layer) - len(kept); left > 0 {
			b.more[i] = len(b.d.Nodes)
			b.d.Nodes = append(b.d.Nodes, Node{
				Label: fmt.Sprintf("+%d more", left), Layer: i, Marks: []Mark{More},
				Note: fmt.Sprintf("%d more pages at this distance, on fewer of the shortest paths", left),
			})
		}
		b.d.Layers = append(b.d.Layers, Layer{Label: b.heading(i), Size: len(layer)})
	}
}

// first ranks what must be drawn before the rest.
func (b *builder) first(u uint32) int {
	if slices.Contains(b.path, u) || slices.Contains(b.pair.Dominators, u) {
		return 1
	}
	return 0
}

func (b *builder) heading(layer int) string {
	left := len(b.layers) - 1 - layer
	switch {
	case b.lost:
		return ""
	case left == 0:
		return "the target"
	}
	return Counted(left, "link") + " left"
}

// node draws a page.
func (b *builder) node(layer int, u uint32) Node {
	p, x := b.pair, b.seen[layer][u]
	n := Node{ID: strconv.FormatUint(uint64(b.pages.PageID(u)), 10), Label: b.pages.Title(u), Layer: layer}
	all := b.seen[0][p.Source].from
	switch {
	case u == p.Source:
		n.Marks = append(n.Marks, Start)
	case u == p.Target:
		n.Marks = append(n.Marks, Goal)
	case len(b.layers[layer]) == 1 && !b.lost:
		n.Marks = append(n.Marks, Bottleneck)
	}
	if slices.Contains(p.Dominators, u) {
		n.Marks = append(n.Marks, Dominator)
	}
	if slices.Contains(b.path, u) {
		n.Marks = append(n.Marks, OnPath)
	}
	if u != p.Source && u != p.Target && p.Banned != nil && p.Banned(u) {
		n.Marks = append(n.Marks, Banned)
	}
	links := b.pages.Successors(u)
	n.Note = fmt.Sprintf("%d links", len(links))
	if u != p.Target && p.Menu != nil {
		if shown := len(p.Menu(u, links)); shown < len(links) {
			n.Marks = append(n.Marks, Wide)
			n.Note += fmt.Sprintf(", %d of them in the menu", shown)
		}
	}
	if !b.lost && len(b.layers[layer]) > 1 {
		n.Note += fmt.Sprintf("; on %s of the shortest paths", percent(x.to*x.from, all))
	}
	return n
}

func percent(part, all float64) string {
	switch share := part / all; {
	case share >= 0.01:
		return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
	case share > 0:
		return "less than 1 %"
	}
	return "0 %"
}

// connect draws the links between neighbouring layers. Those of pages that are not drawn are one
// line each from or to the node that stands for them.
func (b *builder) connect() {
	drawn := map[[2]int]bool{}
	for i := range len(b.layers) - 1 {
		if b.lost {
			return
		}
		for _, u := range b.layers[i] {
			links := b.pages.Successors(u)
			shown := links
			if b.pair.Menu != nil && b.at(i, u) != b.more[i] {
				shown = b.pair.Menu(u, links)
			}
			for _, v := range links {
				y := b.seen[i+1][v]
				if y == nil {
					continue
				}
				e := Edge{From: b.at(i, u), To: b.at(i+1, v)}
				if !drawn[[2]int{e.From, e.To}] {
					drawn[[2]int{e.From, e.To}] = true
					b.d.Edges = append(b.d.Edges, b.edge(e, i, u, v, shown))
				}
			}
		}
	}
}

// at returns the node of a page, or that of all pages of its layer that are not drawn.
func (b *builder) at(layer int, u uint32) int {
	if n := b.seen[layer][u].node; n >= 0 {
		return n
	}
	return b.more[layer]
}

func (b *builder) edge(e Edge, layer int, u, v uint32, shown []uint32) Edge {
	if e.From == b.more[layer] || e.To == b.more[layer+1] {
		e.Marks = append(e.Marks, More)
		return e
	}
	if at := slices.Index(b.path, u); at >= 0 && at+1 < len(b.path) && b.path[at+1] == v {
		e.Marks = append(e.Marks, OnPath)
	}
	if b.single(layer) && b.single(layer+1) {
		e.Marks = append(e.Marks, Bottleneck)
	}
	if _, ok := slices.BinarySearch(shown, v); !ok {
		e.Marks = append(e.Marks, Hidden)
		e.Note = "the menu of this page does not show this link"
	}
	return e
}

// back draws the link from the target to the source.
func (b *builder) back() {
	p := b.pair
	if _, ok := slices.BinarySearch(b.pages.Successors(p.Target), p.Source); ok && p.Back {
		b.d.Edges = append(b.d.Edges, Edge{
			From: b.seen[len(b.seen)-1][p.Target].node, To: b.seen[0][p.Source].node,
			Note: "the target links back",
		})
	}
}

func (b *builder) single(layer int) bool { return len(b.layers[layer]) == 1 }

func (b *builder) describe() {
	p := b.pair
	source, target := b.pages.Title(p.Source), b.pages.Title(p.Target)
	b.d.Title = cmp.Or(p.Title, source+" → "+target)
	switch d := p.Column[p.Source]; {
	case b.lost && d < schemas.Far:
		b.d.Says = fmt.Sprintf("The distance of %s and %s is %d, and no path of the graph is that long.",
			source, target, d)
	case d == schemas.Unreached:
		b.d.Says = fmt.Sprintf("No path leads from %s to %s.", source, target)
	case d == schemas.Far:
		b.d.Says = fmt.Sprintf("%s is %d links or more from %s: too far to draw.", target, schemas.Far, source)
	default:
		b.d.Says = fmt.Sprintf("From %s to %s in %s, on %s.", source, target, Counted(int(d), "link"),
			paths(b.seen[0][p.Source].from))
	}
}

func paths(n float64) string {
	if n >= 1<<53 {
		return "more than 9 007 199 254 740 991 shortest paths"
	}
	return Counted(int(n), "shortest path")
}

// Counted returns a number of things in words.
func Counted(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return strconv.Itoa(n) + " " + of + "s"
}
