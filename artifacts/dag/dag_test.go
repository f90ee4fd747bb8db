package dag

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
)

// wiki is a graph with titles.
type wiki struct {
	graph.CSR
	title func(u uint32) string
}

func (w wiki) Len() int                     { return w.Nodes() }
func (w wiki) PageID(u uint32) uint32       { return 10 * u }
func (w wiki) Successors(u uint32) []uint32 { return w.Row(u) }
func (w wiki) Title(u uint32) string        { return w.title(u) }
func (w wiki) to(t uint32) (column []uint8) {
	column = make([]uint8, w.Nodes())
	graph.DistancesTo(graph.Transpose(w.CSR), t, column, nil)
	return column
}
func plainTitle(u uint32) string { return fmt.Sprintf("Page %d", u) }
func pairOf(w wiki, s, t uint32, most int) Pair {
	return Pair{Source: s, Target: t, Column: w.to(t), Most: most}
}

func TestADrawingHasThePagesOnShortestPaths(t *testing.T) {
	w := wiki{graphtest.WikiLike(400, 5, 3), plainTitle}
	for s := uint32(0); s < 400; s += 7 {
		p := pairOf(w, s, (s*31+5)%400, 1000)
		layers := graph.Layers(w.CSR, p.Column, s)
		if len(layers) < 2 {
			continue
		}
		d := FromPair(w, p)
		for i, layer := range layers {
			var got []uint32
			for _, n := range d.Nodes {
				if n.Layer == i {
					var id uint32
					fmt.Sscan(n.ID, &id)
					got = append(got, id/10)
				}
			}
			if !slices.Equal(got, layer) || d.Layers[i].Size != len(layer) {
				t.Fatalf("%d to %d, layer %d: drawn %v, on paths %v", s, p.Target, i, got, layer)
			}
		}
		edges := 0
		for i, layer := range layers[:len(layers)-1] {
			for _, u := range layer {
				for _, v := range layers[i+1] {
					if _, ok := slices.BinarySearch(w.Row(u), v); ok {
						edges++
					}
				}
			}
		}
		if len(d.Edges) != edges {
			t.Fatalf("%d to %d: %d edges drawn, %d links on paths", s, p.Target, len(d.Edges), edges)
		}
		if n := graph.CountPaths(w.CSR, layers)[0][0]; !strings.Contains(d.Says, " "+paths(float64(n))+".") {
			t.Errorf("%d shortest paths: %s", n, d.Says)
		}
		checkBoxes(t, d)
	}
}

func TestAWideLayerIsBounded(t *testing.T) {
	const wide = 500 // pages between source 0 and target 1
	w := wiki{graphtest.From(wide+2, func(yield func(u, v uint32)) {
		for u := uint32(2); u < wide+2; u++ {
			yield(0, u)
			yield(u, 1)
		}
	}), plainTitle}
	d := FromPair(w, pairOf(w, 0, 1, 5))
	if len(d.Nodes) != 7 || !d.Nodes[5].Has(More) || d.Nodes[5].Label != "+496 more" || d.Layers[1].Size != wide {
		t.Fatalf("nodes %+v", d.Nodes)
	}
	if !d.Nodes[1].Has(OnPath) || d.Nodes[1].Label != "Page 2" || len(d.Edges) != 10 {
		t.Errorf("the smallest path is not drawn, or %d edges", len(d.Edges))
	}
	if n := len(d.SVG(Alone)); n > 16_000 {
		t.Errorf("%d bytes", n)
	}
}

func TestMenusBottlenecksAndBansAreMarked(t *testing.T) {
	w := wiki{graphtest.Build(6, []graphtest.Edge{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 0}, {0, 5}}), plainTitle}
	p := pairOf(w, 0, 4, 0)
	p.Dominators, p.Back = []uint32{3}, true
	p.Banned = func(u uint32) bool { return u == 2 || u == 4 }
	p.Menu = func(u uint32, links []uint32) []uint32 {
		if u == 0 {
			return []uint32{1, 5}
		}
		return links
	}
	d := FromPair(w, p)
	marks := fmt.Sprint(d.Nodes[0].Marks, d.Nodes[1].Marks, d.Nodes[2].Marks, d.Nodes[3].Marks, d.Nodes[4].Marks)
	if want := "[start path wide] [path] [banned] [bottleneck dominator path] [goal path]"; marks != want {
		t.Errorf("nodes %s, want %s", marks, want)
	}
	edges := map[string]string{}
	for _, e := range d.Edges {
		edges[fmt.Sprint(e.From, e.To)] = fmt.Sprint(e.Marks)
	}
	want := map[string]string{
		"0 1": "[path]", "0 2": "[hidden]", "1 3": "[path]", "2 3": "[]", "3 4": "[path bottleneck]", "4 0": "[]",
	}
	if fmt.Sprint(edges) != fmt.Sprint(want) {
		t.Errorf("edges %v, want %v", edges, want)
	}
}

func TestPairsWithoutAWayAreTwoPages(t *testing.T) {
	w := wiki{graphtest.Build(3, []graphtest.Edge{{0, 1}, {1, 0}}), plainTitle}
	lying := pairOf(w, 0, 2, 0)
	lying.Column = []uint8{2, 1, 0} // no link of 1 leads to 2
	far := pairOf(w, 0, 2, 0)
	far.Column = []uint8{schemas.Far, schemas.Far, 0}
	for want, p := range map[string]Pair{
		"No path leads": pairOf(w, 0, 2, 0), "254 links or more": far, "no path of the graph": lying,
	} {
		if d := FromPair(w, p); len(d.Nodes) != 2 || len(d.Edges) != 0 || !strings.Contains(d.Says, want) {
			t.Errorf("want %q: %+v", want, d)
		}
	}
}

// hostile are titles that a wiki may have, and some that it may not.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\x00b\x1b[31mred\u202eevil\u2066",
	"&amp; &#60; <![CDATA[ ]]> -->", strings.Repeat("W", 250), strings.Repeat("漢", 250), "שלום עולם", "مرحبا",
	"\xff\xfe broken", "\uFFFE", "e\u0301\u0301\u0301", "", "a\nb", "👩‍👩‍👧",
}

func TestHostileTitlesDoNothingButShow(t *testing.T) {
	w := wiki{graphtest.Build(len(hostile)+1, nil), nil}
	w.CSR = graphtest.From(len(hostile)+2, func(yield func(u, v uint32)) {
		for u := range uint32(len(hostile)) {
			yield(0, u+1)
			yield(u+1, uint32(len(hostile))+1)
		}
	})
	w.title = func(u uint32) string { return hostile[int(u)%len(hostile)] }
	d := FromPair(w, pairOf(w, 0, uint32(len(hostile))+1, 100))
	d.Edges[0].Label, d.Edges[0].Note = hostile[0], hostile[2]
	svg := d.SVG(Alone)
	var shown []string
	for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := dec.Token()
		if token == nil {
			break
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if !slices.Contains([]string{"svg", "title", "desc", "style", "rect", "text", "path", "g"}, x.Name.Local) {
				t.Errorf("an element %s", x.Name.Local)
			}
			for _, a := range x.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href") {
					t.Errorf("an attribute %s", a.Name.Local)
				}
			}
		case xml.CharData:
			shown = append(shown, string(x))
		}
	}
	all := strings.Join(shown, "\n")
	for _, want := range []string{
		hostile[0], hostile[1], strings.Repeat("W", 250), strings.Repeat("漢", 250), "a␀b␛[31mred", "שלום עולם",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if bytes.ContainsAny(svg, "\x00\x1b\u202e\u2066") || bytes.Contains(svg, []byte("</script")) {
		t.Error("a control character or a tag stands in the drawing")
	}
	checkBoxes(t, d)
}

func TestEqualDrawingsHaveEqualBytes(t *testing.T) {
	w := wiki{graphtest.WikiLike(300, 8, 9), plainTitle}
	draw := func() Drawing { return FromPair(w, pairOf(w, 17, 200, 6)) }
	first := draw()
	for range 5 {
		again := draw()
		if !bytes.Equal(first.SVG(Inline), again.SVG(Inline)) {
			t.Fatal("two drawings of a pair differ")
		}
	}
	data, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	var read Drawing
	if err := json.Unmarshal(data, &read); err != nil || !bytes.Equal(read.SVG(Alone), first.SVG(Alone)) {
		t.Errorf("what JSON keeps paints another drawing: %v", err)
	}
}

// checkBoxes reports boxes that overlap or leave the drawing, and labels wider than their box.
func checkBoxes(t *testing.T, d Drawing) {
	t.Helper()
	for i, n := range d.Nodes {
		if n.W == 0 || n.X < 0 || n.Y < 0 || n.X+n.W > d.Width || n.Y+n.H > d.Height {
			t.Fatalf("node %d is at %d,%d of %d,%d", i, n.X, n.Y, d.Width, d.Height)
		}
		if wide(cut(n.Label, float64(n.W-10))) > float64(n.W-10) {
			t.Errorf("%q is too wide", n.Label)
		}
		for k, m := range d.Nodes[:i] {
			if n.X < m.X+m.W && m.X < n.X+n.W && n.Y < m.Y+m.H && m.Y < n.Y+n.H {
				t.Fatalf("nodes %d and %d overlap", i, k)
			}
		}
	}
}

func TestLayoutsKeepBoxesApart(t *testing.T) {
	var maze, stops, board Drawing
	moves := []string{"north", "east", "up", "say please", "south", "west"}
	for i := range 40 {
		maze.Nodes = append(maze.Nodes, Node{Label: plainTitle(uint32(i))})
		stops.Nodes = append(stops.Nodes, Node{Label: plainTitle(uint32(i)), Layer: i / 2})
		board.Nodes = append(board.Nodes, Node{Label: fmt.Sprint(i), Layer: i / 7, Cell: i % 7})
		if i > 1 {
			from := i * 7 % (i - 1)
			maze.Edges = append(maze.Edges, Edge{From: from, To: i, Label: moves[i%6]},
				Edge{From: i, To: from, Label: moves[(i+3)%6]})
			stops.Edges = append(stops.Edges, Edge{From: i - 2, To: i}, Edge{From: i % 3, To: i})
		}
	}
	maze.Edges = append(maze.Edges, Edge{From: 3, To: 3, Label: "around"})
	maze.Compass()
	stops.Lay(Down)
	board.Board()
	for _, d := range []Drawing{maze, stops, board} {
		checkBoxes(t, d)
		for _, e := range d.Edges {
			if !strings.HasPrefix(e.Path, "M") {
				t.Errorf("an edge has the path %q", e.Path)
			}
		}
	}
	if len(maze.Edges) > 41 {
		t.Errorf("%d lines for moves to and fro", len(maze.Edges))
	}
}

// TestNodesStandAmidTheirNeighbours has a page that leads to five, which lead to one.
func TestNodesStandAmidTheirNeighbours(t *testing.T) {
	w := wiki{graphtest.From(8, func(yield func(u, v uint32)) {
		for v := uint32(1); v <= 5; v++ {
			yield(0, v)
			yield(v, 6)
		}
		yield(6, 7)
	}), plainTitle}
	d := FromPair(w, pairOf(w, 0, 7, 0))
	middle := d.Nodes[3].Y
	for _, i := range []int{0, 6, 7} {
		if d.Nodes[i].Y != middle {
			t.Errorf("node %d stands at %d, the middle is %d", i, d.Nodes[i].Y, middle)
		}
	}
}

func TestAscendingIsTheNearestSequence(t *testing.T) {
	for _, c := range [][2][]float64{
		{{1, 2, 3}, {1, 2, 3}},
		{{3, 1, 2}, {2, 2, 2}},
		{{1, 5, 3, 4}, {1, 4, 4, 4}},
		{{4, 3, 2, 9}, {3, 3, 3, 9}},
		{nil, nil},
	} {
		if got := ascending(slices.Clone(c[0])); !slices.Equal(got, c[1]) {
			t.Errorf("of %v: %v, want %v", c[0], got, c[1])
		}
	}
}
