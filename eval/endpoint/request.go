package endpoint

import (
	"encoding/json"
	"regexp"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Request is one question.
type Request struct {
	Model    string
	Messages []schemas.Message
	Sampling schemas.Sampling
	Schema   *Schema // of the JSON object that is to be replied; nil for text
}

// Schema is a JSON Schema with a name.
type Schema struct {
	Name   string
	Schema json.RawMessage
}

// Reply is what the model said.
type Reply struct {
	Text      string // "" for null, and for tool calls
	Reasoning *string
	Usage     *schemas.Usage // nil if the endpoint does not tell it
	Finish    string         // as the endpoint calls it
	Flag      string         // one of the schemas.Flag words, or ""
	Retries   int            // tries before the one that was answered
}

var number = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})(\.[0-9]{1,9})?$`)

// Check refuses what would be no JSON, or no question, as Ask does.
func (c *Client) Check(r Request) error { return r.check() }

func (r Request) check() error {
	s := r.Sampling
	for name, text := range map[string]*string{"temperature": s.Temperature, "top_p": s.TopP} {
		if text != nil && !number.MatchString(*text) {
			return fault.New(fault.Usage, "%s is %s, want a decimal number such as 0.7", name, fault.Quote(*text))
		}
	}
	switch {
	case r.Model == "":
		return fault.New(fault.Usage, "no model is named")
	case len(r.Messages) == 0:
		return fault.New(fault.Usage, "a request without messages")
	case s.MaxTokens != nil && (*s.MaxTokens < 1 || *s.MaxTokens > maxTokens):
		return fault.New(fault.Usage, "at most %d tokens, want 1 to %d", *s.MaxTokens, maxTokens)
	case s.MaxTokens != nil && s.MaxTokensField != FieldMaxTokens && s.MaxTokensField != FieldMaxCompletionTokens:
		return fault.New(fault.Usage, "the field %s, want %s or %s", fault.Quote(s.MaxTokensField), FieldMaxTokens, FieldMaxCompletionTokens)
	case r.Schema != nil && !json.Valid(r.Schema.Schema):
		return fault.New(fault.Usage, "the schema of the reply is no JSON")
	}
	return nil
}
