// Package game is the environment of games on links: the rules of one game, and nothing else.
// A game with a ban is the same walk, in which pages of a category must not be entered.
//
// It owns the menu (which links of a page are offered, in which order), the counting of turns, the
// outcomes and the observation that a player sees. A game is a pure function of world, instance,
// options and moves: no clock, file, log or randomness of its own, so a scorer that repeats the
// moves repeats the game. Distances decide which links a menu keeps, and never appear in an
// observation. It does not render prompts, parse replies or know players.
//
// Under a ban every distance is that of the graph without the banned pages, so menus that are cut,
// optimal links and plans keep to the ban. A violation ends nothing and is never shown: it is
// counted.
package game

// World is the graph that games are played on; nodes are 0..Len()-1. It must not change meanwhile
// and must answer several games at once. What it returns is its own, and only read.
type World interface {
	Len() int
	PageID(u uint32) uint32
	Title(u uint32) string
	// Successors returns the nodes that u links to, ascending.
	Successors(u uint32) []uint32
	// Column returns for each node the links on a shortest path to target, schemas.Far or schemas.Unreached.
	Column(target uint32) ([]uint8, error)
}

// Leads is a World with the beginnings of its pages; false for a page that has none.
type Leads interface {
	Lead(u uint32) (text string, ok bool)
}

// Aliased is a World that knows redirects: Alias gives the page that a redirect's title leads to.
type Aliased interface {
	Alias(title string) (uint32, bool)
}
