package session

import (
	"time"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Race is a game of WikiRace, with or without a ban, behind the step protocol.
type Race struct {
	family *Wikirace
	world  game.World
	task   game.Task
	opts   schemas.GameOptions
	game   *game.Game
	steps  []schemas.Step
	spoken int // steps that came as raw replies
}

// Instance names the instance.
func (r *Race) Instance() string { return r.task.ID }

// Options are the rules of the game.
func (r *Race) Options() schemas.GameOptions { return r.opts }

// OptionsSHA256 is their hash.
func (r *Race) OptionsSHA256() string { return game.OptionsSHA256(r.opts) }

// Step is the number of the turn to come.
func (r *Race) Step() int { return r.game.Step() }

// Turns counts the consumed turns.
func (r *Race) Turns() int { return r.game.Turns() }

// Outcome is "" while the game runs.
func (r *Race) Outcome() string { return r.game.Outcome() }

// Observe gives a game.Observation.
func (r *Race) Observe(id string) any { return r.game.Observe(id) }

// Stop ends the game from outside.
func (r *Race) Stop(outcome string) { r.game.Stop(outcome) }

// Fresh gives the game at its start.
func (r *Race) Fresh() (Game, error) { return r.family.start(r.world, r.task, r.opts) }

// Play makes a move.
func (r *Race) Play(m Move, by Mover, latency time.Duration) (Turn, error) {
	move, err := r.read(m)
	if err != nil {
		return Turn{}, err
	}
	if by == Harness && m.Reply == nil {
		if err := r.check(m, move); err != nil {
			return Turn{}, err
		}
	}
	t := r.game.Play(move)
	step := play.StepRecord(t)
	step.Instance, step.Oracle, step.LatencyMS = r.task.ID, r.opts.Oracle, latency.Milliseconds()
	if m.Reply != nil {
		step.Reply, step.ReplySHA256 = *m.Reply, play.ReplySHA256(*m.Reply)
		r.spoken++
	}
	r.steps = append(r.steps, step)
	turn := Turn{Valid: t.Valid(), Counted: t.Counted}
	if t.Reason != nil {
		turn.Reason = *t.Reason
	}
	return turn, nil
}

// read finds out what a move means on the menu at hand, and what was said of it. What it refuses is no move at all.
func (r *Race) read(m Move) (game.Move, error) {
	if err := r.checkWords(m); err != nil {
		return game.Move{}, err
	}
	move, err := r.find(m)
	if m.Reply == nil {
		move.Stated = r.stated(m)
	}
	return move, err
}

func (r *Race) find(m Move) (game.Move, error) {
	switch {
	case m.Back && r.opts.Back != game.BackOn:
		return game.Move{}, errorf(CodeBackDisabled, "", "going back is not allowed under the rules of this game")
	case m.Back:
		return game.Back(), nil
	case m.Reply != nil && !r.family.Replies:
		return game.Move{}, errorf(CodeBadField, "reply", "raw replies are not accepted here; send choice or title")
	case m.Reply != nil:
		return r.parser().Read(*m.Reply, r.game.Observe("")), nil
	case m.Title != nil && game.HasBan(r.opts):
		return reply.Choose(*m.Title, r.game.Observe("")), nil
	case m.Title != nil:
		if i, ok := r.place(*m.Title); ok {
			return game.Pick(i), nil
		}
		return game.NoMove(game.ReasonNotOffered), nil
	case m.Choice != nil:
		return game.Pick(*m.Choice), nil
	}
	return game.Move{}, errorf(CodeBadField, "choice", "a move needs choice, title or reply")
}

// check refuses a choice that is not on the menu.
func (r *Race) check(m Move, move game.Move) error {
	links := len(r.game.Menu())
	switch {
	case m.Title != nil && move.Choice == nil && !move.NoPath:
		return errorf(CodeBadChoice, "title", "no link of this page is called %s", fault.Quote(*m.Title))
	case m.Choice != nil && (*m.Choice < 0 || *m.Choice >= links):
		return errorf(CodeBadChoice, "choice", "choice is %d, the links are 0 to %d", *m.Choice, links-1)
	case m.Back && r.game.Observe("").Back == "":
		return errorf(CodeBadChoice, "", "there is no page to go back to")
	}
	return nil
}

// place finds a link by the title that is shown, or by any that leads to its page. Under titles=anon only what is shown counts: else
// the names of pages could be tried out.
func (r *Race) place(title string) (int, bool) {
	for _, l := range r.game.Observe("").Links {
		if l.Title == title {
			return l.I, true
		}
	}
	if r.opts.Titles == game.TitlesAnon {
		return 0, false
	}
	u, ok := r.family.Resolve(title)
	if !ok {
		return 0, false
	}
	return r.game.Offers(u)
}

func (r *Race) parser() reply.Reader { return reply.For(r.opts, false) }

// Parser is what the replies of the game were read by, nil if not every step came as a reply.
func (r *Race) Parser() *schemas.Versioned {
	if !r.family.Replies || r.spoken < len(r.steps) {
		return nil
	}
	v := r.parser().Version()
	return &v
}

// Oracle tells what the oracle knows of the turn to come.
func (r *Race) Oracle() Oracle {
	o := Oracle{Distance: r.game.Distance(), State: r.game.State()}
	if !r.game.Done() {
		o.Plan = r.game.Plan()
	}
	return o
}
