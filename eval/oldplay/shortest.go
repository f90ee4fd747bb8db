package play

import (
	"context"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// shortest asks the oracle for every move. It is no contestant: it shows that an instance can be solved in its distance. In a game with a
// ban it follows the links of the whole graph, whatever is banned: the baseline that a ban is measured by.
type shortest struct{}

func (shortest) Name() string          { return "shortest" }
func (shortest) Kind() string          { return schemas.KindOracle }
func (shortest) Start(seat Seat) Agent { return guided{seat.Shortest} }

// shortestLegal keeps to the ban: it shows that an instance can be solved in the length of its constrained path. Without a ban it is
// shortest.
type shortestLegal struct{}

func (shortestLegal) Name() string          { return "shortest-legal" }
func (shortestLegal) Kind() string          { return schemas.KindOracle }
func (shortestLegal) Start(seat Seat) Agent { return guided{seat.Best} }

type guided struct{ best func() int }

func (g guided) Act(context.Context, game.Observation) (Answer, error) {
	return Answer{Move: game.Pick(g.best())}, nil
}
