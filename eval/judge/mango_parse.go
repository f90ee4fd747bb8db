package judge

import (
	"encoding/json"
	"strings"
)

// ParseMangoResponse finds the answer in a response, which is a JSON array or a JSON string; ok is false where it is ill-formed
// (specification 8.3).
func ParseMangoResponse(response json.RawMessage) (steps []MangoStep, ok bool) {
	var text string
	if json.Unmarshal(response, &text) == nil {
		return parseMangoText(text)
	}
	l := &literal{text: string(response)}
	v, err := l.value(1)
	if l.skip(); err != nil || l.text != "" {
		return nil, false
	}
	return mangoSteps(v)
}

// parseMangoText takes the first value in the text that is an answer. Text around it is ignored, and so are lists that are none.
func parseMangoText(text string) ([]MangoStep, bool) {
	if len(text) > mangoMaxText {
		return nil, false
	}
	for at := strings.IndexByte(text, '['); at >= 0; {
		for _, python := range []bool{false, true} {
			v, err := (&literal{text: text[at:], python: python}).value(1)
			if err != nil {
				continue
			}
			if steps, ok := mangoSteps(v); ok {
				return steps, true
			}
		}
		next := strings.IndexByte(text[at+1:], '[')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return nil, false
}

// The keys of a step, in both styles that may be asked for.
var mangoKeys = [3][]string{{"location_before", "prev_node"}, {"action"}, {"location_after", "node"}}

// mangoSteps takes a non-empty list of objects that have all three texts.
func mangoSteps(v any) ([]MangoStep, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	steps := make([]MangoStep, len(list))
	for i, item := range list {
		object, ok := item.(pairs)
		if !ok {
			return nil, false
		}
		for k, to := range []*string{&steps[i].Before, &steps[i].Action, &steps[i].After} {
			if *to, ok = object.text(mangoKeys[k]); !ok {
				return nil, false
			}
		}
	}
	return steps, true
}

// text gives the text under the first of keys that the object has. Of a key that stands twice the last value counts, as in
// JSON and Python.
func (p pairs) text(keys []string) (string, bool) {
	for _, key := range keys {
		for i := len(p) - 1; i >= 0; i-- {
			if p[i].key == key {
				text, ok := p[i].value.(string)
				return text, ok
			}
		}
	}
	return "", false
}
