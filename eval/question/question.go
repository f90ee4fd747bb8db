// Package question is what families share whose instances are single questions: an episode of one
// turn, the log of replies, the set that asks, and the rows of a score.
//
// It promises that a player sees the messages of a question and nothing else of it: neither its id
// nor its class, of which one may be the answer. Whether a reply is right is the family's to say.
package question

import (
	"strconv"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
)

type Question struct {
	family.Task
	ID     string // of its reply in the log: an id that is published
	Ask    func() []schemas.Message
	Fields func() wording.Values // of a user's own words, escaped; nil for those that all families have
	// Right returns the replies that are wholly right, in the form asked for; nil for a question
	// whose answer the family does not tell.
	Right func() ([]string, error)
}

// Put returns the question in the user's own words, or in those of the release for nil.
func (q Question) Put(words *wording.Template) []schemas.Message {
	list := q.Ask()
	if words == nil {
		return list
	}
	system, last := "", len(list)-1
	if last > 0 && list[0].Role == schemas.RoleSystem {
		system = list[0].Content
	}
	return words.Begin(system, list[last].Content, func() wording.Values {
		if q.Fields == nil {
			return wording.Values{}
		}
		return q.Fields()
	})
}

// Observation is a question as a program sees it. Once it was answered, Done says so and nothing is
// asked.
type Observation struct {
	Messages     []schemas.Message `json:"messages"`
	PromptSHA256 string            `json:"prompt_sha256"`
	Done         bool              `json:"done,omitempty"`
	Outcome      string            `json:"outcome,omitempty"`
}

// OutcomeAnswered is the outcome of an episode whose player replied, however well.
const OutcomeAnswered = schemas.OutcomeAnswered

// Episode puts one question. An unread reply is an answer, too: there is no second turn.
type Episode struct {
	q       Question
	asked   Observation
	read    func(text string) (reason string)
	right   func(text string) bool
	outcome string
	reply   string
	said    family.Said
}

func newEpisode(q Question, words *wording.Template, read func(string) string) *Episode {
	messages := q.Put(words)
	return &Episode{q: q, asked: Observation{Messages: messages, PromptSHA256: prompt.Hash(messages)}, read: read}
}

func (e *Episode) Observe() any {
	o := e.asked
	if e.outcome != "" {
		o.Messages, o.Done, o.Outcome = []schemas.Message{}, true, e.outcome
	}
	return o
}

func (e *Episode) Messages() []schemas.Message { return e.asked.Messages }

// Tools returns nil: a reply is text.
func (e *Episode) Tools() []family.Tool { return nil }

// Step returns 1, and 2 once the question was answered.
func (e *Episode) Step() int {
	if e.outcome == "" {
		return 1
	}
	return 2
}

// Act takes the reply: its text, or whatever else it has as the text. Strict refuses what is not a
// text and the parser of the family cannot read.
func (e *Episode) Act(r family.Reply) (family.Turn, error) {
	text, field := "", "text"
	switch {
	case e.outcome != "":
		return family.Turn{}, family.Refuse(family.CodeGameOver, "", "the question was answered")
	case r.Text != nil:
		text = *r.Text
	case r.Choice != nil:
		text, field = strconv.Itoa(*r.Choice), "choice"
	case r.Title != nil:
		text, field = *r.Title, "title"
	case r.Back:
		text, field = "back", "back"
	default:
		return family.Turn{}, family.Refuse(family.CodeBadField, "", "a question wants a text")
	}
	reason := e.read(text)
	if r.Strict && field != "text" && reason != "" {
		return family.Turn{}, family.Refuse(family.CodeBadChoice, field, "the reply cannot be read: %s", reason)
	}
	e.reply, e.said, e.outcome = text, r.Said, OutcomeAnswered
	return family.Turn{Valid: reason == "", Reason: reason, Counted: true}, nil
}

func (e *Episode) Stop(outcome string) {
	if e.outcome == "" {
		e.outcome = outcome
	}
}

func (e *Episode) Outcome() string { return e.outcome }

var _ family.Judged = (*Episode)(nil)

// Won reports whether the question was answered, and rightly.
func (e *Episode) Won() bool { return e.outcome == OutcomeAnswered && e.right(e.reply) }

// Record returns the line of the reply. A player that gave up has replied nothing.
func (e *Episode) Record(r family.Recording) family.Record {
	line := Reply{
		ID: e.q.ID, Reply: e.reply, PromptSHA256: &e.asked.PromptSHA256, Usage: e.said.Usage,
		Reasoning: e.said.Reasoning, Served: e.said.Served, Cost: judge.TurnCost(r.Run, e.said.Usage, e.said.Cost),
		Flag: e.said.Flag, Retries: e.said.Retries, Retried: r.Retried || e.said.Retries > 0,
	}
	if e.outcome == schemas.OutcomeSpent {
		line.Flag = schemas.FlagSpent
	}
	if e.outcome == schemas.OutcomeInfra {
		line.Infra = r.Reason
		if line.Infra == nil {
			line.Infra = new(string)
		}
	}
	return family.Record{Main: line}
}

var _ family.Taught = (*Episode)(nil)

// Lesson returns the right replies.
func (e *Episode) Lesson() (l family.Lesson, err error) {
	if e.q.Right == nil {
		return l, nil
	}
	right, err := e.q.Right()
	for i := range right {
		l.Right = append(l.Right, family.Reply{Text: &right[i]})
	}
	return l, err
}
