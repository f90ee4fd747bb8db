package game

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Game is one game in progress. It is not safe for concurrent use.
type Game struct {
	world    World
	task     Task
	opts     schemas.GameOptions
	distance []uint8 // to the target, by node; under a ban, along allowed pages
	entering lookup  // the same for whoever enters a page: a banned one leads nowhere
	plain    []uint8 // the same whatever is banned
	limit    int     // turns

	trail   Trail
	links   []uint32 // the menu of the turn to come, empty when the game is over
	best    optimal  // of that menu
	advised *uint32  // the page that the oracle B names, nil for none
	turns   int      // consumed so far
	row     int      // invalid replies since the last move
	invalid int      // consumed turns without a move
	outcome string   // "" while the game runs

	ban      *fence   // nil in a game without one
	recent   []Choice // moves of a game with a ban, in order
	reasked  int      // unreadable replies to the turn at hand that cost nothing
	leads    Leads    // nil unless a lead is shown
	renamed  Renamed  // nil unless names are invented
	leadless int      // menus dealt on a page without a lead
	names    names

	remembers bool // notes where links were offered
	sights    sights
}

// Start starts a game at the task's source. It refuses options that CheckOptions refuses or that
// are not of the task's family, options that show leads or invented names in a world without them,
// and a task that the world contradicts: ends outside the graph, source = target, another length
// than the world's, a ban in a world without labels. The limits of the game are those of opts.
func Start(w World, task Task, opts schemas.GameOptions) (*Game, error) {
	if err := CheckOptions(opts); err != nil {
		return nil, err
	}
	if (task.Ban != nil) != HasBan(opts) {
		return nil, fault.New(fault.Usage, "%s and its game options are of two families", task.ID).Hint("take the options of the task's family")
	}
	leads, err := leadsOf(w, opts)
	if err != nil {
		return nil, err
	}
	renamed, err := renamedOf(w, opts)
	if err != nil {
		return nil, err
	}
	g := &Game{
		world: w, task: task, opts: opts, limit: limitOf(opts, task.Length), trail: NewTrail(task.Source.Node),
		leads: leads, renamed: renamed, remembers: TellsState(opts),
	}
	if err := g.measure(); err != nil {
		return nil, err
	}
	g.deal()
	return g, nil
}

// measure takes the distances, and refuses a task that they contradict.
func (g *Game) measure() error {
	s, t := g.task.Source.Node, g.task.Target.Node
	if n := int64(g.world.Len()); int64(s) >= n || int64(t) >= n {
		return fault.New(fault.Mismatch, "instance %s joins nodes %d and %d of a graph with %d", g.task.ID, s, t, n)
	}
	if s == t {
		return fault.New(fault.Malformed, "instance %s has the same source and target", g.task.ID)
	}
	var err error
	if g.plain, err = g.world.Column(t); err != nil {
		return err
	}
	g.distance, g.entering = g.plain, column(g.plain)
	if g.task.Ban != nil {
		if g.task, err = g.task.Fenced(g.world); err != nil {
			return err
		}
		g.ban = g.task.fence
		g.distance, g.entering = g.ban.distance, column(g.ban.entering)
	}
	if int(g.distance[s]) != g.task.Length {
		return fault.New(fault.Mismatch, "instance %s says distance %d, the graph %d", g.task.ID, g.task.Length, g.distance[s])
	}
	return nil
}

// Step is the number of the turn to come, 1-based; a reply that is not counted leaves it.
func (g *Game) Step() int    { return g.turns + 1 }
func (g *Game) Page() uint32 { return g.trail.Page() }

// Menu lists the links offered now, in the order shown, none once it is over: the game's slice.
func (g *Game) Menu() []uint32 { return g.links }

// Path lists the pages visited so far, source first. The slice belongs to the game.
func (g *Game) Path() []uint32 { return g.trail.Path() }
func (g *Game) Limit() int     { return g.limit }

// Turns, Moves and Invalid count consumed turns: Turns = Moves + Invalid.
func (g *Game) Turns() int   { return g.turns }
func (g *Game) Moves() int   { return g.trail.Moves() }
func (g *Game) Invalid() int { return g.invalid }

// Outcome is one of the schemas.Outcome words, or "" while the game runs.
func (g *Game) Outcome() string { return g.outcome }
func (g *Game) Done() bool      { return g.outcome != "" }

// LeadsMissing counts the menus that were dealt on a page without a lead, under context=lead.
func (g *Game) LeadsMissing() int { return g.leadless }

// Best returns the place in the menu of a link nearest to the target, of an allowed one under a
// ban: the oracle. Whoever calls it is no ordinary player.
func (g *Game) Best() int { return g.best.first(g.links) }

// Shortest is Best whatever is banned: followed from the source, it is the baseline path.
func (g *Game) Shortest() int { return optimalOf(g.links, column(g.plain)).first(g.links) }

// Stop ends a running game from outside: the player gave up or failed. It consumes no turn.
func (g *Game) Stop(outcome string) {
	if !g.Done() {
		g.finish(outcome)
	}
}

// deal lays out the menu of the next turn, or ends the game when there is none.
func (g *Game) deal() {
	g.links = g.menu()
	if len(g.links) == 0 {
		g.finish(schemas.OutcomeStuck)
		return
	}
	g.best = optimalOf(g.links, g.entering)
	if g.remembers {
		g.sights.note(g.Page(), g.links)
	}
	if g.opts.Context == ContextLead && g.leads != nil {
		if _, ok := g.leads.Lead(g.Page()); !ok {
			g.leadless++
		}
	}
}

func (g *Game) finish(outcome string) {
	g.outcome, g.links = outcome, nil
}

// live reports whether the target can still be reached with the turns that are left.
func (g *Game) live() bool {
	d := g.distance[g.Page()]
	return d != schemas.Unreached && int(d) <= g.limit-g.turns
}

// MaxVisits is the largest number of visits to one page, the start included.
func (g *Game) MaxVisits() int { return g.trail.MaxVisits() }

func (g *Game) Offers(v uint32) (int, bool) {
	i := slices.Index(g.links, v)
	return i, i >= 0
}
