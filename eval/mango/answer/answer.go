// Package answer finds the list of steps in what was answered to a question about a maze.
//
// It promises that a response is read with bounds, and that nothing in it is ever evaluated: JSON and a
// subset of Python's literals are read, text around them is ignored. The rules are those of docs/families/mango.md.
package answer

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Parser names the parser and pins its bounds and keys. It rises with every change of what is read.
var Parser = schemas.Versioned{
	Version: "mango/1",
	SHA256:  digest.SHA256(fmt.Append(nil, "mango/1\n", maxText, maxDepth, maxItems, keys)),
}

type Step struct{ Before, Action, After string }

// Parse finds the answer in a response, which is a JSON array or a JSON string; ok is false where it is
// ill-formed. An array is used as it is, a text is searched.
func Parse(response json.RawMessage) (steps []Step, ok bool) {
	var text string
	if json.Unmarshal(response, &text) == nil {
		return Text(text)
	}
	l := &literal{text: string(response)}
	v, err := l.value(1)
	if l.skip(); err != nil || l.text != "" {
		return nil, false
	}
	return stepsOf(v)
}

// Text finds the answer in a text: the first value that is one. What stands around it is ignored.
func Text(text string) ([]Step, bool) {
	if len(text) > maxText {
		return nil, false
	}
	for at := strings.IndexByte(text, '['); at >= 0; {
		for _, python := range []bool{false, true} {
			v, err := (&literal{text: text[at:], python: python}).value(1)
			if err != nil {
				continue
			}
			if steps, ok := stepsOf(v); ok {
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
var keys = [3][]string{{"location_before", "prev_node"}, {"action"}, {"location_after", "node"}}

// stepsOf takes a non-empty list of objects that have all three texts.
func stepsOf(v any) ([]Step, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	steps := make([]Step, len(list))
	for i, item := range list {
		object, ok := item.(members)
		if !ok {
			return nil, false
		}
		for k, to := range []*string{&steps[i].Before, &steps[i].Action, &steps[i].After} {
			if *to, ok = object.text(keys[k]); !ok {
				return nil, false
			}
		}
	}
	return steps, true
}

func Print(steps []Step) string {
	type object struct {
		Before string `json:"location_before"`
		Action string `json:"action"`
		After  string `json:"location_after"`
	}
	list := make([]object, len(steps))
	for i, s := range steps {
		list[i] = object(s)
	}
	return string(canon.MustMarshal(list))
}

// text returns the text under the first of keys that the object has. Of a key that stands twice the last
// value counts, as in JSON and Python.
func (p members) text(keys []string) (string, bool) {
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
