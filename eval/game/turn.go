package game

import "github.com/wikinav/wikinav/schemas"

// Move is what a player makes of a turn: the index of a link, or no choice and the reason.
type Move struct {
	Choice *int
	Reason string // why there is no choice; "" beside a choice
}

// Pick is the move along link i of the menu. An index outside the menu is an invalid move, not an error.
func Pick(i int) Move { return Move{Choice: &i} }

// NoMove is a reply in which no choice could be found.
func NoMove(reason string) Move { return Move{Reason: reason} }

// Reasons of invalid moves.
const (
	ReasonOutOfRange = "out_of_range"
	ReasonUnparsed   = "unparsed"
	ReasonNotOffered = "not_offered" // a page that is no link of the menu, in a log of pages
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
	Optimal bool    // no link of the menu was nearer to the target
	Before  int     // distance to the target, 255 for none
	After   int
}

// Valid tells whether the turn was a move along a link.
func (t Turn) Valid() bool { return t.To != nil }

// Play makes a move in a running game. It panics once the game is over.
func (g *Game) Play(m Move) Turn {
	t := g.open(m)
	if m.Choice == nil || *m.Choice < 0 || *m.Choice >= len(g.links) {
		return g.reject(t, m, g.opts.Invalid)
	}
	to := g.links[*m.Choice]
	t.To, t.Optimal, t.After, t.Counted = &to, g.nearestLink(to), int(g.distance[to]), true
	g.follow(to)
	return t
}

// Forfeit is an invalid move that ends the game whatever the options say: for logs whose next page was not offered.
func (g *Game) Forfeit(reason string) Turn {
	m := NoMove(reason)
	return g.reject(g.open(m), m, InvalidEnd)
}

// open describes the turn to come; the move is not made yet.
func (g *Game) open(m Move) Turn {
	if g.Done() {
		panic("game: a move after the end")
	}
	d := int(g.distance[g.page])
	return Turn{Step: g.Step(), Page: g.page, Menu: g.links, Choice: m.Choice, Live: g.live(), Before: d, After: d}
}

// follow goes to a page of the menu. The target wins even on the last turn, and a forbidden visit comes before the limit,
// because it is what the move itself did.
func (g *Game) follow(to uint32) {
	g.turns++
	g.row = 0
	seen := g.visits[to] > 0
	g.enter(to)
	switch {
	case to == g.inst.Target.Node:
		g.finish(schemas.OutcomeSuccess)
	case seen && g.opts.Revisit == RevisitFail:
		g.finish(schemas.OutcomeRevisit)
	case g.turns >= g.opts.MaxSteps:
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
	t.Reason, t.Counted = &reason, rule != InvalidRetry
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
	case g.turns >= g.opts.MaxSteps:
		g.finish(schemas.OutcomeStepLimit)
	default:
		g.deal()
	}
	return t
}
