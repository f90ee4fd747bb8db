package lineup_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/lineup"
	"github.com/wikinav/wikinav/schemas/fault"
)

const whole = `# all
release = 'demo "x"'
split = [
  "easy", # first
  "hard",
]

[[model]]
name = "a\u0062"
seed = 1_000
temperature = -0.50
resume = true
option = { max_steps = 20, "order" = "title" }
prompt = """
one
two"""

[[model]]
`

func TestSettingsHaveTheirValuesAndLines(t *testing.T) {
	f, err := lineup.Parse("m.toml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	one := func(name, value string, line int) lineup.Setting {
		return lineup.Setting{Name: name, Values: []string{value}, Line: line}
	}
	want := &lineup.File{
		Path:   "m.toml",
		Common: []lineup.Setting{one("release", `demo "x"`, 2), {Name: "split", Values: []string{"easy", "hard"}, List: true, Line: 3}},
		Models: []lineup.Model{{Line: 8, Settings: []lineup.Setting{
			one("name", "ab", 9), one("seed", "1000", 10), one("temperature", "-0.50", 11), one("resume", "true", 12),
			{Name: "option", Values: []string{"max_steps=20", "order=title"}, List: true, Line: 13},
			one("prompt", "one\ntwo", 14),
		}}, {Line: 18}},
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got %+v\nwant %+v", f, want)
	}
}

func TestWhatIsNoFileOfModelsIsRefusedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\na = 2":                    `m.toml: line 2: "a" stands twice, first in line 1`,
		"[[model]]\nx = 1979-05-27":       "m.toml: line 2: x: want a text",
		"[[model]]\nx = [[1]]":            "m.toml: line 2: x: want a text",
		"[[model]]\nx = {a = {b = 1}}":    "m.toml: line 2: x: want a text",
		"[[model]]\nx = {a.b = 1}":        `m.toml: line 2: "a.b" has parts`,
		"[[model]]\n[model.option]":       `m.toml: line 2: "model.option" has parts`,
		"[[model]]\n[other]":              `m.toml: line 2: no table is called "other"`,
		"\n[[model]\n":                    "m.toml: line 2: ",
		"[[model]]\nx = \"open\n":         "m.toml: line 2: ",
		"[[model]]\ny = 1\nx":             "m.toml: line 3: ",
		"a = 1":                           "m.toml: no model is listed",
		strings.Repeat("#", 1<<20) + "\n": "at most 1048576 bytes",
	} {
		if _, err := lineup.Parse("m.toml", []byte(text)); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// TestBrokenFilesAreErrors breaks a file in 20,000 ways: each is read, or refused as a usage error.
func TestBrokenFilesAreErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 20_000 {
		text := []byte(whole)
		for range 1 + r.IntN(4) {
			at := r.IntN(len(text))
			switch r.IntN(3) {
			case 0:
				text[at] = "[]{}=\"'#.\n\\x0"[r.IntN(13)]
			case 1:
				text = text[:at+1]
			case 2:
				text = append(text[:at:at], text[min(len(text), at+1+r.IntN(5)):]...)
			}
			if len(text) == 0 {
				break
			}
		}
		if _, err := lineup.Parse("m.toml", text); err != nil {
			if refused++; !errors.Is(err, fault.Usage) {
				t.Fatalf("%q: %v", text, err)
			}
		}
	}
	if refused < 10_000 {
		t.Errorf("%d of 20,000 were refused", refused)
	}
}
