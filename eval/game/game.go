package game

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Game is one game in progress. It is not safe for concurrent use.
type Game struct {
	world    World
	inst     schemas.WikiraceInstance
	opts     schemas.GameOptions
	distance []uint8 // to the target, by node

	page    uint32
	path    []uint32 // pages visited, source first
	stack   []uint32 // the pages that back returns to, the current one on top
	visits  map[uint32]int
	links   []uint32 // the menu of the turn to come, empty when the game is over
	turns   int      // consumed so far
	row     int      // invalid replies since the last move
	invalid int      // consumed turns without a move
	outcome string   // "" while the game runs

	leads    Leads // nil unless the context is shown
	leadless int   // menus dealt on a page without a lead
	names    names

	remembers bool // notes where links were offered
	sights    sights
}

// New starts a game at the instance's source. It refuses options that CheckOptions refuses, context=lead in a world without leads,
// and an instance that the world contradicts: ends outside the graph, source = target, or another distance than the world's.
// The limits of the game are those of opts; the instance's own max_steps and max_links are what its features were computed with.
func New(w World, inst schemas.WikiraceInstance, opts schemas.GameOptions) (*Game, error) {
	if err := CheckOptions(opts); err != nil {
		return nil, err
	}
	leads, err := leadsOf(w, opts)
	if err != nil {
		return nil, err
	}
	s, t := inst.Source.Node, inst.Target.Node
	if int64(s) >= int64(w.Len()) || int64(t) >= int64(w.Len()) {
		return nil, fault.New(fault.Mismatch, "instance %s joins nodes %d and %d of a graph with %d", inst.ID, s, t, w.Len())
	}
	if s == t {
		return nil, fault.New(fault.Malformed, "instance %s has the same source and target", inst.ID)
	}
	distance, err := w.Column(t)
	if err != nil {
		return nil, err
	}
	if int(distance[s]) != inst.Distance {
		return nil, fault.New(fault.Mismatch, "instance %s says distance %d, the graph %d", inst.ID, inst.Distance, distance[s])
	}
	g := &Game{world: w, inst: inst, opts: opts, distance: distance, visits: map[uint32]int{}, leads: leads, remembers: TellsState(opts)}
	g.push(s)
	g.deal()
	return g, nil
}

// Step is the number of the turn to come, 1-based. Under invalid=retry a reply that is not counted leaves it as it is.
func (g *Game) Step() int { return g.turns + 1 }

// Page is the current page.
func (g *Game) Page() uint32 { return g.page }

// Menu lists the links offered now, in the order shown; nothing once the game is over. The slice belongs to the game.
func (g *Game) Menu() []uint32 { return g.links }

// Path lists the pages visited so far, source first. The slice belongs to the game.
func (g *Game) Path() []uint32 { return g.path }

// Turns, Moves and Invalid count consumed turns: Turns = Moves + Invalid.
func (g *Game) Turns() int { return g.turns }

// Moves counts the links followed.
func (g *Game) Moves() int { return len(g.path) - 1 }

// Invalid counts the consumed turns without a move.
func (g *Game) Invalid() int { return g.invalid }

// Outcome is one of the schemas.Outcome words, or "" while the game runs.
func (g *Game) Outcome() string { return g.outcome }

// Done tells whether the game is over.
func (g *Game) Done() bool { return g.outcome != "" }

// LeadsMissing counts the menus that were dealt on a page without a lead, under context=lead.
func (g *Game) LeadsMissing() int { return g.leadless }

// Best gives the place in the menu of a link nearest to the target: the oracle. Whoever calls it is no ordinary player.
func (g *Game) Best() int { return nearest(g.links, g.distance) }

// Stop ends a running game from outside: the player gave up or failed. It consumes no turn.
func (g *Game) Stop(outcome string) {
	if g.Done() {
		return
	}
	g.finish(outcome)
}

// push follows a link to u: back will return from there.
func (g *Game) push(u uint32) {
	g.stack = append(g.stack, u)
	g.enter(u)
}

// enter records a visit.
func (g *Game) enter(u uint32) {
	g.page = u
	g.path = append(g.path, u)
	g.visits[u]++
}

// deal lays out the menu of the next turn, or ends the game when there is none.
func (g *Game) deal() {
	g.links = g.menu()
	if len(g.links) == 0 {
		g.finish(schemas.OutcomeStuck)
		return
	}
	if g.remembers {
		g.sights.note(g.page, g.links)
	}
	if g.leads != nil {
		if _, ok := g.leads.Lead(g.page); !ok {
			g.leadless++
		}
	}
}

func (g *Game) finish(outcome string) {
	g.outcome, g.links = outcome, nil
}

// nearestLink tells whether no link of the menu is nearer to the target than v.
func (g *Game) nearestLink(v uint32) bool {
	return g.distance[v] == g.distance[g.links[g.Best()]]
}

// live tells whether the target can still be reached with the turns that are left.
func (g *Game) live() bool {
	return int(g.distance[g.page]) <= g.opts.MaxSteps-g.turns
}

// MaxVisits is the largest number of visits to one page, the start included.
func (g *Game) MaxVisits() int {
	most := 0
	for _, n := range g.visits {
		most = max(most, n)
	}
	return most
}

// Offers tells whether v is in the menu, and where.
func (g *Game) Offers(v uint32) (int, bool) {
	i := slices.Index(g.links, v)
	return i, i >= 0
}
