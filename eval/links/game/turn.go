package game

import "github.com/wikinav/wikinav/schemas"

// Move is what a player makes of a turn: the index of a link, the way back, or no choice and why.
type Move struct {
	Choice *int
	Back   bool
	NoPath bool    // the player says that there is no path; it ends a game with a ban
	Reason string  // why there is no choice; "" beside a choice
	Stated *Stated // in a game with a ban, the reply that was read
}

type Stated struct {
	NextPage    string
	Reasoning   string
	Restriction string // why the page keeps to the ban
	Missing     bool   // the reply had no such field
}

// Pick is the move along link i of the menu. An index outside it is an invalid move, no error.
func Pick(i int) Move { return Move{Choice: &i} }

// Back is the move to the previous page of the stack, which the option back allows.
func Back() Move { return Move{Back: true} }

// NoMove is a reply in which no choice could be found.
func NoMove(reason string) Move { return Move{Reason: reason} }

const (
	ReasonOutOfRange = "out_of_range"
	ReasonUnparsed   = "unparsed"
	ReasonNotOffered = "not_offered" // a page that is no link of the menu, in a log of pages
	ReasonBackOff    = "back_off"    // back in a game without it
	ReasonNoWayBack  = "no_way_back" // back on the source, with nothing below it
	ReasonFormat     = "format"      // a structured reply that cannot be read
	ReasonNotALink   = "not_a_link"  // it names no page of the menu
	ReasonNoPath     = "no_path"     // it says that there is no path
)

// Turn is what a move did: all that the world determines of a step's record.
type Turn struct {
	Step    int
	Page    uint32
	Menu    []uint32 // in the order shown
	Choice  *int
	To      *uint32 // nil for an invalid move
	Reason  *string // nil for a valid one
	Counted bool    // consumed a turn
	Live    bool    // the target was within the turns left, before the move
	Optimal bool    // along a link, and no link of the menu was nearer to the target
	Before  int     // distance to the target, 254 for that or more, 255 for none
	After   int
	Nearest int // distance of the menu's nearest link

	Ban *BanTurn // nil in a game without a ban
}

type BanTurn struct {
	Violates bool    // the page moved to is banned
	Labels   uint32  // mask of the page moved to, 0 without a move
	Stated   *Stated // nil where no reply was read
}

// Valid reports whether the turn was a move: along a link, or back.
func (t Turn) Valid() bool { return t.To != nil }

// Regret is what the turn lost against an optimal one, in links: 0 for a link on a shortest path.
// Over a game that succeeds without an invalid turn the sum is turns - distance. An invalid turn
// loses one. Between two pages of which nobody knows more than that they are far, it is 0.
func (t Turn) Regret() int { return lost(t.Before, t.After) }

// AvailRegret is what even the menu's nearest link loses: 0 unless pruning cut every best link.
func (t Turn) AvailRegret() int { return lost(t.Before, t.Nearest) }

func lost(before, after int) int {
	if before == int(schemas.Far) && after == before {
		return 0
	}
	return 1 + after - before
}

// Record returns the part of a step that the world determines.
func (t Turn) Record() schemas.Step {
	s := schemas.Step{
		Schema: schemas.StepSchema, Step: t.Step, Page: t.Page, Menu: t.Menu, Choice: t.Choice, To: t.To,
		Valid: t.Valid(), InvalidReason: t.Reason, Optimal: t.Optimal, DBefore: t.Before, DAfter: t.After,
	}
	if t.Ban != nil {
		s.BanStep = &schemas.BanStep{Violates: t.Ban.Violates, Labels: t.Ban.Labels}
		if said := t.Ban.Stated; said != nil {
			s.NextPageRaw, s.Reasoning, s.RestrictionReasoning = &said.NextPage, &said.Reasoning, &said.Restriction
			s.MissingField = said.Missing
		}
	}
	return s
}

// Play makes a move in a running game. It panics once the game is over.
func (g *Game) Play(m Move) Turn {
	t := g.open(m)
	switch {
	case m.Back:
		return g.back(t)
	case m.NoPath && g.ban != nil:
		return g.concede(t)
	}
	if m.Choice == nil || *m.Choice < 0 || *m.Choice >= len(g.links) {
		return g.reject(t, m, g.opts.Invalid)
	}
	to := g.links[*m.Choice]
	t.To, t.Optimal, t.After, t.Counted = &to, g.Chooses(*m.Choice), int(g.distance[to]), true
	if g.ban != nil {
		t.Ban.Labels, t.Ban.Violates = g.ban.pages.Mask(to), g.ban.closed[to]
	}
	g.advise(t)
	g.recall(g.Page(), to, m.Stated)
	seen := g.trail.visits[to] > 0
	g.trail.Push(to)
	g.arrive(seen)
	return t
}

// concede ends the game, for a player that finds no path. It consumes no turn.
func (g *Game) concede(t Turn) Turn {
	reason := ReasonNoPath
	t.Choice, t.Reason = nil, &reason
	g.finish(schemas.OutcomeNoPath)
	return t
}

// Forfeit is an invalid move that ends any game: for logs whose next page was not offered.
func (g *Game) Forfeit(reason string) Turn {
	m := NoMove(reason)
	return g.reject(g.open(m), m, InvalidEnd)
}

// open describes the turn to come; the move is not made yet.
func (g *Game) open(m Move) Turn {
	if g.Done() {
		panic("game: a move after the end")
	}
	d := int(g.distance[g.Page()])
	t := Turn{
		Step: g.Step(), Page: g.Page(), Menu: g.links, Choice: m.Choice, Live: g.live(), Before: d, After: d,
		Nearest: int(g.best.least),
	}
	if g.ban != nil {
		t.Ban = &BanTurn{Stated: m.Stated}
	}
	return t
}

// back returns to the page below the current one. It is never optimal: that word is about links.
func (g *Game) back(t Turn) Turn {
	switch {
	case g.opts.Back != BackOn:
		return g.reject(t, NoMove(ReasonBackOff), g.opts.Invalid)
	case !g.trail.Back():
		return g.reject(t, NoMove(ReasonNoWayBack), g.opts.Invalid)
	}
	to := g.Page()
	t.To, t.After, t.Counted = &to, int(g.distance[to]), true
	g.advised = nil
	g.arrive(true)
	return t
}

// arrive books a move to a page, which may have been seen before. The target wins even on the last
// turn, and a forbidden visit comes before the limit, because it is what the move itself did.
func (g *Game) arrive(seen bool) {
	g.turns++
	g.row, g.reasked = 0, 0
	switch {
	case g.Page() == g.task.Target.Node:
		g.finish(schemas.OutcomeSuccess)
	case seen && g.opts.Revisit == RevisitFail:
		g.finish(schemas.OutcomeRevisit)
	case g.turns >= g.limit:
		g.finish(schemas.OutcomeStepLimit)
	default:
		g.deal()
	}
}

// reject books an invalid move under one of the invalid options.
func (g *Game) reject(t Turn, m Move, rule string) Turn {
	reason := m.Reason
	if m.Choice != nil {
		reason = ReasonOutOfRange
	}
	t.Reason = &reason
	if g.ban != nil && reason == ReasonFormat && g.reasked < g.opts.FormatRetries { // it costs nothing
		g.reasked++
		g.deal()
		return t
	}
	t.Counted, g.reasked = rule != InvalidRetry, 0
	g.row++
	if t.Counted {
		g.turns++
		g.invalid++
	}
	switch {
	case rule == InvalidEnd:
		g.finish(schemas.OutcomeInvalidAction)
	case g.row >= g.opts.MaxInvalid:
		g.finish(schemas.OutcomeFormat)
	case g.turns >= g.limit:
		g.finish(schemas.OutcomeStepLimit)
	default:
		g.deal()
	}
	return t
}
