package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// table is one table of a recipe. value points to its Go type, which is the only description of the table: the keys are
// the JSON names of its fields, and a tag oneof lists the words that a text may be. It holds the defaults, with the layers over them.
type table struct {
	name     string
	defaults func() any // a new pointer
	value    any
	layers   [3]map[string]json.RawMessage
}

// A layer is where values come from; the later lies over the earlier.
type layer int

const (
	ofGround layer = iota
	ofFile
	ofFlags
)

// Types of tables may have more to say: what is wrong with their values, which other defaults they have under their
// key "preset", and what the graph table decides about the pages that they draw.
type (
	validator interface{ Validate() error }
	presetter interface{ TakePreset(name string) error }
	drawer    interface{ Under(graph schemas.Recipe) }
)

// presetKey names the key whose value chooses the defaults of all others.
const presetKey = "preset"

// with lays values over the table. Its copies keep theirs.
func (t table) with(from layer, values map[string]any) (table, error) {
	merged := map[string]json.RawMessage{}
	maps.Copy(merged, t.layers[from])
	for key, v := range values { // independent
		v, err := t.lines(key, v)
		if err != nil {
			return t, err
		}
		raw, err := canon.Marshal(v)
		if err != nil {
			return t, fault.New(fault.Usage, "[%s] %s: %w", t.name, key, err)
		}
		merged[key] = raw
	}
	t.layers[from] = merged
	return t.filled()
}

// lines returns the lines of the file that a text names where its key takes a list of them, by the
// tag file:"lines"; blank ones are left out. The recipe holds the list and not the file's name, so
// that it means the same wherever it is read.
func (t table) lines(key string, v any) (any, error) {
	name, isText := v.(string)
	field, err := t.field(key)
	if err != nil || !isText || field.Get("file") != "lines" {
		return v, err
	}
	data, err := os.ReadFile(name)
	if err != nil || !utf8.Valid(data) {
		return nil, fault.New(fault.Usage, "[%s] %s = %s: no file of UTF-8 text can be read there",
			t.name, key, fault.Quote(name)).
			Hint("name a file with an element a line, seen from the current folder, or write a list")
	}
	list := []string{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list, nil
}

// filled decodes the layers, from the topmost on that names a preset: values below it change
// another one.
func (t table) filled() (table, error) {
	t.value = t.defaults()
	layers := t.layers[:]
	for i, values := range t.layers {
		if values[presetKey] != nil {
			layers = t.layers[i:]
		}
	}
	if p, ok := t.value.(presetter); ok && layers[0][presetKey] != nil {
		var name string
		if err := json.Unmarshal(layers[0][presetKey], &name); err != nil {
			return t, t.mistyped(presetKey, layers[0][presetKey])
		}
		if err := p.TakePreset(name); err != nil {
			return t, err
		}
	}
	for _, values := range layers {
		for _, key := range sortedKeys(values) {
			if err := t.decode(key, values[key]); err != nil {
				return t, err
			}
		}
	}
	return t, t.oneOf()
}

// oneOf refuses a text that is none of the words in its field's tag.
func (t table) oneOf() error {
	fields := t.fields()
	for _, key := range sortedKeys(fields) {
		words, value := strings.Fields(fields[key].Get("oneof")), fields[key].String()
		if len(words) > 0 && !slices.Contains(words, value) {
			return fault.New(fault.Usage, "[%s] %s cannot be %s", t.name, key, fault.Quote(value)).
				Choose(value, words)
		}
	}
	return nil
}

// decode fills one field. It is emptied first, because a list replaces the default: element by element would mix them.
func (t table) decode(key string, raw json.RawMessage) error {
	field, err := t.field(key)
	if err != nil {
		return err
	}
	field.SetZero()
	if err := canon.Decode(raw, canon.MaxManifest, field.Addr().Interface()); err != nil {
		return t.mistyped(key, raw)
	}
	return nil
}

func (t table) mistyped(key string, raw json.RawMessage) error {
	field, err := t.field(key)
	if err != nil {
		return err
	}
	return fault.New(fault.Usage, "[%s] %s = %s: want %s", t.name, key, raw, kindOf(field.Type()))
}

type field struct {
	reflect.Value
	reflect.StructTag
}

func (t table) field(key string) (field, error) {
	fields := t.fields()
	if f, ok := fields[key]; ok {
		return f, nil
	}
	return field{}, fault.New(fault.Usage, "[%s] has no key %s", t.name, fault.Quote(key)).
		Choose(key, sortedKeys(fields))
}

func (t table) fields() map[string]field { return collect(reflect.ValueOf(t.value).Elem()) }

// collect lists the fields of a struct by their JSON names, those of embedded structs among them.
func collect(v reflect.Value) map[string]field {
	into := map[string]field{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && f.IsExported() && f.Tag.Get("recipe") != "-" {
			into[name] = field{v.FieldByIndex(f.Index), f.Tag}
		}
	}
	return into
}

func kindOf(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return kindOf(t.Elem())
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "a text"
	case t.Kind() == reflect.Slice:
		return "a list, each element " + kindOf(t.Elem())
	case t.Kind() == reflect.Struct:
		return "a table with " + strings.Join(sortedKeys(collect(reflect.New(t).Elem())), ", ")
	}
	return "a whole number, or a size like 8GiB"
}

// parse reads the text of a value as a flag has it: as in TOML, but a text needs no quotes, a list
// of texts or numbers no brackets, and a number may have a unit. The first reading that the key's
// type takes is meant. A text in quotes is a file of lines where the key takes one.
func (t table) parse(key, text string) (json.RawMessage, error) {
	field, err := t.field(key)
	if err != nil {
		return nil, err
	}
	readings := []string{text, strconv.Quote(text), "[" + text + "]", `["` + strings.ReplaceAll(text, ",", `", "`) + `"]`}
	if n, err := ParseBytes(text); err == nil {
		readings = append(readings, strconv.FormatInt(n, 10))
	}
	for i, reading := range readings {
		var tree map[string]any
		if toml.Unmarshal([]byte("v = "+reading), &tree) != nil || len(tree) != 1 {
			continue
		}
		if i == 0 {
			if tree["v"], err = t.lines(key, tree["v"]); err != nil {
				return nil, err
			}
		}
		raw, err := canon.Marshal(tree["v"])
		if err == nil && canon.Decode(raw, canon.MaxManifest, reflect.New(field.Type()).Interface()) == nil {
			return raw, nil
		}
	}
	return nil, fmt.Errorf("want %s", kindOf(field.Type()))
}

// sizeUnits are binary (KiB) or decimal (KB).
var sizeUnits = map[string]int64{
	"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
}

// ParseBytes reads a size with or without a unit, for example 8GiB.
func ParseBytes(text string) (int64, error) {
	number := strings.TrimRight(text, "KMGTiB")
	unit, ok := sizeUnits[text[len(number):]]
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !ok || n < 0 || n > (1<<62)/unit {
		return 0, fault.New(fault.Usage, "%s is not a size", fault.Quote(text)).Hint("write for example 8GiB")
	}
	return n * unit, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
