package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/session"
)

// tool is something that a client may call. do is called by one call at a time.
type tool[In, Out any] struct {
	name, title, says string
	reads             bool // changes nothing
	do                func(In) (Out, error)
}

// add offers a tool at the table. The SDK's own way to add a typed tool words bad arguments in terms of Go and of schemas, so arguments are
// read here.
func add[In, Out any](t *table, tl tool[In, Out]) {
	in, out := schemaOf[In](), schemaOf[Out]()
	if o := out.Properties["observation"]; o != nil {
		*o = *t.family.observation()
	}
	no := false
	t.server.AddTool(&sdk.Tool{
		Name: tl.name, Title: tl.title, Description: tl.says, InputSchema: in, OutputSchema: out,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: tl.reads, DestructiveHint: &no, OpenWorldHint: &no},
	}, func(_ context.Context, call *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var args In
		if err := decode(call.Params.Arguments, in, &args); err != nil {
			return t.failed(tl.name, err)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		result, err := tl.do(args)
		if err != nil {
			return t.failed(tl.name, err)
		}
		return told(result)
	})
}

// told gives a result twice, as the protocol asks: as a value, and as text for clients that hand a model text alone.
func told(result any) (*sdk.CallToolResult, error) {
	data, err := shown(result)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{StructuredContent: json.RawMessage(data), Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}}, nil
}

// shown is the JSON of a result in which characters that could hide or break text are escaped: a model reads it as it is, and titles are
// data from strangers.
func shown(result any) ([]byte, error) {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		return nil, err
	}
	return prompt.EscapeJSON(bytes.TrimSuffix(plain.Bytes(), []byte("\n"))), nil
}

// failed answers a call that was refused. What is not the client's doing is told to whoever runs the server, and named to the client alone.
func (t *table) failed(tool string, err error) (*sdk.CallToolResult, error) {
	var e *session.Error
	if !errors.As(err, &e) {
		t.Report(tool, err)
		e = &session.Error{Code: "internal", Message: "the server failed; the same call may work later"}
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: e.Code + ": " + e.Message}}}, nil
}

func refuse(code, format string, args ...any) error {
	return &session.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
