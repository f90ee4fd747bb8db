package answer

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/canon"
)

var one = []Step{{"a", "go", "b"}}

func TestResponsesAreFoundOrIllFormed(t *testing.T) {
	const step = `{"location_before": "a", "action": "go", "location_after": "b"}`
	for name, c := range map[string]struct {
		text string
		want []Step
	}{
		"plain":                      {"[" + step + "]", one},
		"prose around":               {"Sure! [1] From a [the start]:\n[" + step + "]\nHope [that] helps.", one},
		"code fence":                 {"```json\n[\n  " + step + "\n]\n```", one},
		"single quotes":              {`[{'location_before': 'a', 'action': 'go', 'location_after': 'b'}]`, one},
		"apostrophe":                 {`[{'location_before': "gnome's lair", 'action': "go", 'location_after': 'b'}]`, []Step{{"gnome's lair", "go", "b"}}},
		"escaped apostrophe":         {`[{'location_before': 'gnome\'s', 'action': 'go', 'location_after': 'b'}]`, []Step{{"gnome's", "go", "b"}}},
		"bracket in a name":          {`[{"location_before": "a ] [b", "action": "go", "location_after": "]"}]`, []Step{{"a ] [b", "go", "]"}}},
		"keys of the paper":          {`[{"prev_node": "a", "node": "b", "action": "go"}]`, one},
		"keys mixed":                 {`[{"prev_node": "a", "location_after": "b", "action": "go"}]`, one},
		"more keys":                  {`[{"step": 1, "seen": null, "prev_node": "a", "node": "b", "action": "go"}]`, one},
		"trailing comma":             {"[" + step + ",]", one},
		"unicode escapes":            {`[{"prev_node": "\ud83d\ude00\u00e9", "node": "b", "action": "go"}]`, []Step{{"😀é", "go", "b"}}},
		"python escapes":             {`[{'prev_node': '\x41\U0001f600\q', 'node': 'b', 'action': 'go'}]`, []Step{{"A😀\\q", "go", "b"}}},
		"list in a list":             {"[[" + step + "]]", one},
		"after a list of texts":      {`["go", "west"] or rather [` + step + "]", one},
		"key twice":                  {`[{"prev_node": "x", "prev_node": "a", "node": "b", "action": "go"}]`, one},
		"null value":                 {`[{"location_before": null, "action": "go", "location_after": "b"}]`, nil},
		"a number":                   {`[{"location_before": 1, "action": "go", "location_after": "b"}]`, nil},
		"missing key":                {`[{"location_before": "a", "action": "go"}]`, nil},
		"list of texts":              {`["north", "south"]`, nil},
		"truncated":                  {"[" + step + ",", nil},
		"truncated in a text":        {`[{"location_before": "a`, nil},
		"empty list":                 {"[]", nil},
		"nothing":                    {"", nil},
		"no list":                    {"go north", nil},
		"an object":                  {step, nil},
		"a call":                     {`[__import__("os").system("true")]`, nil},
		"deep":                       {strings.Repeat("[", 60000), nil},
		"nested five deep":           {"[[[[[" + step + "]]]]]", one}, // from the inner bracket on it is not deep
		"1000 steps":                 {"[" + strings.Repeat(step+",", 999) + step + "]", slices.Repeat(one, 1000)},
		"1001 steps":                 {"[" + strings.Repeat(`{"node":"b","action":"go","prev_node":"a"},`, 1000) + step + "]", nil},
		"65 KiB":                     {"[" + step + "]" + strings.Repeat(" ", 65<<10), nil},
		"64 KiB":                     {"[" + step + "]" + strings.Repeat(" ", 64<<10-len(step)-2), one},
		"line break in a text":       {"[{'prev_node': 'a\n', 'node': 'b', 'action': 'go'}]", nil},
		"a step that is none":        {"[" + step + `, {"action": "go"}]`, nil},
		"brackets that lead nowhere": {strings.Repeat(`["`, 20000), nil},
	} {
		raw := canon.MustMarshal(c.text)
		got, ok := Parse(raw)
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%s: got %d steps, %v, want %d", name, len(got), ok, len(c.want))
		}
	}
}

func TestAnArrayIsUsedAsItIs(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"prev_node":"a","node":"b","action":"go"}]`:   true,
		`[[{"prev_node":"a","node":"b","action":"go"}]]`: false,
		`[]`:     false,
		`["go"]`: false,
	} {
		if got, ok := Parse(json.RawMessage(text)); ok != want || ok && !slices.Equal(got, one) {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
}

func FuzzResponse(f *testing.F) {
	for _, s := range []string{`[{"prev_node":"a","node":"b","action":"go"}]`, `[{'action': '\x41\'', "node": u"", `, "[1e9, -.5, None, {}]", `["\ud800\u0041"]`} {
		f.Add(s, "a", "go", "b")
	}
	f.Fuzz(func(t *testing.T, text, before, action, after string) {
		Text(text)
		want := []Step{{before, action, after}}
		printed, err := json.Marshal([]map[string]string{{"location_before": before, "action": action, "location_after": after}})
		if err != nil || len(printed) > maxText {
			return
		}
		var back []map[string]string // JSON has only UTF-8: what the printer made of other bytes
		if err := json.Unmarshal(printed, &back); err != nil {
			t.Fatal(err)
		}
		want[0] = Step{back[0]["location_before"], back[0]["action"], back[0]["location_after"]}
		if got, ok := Text(string(printed)); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v", printed, got, ok)
		}
	})
}
