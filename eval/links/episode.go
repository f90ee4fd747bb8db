package links

import (
	"slices"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
)

type Episode struct {
	resolve func(aliases bool) (func(title string) (uint32, bool), error)
	task    game.Task
	opts    schemas.GameOptions
	manner  family.Manner
	world   game.World
	game    *game.Game
	name    string // in its run, as observations tell it
	reader  reply.Reader

	dialogue *render.Dialogue
	asked    []schemas.Message // of the turn at hand, nil before it is asked for
	moves    []game.Move
	steps    []schemas.Step
}

var (
	_ family.Episode = (*Episode)(nil)
	_ family.Named   = (*Episode)(nil)
	_ family.Advised = (*Episode)(nil)
	_ family.Traced  = (*Episode)(nil)
)

func (e *Episode) Name(item string) { e.name = item }

// told is what a model that calls tools sees of a game.
type told struct {
	Task string `json:"task,omitempty" jsonschema:"the game and all its rules; in the observation of step 1"`
	game.Observation
}

// worded is what a program sees of a game that the user put in words.
type worded struct {
	game.Observation
	Messages []schemas.Message `json:"messages"` // of the turn to come
}

// Observe returns a game.Observation, with the task in words for a model that calls tools, and with
// the user's own words for a program.
func (e *Episode) Observe() any {
	o := e.game.Observe(e.name)
	switch at := e.manner.Interface; {
	case at == schemas.InterfaceMCP:
		t := told{Observation: o}
		if o.Step == 1 {
			t.Task = task(o, e.opts, e.manner.Prompt)
		}
		return t
	case e.manner.Prompt != nil && at != schemas.InterfaceChat && at != schemas.InterfaceHuman:
		w := worded{o, []schemas.Message{}}
		if !o.Done {
			w.Messages = e.Messages()
		}
		return w
	}
	return o
}

// Messages returns the prompt of the turn to come; nil once the game is over.
func (e *Episode) Messages() []schemas.Message {
	if e.asked == nil && !e.game.Done() {
		e.asked = e.dialogue.Ask(e.game.Observe(e.name))
	}
	return slices.Clone(e.asked)
}

func (e *Episode) Step() int           { return e.game.Step() }
func (e *Episode) Stop(outcome string) { e.game.Stop(outcome) }
func (e *Episode) Outcome() string     { return e.game.Outcome() }

func (e *Episode) Record(r family.Recording) family.Record {
	steps, side := slices.Clone(e.steps), make([]any, len(e.steps))
	for i := range steps {
		s := &steps[i]
		s.Run, s.Game, s.Cost = r.Run.Run, r.Item, judge.TurnCost(r.Run, s.Usage, s.Cost)
		r.Retried = r.Retried || s.Retries > 0
		side[i] = *s
	}
	rec := schemas.Game{
		Schema: schemas.GameSchema, Run: r.Run.Run, Game: r.Item, Instance: e.task.ID, Attempt: r.Attempt, Outcome: e.game.Outcome(),
		Turns: e.game.Turns(), Moves: e.game.Moves(), Invalid: e.game.Invalid(), Path: e.game.Path(),
		Usage: schemas.SumUsage(steps, schemas.Step.Told), Retried: r.Retried, Reason: r.Reason, Started: stamp(r.Started), Ended: stamp(r.Ended),
	}
	rec.Cost = judge.DecimalOf(judge.Spent(r.Run, rec.Usage, schemas.Costs(steps, schemas.Step.ToldCost)))
	return family.Record{Main: rec, Side: side}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// keep books a turn with what came along with its reply; text is the reply in words, "" for none.
func (e *Episode) keep(t game.Turn, text string, said family.Said) {
	s := t.Record()
	s.Instance, s.Oracle, s.LatencyMS = e.task.ID, e.opts.Oracle, said.LatencyMS
	s.PromptSHA256, s.Usage, s.Served, s.Cost = said.PromptSHA256, said.Usage, said.Served, said.Cost
	s.Retries, s.Flag = said.Retries, said.Flag
	if text != "" {
		s.Reply, s.ReplySHA256 = text, digest.SHA256([]byte(text))
	}
	if s.BanStep != nil {
		s.Thinking = said.Reasoning // in these games Reasoning is a field of the reply
	} else {
		s.Reasoning = said.Reasoning
	}
	e.steps = append(e.steps, s)
}

// Oracle is what nobody who plays may know.
type Oracle struct {
	Distance *int        `json:"distance" jsonschema:"links on a shortest path from the current page to the target"` // null: there is none
	Plan     *game.Link  `json:"plan" jsonschema:"an optimal link"`                                                  // null once the game is over
	State    *game.State `json:"state" jsonschema:"all that a player with a perfect memory knows"`
}

// Oracle returns an Oracle. The game is played again, because one that nobody asks keeps no menus.
func (e *Episode) Oracle() any {
	o := Oracle{State: e.remembering().State()}
	if d := e.game.Distance(); d != int(schemas.Unreached) {
		o.Distance = &d
	}
	if !e.game.Done() {
		o.Plan = e.game.Plan()
	}
	return o
}

func (e *Episode) remembering() *game.Game {
	g, err := game.Start(e.world, e.task, e.opts)
	if err != nil {
		panic(err) // it started before
	}
	g.Remember()
	for _, m := range e.moves {
		g.Play(m)
	}
	return g
}

// logged is a step under a name that hides none of its fields.
type logged = schemas.Step

// TraceStep is a step as a client may see it: what only an oracle knows is told apart.
type TraceStep struct {
	logged
	Optimal *bool `json:"optimal,omitempty"`
	DBefore *int  `json:"d_before,omitempty"`
	DAfter  *int  `json:"d_after,omitempty"`
	// Of games with a ban: the labels of pages are not for a player to know.
	Violates *bool   `json:"violates,omitempty"`
	Labels   *uint32 `json:"labels,omitempty"`
}

func (e *Episode) Trace(item string, oracle bool) any {
	steps := make([]TraceStep, len(e.steps))
	for i, s := range e.steps {
		s.Game = item
		steps[i].logged = s
		if oracle {
			steps[i].Optimal, steps[i].DBefore, steps[i].DAfter = &s.Optimal, &s.DBefore, &s.DAfter
		}
		if ban := s.BanStep; ban != nil && oracle {
			steps[i].Violates, steps[i].Labels = &ban.Violates, &ban.Labels
		}
	}
	return steps
}
