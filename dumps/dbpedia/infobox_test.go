package dbpedia

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryInfoboxHasAClassOfTheTable(t *testing.T) {
	var names []string
	for template, class := range infoboxes()["en"] {
		names = append(names, template)
		if _, ok := DefaultTable().Row(class); !ok {
			t.Errorf("%s: no class %s", template, class)
		}
	}
	if rows := strings.Count(infoboxesEN, "\n") - 2; rows != len(names) || rows < 200 {
		t.Errorf("%d rows for %d templates", rows, len(names))
	}
	if class, ok := InfoboxClass("en", "Infobox settlement"); !ok || class != "Settlement" {
		t.Errorf("a settlement is %q", class)
	}
	if class, ok := InfoboxClass("ga", "Infobox settlement"); ok {
		t.Errorf("a table of another language: %q", class)
	}
	lines := strings.Split(strings.TrimSpace(infoboxesEN), "\n")[2:]
	if !slices.IsSorted(lines) {
		t.Error("the rows are not sorted")
	}
}
