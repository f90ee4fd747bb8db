package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const maxArguments = 1 << 20

// decode reads the arguments of a call into a value whose schema is s. What it refuses is told in
// the words of JSON, for a model to read.
func decode(data json.RawMessage, s *jsonschema.Schema, into any) error {
	if len(data) == 0 {
		data = json.RawMessage("{}")
	}
	var given map[string]any
	if err := canon.Decode(data, maxArguments, &given); err != nil {
		return unreadable(err)
	}
	for name := range given {
		if s.Properties[name] == nil {
			return refuse("unknown_field", "no argument is called %s; %s", fault.Quote(name), taken(s))
		}
	}
	for _, name := range s.Required {
		if given[name] == nil {
			return refuse("bad_field", "the argument %s is missing; %s", name, taken(s))
		}
	}
	for _, name := range s.PropertyOrder {
		if want, got := s.Properties[name].Type, kindOf(given[name]); got != "" && got != kinds[want] && kinds[want] != "" {
			return refuse("bad_field", "the argument %s must be %s, not %s", name, kinds[want], cmp.Or(others[got], got))
		}
	}
	if err := canon.Decode(data, maxArguments, into); err != nil {
		return unreadable(err)
	}
	return nil
}

// kinds are the words for types of schemas.
var kinds = map[string]string{"integer": "a whole number", "string": "a text", "boolean": "true or false", "object": "an object", "array": "an array"}

// others are words for a kind that is not the one that is wanted.
var others = map[string]string{"a whole number": "a number"}

// kindOf returns the words for a value, "" for none.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return ""
	case string:
		return kinds["string"]
	case bool:
		return kinds["boolean"]
	case []any:
		return kinds["array"]
	case map[string]any:
		return kinds["object"]
	}
	return kinds["integer"] // canonical JSON has no other number
}

func taken(s *jsonschema.Schema) string {
	if len(s.PropertyOrder) == 0 {
		return "this tool takes none"
	}
	return "this tool takes " + strings.Join(s.PropertyOrder, ", ")
}

// unreadable says what is wrong with arguments, without a word about Go.
func unreadable(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrong):
		return refuse("bad_json", "the arguments cannot be read: %v", err)
	case wrong.Field == "":
		return refuse("bad_json", "the arguments are %s; they must be an object", article(wrong.Value))
	}
	return refuse("bad_field", "the argument %s cannot be %s", wrong.Field, article(wrong.Value))
}

// article returns the words for a kind of JSON value as encoding/json names it: "string", "number
// 1.5", "bool".
func article(value string) string {
	switch value {
	case "string":
		return "a text"
	case "number":
		return "a number"
	case "bool":
		return "true or false"
	case "array", "object":
		return "an " + value
	}
	return "the " + value
}
