package mcp

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf returns the schema of what a value of type t is in JSON; that of any object for nil. No
// value of ours is null: a list without items is [], and what is not told is left out.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	if t == nil {
		return &jsonschema.Schema{Type: "object"}
	}
	s, err := jsonschema.ForType(t, nil)
	if err != nil {
		panic("mcp: " + err.Error()) // a type that has no JSON
	}
	forbidNull(s)
	return s
}

// schemaFrom reads a schema, and keeps the order of its properties.
func schemaFrom(data json.RawMessage) (*jsonschema.Schema, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	var fields struct{ Properties json.RawMessage }
	if err := json.Unmarshal(data, &fields); err != nil || fields.Properties == nil {
		return &s, err
	}
	dec := json.NewDecoder(bytes.NewReader(fields.Properties))
	_, err := dec.Token() // {
	for err == nil && dec.More() {
		var name json.Token
		if name, err = dec.Token(); err == nil {
			s.PropertyOrder = append(s.PropertyOrder, name.(string))
			err = dec.Decode(new(json.RawMessage))
		}
	}
	return &s, err
}

func forbidNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" }); len(types) == 1 {
		s.Type, s.Types = types[0], nil
	}
	forbidNull(s.Items)
	forbidNull(s.AdditionalProperties)
	for _, p := range s.Properties {
		forbidNull(p)
	}
}
