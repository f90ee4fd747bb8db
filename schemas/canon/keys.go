package canon

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/schemas/fault"
)

// FieldError is what is wrong with one field of a document.
type FieldError struct {
	Field string
	Err   error
}

var ErrUnknownField = errors.New("unknown field")

func (e *FieldError) Error() string {
	if e.Err == ErrUnknownField {
		return "unknown field " + fault.Quote(e.Field)
	}
	return e.Field + ": " + e.Err.Error()
}

// Unwrap gives the cause, which is another FieldError for a field of a field.
func (e *FieldError) Unwrap() error { return e.Err }

// checkType refuses keys that the decoder would match to a field of t only by folding case, and null for a plain value. It follows
// the shape of t; below maps and interfaces any key is exact.
func checkType(tree any, t reflect.Type) error {
	nullable := false
	for t != nil && t.Kind() == reflect.Pointer {
		t, nullable = t.Elem(), true
	}
	if t == nil || t == reflect.TypeFor[json.RawMessage]() {
		return nil
	}
	switch node := tree.(type) {
	case nil:
		if k := t.Kind(); !nullable && k != reflect.Map && k != reflect.Slice && k != reflect.Interface {
			return fmt.Errorf("null stands where %s is wanted", fault.Wanted(t))
		}
	case object:
		return checkObject(node, t)
	case []any:
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
			return nil
		}
		for _, item := range node {
			if err := checkType(item, t.Elem()); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkObject(obj object, t reflect.Type) error {
	if t.Kind() == reflect.Map {
		for _, m := range obj {
			if err := checkType(m.value, t.Elem()); err != nil {
				return err
			}
		}
		return nil
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	fields := fieldTypes(t)
	for _, m := range obj {
		ft, ok := fields[m.key]
		if !ok {
			return &FieldError{m.key, ErrUnknownField}
		}
		if err := checkType(m.value, ft); err != nil {
			return &FieldError{m.key, err}
		}
	}
	return nil
}

// known holds what fieldTypes found: types are few, and a server decodes one at every move.
var known sync.Map

// fieldTypes lists the exact JSON names of t's fields, embedded structs included.
func fieldTypes(t reflect.Type) map[string]reflect.Type {
	if found, ok := known.Load(t); ok {
		return found.(map[string]reflect.Type)
	}
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" && (name != "" || !f.Anonymous) {
			out[cmp.Or(name, f.Name)] = f.Type
		}
	}
	known.Store(t, out)
	return out
}
