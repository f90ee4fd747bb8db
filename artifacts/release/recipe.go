package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/canon"
)

// Recipe is the recipe as a file that build --recipe reads: a table for each object, or the one
// that is named.
func (c *card) Recipe(only ...string) (string, error) {
	var tables map[string]map[string]any
	in := json.NewDecoder(bytes.NewReader(wholeRecipe(c.M.Recipe)))
	in.UseNumber()
	if err := in.Decode(&tables); err != nil {
		return "", fmt.Errorf("the recipe is not made of tables: %w", err)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[%s]\n", tomlKey(name))
		for _, key := range slices.Sorted(maps.Keys(tables[name])) {
			fmt.Fprintf(&b, "%s = %s\n", tomlKey(key), tomlValue(tables[name][key]))
		}
	}
	return b.String(), nil
}

// wholeRecipe is the recipe with the graph's rules in their table.
func wholeRecipe(recipe json.RawMessage) json.RawMessage {
	var have struct {
		Graph json.RawMessage `json:"graph"`
	}
	if json.Unmarshal(recipe, &have) == nil && have.Graph != nil {
		return recipe
	}
	return slices.Concat([]byte(`{"graph":`), recipe, []byte("}"))
}

// tomlKey is a key of TOML, with quotes where it needs them.
func tomlKey(key string) string {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	if key != "" && strings.Trim(key, bare) == "" {
		return key
	}
	return tomlText(key)
}

// tomlText is a text of TOML, which has the escapes of JSON and cannot hold DEL as it is.
func tomlText(s string) string {
	return strings.ReplaceAll(string(canon.AppendString(nil, s)), "\x7f", `\u007f`)
}

// tomlValue is a value of canonical JSON on one line of TOML, which has no null: none is in a
// recipe.
func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		return tomlText(v)
	case []any:
		var list []string
		for _, x := range v {
			list = append(list, tomlValue(x))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case map[string]any:
		var list []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			list = append(list, tomlKey(key)+" = "+tomlValue(v[key]))
		}
		return "{ " + strings.Join(list, ", ") + " }"
	}
	return fmt.Sprint(v)
}
