package play

import (
	"context"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// greedy goes to the page with the most links, of the kind that degree counts: the baselines greedy_in and greedy_out of the wikirace
// specification, 5.6. A link to the target comes first, an unvisited page before a visited one, a smaller node before a larger.
type greedy struct {
	name   string
	degree func(Candidate) int
}

func (p greedy) Name() string          { return p.name }
func (greedy) Kind() string            { return schemas.KindLocal }
func (p greedy) Start(seat Seat) Agent { return climber{p.degree, seat.Survey} }

// Candidate is a link of the menu and what the graph says of its page.
type Candidate struct {
	Node    uint32
	In, Out int
	Visited bool
	Target  bool
}

// Degrees is a world that also counts the links that lead to a page.
type Degrees interface {
	InDegree(u uint32) int
}

func survey(w game.World, target uint32, g *game.Game) []Candidate {
	out := make([]Candidate, len(g.Menu()))
	for i, v := range g.Menu() {
		out[i] = Candidate{Node: v, Out: len(w.Successors(v)), Visited: slices.Contains(g.Path(), v), Target: v == target}
		if d, ok := w.(Degrees); ok {
			out[i].In = d.InDegree(v)
		}
	}
	return out
}

type climber struct {
	degree func(Candidate) int
	survey func() []Candidate
}

func (c climber) Act(context.Context, game.Observation) (Answer, error) {
	links := c.survey()
	best := 0
	for i := range links {
		if c.before(links[i], links[best]) {
			best = i
		}
	}
	return Answer{Move: game.Pick(best)}, nil
}

func (c climber) before(a, b Candidate) bool {
	switch {
	case a.Target != b.Target:
		return a.Target
	case a.Visited != b.Visited:
		return b.Visited
	case c.degree(a) != c.degree(b):
		return c.degree(a) > c.degree(b)
	}
	return a.Node < b.Node
}
