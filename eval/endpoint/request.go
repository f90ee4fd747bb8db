package endpoint

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Request struct {
	Model          string
	Messages       []schemas.Message
	Asked          schemas.Asked // how to sample; what is null is left to the endpoint
	Seed           *int64        // of the sampling
	MaxTokensField string        // under which the endpoint is told Asked.MaxTokens
	Schema         *Schema       // of the JSON object that is to be replied; nil for text
	Format         string        // how the endpoint is asked for it, one of the schemas.Format words; "" for the schema
	Folded         bool          // the system's words stand at the head of the user's
	Extra          Extra         // further fields
	Tools          []Schema      // what the model may call, each with the schema of its arguments
}

// Extra is fields of a request that this package does not know, by their names.
type Extra map[string]json.RawMessage

// ReadExtra reads the JSON object of further fields; flag is what the user gave it by. A field that
// the request has otherwise is refused: its record would not say what was asked.
func ReadExtra(flag, text string) (Extra, error) {
	if text == "" {
		return nil, nil
	}
	var x Extra
	if err := canon.Decode([]byte(text), canon.MaxLine, &x); err != nil || x == nil {
		return nil, fault.New(fault.Usage, "%s %s: want a JSON object", flag, fault.Quote(text)).
			Hint(`for example '{"top_k":20}'`)
	}
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if ours[name] {
			return nil, fault.New(fault.Usage, "%s: the field %s of a request is not for it to set", flag, name).
				Hint("leave it out; what can be chosen has a flag of its own")
		}
	}
	return x, nil
}

// ours are the fields that a request has otherwise, and those that change how a reply comes back.
var ours = map[string]bool{
	"model": true, "messages": true, "stream": true, "stream_options": true, "n": true, "temperature": true, "top_p": true, "seed": true,
	FieldMaxTokens: true, FieldMaxCompletionTokens: true, "reasoning_effort": true, "response_format": true,
	"tools": true, "tool_choice": true, "functions": true,
}

// JSON returns the canonical object, nil for none.
func (x Extra) JSON() json.RawMessage {
	if len(x) == 0 {
		return nil
	}
	return canon.MustMarshal(x)
}

// Schema is a JSON Schema with a name, and with a description where it is that of a tool.
type Schema struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

type Reply struct {
	Text      string        // "" for null, and for tool calls
	Calls     []family.Call // arguments are a JSON object, or a JSON string with whatever stood in its place
	Reasoning *string
	Usage     *schemas.Usage // nil if the endpoint does not tell it
	Served    *schemas.Served
	Finish    string // as the endpoint calls it
	Flag      string // one of the schemas.Flag words, or ""
	Retries   int    // tries before the one that was answered
}

var number = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})(\.[0-9]{1,9})?$`)

// Check refuses what would be no JSON, or no question, as Ask does.
func (r Request) Check() error {
	s := r.Asked
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
	case s.MaxTokens != nil && r.MaxTokensField != FieldMaxTokens && r.MaxTokensField != FieldMaxCompletionTokens:
		return fault.New(fault.Usage, "the field %s, want %s or %s", fault.Quote(r.MaxTokensField), FieldMaxTokens, FieldMaxCompletionTokens)
	case r.Schema != nil && !json.Valid(r.Schema.Schema):
		return fault.New(fault.Usage, "the schema of the reply is not JSON")
	}
	for _, t := range r.Tools {
		if !json.Valid(t.Schema) {
			return fault.New(fault.Usage, "the schema of the tool %s is not JSON", fault.Quote(t.Name))
		}
	}
	return nil
}
