package game

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
	"github.com/wikinav/wikinav/schemas/rng"
)

// menu lists the links offered here, in the order shown: the kept set depends on the page alone
// (under revisit=hide on the visits), the order also on the step.
func (g *Game) menu() []uint32 {
	links := g.kept(g.Page(), func(v uint32) bool { return g.trail.visits[v] > 0 })
	g.arrange(links)
	return links
}

// kept returns the links of a menu on u, in no order; revisit=hide drops those visited.
func (g *Game) kept(u uint32, visited func(uint32) bool) []uint32 {
	links := slices.Clone(g.world.Successors(u))
	if g.opts.Revisit == RevisitHide {
		links = slices.DeleteFunc(links, visited)
	}
	return g.prune(u, links)
}

// prune keeps max_links. Ties at the cut are drawn: ids would favour old, famous pages.
func (g *Game) prune(u uint32, links []uint32) []uint32 {
	limit := g.opts.MaxLinks
	if g.opts.Pruning == PruneNone || len(links) <= limit {
		return links
	}
	rng.Shuffled(g.stream("tie", u), links)
	switch g.opts.Pruning {
	case PruneTop:
		links = nearestFirst(links, g.distance)
	case PruneTop1Random:
		best := optimalOf(links, column(g.distance)).places[0]
		first := links[best]
		copy(links[1:best+1], links[:best])
		links[0] = first
	}
	return slices.Clone(links[:limit]) // a record keeps the menu: it must not keep the page
}

// nearestFirst sorts links by distance, equal ones in the order in which they stand. Distances are
// bytes, so counting them is all that a stable sort takes.
func nearestFirst(links []uint32, distance []uint8) []uint32 {
	var next [256]int // where the next link at each distance goes
	for _, v := range links {
		next[distance[v]]++
	}
	place := 0
	for d, n := range next {
		next[d], place = place, place+n
	}
	sorted := make([]uint32, len(links))
	for _, v := range links {
		sorted[next[distance[v]]] = v
		next[distance[v]]++
	}
	return sorted
}

// arrange puts the kept links in the order shown, from node order whatever pruning left.
func (g *Game) arrange(links []uint32) {
	slices.Sort(links)
	if g.opts.Order == OrderShuffled || g.opts.Titles == TitlesAnon {
		rng.Shuffled(g.order(), links)
	}
	if g.opts.Titles == TitlesAnon {
		g.names.give(append([]uint32{g.Page()}, links...), g.task.Target)
	}
	if g.opts.Order == OrderTitle {
		order.Sort(links, func(a, b uint32) int {
			return cmp.Or(strings.Compare(g.title(a), g.title(b)), cmp.Compare(a, b))
		})
	}
}

// order returns the stream of the order of this step's menu.
func (g *Game) order() *rng.Stream {
	if g.opts.Reshuffle != ReshuffleAttempt || g.task.Attempt <= 1 {
		return g.stream("order", uint32(g.Step()))
	}
	return rng.New(uint64(g.task.Seed), schemas.MenuStream, "reorder", g.task.ID, rng.Part(g.task.Attempt), rng.Part(g.Step()))
}

func (g *Game) stream(name string, n uint32) *rng.Stream {
	return rng.New(uint64(g.task.Seed), schemas.MenuStream, name, g.task.ID, rng.Part(n))
}
