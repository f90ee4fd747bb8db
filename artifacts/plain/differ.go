package plain

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Differ visits the fields, by their names in JSON and in their order, in which two records of one
// type differ.
func Differ(want, got any, visit func(field string, want, got any)) {
	a, b := fields(want), fields(got)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !bytes.Equal(a[name], b[name]) {
			visit(name, string(a[name]), string(b[name]))
		}
	}
}

func fields(record any) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	data, err := json.Marshal(record)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		panic("plain: no record: " + err.Error()) // of a type of ours, whatever it holds
	}
	return out
}
