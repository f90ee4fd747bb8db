// Package menu is the rule by which the default game cuts the links of a page to those that it offers, and orders
// them (wikirace specification, 6.2: pruning "top", order "shuffled").
//
// It is what producers freeze into releases: difficulty features, and the menus of the one-step set. The game has the
// rule a second time, in eval/links/game, where it plays with options and visits. The two share no code but the random
// streams, so that what players are shown checks what features were computed from, and the other way round; a test in
// pipeline holds them equal.
//
// The package is pure: no file, log or clock; randomness comes from streams that instance, page and step name.
package menu

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Rule is what decides the menus of one instance, beside its graph.
type Rule struct {
	Seed     int64  // of the game
	Instance string // its id: ties at the cut are drawn anew for each
	MaxLinks int    // links that a menu may have, 1 or more
}

// Keep appends to dst the links of page that the menu keeps, in node order: all, or the MaxLinks nearest ones. links
// are the page's successors, ascending; distance is the column of the target. Ties at the cut are drawn and not
// decided by node, because ids favour old, famous pages; at one page they fall the same way at every visit.
//
// Time: O(links). A stream is made only where the cut falls among equals.
func (r Rule) Keep(dst []uint32, page uint32, links []uint32, distance []uint8) []uint32 {
	if len(links) <= r.MaxLinks {
		return append(dst, links...)
	}
	d, n, room := r.cut(links, distance)
	var drawn []uint32
	for _, v := range links {
		if distance[v] == d {
			drawn = append(drawn, v)
		}
	}
	if room < n {
		drawn = r.first(room, page, links, distance, d)
	}
	return merge(dst, links, drawn, distance, d)
}

// cut finds the distance at which the menu becomes full, the n links that have it, and how many of them still have room.
func (r Rule) cut(links []uint32, distance []uint8) (d uint8, n, room int) {
	var count [256]int
	for _, v := range links {
		count[distance[v]]++
	}
	room = r.MaxLinks
	for d, n := range count {
		if n >= room {
			return uint8(d), n, room
		}
		room -= n
	}
	panic("menu: a page within the limit has no cut")
}

// first gives the links at distance d that come first among all links of the page in its drawn order, ascending.
func (r Rule) first(n int, page uint32, links []uint32, distance []uint8, d uint8) []uint32 {
	order := slices.Clone(links)
	rng.Shuffled(rng.New(uint64(r.Seed), schemas.MenuStream, "tie", r.Instance, rng.Part(page)), order)
	kept := order[:0]
	for _, v := range order {
		if distance[v] == d && len(kept) < n {
			kept = append(kept, v)
		}
	}
	slices.Sort(kept)
	return kept
}

// merge appends the links nearer than d and those drawn at d, in node order.
func merge(dst, links, drawn []uint32, distance []uint8, d uint8) []uint32 {
	for _, v := range links {
		switch {
		case distance[v] < d:
			dst = append(dst, v)
		case len(drawn) > 0 && v == drawn[0]:
			dst, drawn = append(dst, v), drawn[1:]
		}
	}
	return dst
}

// Order puts the kept links, which are in node order, into the order in which step shows them; steps count from 1.
func (r Rule) Order(step int, kept []uint32) {
	rng.Shuffled(rng.New(uint64(r.Seed), schemas.MenuStream, "order", r.Instance, rng.Part(step)), kept)
}
