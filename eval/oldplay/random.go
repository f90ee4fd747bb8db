package play

import (
	"context"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// random follows a link of the menu drawn uniformly: what a player without any knowledge achieves.
type random struct{ seed int64 }

func (random) Name() string { return "random" }
func (random) Kind() string { return schemas.KindLocal }

// Start gives the game a stream of its own, so that its moves depend on no other game.
func (p random) Start(seat Seat) Agent {
	return walker{rng.New(uint64(p.seed), "player", "random", seat.Instance, rng.Part(seat.Attempt))}
}

type walker struct{ stream *rng.Stream }

func (w walker) Act(_ context.Context, o game.Observation) (Answer, error) {
	return Answer{Move: game.Pick(w.stream.Below(len(o.Links)))}, nil
}
