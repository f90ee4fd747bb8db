package game

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// lookup reads one byte of a column of distances.
type lookup interface{ at(u uint32) uint8 }

type column []uint8

func (c column) at(u uint32) uint8 { return c[u] }

// optimal is the set A* of a menu: its links nearest to the target. It costs one read for each
// link, and whoever asks for it again none.
type optimal struct {
	places []int // in the menu, ascending
	least  uint8 // their distance
}

func optimalOf(links []uint32, distance lookup) optimal {
	var o optimal
	for i, v := range links {
		d := distance.at(v)
		switch {
		case len(o.places) == 0 || d < o.least:
			o.places, o.least = append(o.places[:0], i), d
		case d == o.least:
			o.places = append(o.places, i)
		}
	}
	return o
}

// first returns the place of the optimal link with the smallest node, as instances state paths.
func (o optimal) first(links []uint32) int {
	return slices.MinFunc(o.places, func(i, j int) int { return int(links[i]) - int(links[j]) })
}

// Chooses reports whether the link there is optimal. One that leads nowhere, by a ban, is not. No
// player may know it but an oracle.
func (g *Game) Chooses(place int) bool {
	return !g.hopeless() && slices.Contains(g.best.places, place)
}

// hopeless reports whether the ban leaves no link of the menu that leads to the target.
func (g *Game) hopeless() bool { return g.ban != nil && g.best.least == schemas.Unreached }

// Ahead returns the links on a shortest path to the target from behind a link of the menu. It is
// false where the rules do not let the link win: the ban, a page that must not be seen again, or
// too few turns. No player may know it but an oracle.
func (g *Game) Ahead(place int) (links int, ok bool) {
	v := g.links[place]
	d := g.entering.at(v)
	closed := d >= schemas.Far || g.opts.Revisit == RevisitFail && g.trail.visits[v] > 0
	return int(d), !closed && int(d) < g.limit-g.turns
}
