package play

import (
	"context"
	"strconv"
	"time"

	"github.com/wikinav/wikinav/eval/game"
	"github.com/wikinav/wikinav/schemas"
)

// record is a finished game with its turns.
type record struct {
	game  schemas.Game
	steps []schemas.Step
}

// gameID names a game inside its run.
func gameID(instance string, attempt int) string {
	return instance + "-a" + strconv.Itoa(attempt)
}

// play plays one game to its end.
func (r *runner) play(ctx context.Context, t task) (record, error) {
	g, err := game.New(r.World, t.inst, r.Run.Options)
	if err != nil {
		return record{}, err
	}
	id, started := gameID(t.inst.ID, t.attempt), r.Now()
	agent := r.Player.Start(r.seat(t, g))
	var steps []schemas.Step
	for !g.Done() {
		if err := ctx.Err(); err != nil {
			return record{}, err
		}
		asked := r.Now()
		move := agent.Act(g.Observe(id))
		step := stepRecord(g.Play(move))
		step.Run, step.Game, step.Instance, step.Oracle = r.Run.Run, id, t.inst.ID, r.Run.Options.Oracle
		step.LatencyMS = r.Now().Sub(asked).Milliseconds()
		steps = append(steps, step)
	}
	return record{schemas.Game{
		Schema: schemas.GameSchema, Run: r.Run.Run, Game: id, Instance: t.inst.ID, Attempt: t.attempt,
		Outcome: g.Outcome(), Turns: g.Turns(), Moves: g.Moves(), Invalid: g.Invalid(), Path: g.Path(),
		Started: stamp(started), Ended: stamp(r.Now()),
	}, steps}, nil
}

// seat gives the oracle to those alone who declare that they ask it.
func (r *runner) seat(t task, g *game.Game) Seat {
	seat := Seat{Instance: t.inst.ID, Attempt: t.attempt}
	if r.Player.Kind() == schemas.KindOracle {
		seat.Best = g.Best
	}
	return seat
}

// stepRecord gives the part of a step that the world determines. A player without prompts has no prompt, reply or usage.
func stepRecord(t game.Turn) schemas.Step {
	return schemas.Step{
		Schema: schemas.StepSchema, Step: t.Step, Page: t.Page, Menu: t.Menu, Choice: t.Choice, To: t.To,
		Valid: t.Valid(), InvalidReason: t.Reason, Optimal: t.Optimal, DBefore: t.Before, DAfter: t.After,
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
