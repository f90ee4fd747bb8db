package prompt

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
)

var walk = []maze.WalkStep{{Act: maze.Act0, Observation: "a\nExits: north"}, {Act: "north", Observation: "b\nExits: south"}}

func TestAPrefixKeepsNumberActAndObservation(t *testing.T) {
	want := "STEP NUM: 0\nACT: Init\nOBSERVATION: a\nExits: north\n\nSTEP NUM: 1\nACT: north\nOBSERVATION: b\nExits: south"
	if got := Prefix(walk); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTokensAreAQuarterOfTheCharactersRoundedUp(t *testing.T) {
	for text, want := range map[string]int{"": 0, "é": 1, "éééé": 1, "ééééé": 2} {
		if got := Runes4(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestTheLongestPrefixHasWholeSteps(t *testing.T) {
	one, two := Runes4(Prefix(walk[:1])), Runes4(Prefix(walk))
	for most, want := range map[int]int{0: -1, one - 1: -1, one: 0, two - 1: 0, two: 1, two + 100: 1} {
		if got := Longest(walk, most, Runes4); got != want {
			t.Errorf("%d tokens: got %d, want %d", most, got, want)
		}
	}
}

func TestNamesAreJSONStringsAndNoMarkers(t *testing.T) {
	m := New(walk, []string{"south", "north", "north"}, []string{`say "hi", you`, "{{dst}}"}, Options{})
	text, sha := m.RF("{{dst}}", `say "hi", you`)
	for _, part := range []string{`["north", "south"]`, `["say \"hi\", you", "{{dst}}"]`, `from "{{dst}}" to "say \"hi\", you"?`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in\n%s", part, text)
		}
	}
	if strings.Contains(text, "{{src}}") || strings.Contains(text, "opposite") {
		t.Errorf("an unfilled marker, or a rule that does not hold here:\n%s", text)
	}
	compass, other := New(walk, nil, nil, Options{Compass: true}).RF("a", "b")
	if !strings.Contains(compass, "the opposite direction leads back exactly when it is listed") || other == sha {
		t.Errorf("the rule of the exits makes no other template:\n%s", compass)
	}
}
