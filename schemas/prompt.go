package schemas

// Message is one message of a prompt, in the form that model endpoints take.
type Message struct {
	Role    string `json:"role"` // one of the Role words
	Content string `json:"content"`

	// Of dialogues; no prompt that is published has them.
	ToolCalls  []ToolCall `json:"tool_calls,omitempty" doc:"-"`   // of RoleAssistant
	ToolCallID string     `json:"tool_call_id,omitempty" doc:"-"` // of RoleTool: the call that it answers
}

// ToolCall is a call of a tool that a model made, in the form in which endpoints hear of it again.
type ToolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"` // ToolFunction
	Function CalledByName `json:"function"`
}

type CalledByName struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // a JSON object as text
}

// ToolFunction is the only type of tools.
const ToolFunction = "function"

const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)
