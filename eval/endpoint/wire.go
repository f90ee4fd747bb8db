package endpoint

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

const (
	FieldMaxTokens           = "max_tokens"
	FieldMaxCompletionTokens = "max_completion_tokens"
)

// body is the JSON of a request. Fields that were not asked for are left out: endpoints refuse what
// they do not know.
func (r Request) body() []byte {
	fields := map[string]any{"model": r.Model, "messages": r.messages(), "stream": false}
	for name, value := range r.Extra {
		fields[name] = value
	}
	s := r.Asked
	if s.Temperature != nil {
		fields["temperature"] = json.Number(*s.Temperature)
	}
	if s.TopP != nil {
		fields["top_p"] = json.Number(*s.TopP)
	}
	if r.Seed != nil {
		fields["seed"] = *r.Seed
	}
	if s.MaxTokens != nil {
		fields[r.MaxTokensField] = *s.MaxTokens
	}
	if s.ReasoningEffort != nil {
		fields["reasoning_effort"] = *s.ReasoningEffort
	}
	if format := r.responseFormat(); format != nil {
		fields["response_format"] = format
	}
	if len(r.Tools) > 0 {
		tools := []any{}
		for _, t := range r.Tools {
			tools = append(tools, map[string]any{"type": schemas.ToolFunction, "function": map[string]any{
				"name": t.Name, "description": t.Description, "parameters": t.Schema,
			}})
		}
		fields["tools"], fields["tool_choice"] = tools, "auto"
	}
	out, err := json.Marshal(fields)
	if err != nil {
		panic(err) // New and Ask have checked the numbers and the schema
	}
	return out
}

// responseFormat returns how the endpoint is asked to hold the reply to its schema, nil for not at
// all.
func (r Request) responseFormat() map[string]any {
	switch {
	case r.Schema == nil || r.Format == schemas.FormatNone:
		return nil
	case r.Format == schemas.FormatObject:
		return map[string]any{"type": schemas.FormatObject}
	}
	return map[string]any{"type": schemas.FormatSchema, schemas.FormatSchema: map[string]any{
		"name": r.Schema.Name, "strict": true, "schema": r.Schema.Schema,
	}}
}

// messages returns the messages as they are sent: folded, without the role of the system.
func (r Request) messages() []schemas.Message {
	if !r.Folded {
		return r.Messages
	}
	var sent []schemas.Message
	head := ""
	for _, m := range r.Messages {
		if m.Role == schemas.RoleSystem {
			head += m.Content + "\n\n"
			continue
		}
		if m.Role == schemas.RoleUser {
			m.Content, head = head+m.Content, ""
		}
		sent = append(sent, m)
	}
	if head != "" {
		sent = append(sent, schemas.Message{Role: schemas.RoleUser, Content: strings.TrimSpace(head)})
	}
	return sent
}

// completion is what is read of an answer.
type completion struct {
	ID          string `json:"id"`
	Model       string `json:"model"`
	Fingerprint string `json:"system_fingerprint"`
	Choices     []struct {
		FinishReason *string `json:"finish_reason"`
		Message      *struct {
			Content          json.RawMessage   `json:"content"`
			Refusal          *string           `json:"refusal"`
			ReasoningContent *string           `json:"reasoning_content"`
			Reasoning        *string           `json:"reasoning"`
			ToolCalls        []json.RawMessage `json:"tool_calls"` // any shape: a model may call what there is not
		} `json:"message"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens            *int64 `json:"prompt_tokens"`
		CompletionTokens        *int64 `json:"completion_tokens"`
		CompletionTokensDetails *struct {
			ReasoningTokens int64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
		PromptTokensDetails *struct {
			CachedTokens int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		PromptCacheHitTokens int64 `json:"prompt_cache_hit_tokens"` // of endpoints that tell the same under this name
	} `json:"usage"`
}

// Failures of a body. Both may be gone the next time: what is no completion is as a rule a word of
// a proxy, or of a provider behind it.
var (
	errTorn  = errors.New("torn body")
	errShape = errors.New("the answer is no chat completion")
)

// decode reads the body of an answer with status 200. Bytes that are no UTF-8 become U+FFFD.
func decode(data []byte) (Reply, error) {
	text := strings.TrimLeft(string(data), " \t\r\n")
	switch {
	case text == "":
		return Reply{}, errTorn
	case text[0] != '{': // a page of a proxy, or a stream that nobody asked for
		return Reply{}, errShape
	}
	var c completion
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return Reply{}, errTorn
		}
		return Reply{}, errShape
	}
	if len(c.Choices) == 0 || c.Choices[0].Message == nil {
		return Reply{}, errShape
	}
	return c.reply()
}

func (c completion) reply() (r Reply, err error) {
	choice := c.Choices[0]
	m := choice.Message
	if r.Text, err = contentText(m.Content); err != nil {
		return r, err
	}
	r.Usage, r.Served = c.usage(), c.served()
	if r.Reasoning = m.ReasoningContent; r.Reasoning == nil {
		r.Reasoning = m.Reasoning
	}
	if choice.FinishReason != nil {
		r.Finish = *choice.FinishReason
	}
	switch {
	case r.Text == "" && m.Refusal != nil:
		r.Text, r.Flag = *m.Refusal, schemas.FlagFiltered
	case r.Finish == "content_filter":
		r.Flag = schemas.FlagFiltered
	case r.Finish == "length":
		r.Flag = schemas.FlagTruncated
	case len(m.ToolCalls) > 0:
		r.Flag = schemas.FlagToolCalls
	}
	for _, raw := range m.ToolCalls {
		r.Calls = append(r.Calls, call(raw))
	}
	return r, nil
}

// call reads a tool call; one of another shape has no name. Some endpoints send the arguments as an
// object and not as its text.
func call(raw json.RawMessage) family.Call {
	var c struct {
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return family.Call{Arguments: raw}
	}
	arguments, text := c.Function.Arguments, ""
	var object map[string]any
	if json.Unmarshal(arguments, &text) == nil && json.Unmarshal([]byte(text), &object) == nil {
		arguments = json.RawMessage(text)
	}
	return family.Call{ID: c.ID, Name: c.Function.Name, Arguments: arguments}
}

// contentText returns the text of a message: a string, null, or a list of parts of which those of
// type text count.
func contentText(raw json.RawMessage) (string, error) {
	var text *string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		if text == nil {
			return "", nil
		}
		return *text, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", errShape
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			b.WriteString(p.Text)
		}
	}
	return b.String(), nil
}

// maxTokens is more than any reply can cost. A larger count is no count.
const maxTokens = 10_000_000

// usage returns the tokens, or nil where the answer does not tell them, or tells what cannot be.
func (c completion) usage() *schemas.Usage {
	if c.Usage == nil || c.Usage.PromptTokens == nil || c.Usage.CompletionTokens == nil {
		return nil
	}
	u := schemas.Usage{Prompt: *c.Usage.PromptTokens, Output: *c.Usage.CompletionTokens}
	if d := c.Usage.CompletionTokensDetails; d != nil {
		u.Reasoning = d.ReasoningTokens
	}
	if u.Cached = c.Usage.PromptCacheHitTokens; c.Usage.PromptTokensDetails != nil {
		u.Cached = max(u.Cached, c.Usage.PromptTokensDetails.CachedTokens)
	}
	for _, n := range []int64{u.Prompt, u.Cached, u.Output, u.Reasoning} {
		if n < 0 || n > maxTokens {
			return nil
		}
	}
	if u.Cached > u.Prompt {
		return nil
	}
	return &u
}

// maxName bounds what is kept of a name that an endpoint gives itself.
const maxName = 200

// served returns what the endpoint says of itself, nil for nothing.
func (c completion) served() *schemas.Served {
	s := schemas.Served{Model: cut(c.Model), Fingerprint: cut(c.Fingerprint), Response: cut(c.ID)}
	if s == (schemas.Served{}) {
		return nil
	}
	return &s
}

func cut(name string) string {
	if len(name) > maxName {
		name = name[:maxName]
	}
	return strings.ToValidUTF8(name, "")
}
