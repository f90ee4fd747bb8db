package walk

import (
	"fmt"
	"slices"
	"strings"

	words "github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Rules are what options change of a walk.
type Rules struct {
	Config          family.Config
	Places          bool // the place is told after each move
	MaxFormatErrors int  // in a row, that end the walk
}

// Episode is a player's walk. It is not safe for concurrent use.
type Episode struct {
	q       *Question
	rules   Rules
	words   *wording.Template // the user's own, nil for those of this package
	state   state
	history []schemas.Message
	shown   string // the last message to the player
	row     int    // format errors since the last action
	outcome string
	turns   []schemas.MangoTurn
	said    int // bytes of their replies
	reason  *string
	visits  map[string]int
}

var (
	_ family.Episode = (*Episode)(nil)
	_ family.Advised = (*Episode)(nil)
	_ family.Traced  = (*Episode)(nil)
)

// New starts a walk, in the user's own words or, for nil, in those of this package.
func New(q *Question, rules Rules, words *wording.Template) *Episode {
	e := &Episode{q: q, rules: rules, words: words, state: state{at: q.Src}, visits: map[string]int{q.Src: 1}}
	e.restart("")
	return e
}

// restart puts the task anew, from where the player is.
func (e *Episode) restart(notice string) {
	notes := calls.Join(notice, e.q.blocks(e.rules.Config, e.state))
	task := calls.Join(e.q.taskText(e.state), notes)
	e.history = e.words.Begin(read(e.q.Task+".system"), task, func() wording.Values {
		_, question, _ := strings.Cut(e.q.taskText(e.state), e.q.Shown)
		return wording.Values{
			fieldWalk: e.q.Shown, fieldQuestion: strings.Trim(question, "\n"), wording.Notes: notes,
		}
	})
	e.shown = e.history[len(e.history)-1].Content
}

// Fields of a user's own words.
const (
	fieldWalk     = "walk"
	fieldQuestion = "question"
	fieldResult   = "result"
)

// Form says what a template of a walk may hold.
func Form(r Rules) wording.Form {
	f := wording.Form{Dialogue: !r.Config.History, Fields: []wording.Field{
		{Name: fieldWalk, Says: "the walkthrough as far as it is shown", Need: wording.Once},
		{Name: fieldQuestion, Says: "where the player is, and what it is to do", Need: wording.Once},
	}}
	if f.Dialogue {
		f.Fields = append(f.Fields, wording.Field{
			Name: fieldResult, Says: "what the last call did", Need: wording.Later,
		})
	}
	return f
}

func (e *Episode) Step() int { return len(e.turns) + 1 }

func (e *Episode) Outcome() string { return e.outcome }

func (e *Episode) Messages() []schemas.Message { return append([]schemas.Message{}, e.history...) }

// Tools returns nil: replies are text.
func (*Episode) Tools() []family.Tool { return nil }

func (e *Episode) Stop(outcome string) {
	if e.outcome == "" {
		e.outcome = outcome
	}
}

// Observation is what a program is shown: the texts that a model reads.
type Observation struct {
	Schema  string   `json:"schema"`
	Task    string   `json:"task"`
	Config  string   `json:"config"`
	Step    int      `json:"step"`            // of the turn to come, 1-based
	Rules   string   `json:"rules,omitempty"` // at step 1
	Message string   `json:"message"`         // task, or what the last call did, with the words of the oracles
	Calls   []string `json:"calls"`           // forms of the calls that may be made
	Done    bool     `json:"done"`
	Outcome string   `json:"outcome,omitempty"`
}

// observationSchema names the record's version. 1: first layout.
const observationSchema = "mango.walk_observation/1"

func (e *Episode) Observe() any {
	o := Observation{
		Schema: observationSchema, Task: e.q.Task, Config: e.rules.Config.String(), Step: e.Step(), Message: e.shown,
		Calls: calls.Shown(forms[e.q.Task]), Done: e.outcome != "", Outcome: e.outcome,
	}
	if len(e.turns) == 0 {
		o.Rules = e.rulesText()
	}
	if n := len(e.turns); n > 0 && o.Done {
		o.Message = e.turns[n-1].Obs
	}
	return o
}

// rulesText returns what the system says: nothing where the user's own words leave it out.
func (e *Episode) rulesText() string {
	if e.history[0].Role != schemas.RoleSystem {
		return ""
	}
	return e.history[0].Content
}

// maxSaid bounds the replies of an episode, whose record is one line.
const maxSaid = 1 << 20

// Act takes words, or a call as its title. An episode that outgrows its record ends as infra.
func (e *Episode) Act(r family.Reply) (family.Turn, error) {
	if e.outcome != "" {
		return family.Turn{}, family.Refuse(family.CodeGameOver, "", "the walk is over: %s", e.outcome)
	}
	text, err := e.read(r)
	if err != nil {
		return family.Turn{}, err
	}
	if e.said += len(text); r.Reasoning != nil {
		e.said += len(*r.Reasoning)
	}
	if e.said > maxSaid {
		reason := fmt.Sprintf("the replies are longer than %d bytes, more than a record holds", maxSaid)
		e.reason = &reason
		e.Stop(schemas.OutcomeInfra)
		return family.Turn{Reason: reason}, nil
	}
	t := e.play(text)
	t.Reasoning, t.Usage, t.Served, t.Cost = r.Reasoning, r.Usage, r.Served, r.Cost
	t.Retries, t.Flag = r.Retries, r.Flag
	turn := family.Turn{Valid: t.Status == schemas.StatusLegal, Counted: true}
	if !turn.Valid {
		turn.Reason = t.Status
	}
	return turn, nil
}

// read returns the reply that a model would have written.
func (e *Episode) read(r family.Reply) (string, error) {
	switch {
	case r.Title != nil:
		if _, ok := calls.Read(forms[e.q.Task], *r.Title); !ok && r.Strict {
			return "", family.Refuse(family.CodeBadChoice, "title", "%s is no call of this task", fault.Quote(*r.Title))
		}
		return calls.Fence(*r.Title), nil
	case r.Text != nil:
		return *r.Text, nil
	}
	return "", family.Refuse(family.CodeBadField, "reply", "a walk is played by replies, or by calls as titles")
}

// play makes a turn and lays out the prompt of the next one.
func (e *Episode) play(reply string) *schemas.MangoTurn {
	best := e.q.optimal(e.state)
	e.turns = append(e.turns, schemas.MangoTurn{
		T: e.Step(), Place: e.state.at, Reply: reply, AStar: textsOf(best), PromptSHA256: words.Hash(e.history),
	})
	t := &e.turns[len(e.turns)-1]
	if call, ok := calls.Parse(forms[e.q.Task], reply); ok {
		e.act(call, t)
	} else {
		e.reject(t)
	}
	if e.outcome == "" && len(e.turns) >= e.q.most() {
		e.outcome = schemas.OutcomeTurns
	}
	if e.outcome == "" {
		e.next(t)
	}
	return t
}

func (e *Episode) act(call calls.Call, t *schemas.MangoTurn) {
	e.row = 0
	action := textOf(call)
	after, legal, outcome := e.q.apply(e.state, call)
	t.Optimal = slices.Contains(t.AStar, action) || call.Name == callAnswer && outcome == schemas.OutcomeSuccess
	t.Action, t.Status, t.Obs = &action, schemas.StatusIllegal, observe(call, after, legal, outcome, e.rules.Places)
	if legal {
		t.Status = schemas.StatusLegal
	}
	if len(after.made) > len(e.state.made) {
		e.visits[after.at]++
	}
	e.state, e.outcome = after, outcome
}

func (e *Episode) reject(t *schemas.MangoTurn) {
	e.row++
	t.Status, t.Obs = schemas.StatusFormatError, calls.FormatError(forms[e.q.Task])
	if e.row >= e.rules.MaxFormatErrors {
		e.outcome = schemas.OutcomeFormat
	}
}

// next shows what the turn did. With the history oracle that is dropped, but for the notice that
// the action failed.
func (e *Episode) next(t *schemas.MangoTurn) {
	if e.rules.Config.History {
		notice := ""
		if t.Status != schemas.StatusLegal {
			notice = t.Obs
		}
		e.restart(notice)
		return
	}
	notes := e.q.blocks(e.rules.Config, e.state)
	e.shown = e.words.Next(calls.Join(t.Obs, notes), func() wording.Values {
		return wording.Values{fieldResult: t.Obs, wording.Notes: notes}
	})
	e.history = append(e.history, schemas.Message{Role: schemas.RoleAssistant, Content: t.Reply},
		schemas.Message{Role: schemas.RoleUser, Content: e.shown})
}

type advice struct {
	Plan    string   `json:"plan,omitempty" jsonschema:"a call that is optimal"`
	Optimal []string `json:"optimal,omitempty" jsonschema:"all optimal calls"`
	State   string   `json:"state" jsonschema:"where the player is"`
}

func (e *Episode) Oracle() any {
	o := advice{}
	if e.outcome == "" {
		best := e.q.optimal(e.state)
		o.Plan, o.Optimal, o.State = planText(best), textsOf(best), e.q.stateText(e.state)
	}
	return o
}

// tracedTurn hides the fields of a turn that only an oracle knows.
type tracedTurn struct {
	schemas.MangoTurn
	Optimal *bool    `json:"optimal,omitempty"`
	AStar   []string `json:"a_star,omitempty"`
	Place   *string  `json:"place,omitempty"`
}

func (e *Episode) Trace(_ string, oracle bool) any {
	out := make([]tracedTurn, len(e.turns))
	for i, t := range e.turns {
		out[i].MangoTurn = t
		if oracle {
			out[i].Optimal, out[i].AStar, out[i].Place = &t.Optimal, t.AStar, &t.Place
		}
	}
	return out
}

func (e *Episode) Record(r family.Recording) family.Record {
	rec := schemas.MangoWalk{
		Schema: schemas.MangoWalkSchema, ID: e.q.ID, ManifestSHA256: r.Run.ManifestSHA256, Config: e.rules.Config.String(),
		Model: r.Run.Model.Name, PrefixStep: e.q.Prefix, Rule: e.q.Rule, Answerable: true, Easy: e.q.Easy,
		TemplateSHA256: TemplateSHA256(e.q.Task), Steps: append([]schemas.MangoTurn{}, e.turns...), Outcome: e.outcome, Retried: r.Retried,
	}
	if e.outcome == schemas.OutcomeInfra {
		if rec.Infra = r.Reason; rec.Infra == nil {
			rec.Infra = e.reason
		}
		if rec.Infra == nil {
			rec.Infra = new(string)
		}
	}
	for i := range rec.Steps {
		rec.Steps[i].Cost = judge.TurnCost(r.Run, rec.Steps[i].Usage, rec.Steps[i].Cost)
		rec.Retried = rec.Retried || rec.Steps[i].Retries > 0
	}
	rec.Usage = schemas.SumUsage(rec.Steps, func(t schemas.MangoTurn) *schemas.Usage { return t.Usage })
	rec.Cost = judge.DecimalOf(judge.Spent(r.Run, rec.Usage, schemas.Costs(rec.Steps, toldCost)))
	return family.Record{Main: rec}
}

// Played returns what the walk comes to where configurations are compared, and its turns beyond
// those of an optimal player.
func (e *Episode) Played() (p judge.Played, excess int) {
	p = judge.Played{
		Infra: e.outcome == schemas.OutcomeInfra, Success: e.outcome == schemas.OutcomeSuccess, Counted: len(e.turns),
	}
	for _, t := range e.turns {
		p.Optimal += judge.One(t.Optimal)
	}
	for _, n := range e.visits { // the greatest, in any order
		p.MostSeen = max(p.MostSeen, n)
	}
	return p, len(e.turns) - e.q.Length()
}

func toldCost(t schemas.MangoTurn) *string { return t.Cost }

// Spent returns the turns that were no move, the tokens, and what each turn told of its cost.
func (e *Episode) Spent() (invalid int64, usage *schemas.Usage, costs []*string) {
	for _, t := range e.turns {
		invalid += int64(judge.One(t.Status != schemas.StatusLegal))
	}
	usage = schemas.SumUsage(e.turns, func(t schemas.MangoTurn) *schemas.Usage { return t.Usage })
	return invalid, usage, schemas.Costs(e.turns, toldCost)
}

// Shown returns the walkthrough that the player reads.
func (e *Episode) Shown() string { return e.q.Shown }

// Best returns an optimal call; Any lists every call that leads on, and the one that ends the walk
// by what a wanderer believes: that it has arrived.
func (e *Episode) Best() string { return textOf(e.q.optimal(e.state)[0]) }

func (e *Episode) Any() []string {
	list := []calls.Call{{Name: callDone}}
	if e.q.Task == schemas.MangoDF {
		list[0] = calls.Call{Name: callAnswer, Text: e.state.at}
	}
	for _, label := range e.q.Maze.Moves(e.state.at) {
		list = append(list, calls.Call{Name: callMove, Text: label})
	}
	return textsOf(list)
}
