package aar

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// TestTheTablesHoldThoseOfTheSpecification compares the embedded tables with the specification's
// files, to which ours may add.
func TestTheTablesHoldThoseOfTheSpecification(t *testing.T) {
	files, err := filepath.Glob("tables/*.json")
	files = slices.DeleteFunc(files, func(name string) bool { // ours, besides the specification's
		return name == filepath.Join("tables", "provider.json")
	})
	if err != nil || len(files) != 6 {
		t.Fatalf("%d tables (%v), want 6", len(files), err)
	}
	for _, f := range files {
		ours := readTable(t, f)
		path := filepath.Join("../../../shared/specs/aar", filepath.Base(f))
		if _, err := os.Stat(path); os.IsNotExist(err) {
			t.Skip("the folder ../shared/specs/aar is absent")
		}
		if want := readTable(t, path); ours["version"] != want["version"] {
			delete(want, "version")
			if !holds(ours, want) {
				t.Errorf("%s lacks some of the specification's", f)
			}
		} else if !reflect.DeepEqual(ours, want) {
			t.Errorf("%s differs from the specification's, and has its version", f)
		}
	}
}

func readTable(t *testing.T, path string) (table map[string]any) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &table)
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// holds reports whether all of want stands in ours, lists in their order.
func holds(ours, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		ours, ok := ours.(map[string]any)
		for key, value := range want { // all of them
			ok = ok && holds(ours[key], value)
		}
		return ok
	case []any:
		ours, ok := ours.([]any)
		for _, value := range want {
			for ok && len(ours) > 0 && !holds(ours[0], value) {
				ours = ours[1:]
			}
			if !ok || len(ours) == 0 {
				return false
			}
			ours = ours[1:]
		}
		return ok
	}
	return ours == want
}
