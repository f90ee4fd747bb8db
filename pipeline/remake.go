package pipeline

import (
	"encoding/json"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// RecipeOf returns the recipe of a build as a recipe file states it, one object for each table:
// that of the graph, and those of the stages with all their values, which are among the parameters.
func RecipeOf(graph schemas.Recipe, params map[string]json.RawMessage) (json.RawMessage, error) {
	whole := map[string]any{graphTable: graph}
	for _, e := range registry {
		if e.defaults == nil || params[e.name] == nil {
			continue
		}
		values, err := Recipe{}.stated(e.name, params[e.name])
		if err != nil {
			return nil, err
		}
		whole[e.name] = values
	}
	return canon.Marshal(whole)
}

// Remake returns the recipe that a build was made with, and in with the settings of its reading,
// from what a release says of it: its recipe, and the parameters of every stage.
func Remake(recipe json.RawMessage, params map[string]json.RawMessage, in Input) (Recipe, Input, error) {
	var r Recipe
	var tables map[string]json.RawMessage
	if err := json.Unmarshal(recipe, &tables); err != nil {
		return r, in, fault.New(fault.Mismatch, "%w", err).At("", "recipe")
	}
	for _, name := range sortedKeys(tables) {
		values, err := r.stated(name, tables[name])
		if err == nil {
			err = r.change(name, ofFlags, values)
		}
		if err != nil {
			return r, in, err
		}
	}
	reading := struct {
		Wiki       string `json:"wiki"`
		Date       string `json:"date"`
		Language   string `json:"language"`
		VerifyText string `json:"verify_text"`
		Tolerate   int    `json:"tolerate"`
		Hatnotes   bool   `json:"hatnotes"`
	}{}
	if raw := params[entryOf(params)]; json.Unmarshal(raw, &reading) != nil {
		return r, in, fault.New(fault.Mismatch, "the parameters of the stage that reads the input are not those of this version").At("", "params")
	}
	in.VerifyText, in.Tolerate, in.Hatnotes, in.LinkSource = reading.VerifyText, reading.Tolerate, reading.Hatnotes, r.Graph.LinkSource
	if !in.Demo() {
		in.Wiki, in.Date, in.Language = reading.Wiki, reading.Date, reading.Language
	}
	in.Mixed, in.AllowLatest = true, true // digests say which files they are, and not names
	return r, in, r.Validate()
}

// entryOf names the stage that reads the input.
func entryOf(params map[string]json.RawMessage) string {
	stages := map[string]string{}
	for name := range params { // into another map
		stages[name] = name
	}
	return Entry(stages)
}

// stated returns those of a stage's parameters that its table in a recipe has. What follows from
// elsewhere is left out, and so is null, which no file can state and is the default.
func (r Recipe) stated(name string, params json.RawMessage) (map[string]any, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(params, &values); err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err).At("", "params."+name)
	}
	t, err := r.table(name)
	if err != nil {
		return nil, err
	}
	fields, known := t.fields(), map[string]any{}
	for key, v := range values { // into another map
		if _, ok := fields[key]; ok && string(v) != "null" {
			known[key] = v
		}
	}
	return known, nil
}

// Files lists the files from outside, with their digests.
func (s *Source) Files() []schemas.SourceFile { return s.meta }
