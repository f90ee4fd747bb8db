package mcp

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/shape"
)

// addOracle offers a tool for each field that a game's oracle tells: oracle_plan for plan.
func (t *table) addOracle(advised family.Advised) {
	s := t.shapes.of("oracle", func() shaped {
		return shaped{shape.Whole(reflect.TypeFor[none]()), shape.Whole(reflect.TypeOf(advised.Oracle()))}
	})
	none, all := s.in, s.out
	for _, name := range all.PropertyOrder {
		says := "Ask the oracle for the " + name + " of this turn."
		if d := all.Properties[name].Description; d != "" {
			says = "Ask the oracle: " + d + "."
		}
		out := &jsonschema.Schema{
			Type: "object", Required: []string{name},
			Properties: map[string]*jsonschema.Schema{name: all.Properties[name]}, AdditionalProperties: none.AdditionalProperties,
		}
		t.offer(&sdk.Tool{
			Name: "oracle_" + name, Title: strings.ToUpper(name[:1]) + name[1:], Description: says, InputSchema: none, OutputSchema: out,
		}, true, func(data json.RawMessage) (any, error) {
			if err := decode(data, none, new(struct{})); err != nil {
				return nil, err
			}
			return t.ask(name)
		})
	}
}

func (t *table) ask(name string) (any, error) {
	s, err := t.current()
	if err != nil {
		return nil, err
	}
	told, err := s.Oracle()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(told)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	switch value := fields[name]; {
	case value != nil && string(value) != "null":
		return map[string]json.RawMessage{name: value}, nil
	case s.Done():
		return nil, refuse(family.CodeGameOver, "the game is over; the oracle has no %s to tell", name)
	}
	return nil, refuse(family.CodeNotFound, "the oracle has no %s to tell: there is none here", name)
}
