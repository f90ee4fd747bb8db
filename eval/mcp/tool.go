package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/shape"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/canon"
)

// tool is something that a client may call. do is called by one call at a time.
type tool[In, Out any] struct {
	name, title, says string
	reads             bool // changes nothing
	do                func(In) (Out, error)
}

func add[In, Out any](t *table, tl tool[In, Out]) {
	key, named := tl.name, t.Host.Pinned() == "" || tl.name != toolStart
	if !named {
		key += " of one instance"
	}
	s := t.shapes.of(key, func() shaped {
		in, out := shape.Whole(reflect.TypeFor[In]()), shape.Whole(reflect.TypeFor[Out]())
		if !named {
			in.Required = slices.DeleteFunc(in.Required, func(name string) bool { return name == "instance" })
		}
		if out.Properties["observation"] != nil {
			out.Properties["observation"] = t.seen
		}
		if o := out.Properties["items"]; o != nil {
			o.Items = t.item
		}
		return shaped{in, out}
	})
	in := s.in
	offered := &sdk.Tool{
		Name: tl.name, Title: tl.title, Description: tl.says, InputSchema: in, OutputSchema: s.out,
	}
	t.offer(offered, tl.reads, func(data json.RawMessage) (any, error) {
		var args In
		if err := decode(data, in, &args); err != nil {
			return nil, err
		}
		return tl.do(args)
	})
}

// offer adds a tool to the server. The SDK's own way to add a typed tool words bad arguments in
// terms of Go and of schemas, so arguments are read here.
func (t *table) offer(tl *sdk.Tool, reads bool, do func(json.RawMessage) (any, error)) {
	no := false
	tl.Annotations = &sdk.ToolAnnotations{ReadOnlyHint: reads, DestructiveHint: &no, OpenWorldHint: &no}
	t.server.AddTool(tl, func(_ context.Context, call *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		var answer *sdk.CallToolResult
		err := arrowio.Guard(func() (err error) {
			if t.said, err = saidIn(call.Params.Meta); err != nil {
				return err
			}
			result, err := do(call.Params.Arguments)
			if err == nil {
				answer, err = told(result)
			}
			return err
		})
		if err != nil {
			return t.failed(tl.Name, err)
		}
		return answer, nil
	})
}

// What a client may tell of a turn in the _meta of its call, where the model that called does not
// read it.
const (
	metaUsage = "wikinav/usage"
	metaCost  = "wikinav/cost"
)

func saidIn(meta sdk.Meta) (family.Said, error) {
	var usage *session.Usage
	var cost *string
	for name, into := range map[string]any{metaUsage: &usage, metaCost: &cost} {
		if meta[name] == nil {
			continue
		}
		data, err := json.Marshal(meta[name])
		if err == nil {
			err = canon.Decode(data, maxArguments, into)
		}
		if err != nil {
			return family.Said{}, refuse(family.CodeBadField, "the _meta of the call has a wrong %s: %v", name, err)
		}
	}
	return session.Expense(usage, cost)
}

// told returns a result twice, as the protocol asks: as a value, and as text for clients that hand
// a model text alone.
func told(result any) (*sdk.CallToolResult, error) {
	data, err := shown(result)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{StructuredContent: json.RawMessage(data), Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}}, nil
}

// shown is the JSON of a result in which characters that could hide or break text are escaped: a
// model reads it as it is, and titles are data from strangers.
func shown(result any) ([]byte, error) {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		return nil, err
	}
	return prompt.EscapeJSON(bytes.TrimSuffix(plain.Bytes(), []byte("\n"))), nil
}

// failed answers a call that was refused. What is not the client's doing is told to whoever runs
// the server, and named to the client alone.
func (t *table) failed(tool string, err error) (*sdk.CallToolResult, error) {
	var e *family.Refusal
	if !errors.As(err, &e) {
		t.Report(tool, err)
		e = &family.Refusal{Code: "internal", Message: "the server failed; the same call may work later"}
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: e.Code + ": " + e.Message}}}, nil
}

func refuse(code, format string, args ...any) error {
	return &family.Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}
