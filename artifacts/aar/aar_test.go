package aar

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTheTablesAreThoseOfTheSpecification compares the embedded tables with the specification's files.
func TestTheTablesAreThoseOfTheSpecification(t *testing.T) {
	files, err := filepath.Glob("tables/*.json")
	files = slices.DeleteFunc(files, func(name string) bool { // ours, besides the specification's
		return name == filepath.Join("tables", "provider.json")
	})
	if err != nil || len(files) != 6 {
		t.Fatalf("%d tables (%v), want 6", len(files), err)
	}
	for _, f := range files {
		ours, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("../../../shared/specs/aar", filepath.Base(f)))
		if os.IsNotExist(err) {
			t.Skip("the folder ../shared/specs/aar is absent")
		}
		if err != nil || !bytes.Equal(ours, want) {
			t.Errorf("%s differs from the specification's (%v)", f, err)
		}
	}
}
