package endpointtest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// Temper is what an endpoint takes and how it replies, as those of the world differ: all of it is
// within what such endpoints document.
type Temper struct {
	Name    string
	Refuses func(Request) bool                         // requests that it answers with 400, in words that say nothing
	Faults  func(seen int) Fault                       // by how often the request came before
	Shape   func(n int, whole, message map[string]any) // changes the n-th completion, from 1
	Cached  bool                                       // half of each prompt was cached
}

// Request is what a temper sees of a request.
type Request struct {
	Messages       []schemas.Message `json:"messages"`
	ResponseFormat *struct {
		Type string `json:"type"`
	} `json:"response_format"`
	Temperature *json.Number    `json:"temperature"`
	MaxTokens   *int            `json:"max_tokens"`
	Seed        *int64          `json:"seed"`
	TopK        json.RawMessage `json:"top_k"`
	Tools       json.RawMessage `json:"tools"`
}

func noSchema(r Request) bool {
	return r.ResponseFormat != nil && r.ResponseFormat.Type == schemas.FormatSchema
}
func noFormat(r Request) bool      { return r.ResponseFormat != nil }
func noTemperature(r Request) bool { return r.Temperature != nil }
func noMaxTokens(r Request) bool   { return r.MaxTokens != nil }
func noTopK(r Request) bool        { return r.TopK != nil }
func noTools(r Request) bool       { return r.Tools != nil }

func noSystem(r Request) bool {
	return slices.ContainsFunc(r.Messages, func(m schemas.Message) bool { return m.Role == schemas.RoleSystem })
}

// Tempers lists endpoints that differ in what they take and in how they reply.
func Tempers() []Temper {
	return []Temper{
		{Name: "takes everything"},
		{Name: "no json_schema", Refuses: noSchema},
		{Name: "no response_format", Refuses: noFormat},
		{Name: "no temperature", Refuses: noTemperature},
		{Name: "no system role", Refuses: noSystem},
		{Name: "no max_tokens", Refuses: noMaxTokens},
		{Name: "nothing but messages", Refuses: func(r Request) bool {
			return noFormat(r) || noTemperature(r) || noSystem(r) || noMaxTokens(r) || noTopK(r)
		}},
		{Name: "reasoning in its own field", Shape: func(_ int, _, m map[string]any) {
			m["reasoning_content"] = "I think of this and that"
		}},
		{Name: "nothing but reasoning", Shape: func(_ int, _, m map[string]any) {
			m["reasoning"], m["content"] = m["content"], nil
		}},
		{Name: "tool calls only", Shape: func(_ int, _, m map[string]any) {
			m["tool_calls"] = []any{map[string]any{"id": "1", "type": "function", "function": map[string]any{
				"name": "answer", "arguments": fmt.Sprint(m["content"]),
			}}}
			m["content"] = nil
		}},
		{Name: "rate limits", Faults: func(seen int) Fault {
			if seen == 0 {
				return RateSeconds
			}
			return None
		}},
		{Name: "cached tokens", Cached: true},
		{Name: "a name that changes", Shape: func(n int, whole, _ map[string]any) {
			whole["model"], whole["system_fingerprint"] = fmt.Sprintf("scripted-%d", 1+n/3%2), fmt.Sprintf("fp_%d", n/3)
		}},
		{Name: "tells nothing of itself", Shape: func(_ int, whole, _ map[string]any) {
			delete(whole, "model")
			delete(whole, "id")
			delete(whole, "usage")
		}},
		{Name: "no tools", Refuses: noTools},
	}
}

// called puts calls of tools into a completion.
func called(calls []schemas.ToolCall) func(whole, message map[string]any) {
	return func(whole, message map[string]any) {
		if len(calls) > 0 {
			message["tool_calls"] = calls
			whole["choices"].([]any)[0].(map[string]any)["finish_reason"] = "tool_calls"
		}
	}
}

func reshape(text string, shape func(whole, message map[string]any)) string {
	var whole map[string]any
	if json.Unmarshal([]byte(text), &whole) != nil {
		return text
	}
	message := whole["choices"].([]any)[0].(map[string]any)["message"].(map[string]any)
	shape(whole, message)
	out, _ := json.Marshal(whole) // it was JSON
	return string(out)
}
