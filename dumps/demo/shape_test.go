package demo

import (
	"bytes"
	"strings"
	"testing"
)

// render is the dump as XML, without the time that packing it takes.
func render(pages []page) []byte {
	b := bytes.NewBufferString(head)
	for _, p := range pages {
		writePage(b, p)
	}
	b.WriteString(tail)
	return b.Bytes()
}

// bounds are what the samplers ask of a graph; 0 stands for nothing asked.
type bounds struct {
	pages, sources                int
	wideOut, wideIn, thinIn       int
	mean100Least, mean100Most     int
	diameterLeast, diameterMost   int
	at7, at8, farMedian, farLeast int
}

func TestTheGraphIsDeepEnoughForEverySplit(t *testing.T) {
	for _, want := range []bounds{
		{
			pages: 2000, sources: 200, wideOut: 20, wideIn: 100, thinIn: 600,
			mean100Least: 420, mean100Most: 600, diameterLeast: 8, diameterMost: 16, at7: 60,
		},
		{
			pages: defaultPages, sources: 200, wideOut: 300, wideIn: 500, thinIn: 8000,
			mean100Least: 500, mean100Most: 600, diameterLeast: 12, diameterMost: 18,
			at7: 1500, at8: 400, farMedian: 2000, farLeast: 1500,
		},
	} {
		if want.pages == defaultPages && testing.Short() {
			t.Skip("the graph of the default size takes some seconds")
		}
		g := build(readPages(t, render(plan(newWorld(Seed, want.pages)))))
		want.check(t, g, g.shape(want.sources))
	}
}

func (want bounds) check(t *testing.T, g *linkGraph, got shape) {
	t.Helper()
	t.Logf("seed %d, %d pages: %+v, red links %d of %d", Seed, want.pages, got, g.red, g.links)
	within := func(what string, got, least, most int) {
		t.Helper()
		if got < least || got > most {
			t.Errorf("seed %d, %d pages: %s: got %d, want %d to %d", Seed, want.pages, what, got, least, most)
		}
	}
	least := func(what string, got, want int) {
		t.Helper()
		within(what, got, want, 1<<30)
	}
	within("nodes in the largest component, per cent", got.component*100/got.nodes, 86, 99)
	within("median out-degree", got.medianOut, 10, 30)
	within("mean distance times 100", got.mean100, want.mean100Least, want.mean100Most)
	within("largest distance", got.diameter, want.diameterLeast, want.diameterMost)
	within("red links, per mille", g.red*1000/g.links, 5, 100)
	least("nodes with more than 50 successors", got.wideOut, want.wideOut)
	least("nodes with 50 predecessors", got.wideIn, want.wideIn)
	least("nodes with at most 3 predecessors", got.thinIn, want.thinIn)
	least("targets at distance 3", got.at[3], 100)
	least("targets at distance 7, median source", got.at[7], want.at7)
	least("targets at distance 8, median source", got.at[8], want.at8)
	least("targets at distance 7 and more, median source", got.farMedian, want.farMedian)
	least("targets at distance 7 and more, source of the lowest twentieth", got.farLeast, want.farLeast)
	least("titles with a blank, per cent", g.blanks()*100/got.nodes, 60)
}

func (g *linkGraph) blanks() int {
	n := 0
	for _, title := range g.title {
		n += count(strings.Contains(title, " "))
	}
	return n
}

func TestOrphansAreNamedOnlyWhereNoLinkCounts(t *testing.T) {
	w := newWorld(Seed, smallPages)
	d := readSmall(t)
	g := build(d.pages)
	at := map[string]int{}
	for i, title := range g.title {
		at[title] = i
	}
	text := string(d.plain)
	orphans, deadEnds := 0, 0
	for i := range w.things {
		thing := &w.things[i]
		node := at[thing.title]
		if thing.deadEnd {
			if deadEnds++; len(g.next[node]) != 0 {
				t.Errorf("dead end %q links to %d pages, want 0", thing.title, len(g.next[node]))
			}
		}
		if !thing.orphan {
			continue
		}
		orphans++
		for _, from := range g.prev[node] {
			if other := at[w.things[thing.parent].title]; from == other {
				t.Errorf("orphan %q is linked from its parent %q", thing.title, g.title[from])
			}
		}
		if parent := w.things[thing.parent]; !parent.deadEnd && !strings.Contains(text, escape(thing.title)+"]]") {
			t.Errorf("orphan %q is not named anywhere", thing.title)
		}
	}
	if orphans < 5 || deadEnds < 1 {
		t.Errorf("seed %d: %d orphans and %d dead ends, want at least 5 and 1", Seed, orphans, deadEnds)
	}
}
