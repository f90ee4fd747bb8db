package pipeline

import (
	"encoding/json"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Remake returns the recipe that a build was made with, and in with the settings of its reading,
// from what a release says of it: the table of the graph, and the parameters of every stage.
func Remake(graph json.RawMessage, params map[string]json.RawMessage, in Input) (Recipe, Input, error) {
	var r Recipe
	if err := r.remake(graphTable, graph); err != nil {
		return r, in, err
	}
	for _, e := range registry {
		if e.defaults != nil && params[e.name] != nil {
			if err := r.remake(e.name, params[e.name]); err != nil {
				return r, in, err
			}
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

// remake lays all parameters of a stage over its table, but those that follow from elsewhere.
func (r *Recipe) remake(name string, params json.RawMessage) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(params, &values); err != nil {
		return fault.New(fault.Mismatch, "%w", err).At("", "params."+name)
	}
	t, err := r.table(name)
	if err != nil {
		return err
	}
	fields, known := t.fields(), map[string]any{}
	for key, v := range values { // into another map
		if _, ok := fields[key]; ok {
			known[key] = v
		}
	}
	return r.change(name, ofFlags, known)
}

// Files lists the files from outside, with their digests.
func (s *Source) Files() []schemas.SourceFile { return s.meta }
