package aar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Codes of errors that tools return, besides NotFound and Ambiguous.
const (
	BadArguments = "bad_arguments"
	Outside      = "outside" // no page of the world
	Unsupported  = "unsupported"
	CassetteMiss = "cassette_miss"
	NotOffered   = "not_offered"
	TooManyCalls = "too_many_calls"
	TimedOut     = "timeout"
)

// Where an answer comes from.
const (
	SourceNative   = "native"
	SourceCassette = "cassette"
	SourcePython   = "python"
	SourceLive     = "live"
	SourceNone     = "none" // nothing was asked
)

// ToolError is why a tool has no answer.
type ToolError struct{ Code, Message string }

func (e *ToolError) Error() string { return e.Message }

func toolError(code, format string, args ...any) error {
	return &ToolError{code, fmt.Sprintf(format, args...)}
}

// Spec is a tool as it is offered to a model.
type Spec struct {
	Name        string          `json:"name"`
	Aliases     []string        `json:"aliases"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"input"` // its JSON Schema
	Output      string          `json:"output"`
	Offline     string          `json:"offline"`
	input       *inputSchema
}

// Specs lists all tools in the order of their table.
var Specs = sync.OnceValue(func() []Spec {
	list := table[struct{ Tools []Spec }]("tools").Tools
	for i := range list {
		var err error
		if list[i].Input, err = Compact(list[i].Input); err == nil {
			err = json.Unmarshal(list[i].Input, &list[i].input)
		}
		if err != nil {
			panic("aar: the input of " + list[i].Name + ": " + err.Error())
		}
	}
	return list
})

// FindSpec returns the tool of a name or alias.
func FindSpec(name string) (*Spec, bool) {
	i := slices.IndexFunc(Specs(), func(s Spec) bool { return s.Name == name || slices.Contains(s.Aliases, name) })
	if i < 0 {
		return nil, false
	}
	return &Specs()[i], true
}

// Names of tools that the code treats by themselves.
const (
	toolPython  = "python_execute_code"
	toolGeocode = "maps_geocode"
)

// Interpreter runs Python code for at most limit. An error of type *ToolError is the answer.
type Interpreter func(ctx context.Context, code string, limit time.Duration) (Printed, error)

// Printed is what a program printed.
type Printed struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exit_code"`
}

// Tools answers calls from a world, a cassette and an interpreter. It is safe for concurrent use.
type Tools struct {
	World    *World
	Cassette *Cassette   // nil: what only a provider answers is not offered
	Python   Interpreter // nil: Python is not offered
	Max      int         // characters of an output; 0: schemas.TextLimit

	once sync.Once
	geo  geo
}

// Answer is what a call returns: the output as the agent sees it, where it comes from, and the code
// of an error.
type Answer struct{ Output, Source, Code string }

// Offered lists the tools that can be called, in the order of their table.
func (t *Tools) Offered() (list []Spec) {
	for _, s := range Specs() {
		if t.offers(s.Name) {
			list = append(list, s)
		}
	}
	return list
}

func (t *Tools) offers(name string) bool {
	if name == toolPython {
		return t.Python != nil
	}
	return natives[name] != nil || t.Cassette != nil
}

// Call answers a call; args is the JSON text as the agent sent it. The output is cut.
func (t *Tools) Call(ctx context.Context, name string, args []byte) Answer {
	a := t.Whole(ctx, name, args)
	limit := t.Max
	if limit <= 0 {
		limit = schemas.TextLimit
	}
	a.Output = cutAgain(a.Output, limit)
	return a
}

// cutAgain cuts an output; one whose end says already that there was more says so once.
func cutAgain(s string, limit int) string {
	if body, was := strings.CutSuffix(s, truncatedMark); was && utf8.RuneCountInString(body) <= limit {
		return s
	}
	return Cut(s, limit)
}

// Whole answers a call without cutting the output.
func (t *Tools) Whole(ctx context.Context, name string, args []byte) Answer {
	out, source, err := t.answer(ctx, name, args)
	if err == nil {
		return Answer{Output: out, Source: source}
	}
	var e *ToolError
	if !errors.As(err, &e) {
		e = &ToolError{BadArguments, err.Error()}
	}
	return Answer{ErrorObject(e.Code, e.Message), source, e.Code}
}

// ErrorObject returns the output of a call that has no answer.
func ErrorObject(code, message string) string {
	type object struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	return answerJSON(struct {
		Error object `json:"error"`
	}{object{code, strings.ToValidUTF8(message, "�")}})
}

// answerJSON writes an answer without blanks; the keys stand in the order of the fields.
func answerJSON(v any) string {
	data, err := json.Marshal(v)
	if err == nil {
		data, err = Compact(data)
	}
	if err != nil {
		panic("aar: an answer of a tool: " + err.Error())
	}
	return string(data)
}

func (t *Tools) answer(ctx context.Context, name string, data []byte) (out, source string, err error) {
	spec, ok := FindSpec(name)
	switch {
	case !ok:
		return "", SourceNone, toolError(NotOffered, "there is no tool %s", fault.Quote(name))
	case ctx.Err() != nil:
		return "", SourceNone, toolError(TimedOut, "the time of the call is over")
	case !t.offers(spec.Name):
		return "", SourceNone, toolError(NotOffered, "the tool %s is not offered", spec.Name)
	}
	args, err := readArgs(data)
	if err == nil {
		err = spec.input.check("", args)
	}
	if err != nil {
		return "", SourceNone, toolError(BadArguments, "%s: %s", spec.Name, err)
	}
	if spec.Name == toolPython {
		out, err = t.python(ctx, args)
		return out, SourcePython, err
	}
	if native := natives[spec.Name]; native != nil {
		var none *noNative
		if out, err = native(t, args); !errors.As(err, &none) || t.Cassette == nil {
			return out, SourceNative, err
		}
	}
	return t.replay(spec.Name, data, err)
}

// replay answers from the cassette. Without a recording the error is that of the native tool, if
// there is one.
func (t *Tools) replay(tool string, data []byte, native error) (out, source string, err error) {
	args, err := CanonicalArgs(data)
	if err != nil {
		return "", SourceNone, err
	}
	r, ok := t.Cassette.Find(tool, args)
	switch {
	case !ok && native != nil:
		return "", SourceNative, native
	case !ok:
		return "", SourceCassette, toolError(CassetteMiss, "cassette: miss: %s %s", tool, args)
	case r.Status == RecordedError:
		return "", SourceCassette, recordedError(r)
	}
	return r.Shown(), SourceCassette, nil
}

// recordedError returns the error that a provider answered.
func recordedError(r Recording) error {
	var e struct{ Error ToolError }
	if json.Unmarshal(r.Response, &e) == nil && e.Error.Code != "" {
		return &e.Error
	}
	return toolError(NotFound, "%s", r.Shown())
}

// MaxPython is the longest time that Python code runs.
const MaxPython = 10 * time.Second

func (t *Tools) python(ctx context.Context, args map[string]any) (string, error) {
	limit := MaxPython
	if s, ok := args["timeout_seconds"].(json.Number); ok {
		if f, _ := s.Float64(); f < limit.Seconds() {
			limit = time.Duration(f * float64(time.Second))
		}
	}
	p, err := t.Python(ctx, args["code"].(string), limit)
	if err != nil {
		return "", err
	}
	p.Stdout, p.Stderr = strings.ToValidUTF8(p.Stdout, "�"), strings.ToValidUTF8(p.Stderr, "�")
	return answerJSON(p), nil
}

// inputSchema is the part of JSON Schema that the table of tools uses.
type inputSchema struct {
	Type       string                  `json:"type"`
	Required   []string                `json:"required"`
	Properties map[string]*inputSchema `json:"properties"`
	Items      *inputSchema            `json:"items"`
	Enum       []string                `json:"enum"`
	Minimum    *float64                `json:"minimum"`
	Maximum    *float64                `json:"maximum"`
}

// check reports the first reason for which a value does not fit; place names it.
func (s *inputSchema) check(place string, v any) error {
	if s == nil {
		return nil
	}
	bad := func(want string) error {
		if place == "" {
			return errors.New("want " + want)
		}
		return fmt.Errorf("%s: want %s", place, want)
	}
	if len(s.Enum) > 0 {
		if word, ok := v.(string); !ok || !slices.Contains(s.Enum, word) {
			return bad("one of " + strings.Join(s.Enum, ", "))
		}
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		if s.Type == "object" {
			return s.checkObject(place, v)
		}
	case []any:
		if s.Type == "array" {
			return s.checkList(place, v)
		}
	case json.Number:
		if s.Type == "number" || s.Type == "integer" {
			return s.checkNumber(v, bad)
		}
	case string, bool:
		if _, isText := v.(string); isText == (s.Type == "string") && (isText || s.Type == "boolean") {
			return nil
		}
	}
	return bad("a value of type " + s.Type)
}

func (s *inputSchema) checkObject(place string, object map[string]any) error {
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			return fmt.Errorf("%s is missing", within(place, name))
		}
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties { // sorted below
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if v, ok := object[name]; ok {
			if err := s.Properties[name].check(within(place, name), v); err != nil {
				return err
			}
		}
	}
	return nil
}

func within(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}

func (s *inputSchema) checkList(place string, list []any) error {
	for i, item := range list {
		if err := s.Items.check(place+"["+strconv.Itoa(i)+"]", item); err != nil {
			return err
		}
	}
	return nil
}

func (s *inputSchema) checkNumber(n json.Number, bad func(string) error) error {
	f, err := n.Float64()
	switch {
	case err != nil:
		return bad("a number that fits a double")
	case s.Type == "integer" && f != math.Trunc(f):
		return bad("an integer")
	case s.Minimum != nil && f < *s.Minimum:
		return bad("at least " + strconv.FormatFloat(*s.Minimum, 'f', -1, 64))
	case s.Maximum != nil && f > *s.Maximum:
		return bad("at most " + strconv.FormatFloat(*s.Maximum, 'f', -1, 64))
	}
	return nil
}
