// Package jsonschema derives the JSON Schema (draft 2020-12) of a record from its Go type, so that the published
// schemas in docs/schemas cannot drift from what is written and read.
package jsonschema

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Of gives the schema of v's type under an id such as "wikirace.instance/1". Every field is required and no other is
// allowed: that is how our strict decoder reads.
func Of(id string, v any) []byte {
	s := of(reflect.TypeOf(v))
	s["$schema"], s["title"] = "https://json-schema.org/draft/2020-12/schema", id
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // maps of strings
	}
	return append(out, '\n')
}

func of(t reflect.Type) map[string]any {
	if t == reflect.TypeFor[json.RawMessage]() {
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{of(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Struct:
		return object(t)
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": of(t.Elem())}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": of(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Interface:
		return map[string]any{}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}
	}
	panic("jsonschema: no form for " + t.String())
}

func object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	addFields(t, properties, &required)
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// addFields lists the fields of t, those of embedded structs among them. A field that is left out when empty is not required, nor are
// those of an embedded pointer, which may be nil.
func addFields(t reflect.Type, properties map[string]any, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("doc") == "-" { // not published
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			if f.Type.Kind() == reflect.Pointer {
				addFields(f.Type.Elem(), properties, new([]string))
			} else {
				addFields(f.Type, properties, required)
			}
			continue
		}
		field := of(f.Type)
		if doc := f.Tag.Get("doc"); doc != "" {
			field["description"] = doc
		}
		properties[name] = field
		if options != "omitempty" {
			*required = append(*required, name)
		}
	}
}
