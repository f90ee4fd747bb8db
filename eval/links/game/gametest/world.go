// Package gametest gives small worlds for tests: the worked examples G9 and K7, and random ones
// with pages that are wider than a menu. Distances come from a BFS of its own. It is imported by
// tests only.
package gametest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// World is a graph in memory with all its distances. Page ids are 100 + node.
type World struct {
	Titles  []string
	Links   [][]uint32        // ascending, unique
	Masks   []uint32          // of labels, nil for a world without any
	Aliases map[string]uint32 // titles of redirects
	columns [][]uint8
}

// Parse reads "A->B,C  B->C": nodes are numbered in order of their own arrows.
func Parse(text string) *World {
	w, links := &World{}, map[string]string{}
	for _, field := range strings.Fields(text) {
		from, to, _ := strings.Cut(field, "->")
		w.Titles = append(w.Titles, from)
		links[from] = to
	}
	for _, from := range w.Titles {
		var row []uint32
		for to := range strings.SplitSeq(links[from], ",") {
			row = append(row, uint32(slices.Index(w.Titles, to)))
		}
		slices.Sort(row)
		w.Links = append(w.Links, row)
	}
	return w.measured()
}

// G9 is a worked example of games without a ban.
func G9() *World { return Parse("A->B,C,D B->C,E C->A,E,F D->B,F E->G F->G G->A,H H->G,T T->A,D") }

// Random draws a strongly connected world of n nodes: a cycle, and from each node up to `wide`
// links at most `back` nodes back or one forward, so that wide pages have long distances.
func Random(seed uint64, n, wide, back int) *World {
	w, s := &World{}, rng.New(seed, "gametest")
	for u := range n {
		row := []uint32{uint32((u + 1) % n)}
		for range s.Below(wide + 1) {
			row = append(row, uint32((u+1+n-s.Below(back+1))%n))
		}
		slices.Sort(row)
		w.Links = append(w.Links, slices.Compact(row))
		w.Titles = append(w.Titles, fmt.Sprintf("Page %d", u))
	}
	return w.measured()
}

func (w *World) measured() *World {
	pred := make([][]uint32, len(w.Links))
	for u, row := range w.Links {
		for _, v := range row {
			pred[v] = append(pred[v], uint32(u))
		}
	}
	for t := range w.Links {
		w.columns = append(w.columns, column(pred, uint32(t)))
	}
	return w
}

func column(pred [][]uint32, target uint32) []uint8 {
	dist := slices.Repeat([]uint8{schemas.Unreached}, len(pred))
	dist[target] = 0
	for queue := []uint32{target}; len(queue) > 0; queue = queue[1:] {
		for _, u := range pred[queue[0]] {
			if dist[u] == schemas.Unreached {
				dist[u] = dist[queue[0]] + 1
				queue = append(queue, u)
			}
		}
	}
	return dist
}

func (w *World) Len() int { return len(w.Links) }

func (w *World) PageID(u uint32) uint32       { return 100 + u }
func (w *World) Title(u uint32) string        { return w.Titles[u] }
func (w *World) Successors(u uint32) []uint32 { return w.Links[u] }

func (w *World) InDegree(u uint32) int {
	n := 0
	for _, row := range w.Links {
		if slices.Contains(row, u) {
			n++
		}
	}
	return n
}

// Lead is a sentence for the pages with an even node; the others have none.
func (w *World) Lead(u uint32) (string, bool) { return w.Titles[u] + " is a page.", u%2 == 0 }

func (w *World) Column(target uint32) ([]uint8, error) { return w.columns[target], nil }

func (w *World) Node(title string) (uint32, bool) {
	i := slices.Index(w.Titles, title)
	return uint32(i), i >= 0
}

func (w *World) Page(u uint32) schemas.PageRef {
	return schemas.PageRef{Node: u, PageID: w.PageID(u), Title: w.Title(u)}
}
