package mcp

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf gives the schema of what T is in JSON. No value of ours is null: a list without items is [], and what is not told is left out.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic("mcp: " + err.Error()) // a type of this package that has no JSON
	}
	forbidNull(s)
	return s
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
