package play

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// Record is a finished game with its turns.
type Record struct {
	Game  schemas.Game
	Steps []schemas.Step
}

// gameID names a game inside its run.
func gameID(instance string, attempt int) string {
	return instance + "-a" + strconv.Itoa(attempt)
}

// play plays one game to its end.
func (r *runner) play(ctx context.Context, t task) (Record, error) {
	g, err := game.Start(r.World, t.Task, r.Run.Options)
	if err != nil {
		return Record{}, err
	}
	id, started := gameID(t.ID, t.attempt), r.Now()
	agent := r.Player.Start(r.seat(t, g))
	var steps []schemas.Step
	var why error // the game failed for no fault of the player
	for !g.Done() {
		step, err := r.turn(ctx, id, g, agent)
		if errors.Is(err, ErrInfra) {
			why = err
			break
		}
		if err != nil {
			return Record{}, err
		}
		if step == nil {
			break
		}
		step.Instance = t.ID
		steps = append(steps, *step)
	}
	if s, ok := agent.(Spectator); ok {
		s.End(g.Observe(id))
	}
	rec := GameRecord(g, steps, r.Run)
	rec.Game, rec.Instance, rec.Attempt = id, t.ID, t.attempt
	rec.Started, rec.Ended = Stamp(started), Stamp(r.Now())
	rec.Retried = repeated(why) || r.journal.again[id] || slices.ContainsFunc(steps, func(s schemas.Step) bool { return s.Retries > 0 })
	if why != nil {
		reason := why.Error()
		rec.Reason = &reason
	}
	return Record{rec, steps}, nil
}

// GameRecord gives the part of a game's record that its turns and its run determine: neither its name nor its times.
func GameRecord(g *game.Game, steps []schemas.Step, run schemas.GameRun) schemas.Game {
	rec := schemas.Game{
		Schema: schemas.GameSchema, Run: run.Run, Outcome: g.Outcome(),
		Turns: g.Turns(), Moves: g.Moves(), Invalid: g.Invalid(), Path: g.Path(), Usage: schemas.SumUsage(steps, schemas.Step.Told),
	}
	rec.Cost = judge.Cost(run.Price, rec.Usage)
	return rec
}

// turn asks the agent for a move and makes it; nil means that the agent ended the game instead. With ErrInfra the game has ended, too.
func (r *runner) turn(ctx context.Context, id string, g *game.Game, agent Agent) (*schemas.Step, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	asked := r.Now()
	answer, err := agent.Act(ctx, g.Observe(id))
	switch {
	case errors.Is(err, ErrGaveUp):
		g.Stop(schemas.OutcomeGaveUp)
		return nil, nil
	case errors.Is(err, ErrInfra):
		g.Stop(schemas.OutcomeInfra)
		return nil, err
	case err != nil:
		return nil, err
	}
	step := StepRecord(g.Play(answer.Move))
	step.Run, step.Game, step.Oracle = r.Run.Run, id, r.Run.Options.Oracle
	step.PromptSHA256, step.Reply, step.Usage, step.Retries = answer.Prompt, answer.Reply, answer.Usage, answer.Retries
	if step.BanStep != nil {
		step.Thinking = answer.Reasoning // of these games Reasoning is a field of the reply
	} else {
		step.Reasoning = answer.Reasoning
	}
	step.Flag, step.Cost = answer.Flag, judge.Cost(r.Run.Price, answer.Usage)
	step.ReplySHA256 = ReplySHA256(step.Reply)
	step.LatencyMS = max(0, r.Now().Sub(asked).Milliseconds()) // a clock may be set back
	return &step, nil
}

// ReplySHA256 is the digest of a reply in hex, "" for a player that writes none.
func ReplySHA256(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// seat gives the oracle to those alone who declare that they ask it, and degrees to those who play by them.
func (r *runner) seat(t task, g *game.Game) Seat {
	seat := Seat{Instance: t.ID, Attempt: t.attempt, Options: r.Run.Options}
	if r.Player.Kind() == schemas.KindOracle {
		seat.Best, seat.Shortest = g.Best, g.Shortest
	}
	if _, ok := r.Player.(greedy); ok {
		seat.Survey = func() []Candidate { return survey(r.World, t.Target.Node, g) }
	}
	return seat
}

// StepRecord gives the part of a step that the world determines. A player without prompts has no prompt, reply or usage.
func StepRecord(t game.Turn) schemas.Step {
	s := schemas.Step{
		Schema: schemas.StepSchema, Step: t.Step, Page: t.Page, Menu: t.Menu, Choice: t.Choice, To: t.To,
		Valid: t.Valid(), InvalidReason: t.Reason, Optimal: t.Optimal, DBefore: t.Before, DAfter: t.After,
	}
	if t.Ban != nil {
		s.BanStep = &schemas.BanStep{Violates: t.Ban.Violates, Labels: t.Ban.Labels}
		if said := t.Ban.Stated; said != nil {
			s.NextPageRaw, s.Reasoning, s.RestrictionReasoning, s.MissingField = &said.NextPage, &said.Reasoning, &said.Restriction, said.Missing
		}
	}
	return s
}

// Stamp writes a time as records do.
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
