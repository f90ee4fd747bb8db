package aar

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyPlayersReadRiddles keeps the rule reader away from the judge, which needs no strategy.
func TestOnlyPlayersReadRiddles(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var using []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "artifacts/aar/"+"reader\"") {
			using = append(using, name)
		}
	}
	if len(using) != 1 || using[0] != "baselines.go" {
		t.Errorf("%v use the rule reader: it is for baselines.go alone", using)
	}
}
