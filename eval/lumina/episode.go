// Package lumina is the environment of the three worlds: one model playing one instance in one oracle configuration.
//
// It owns the turn loop, the parser of replies, the oracle interventions and the record of a step. An episode is a pure function of instance,
// configuration, options and replies: no clock, file, log or randomness, so a scorer that repeats the replies repeats
// the episode, prompts included. The rules and the optimal calls are those of artifacts/worlds, the words those of prompt. It
// knows no players, and not how instances are generated.
//
// Rules: lumina specification, sections 2, 7 and 8.
package lumina

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Defaults gives the published options.
func Defaults() schemas.LuminaOptions {
	return schemas.LuminaOptions{MaxFormatErrors: worlds.MaxFormatErrors}
}

// maxFormatErrors bounds the option; no episode has so many turns.
const maxFormatErrors = 1_000_000

// CheckOptions refuses, as a usage fault, options with which nothing could be played.
func CheckOptions(o schemas.LuminaOptions) error {
	if o.MaxFormatErrors < 1 || o.MaxFormatErrors > maxFormatErrors {
		return fault.New(fault.Usage, "option max_format_errors is %d, want 1 to %d", o.MaxFormatErrors, maxFormatErrors)
	}
	return nil
}

// Episode is one episode in progress. It is not safe for concurrent use.
type Episode struct {
	inst *worlds.Instance
	cfg  Config
	opts schemas.LuminaOptions
	chat *chat

	state   worlds.State
	best    []worlds.Call // optimal in state
	turn    int           // turns played
	row     int           // format errors since the last action
	outcome string
}

// New starts an episode. The book must hold the examples of the instance's world.
func New(inst *worlds.Instance, cfg Config, opts schemas.LuminaOptions, book *Book) (*Episode, error) {
	page, err := book.page(inst.Env, cfg)
	if err != nil {
		return nil, err
	}
	return start(inst, cfg, opts, page), nil
}

func start(inst *worlds.Instance, cfg Config, opts schemas.LuminaOptions, page *page) *Episode {
	e := &Episode{inst: inst, cfg: cfg, opts: opts, state: inst.Start(), chat: &chat{page: page, fresh: cfg.History}}
	e.enter(e.state)
	e.chat.show(prompt.Join(view(e.state).Task(), e.blocks()))
	return e
}

// State is the current state; with it comes all that a player may not know.
func (e *Episode) State() worlds.State { return e.state }

// Instance is what is played.
func (e *Episode) Instance() *worlds.Instance { return e.inst }

// View is what the player may know of the current state.
func (e *Episode) View() prompt.View { return view(e.state) }

// Turn is the number of turns played.
func (e *Episode) Turn() int { return e.turn }

// Outcome is one of the schemas.Outcome words, or "" while the episode goes on.
func (e *Episode) Outcome() string { return e.outcome }

// Done tells whether the episode is over.
func (e *Episode) Done() bool { return e.outcome != "" }

// Messages is the prompt of the turn to come, oldest first. The caller owns it.
func (e *Episode) Messages() []prompt.Message { return e.chat.messages() }

// Best lists the optimal calls, in the order of the plan oracle. Whoever asks is no ordinary player. The slice belongs to the episode.
func (e *Episode) Best() []worlds.Call { return e.best }

// Fail ends a running episode because no reply could be had; it is no turn.
func (e *Episode) Fail() {
	if !e.Done() {
		e.outcome = schemas.OutcomeInfra
	}
}

// Play takes the player's reply and gives the record of the turn. It panics once the episode is over.
func (e *Episode) Play(reply string) schemas.LuminaStep {
	if e.Done() {
		panic("lumina: a reply after the end")
	}
	e.turn++
	step := schemas.LuminaStep{
		T: e.turn, StateDigest: digest(e.state), Reply: reply, Dead: e.state.Dead(), AStar: texts(e.best), PromptSHA256: e.chat.digest(),
	}
	call, ok := Parse(e.inst.Env, reply)
	if ok {
		e.act(call, &step)
	} else {
		e.reject(&step)
	}
	if e.outcome == "" && e.turn >= e.inst.TMax {
		e.outcome = schemas.OutcomeTurns
	}
	if !e.Done() {
		e.next(step)
	}
	return step
}

// act carries out a call.
func (e *Episode) act(call worlds.Call, step *schemas.LuminaStep) {
	e.row = 0
	for _, c := range e.best {
		step.Optimal = step.Optimal || c == call
	}
	action := call.String()
	after, effect := e.state.Apply(call)
	step.Action, step.Status, step.Obs = &action, schemas.StatusLegal, observe(call, effect, after)
	if effect.Illegal() {
		step.Status = schemas.StatusIllegal
	}
	e.outcome = effect.Outcome
	e.enter(after)
}

// reject answers a reply without an action.
func (e *Episode) reject(step *schemas.LuminaStep) {
	e.row++
	step.Status, step.Obs = schemas.StatusFormatError, prompt.FormatError(signatureTexts(e.inst.Env))
	if e.row >= e.opts.MaxFormatErrors {
		e.outcome = schemas.OutcomeFormat
	}
}

func (e *Episode) enter(s worlds.State) {
	e.state, e.best = s, s.Optimal()
}

// next lays out the prompt of the turn after step. With the history oracle the observation is dropped, but for the notice
// that the action failed.
func (e *Episode) next(step schemas.LuminaStep) {
	if !e.cfg.History {
		e.chat.answer(step.Reply)
		e.chat.show(prompt.Join(step.Obs, e.blocks()))
		return
	}
	notice := ""
	if step.Status != schemas.StatusLegal {
		notice = step.Obs
	}
	e.chat.show(prompt.Join(view(e.state).Task(), notice, e.blocks()))
}

// blocks gives the oracle blocks of the configuration: plan, then state.
func (e *Episode) blocks() string {
	var p, s string
	if e.cfg.Plan {
		p = prompt.Block(prompt.PlanHeader, plan(e.best[0]))
	}
	if e.cfg.State {
		s = prompt.Block(prompt.StateHeader, view(e.state).State())
	}
	return prompt.Join(p, s)
}

// digest is the first 16 hex digits of the SHA-256 of a state.
func digest(s worlds.State) string {
	sum := sha256.Sum256(s.AppendCanonical(nil))
	return hex.EncodeToString(sum[:8])
}

func texts(calls []worlds.Call) []string {
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = c.String()
	}
	return out
}
