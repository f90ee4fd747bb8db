package aar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// maxCalls is the number of calls of a turn that are answered.
const maxCalls = 16

// previewChars is how much of an output the log shows.
const previewChars = 500

// Episode is a player on a leg.
type Episode struct {
	set    *Set
	task   family.Task
	leg    *schemas.AARLeg
	rules  rules
	manner family.Manner
	budget int
	until  time.Time

	turns   []schemas.AARTurn
	results []Result          // of the last turn
	chat    []schemas.Message // before the turn to come, where somebody reads it
	outcome string
	answer  *string
	reason  *string // why the episode ended as infra, where it knows
	size    int     // bytes of the record so far

	progress *progress
	well     bool // the last turn was optimal
	config   family.Config
}

var (
	_ family.Episode = (*Episode)(nil)
	_ family.Timed   = (*Episode)(nil)
	_ family.Traced  = (*Episode)(nil)
)

// Start begins a leg, and its clock.
func (s *Set) Start(t family.Task, o family.Options, m family.Manner) (family.Episode, error) {
	r := s.rules
	if o.Value != nil {
		r = rulesOf(o)
	}
	r.cassette, r.python = s.rules.cassette, s.rules.python
	have := offered(&aar.Tools{Cassette: r.cassette, Python: r.python})
	taped := (r.cassette != nil) == (r.Cassette != "") && r.Cassette == s.rules.Cassette
	if !taped || !slices.Equal(r.Tools, have) {
		return nil, fault.New(fault.Usage, "option tools is %s, here answer %s",
			strings.Join(r.Tools, ", "), strings.Join(have, ", ")).
			Hint("leave tools and %s as they are, or name %s=FILE and %s=PATH",
				optionCassette, optionCassette, optionPython)
	}
	l, err := s.leg(t.Instance)
	if err != nil {
		return nil, err
	}
	e := &Episode{set: s, task: t, leg: l, rules: r, manner: m, budget: budget(r.Budget, len(l.Stops))}
	e.until = s.now().Add(time.Duration(r.LegTimeout) * time.Second)
	e.config = configOf(r.AAROptions)
	e.chat = e.head(e.said())
	return e, nil
}

// Deadline returns when the time of the leg is over.
func (e *Episode) Deadline() time.Time { return e.until }

func (e *Episode) late() bool { return !e.set.now().Before(e.until) }

func (e *Episode) Step() int { return len(e.turns) + 1 }

func (e *Episode) Outcome() string { return e.outcome }

// Stop ends a running episode from outside; that is no turn.
func (e *Episode) Stop(outcome string) {
	if e.outcome == "" {
		e.outcome = outcome
	}
}

// Messages returns the dialogue so far.
func (e *Episode) Messages() []schemas.Message { return slices.Clone(e.chat) }

// toolSubmit is the tool by which an answer is handed in where calls are all that there is.
const toolSubmit = "submit_answer"

const submitSchema = `{"type":"object","properties":{"answer":{"type":"string",` +
	`"description":"one digit, 0 to 9"}},"required":["answer"],"additionalProperties":false}`

// Tools lists what a model may call: the offered tools, and by the Model Context Protocol that of
// the answer.
func (e *Episode) Tools() (list []family.Tool) {
	at := e.manner.Interface
	if at != schemas.InterfaceMCP && (at != schemas.InterfaceChat || e.inWords()) {
		return nil
	}
	for _, o := range offersOf(e.rules.Tools) {
		list = append(list, family.Tool{
			Name: o.Name, Title: o.Name, Description: o.Description,
			Schema: o.Parameters.(json.RawMessage),
		})
	}
	if at == schemas.InterfaceMCP {
		list = append(list, family.Tool{
			Name: toolSubmit, Title: "Submit the answer", Schema: json.RawMessage(submitSchema),
			Description: "Hand in the digit that the riddle leads to. That ends the game.",
		})
	}
	return list
}

// Observation is what a program sees before a turn.
type Observation struct {
	Schema    string   `json:"schema"`
	Instance  string   `json:"instance"`
	Step      int      `json:"step" jsonschema:"the number of the turn to come; the first is 1"`
	StepsLeft int      `json:"steps_left"`
	SeedURL   string   `json:"seed_url,omitempty" jsonschema:"the page to begin at; told at first alone"`
	Riddle    string   `json:"riddle,omitempty" jsonschema:"the clues, whose answers lead to one digit; told at first alone"`
	Tools     []offer  `json:"tools,omitempty" jsonschema:"what can be called; told at first alone"`
	Results   []Result `json:"results" jsonschema:"of the calls of the turn before, in their order"`
	Oracle    string   `json:"oracle,omitempty" jsonschema:"what the oracles of the options say"`
	Done      bool     `json:"done"`
	Outcome   string   `json:"outcome,omitempty" jsonschema:"answered, step_limit, timeout, gave_up or infra"`
}

// Result is what a call returned.
type Result struct {
	Tool   string `json:"tool"`
	Output string `json:"output"`
}

// observationSchema names the record's version. 1: first layout.
const observationSchema = "aar.observation/1"

func (e *Episode) Observe() any {
	o := Observation{
		Schema: observationSchema, Instance: e.task.ID, Step: e.Step(),
		StepsLeft: e.budget - len(e.turns), Results: append([]Result{}, e.results...),
		Done: e.outcome != "", Outcome: e.outcome,
	}
	if e.outcome == "" {
		o.Oracle = e.said()
	}
	if len(e.turns) == 0 || e.config.History && e.outcome == "" {
		o.SeedURL, o.Riddle = e.leg.SeedURL, e.leg.Riddle
		if e.manner.Interface != schemas.InterfaceMCP { // which has its own list
			o.Tools = offersOf(e.rules.Tools)
		}
	}
	return o
}

// move is a reply as it was read.
type move struct {
	text   string // in words
	calls  []call
	answer *string
}

type call struct{ id, tool, args string }

// Act makes a turn: the answer that ends the episode, or calls, whose results the next turn shows.
func (e *Episode) Act(r family.Reply) (family.Turn, error) {
	if e.outcome != "" {
		return family.Turn{}, family.Refuse(family.CodeGameOver, "", "the game is over: %s", e.outcome)
	}
	m, err := e.read(r)
	switch {
	case err != nil:
		return family.Turn{}, err
	case e.late():
		e.Stop(schemas.OutcomeTimeout)
		return family.Turn{Reason: "the time of the game is over"}, nil
	}
	turn := schemas.AARTurn{
		Turn: e.Step(), Reply: m.text, Reasoning: r.Reasoning, Flag: r.Flag, Retries: r.Retries,
		Usage: r.Usage, Served: r.Served, Cost: r.Cost, Calls: []schemas.AARLogged{},
	}
	var results []Result
	for i, c := range m.calls {
		logged, output, err := e.run(i, c)
		if err != nil {
			return family.Turn{}, err
		}
		turn.Calls, results = append(turn.Calls, logged), append(results, Result{c.tool, output})
	}
	if full := e.full(turn); full != "" {
		e.reason = &full
		e.Stop(schemas.OutcomeInfra)
		return family.Turn{Reason: full}, nil
	}
	e.turns, e.results, e.answer = append(e.turns, turn), results, m.answer
	e.well = m.answer != nil && e.at().ends(*m.answer) || m.answer == nil && len(turn.Calls) > 0
	for i, c := range turn.Calls {
		e.well = e.at().take(e.taken(c, results[i].Output)) && e.well
	}
	switch {
	case m.answer != nil:
		e.outcome = schemas.OutcomeAnswered
	case e.late():
		e.outcome = schemas.OutcomeTimeout
	case len(e.turns) == e.budget:
		e.outcome = schemas.OutcomeStepLimit
	case e.manner.Interface == schemas.InterfaceChat, e.manner.Interface == schemas.InterfaceHuman:
		e.show(m.text, m.calls, results)
	}
	done := family.Turn{Valid: m.answer != nil || len(m.calls) > 0, Counted: true}
	if !done.Valid {
		done.Reason = "neither a call nor an answer"
	}
	return done, nil
}

// read finds out what a reply is.
func (e *Episode) read(r family.Reply) (m move, err error) {
	calls := r.Calls
	if r.Text != nil {
		m.text = *r.Text
		if l, ok := readLine(m.text); ok && e.typed() {
			m.text, m.answer = "", l.Answer
			for _, c := range l.Calls {
				calls = append(calls, family.Call{Name: c.Tool, Arguments: c.Args})
			}
		} else if m.answer = readAnswer(m.text); m.answer == nil && calls == nil && e.inWords() {
			calls = readBlocks(m.text)
		}
	}
	if r.Answer != nil {
		m.answer = r.Answer
	}
	if len(calls) == 1 && calls[0].Name == toolSubmit && e.manner.Interface == schemas.InterfaceMCP {
		m.answer, err = submitted(calls[0].Arguments)
	}
	switch {
	case err != nil, m.answer != nil:
		return m, err
	case r.Text == nil && len(calls) == 0:
		return m, family.Refuse(family.CodeBadField, "calls", "a turn is calls of tools, or an answer")
	}
	m.calls = e.named(calls)
	return m, nil
}

// typed reports whether replies are lines.
func (e *Episode) typed() bool {
	return e.manner.Interface == schemas.InterfaceLines || e.manner.Interface == schemas.InterfaceHuman
}

func submitted(data json.RawMessage) (*string, error) {
	var a struct {
		Answer *string `json:"answer"`
	}
	if json.Unmarshal(data, &a) != nil || a.Answer == nil {
		return nil, family.Refuse(family.CodeBadField, "answer",
			"the argument answer is missing, or no text; want one digit, as \"7\"")
	}
	return a.Answer, nil
}

// named gives every call a name of its own in its turn, and its arguments as they were sent.
func (e *Episode) named(calls []family.Call) []call {
	list, seen := make([]call, len(calls)), map[string]bool{}
	for i, c := range calls {
		id, tool := strings.ToValidUTF8(c.ID, ""), strings.ToValidUTF8(c.Name, "\uFFFD")
		n := call{id, tool, string(c.Arguments)}
		if text := ""; json.Unmarshal(c.Arguments, &text) == nil {
			n.args = text
		}
		n.args = strings.ToValidUTF8(n.args, "\uFFFD")
		for n.id == "" || seen[n.id] {
			n.id = fmt.Sprintf("call_%d_%d", e.Step(), i+1) + strings.Repeat("_", len(n.id))
		}
		list[i], seen[n.id] = n, true
	}
	return list
}

// run answers the i-th call of a turn, from 0.
func (e *Episode) run(i int, c call) (schemas.AARLogged, string, error) {
	a := tooManyCalls()
	if i < maxCalls {
		tools, err := e.set.tools(e.rules.MaxOutput)
		if err != nil {
			return schemas.AARLogged{}, "", err
		}
		ctx, cancel := context.WithTimeout(context.Background(), e.until.Sub(e.set.now()))
		defer cancel()
		a = tools.Call(ctx, c.tool, []byte(c.args))
	}
	l := schemas.AARLogged{
		ID: c.id, Tool: c.tool, Args: c.args, Source: a.Source, SHA256: digest.SHA256([]byte(a.Output)),
		Chars: utf8.RuneCountInString(a.Output), Preview: preview(a.Output),
	}
	if a.Source == aar.SourcePython || a.Source == aar.SourceLive {
		l.Output = &a.Output
	}
	return l, a.Output, nil
}

// taken is a call as its progress is judged.
func (e *Episode) taken(c schemas.AARLogged, output string) accepted {
	got := accepted{tool: toolName(c.Tool), args: []byte(c.Args), output: output}
	if got.tool == toolFetch && !strings.HasPrefix(output, errorObject) {
		got.url = addressIn(got.args)
	}
	return got
}

func preview(output string) string {
	n := 0
	for i := range output {
		if n == previewChars {
			return output[:i]
		}
		n++
	}
	return output
}

// maxRecord bounds the record of an episode, which is one line.
const maxRecord = canon.MaxLine - 1<<16

// full books a turn and returns why the record has no room for it, "" where it has.
func (e *Episode) full(t schemas.AARTurn) string {
	if e.size += len(canon.MustMarshal(t)) + 1; e.size > maxRecord {
		return fmt.Sprintf("replies and calls are longer than %d bytes, more than a record holds",
			maxRecord)
	}
	return ""
}

func (e *Episode) Record(r family.Recording) family.Record {
	rec := schemas.AAREpisode{
		Schema: schemas.AAREpisodeSchema, Instance: e.task.Instance, Attempt: r.Attempt,
		Outcome: e.outcome, Answer: e.answer, Turns: append([]schemas.AARTurn{}, e.turns...),
		Retried: r.Retried, Reason: r.Reason,
		Millis: max(0, r.Ended.Sub(r.Started).Milliseconds()), // a clock may be set back
	}
	if rec.Reason == nil {
		rec.Reason = e.reason
	}
	for i, t := range rec.Turns {
		rec.Retried = rec.Retried || t.Retries > 0
		if r.Run.Price != nil { // the run says what turns cost
			rec.Turns[i].Cost = nil
		}
	}
	rec.Usage = schemas.SumUsage(rec.Turns, func(t schemas.AARTurn) *schemas.Usage { return t.Usage })
	rec.Cost = judge.DecimalOf(judge.Spent(r.Run, rec.Usage, costsOf(rec.Turns)))
	return family.Record{Main: rec}
}

func costsOf(turns []schemas.AARTurn) []*string {
	return schemas.Costs(turns, func(t schemas.AARTurn) *string { return t.Cost })
}

// Trace returns the turns. They hold nothing that only an oracle knows.
func (e *Episode) Trace(string, bool) any { return append([]schemas.AARTurn{}, e.turns...) }
