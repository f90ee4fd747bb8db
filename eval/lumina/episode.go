package lumina

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Episode is a player's game of an instance in a configuration. It is not safe for concurrent use.
type Episode struct {
	inst    *worlds.Instance
	cfg     family.Config
	opts    schemas.LuminaOptions
	chat    *chat
	fewshot string // digest of the examples

	state   worlds.State
	best    []worlds.Call // optimal in state
	turn    int           // turns played
	row     int           // format errors since the last action
	outcome string

	steps  []schemas.LuminaStep // made by Act
	said   int                  // bytes of their replies
	reason *string              // why the episode ended as infra, where it knows
}

var (
	_ family.Episode = (*Episode)(nil)
	_ family.Advised = (*Episode)(nil)
	_ family.Traced  = (*Episode)(nil)
)

// New starts an episode, in the user's own words or, for nil, in those of package prompt. The book
// must hold the examples of the instance's world.
func New(
	inst *worlds.Instance, cfg family.Config, opts schemas.LuminaOptions, book *Book, words *wording.Template,
) (*Episode, error) {
	page, err := book.page(inst.Env, cfg)
	if err != nil {
		return nil, err
	}
	e := start(inst, cfg, opts, &chat{page: page, words: words})
	e.fewshot = page.examples
	return e, nil
}

func start(inst *worlds.Instance, cfg family.Config, opts schemas.LuminaOptions, c *chat) *Episode {
	e := &Episode{inst: inst, cfg: cfg, opts: opts, state: inst.Start, chat: c}
	c.fresh = cfg.History
	e.enter(e.state)
	c.show(view(e.state).Task(), e.blocks())
	return e
}

func (e *Episode) Step() int { return e.turn + 1 }

// Outcome returns one of the schemas.Outcome words, or "" while the episode goes on.
func (e *Episode) Outcome() string { return e.outcome }

func (e *Episode) Done() bool { return e.outcome != "" }

// Messages returns the prompt of the turn to come, oldest first. The caller owns it.
func (e *Episode) Messages() []schemas.Message { return e.chat.messages() }

// Tools returns nil: replies are text.
func (*Episode) Tools() []family.Tool { return nil }

// Stop ends a running episode from outside; that is no turn.
func (e *Episode) Stop(outcome string) {
	if !e.Done() {
		e.outcome = outcome
	}
}

// Observation is what a program is shown: the texts that a model reads, so that neither knows more
// of the world than its configuration tells.
type Observation struct {
	Schema   string   `json:"schema"`
	Instance string   `json:"instance"`
	Config   string   `json:"config"`
	World    string   `json:"world"`
	Step     int      `json:"step"`            // of the turn to come, 1-based
	Rules    string   `json:"rules,omitempty"` // of the world; at step 1
	Message  string   `json:"message"`         // task, or what the last action did, with the words of the oracles
	Calls    []string `json:"calls"`           // forms of the calls that may be made
	Done     bool     `json:"done"`
	Outcome  string   `json:"outcome,omitempty"`
}

// observationSchema names the record's version. 1: first layout.
const observationSchema = "lumina.observation/1"

func (e *Episode) Observe() any {
	o := Observation{
		Schema: observationSchema, Instance: e.inst.ID, Config: e.cfg.String(), World: e.inst.Env, Step: e.Step(),
		Message: e.chat.shown, Calls: calls.Shown(forms[e.inst.Env]), Done: e.Done(), Outcome: e.outcome,
	}
	if e.turn == 0 {
		o.Rules = e.rulesText()
	}
	if n := len(e.steps); n > 0 && e.Done() {
		o.Message = e.steps[n-1].Obs
	}
	return o
}

// rulesText returns what the system says: nothing where the user's own words leave it out.
func (e *Episode) rulesText() string {
	if h := e.chat.history; len(h) > 0 && h[0].Role != schemas.RoleSystem {
		return ""
	} else if len(h) > 0 {
		return h[0].Content
	}
	return prompt.SystemText(e.inst.Env)
}

// maxSaid bounds the replies of an episode, whose record is one line.
const maxSaid = 1 << 20

// Act takes words, or a call as its title. An episode that outgrows its record ends as infra.
func (e *Episode) Act(r family.Reply) (family.Turn, error) {
	if e.Done() {
		return family.Turn{}, family.Refuse(family.CodeGameOver, "", "the episode is over: %s", e.outcome)
	}
	text, err := e.read(r)
	if err != nil {
		return family.Turn{}, err
	}
	n := len(text)
	if r.Reasoning != nil {
		n += len(*r.Reasoning)
	}
	if e.said += n; e.said > maxSaid {
		reason := fmt.Sprintf("the replies are longer than %d bytes, more than a record holds", maxSaid)
		e.reason = &reason
		e.Stop(schemas.OutcomeInfra)
		return family.Turn{Reason: reason}, nil
	}
	step := e.Play(text)
	step.Reasoning, step.Usage, step.Served, step.Cost = r.Reasoning, r.Usage, r.Served, r.Cost
	step.Retries, step.Flag = r.Retries, r.Flag
	e.steps = append(e.steps, step)
	turn := family.Turn{Valid: step.Status == schemas.StatusLegal, Counted: true}
	if !turn.Valid {
		turn.Reason = step.Status
	}
	return turn, nil
}

// read returns the reply that a model would have written.
func (e *Episode) read(r family.Reply) (string, error) {
	switch {
	case r.Title != nil:
		call, ok := readCall(e.inst.Env, *r.Title)
		if ok {
			return calls.Fence(call.String()), nil
		}
		if r.Strict {
			return "", family.Refuse(family.CodeBadChoice, "title", "%s is no call of this world", fault.Quote(*r.Title))
		}
		return calls.Fence(*r.Title), nil
	case r.Text != nil:
		return *r.Text, nil
	}
	return "", family.Refuse(family.CodeBadField, "reply", "an episode of %s is played by replies, or by calls as titles", e.inst.Env)
}

func (e *Episode) Record(r family.Recording) family.Record {
	rec := schemas.LuminaEpisode{
		Schema: schemas.LuminaEpisodeSchema, InstanceID: e.inst.ID, Config: e.cfg.String(), ManifestSHA256: r.Run.ManifestSHA256,
		Model: r.Run.Model.Name, TemplateSHA256: prompt.TemplateSHA256(e.inst.Env), FewshotSHA256: e.fewshot,
		Steps: append([]schemas.LuminaStep{}, e.steps...), Outcome: e.outcome, Retried: r.Retried, Reason: r.Reason,
	}
	if rec.Reason == nil {
		rec.Reason = e.reason
	}
	if m := r.Run.Rules.Sampling; m != nil {
		rec.Sampling = sampling(*m)
	}
	for i := range rec.Steps {
		rec.Steps[i].Cost = judge.TurnCost(r.Run, rec.Steps[i].Usage, rec.Steps[i].Cost)
		rec.Retried = rec.Retried || rec.Steps[i].Retries > 0
	}
	rec.Usage = schemas.SumUsage(rec.Steps, func(s schemas.LuminaStep) *schemas.Usage { return s.Usage })
	told := schemas.Costs(rec.Steps, func(s schemas.LuminaStep) *string { return s.Cost })
	rec.Cost = judge.DecimalOf(judge.Spent(r.Run, rec.Usage, told))
	return family.Record{Main: rec}
}

func sampling(m schemas.Asked) (s schemas.LuminaSampling) {
	if m.Temperature != nil {
		s.Temperature = *m.Temperature
	}
	if m.MaxTokens != nil {
		s.MaxTokens = *m.MaxTokens
	}
	return s
}

func (e *Episode) Oracle() any {
	o := advice{State: view(e.state).State()}
	if !e.Done() {
		o.Plan, o.Optimal = plan(e.best[0]), texts(e.best)
	}
	return o
}

type advice struct {
	Plan    string   `json:"plan,omitempty" jsonschema:"a subtask whose call is optimal"`
	Optimal []string `json:"optimal,omitempty" jsonschema:"all optimal calls"`
	State   string   `json:"state" jsonschema:"the current state"`
}

// Trace returns the turns, without what only an oracle knows unless oracle.
func (e *Episode) Trace(_ string, oracle bool) any {
	steps := make([]tracedStep, len(e.steps))
	for i, s := range e.steps {
		steps[i] = tracedStep{LuminaStep: s}
		if oracle {
			steps[i].Optimal, steps[i].Dead, steps[i].AStar = &s.Optimal, &s.Dead, s.AStar
		}
	}
	return steps
}

// tracedStep hides the fields of a step that it repeats.
type tracedStep struct {
	schemas.LuminaStep
	Optimal *bool    `json:"optimal,omitempty"`
	Dead    *bool    `json:"dead,omitempty"`
	AStar   []string `json:"a_star,omitempty"`
}

// Play takes a reply and returns the turn's record. It panics once the episode is over.
func (e *Episode) Play(reply string) schemas.LuminaStep {
	if e.Done() {
		panic("lumina: a reply after the end")
	}
	e.turn++
	step := schemas.LuminaStep{
		T: e.turn, StateDigest: digestOf(e.state), Reply: reply, Dead: e.state.Dead(), AStar: texts(e.best), PromptSHA256: e.chat.digest(),
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

func (e *Episode) reject(step *schemas.LuminaStep) {
	e.row++
	step.Status, step.Obs = schemas.StatusFormatError, calls.FormatError(forms[e.inst.Env])
	if e.row >= e.opts.MaxFormatErrors {
		e.outcome = schemas.OutcomeFormat
	}
}

func (e *Episode) enter(s worlds.State) {
	e.state, e.best = s, s.Optimal()
}

// next lays out the prompt of the turn after step. With the history oracle the observation is
// dropped, but for the notice that the action failed.
func (e *Episode) next(step schemas.LuminaStep) {
	if !e.cfg.History {
		e.chat.answer(step.Reply)
		e.chat.show(step.Obs, e.blocks())
		return
	}
	notice := ""
	if step.Status != schemas.StatusLegal {
		notice = step.Obs
	}
	e.chat.show(view(e.state).Task(), calls.Join(notice, e.blocks()))
}

// blocks returns the oracle blocks of the configuration: plan, then state.
func (e *Episode) blocks() string {
	var p, s string
	if e.cfg.Plan {
		p = calls.Block(calls.PlanHeader, plan(e.best[0]))
	}
	if e.cfg.State {
		s = calls.Block(calls.StateHeader, view(e.state).State())
	}
	return calls.Join(p, s)
}

// digestOf returns the first 16 hex digits of the SHA-256 of a state.
func digestOf(s worlds.State) string { return digest.SHA256(s.AppendCanonical(nil))[:16] }

func texts(calls []worlds.Call) []string {
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = c.String()
	}
	return out
}
