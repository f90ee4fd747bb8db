package game

import "github.com/wikinav/wikinav/schemas"

// extra adds what the oracles outside the six tell.
func (g *Game) extra(o *Observation) {
	switch {
	case g.opts.Oracle == OracleDistance:
		d := g.Distance()
		o.Distance = &d
	case g.opts.Oracle == OracleReturn && g.advised != nil:
		o.ReturnTo = g.title(*g.advised)
	}
}

// advise keeps the page that a move should not have left: one that lost ground, though the target
// can be reached. Nobody is advised against advice that was followed, or onto a banned page.
func (g *Game) advise(t Turn) {
	from, obeyed := t.Page, g.advised != nil && *g.advised == *t.To
	g.advised = nil
	banned := g.ban != nil && g.ban.closed[from]
	if t.Regret() > 0 && !obeyed && !banned && t.Before != int(schemas.Unreached) {
		g.advised = &from
	}
}
