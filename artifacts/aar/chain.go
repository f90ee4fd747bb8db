package aar

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/schemas"
)

var chainVariable = regexp.MustCompile(`\$[a-z_]+`)

// Chain returns the calls of a template; values are those of its variables: location, location_a,
// location_b, country, poi_type, python.
func Chain(template string, values map[string]string) (chain []schemas.AARCall) {
	i := slices.IndexFunc(templateTable().Templates,
		func(t templateRow) bool { return t.Name == template })
	for _, c := range templateTable().Templates[i].Chain {
		args := chainVariable.ReplaceAllFunc(c.Args, func(name []byte) []byte {
			quoted := appendString(nil, values[string(name[1:])])
			return quoted[1 : len(quoted)-1]
		})
		plain, err := Compact(args)
		if err != nil {
			panic("aar: the chain of " + template + ": " + err.Error()) // a table of ours
		}
		chain = append(chain, schemas.AARCall{
			ToolName: c.Tool, Arguments: plain, OutputKey: c.OutputKey,
		})
	}
	return chain
}

// MergeChain returns the call that computes a merge.
func MergeChain(c Computation) []schemas.AARCall {
	args := append(appendString([]byte(`{"code":`), c.Python()), '}')
	return []schemas.AARCall{{ToolName: toolPython, Arguments: args, OutputKey: mergedKey}}
}

// Run makes the calls of a chain and fills their expected outputs. Python is computed and never
// run. An error of type *ToolError is what a tool answered.
func (t *Tools) Run(ctx context.Context, chain []schemas.AARCall) (v schemas.AARValue, err error) {
	outputs := map[string]json.RawMessage{}
	for i := range chain {
		c := &chain[i]
		if v, err = t.step(ctx, c, outputs); err != nil {
			return nil, err
		}
		outputs[c.OutputKey] = c.ExpectedOutput
	}
	if v == nil {
		err = errors.New("the last call of the chain has no value")
	}
	return v, err
}

// step makes a call after those with outputs.
func (t *Tools) step(ctx context.Context, c *schemas.AARCall,
	outputs map[string]json.RawMessage,
) (v schemas.AARValue, err error) {
	args, err := ChainArgs(c.Arguments, outputs)
	if err != nil {
		return nil, err
	}
	if c.ToolName == toolPython {
		code, _ := args["code"].(string)
		op, known := ReadPython(code)
		if !known {
			return nil, errors.New("the Python code is none of those that stops have")
		}
		n, err := op.Value()
		printed := Printed{Stdout: strconv.FormatInt(n, 10) + "\n"}
		c.ExpectedOutput = schemas.AARValue(answerJSON(printed))
		return integer(n), err
	}
	data, err := canonical(nil, args)
	if err != nil {
		return nil, err
	}
	a := t.Whole(ctx, c.ToolName, data)
	if a.Code != "" {
		return nil, &ToolError{a.Code, a.Output}
	}
	c.ExpectedOutput = ResponseOf([]byte(a.Output))
	return ChainValue(*c, args, c.ExpectedOutput)
}

// DateOf returns the date, as 2026-01-31, that a value of a page stop is; a year means its first
// day.
func DateOf(v schemas.AARValue) (string, error) { return isoDate(v) }

// IntegerValue and TextValue return values as legs have them.
func IntegerValue(n int64) schemas.AARValue          { return integer(n) }
func TextValue(s string) schemas.AARValue            { return appendString(nil, s) }
func NumberValue(s string) (schemas.AARValue, error) { return plainJSON(s) }

// TextOf returns the string that a value is, and whether it is one.
func TextOf(v schemas.AARValue) (string, bool) { return text(v) }

// UnitOf returns the unit, in its short form, of the value of a stop that can be converted; ""
// for others.
func UnitOf(s *schemas.AARStop) string { return unitOf(s) }

// MadeCall is a call as an agent makes it.
type MadeCall struct {
	Tool string
	Args schemas.AARValue
}

// Calls returns the calls of a chain that was run as an agent makes them: what an argument takes
// from an earlier output is put there.
func Calls(chain []schemas.AARCall) (list []MadeCall, err error) {
	outputs := map[string]json.RawMessage{}
	for _, c := range chain {
		args, err := ChainArgs(c.Arguments, outputs)
		if err != nil {
			return nil, err
		}
		data, err := canonical(nil, args)
		if err != nil {
			return nil, err
		}
		list = append(list, MadeCall{c.ToolName, data})
		outputs[c.OutputKey] = c.ExpectedOutput
	}
	return list, nil
}

// Unanswered returns the first call of a chain that has no answer.
func Unanswered(chain []schemas.AARCall) (c MadeCall, ok bool) {
	i := slices.IndexFunc(chain, func(c schemas.AARCall) bool { return c.ExpectedOutput == nil })
	if i < 0 {
		return c, false
	}
	list, err := Calls(chain[:i+1])
	if err != nil {
		return c, false
	}
	return list[i], true
}

// TemplateOf returns the slot of the clue of a tool stop by its chain: tool.NAME, or merge. for a
// merge; "" for neither.
func TemplateOf(s *schemas.AARStop) string {
	last := lastCall(s)
	switch {
	case last == nil:
		return ""
	case last.OutputKey == mergedKey:
		return "merge."
	}
	return "tool." + templateByKey()[last.OutputKey]
}

// Target returns the question of a page clue, as stops have it.
func (c Clue) Target() string { return nounOf(c.Kind, 0, c.Unit, c.Full) }
