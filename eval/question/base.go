package question

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Base is a family of questions but for how it opens a release. Families embed it.
type Base struct {
	Called  string
	Rules   Rules
	Without map[string]string            // why the family has no option of that name, which others have
	Parsers map[string]schemas.Versioned // by the name that a Manner may have; that under "" is the default
	Wording schemas.Versioned
	TaskOf  func(id string) string // the task that a published id is of; nil where its id is the same
	Metrics []family.Column
	Fields  []wording.Field // of a user's own words, besides those that all families have
}

func (b Base) Name() string { return b.Called }

func (b Base) Options(texts []string) (family.Options, error) {
	for _, text := range texts {
		name, _, _ := strings.Cut(text, "=")
		if why, ok := b.Without[name]; ok {
			none := fault.New(fault.Usage, "--family %s has no option %s: %s", b.Called, name, why)
			return family.Options{}, none.Hint("leave --option %s out", text)
		}
	}
	values, err := b.Rules.Read(texts)
	return Options(values), err
}

func (b Base) ReadOptions(data json.RawMessage) (family.Options, error) {
	values, err := b.Rules.ReadJSON(data)
	return Options(values), err
}

// Words names the wording and the parser where a player reads and writes text.
func (b Base) Words(_ family.Options, m family.Manner) (family.Words, error) {
	parser, ok := b.Parsers[m.Parser]
	if !ok {
		return family.Words{}, fault.New(fault.Usage, "there is no parser %s", fault.Quote(m.Parser)).
			Choose(m.Parser, slices.Sorted(maps.Keys(b.Parsers)))
	}
	if m.Interface == schemas.InterfaceBuiltin || m.Interface == schemas.InterfaceForeign {
		return family.Words{}, nil
	}
	return family.Words{Prompt: &b.Wording, Parser: &parser}, nil
}

// Form says what a template of a question may hold.
func (b Base) Form(_ family.Options, m family.Manner) (wording.Form, error) {
	if m.Interface == schemas.InterfaceBuiltin || m.Interface == schemas.InterfaceForeign {
		return wording.Form{}, family.NoReader()
	}
	return wording.Form{Fields: b.Fields}, nil
}

func (b Base) Layout() trace.Layout {
	if b.TaskOf == nil {
		return Layout(func(id string) string { return id })
	}
	return Layout(b.TaskOf)
}

func (b Base) Columns() []family.Column { return slices.Clone(b.Metrics) }
