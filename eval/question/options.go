package question

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Rule struct {
	Name    string
	Values  []string // the default first; nil for a text that Check checks
	Default string   // where Values is nil
	Says    string   // of a text, in messages
	Check   func(value string) error
}

// Rules are the choices of a family. Their canonical object holds a text for each.
type Rules []Rule

// Read reads NAME=VALUE over the defaults, and returns the value of each rule.
func (rules Rules) Read(texts []string) (map[string]string, error) {
	values := rules.defaults()
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fault.New(fault.Usage, "--option %s: want NAME=VALUE", fault.Quote(text)).Hint("%s", rules.says())
		}
		if err := rules.check(name, value); err != nil {
			return nil, err
		}
		values[name] = value
	}
	return values, nil
}

// ReadJSON reads the object, whole or with rules left out.
func (rules Rules) ReadJSON(data json.RawMessage) (map[string]string, error) {
	values := rules.defaults()
	if len(bytes.TrimSpace(data)) == 0 {
		return values, nil
	}
	var given map[string]string
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fault.New(fault.Usage, "options: %w", err).Hint("%s", rules.says())
	}
	for name, value := range given { // independent of each other
		if err := rules.check(name, value); err != nil {
			return nil, err
		}
		values[name] = value
	}
	return values, nil
}

func (rules Rules) defaults() map[string]string {
	values := map[string]string{}
	for _, r := range rules {
		values[r.Name] = r.Default
		if r.Values != nil {
			values[r.Name] = r.Values[0]
		}
	}
	return values
}

func (rules Rules) check(name, value string) error {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		return rules.unknown(name)
	}
	r := rules[i]
	if r.Values != nil && !slices.Contains(r.Values, value) {
		return fault.New(fault.Usage, "option %s has no value %s", name, fault.Quote(value)).Choose(value, r.Values)
	}
	if r.Check != nil {
		if err := r.Check(value); err != nil {
			return fault.New(fault.Usage, "option %s=%s: %w", name, fault.Quote(value), err)
		}
	}
	return nil
}

func (rules Rules) unknown(name string) error {
	e := fault.New(fault.Usage, "there is no option %s", fault.Quote(name))
	if len(rules) == 0 {
		return e.Hint("this family has no options")
	}
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.Name
	}
	if near := fault.Near(name, slices.Values(names), 1); len(near) > 0 {
		return e.Hint("did you mean %s? %s", near[0], rules.says())
	}
	return e.Hint("%s", rules.says())
}

func (rules Rules) says() string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = fmt.Sprintf("%s=%s", r.Name, strings.Join(r.Values, "|"))
		if r.Values == nil {
			texts[i] = r.Name + "=" + r.Says
		}
	}
	return "options: " + strings.Join(texts, ", ")
}

func Options(values map[string]string) family.Options {
	return family.Options{JSON: canon.MustMarshal(values), Value: values}
}

func Baseline(name, kind, says string, reply func(seat family.Seat) string) family.Baseline {
	start := func(_ family.Episode, seat family.Seat) func() (family.Reply, error) {
		return func() (family.Reply, error) {
			text := reply(seat)
			return family.Reply{Text: &text}, nil
		}
	}
	return family.Baseline{Name: name, Kind: kind, Says: says, Start: start}
}
