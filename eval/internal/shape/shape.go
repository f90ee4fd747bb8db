// Package shape describes what servers send and take as JSON Schema, from the Go types of it: for
// the tools of the Model Context Protocol, and for the document of the HTTP API.
package shape

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/wikinav/wikinav/eval/family"
)

// Of returns the schema of what a value of type t is in JSON; that of any object for nil. A list
// without items is [], and what may be left out is never null; what may not can be where its type
// is a pointer.
func Of(t reflect.Type) *jsonschema.Schema {
	if t == nil {
		return &jsonschema.Schema{Type: "object"}
	}
	s := inferred(t)
	forbidNull(s, false)
	freeEmbedded(t, s)
	return s
}

// Nullable is Of where a list may be null as well.
func Nullable(t reflect.Type) *jsonschema.Schema {
	s := inferred(t)
	freeEmbedded(t, s)
	return s
}

func inferred(t reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{
		TypeSchemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.RawMessage](): {}},
	})
	if err != nil {
		panic("shape: " + err.Error()) // a type that has no JSON
	}
	return s
}

// Whole is Of where no value is ever null.
func Whole(t reflect.Type) *jsonschema.Schema {
	s := Of(t)
	forbidNull(s, true)
	return s
}

// Listed returns the schema of what a listing shows of tasks: their id, and what may be known of
// them before they are played.
func Listed(tasks []family.Task) *jsonschema.Schema {
	item := Of(nil)
	if len(tasks) > 0 {
		item = Whole(reflect.TypeOf(tasks[0].Info))
	}
	if item.Properties == nil {
		item.Properties = map[string]*jsonschema.Schema{}
	}
	if item.Properties["id"] == nil {
		item.Properties["id"] = &jsonschema.Schema{
			Type: "string", Description: "what start_game takes as instance",
		}
		item.PropertyOrder = slices.Insert(item.PropertyOrder, 0, "id")
		item.Required = slices.Insert(item.Required, 0, "id")
	}
	return item
}

// Parse reads a schema, and keeps the order of its properties.
func Parse(data json.RawMessage) (*jsonschema.Schema, error) {
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

// forbidNull takes null from the types of lists and of what may be left out, or of all values.
func forbidNull(s *jsonschema.Schema, all bool) {
	if s == nil {
		return
	}
	if all || slices.Contains(s.Types, "array") {
		dropNull(s)
	}
	forbidNull(s.Items, all)
	forbidNull(s.AdditionalProperties, all)
	for name, p := range s.Properties {
		if !slices.Contains(s.Required, name) {
			dropNull(p)
		}
		forbidNull(p, all)
	}
}

func dropNull(s *jsonschema.Schema) {
	rest := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	if len(rest) == 1 {
		s.Type, s.Types = rest[0], nil
	}
}

// freeEmbedded lets properties be left out that come from an embedded pointer, which may be nil.
func freeEmbedded(t reflect.Type, s *jsonschema.Schema) {
	for ; t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice; t = t.Elem() {
		if t.Kind() == reflect.Slice {
			s = s.Items
		}
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous || f.Type.Kind() != reflect.Pointer {
			continue
		}
		for _, below := range reflect.VisibleFields(f.Type.Elem()) {
			name, _, _ := strings.Cut(below.Tag.Get("json"), ",")
			s.Required = slices.DeleteFunc(s.Required, func(r string) bool { return r == name })
		}
	}
}
