package serve

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/canon"
)

// open is a body that holds values of others as they were sent.
type open interface{ open() }

// read decodes the request's body, and notes how many bytes it had.
func (r *request) read(v any) error {
	limit, decode := r.limits.Body, canon.Decode
	if r.route.long {
		limit = max(limit, r.limits.Reply)
	}
	if _, ok := v.(open); ok {
		decode = canon.DecodeOpen
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Header.Get("Content-Encoding") != "" {
		return problem(codeMediaType, "", "the body must be plain JSON, Content-Type: application/json")
	}
	if r.ContentLength > int64(limit) {
		return tooLarge(limit)
	}
	data, err := io.ReadAll(http.MaxBytesReader(r.w, r.Body, int64(limit)))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return tooLarge(limit)
	case err != nil:
		return problem(codeBadJSON, "", "the body ended early")
	}
	r.size = len(data)
	return bodyError(decode(data, limit, v))
}

func tooLarge(limit int) error {
	return problem(codeTooLarge, "", "the body is larger than %d bytes", limit)
}

func bodyError(err error) error {
	var field *canon.FieldError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &field) && errors.Is(err, canon.ErrUnknownField):
		return problem(codeUnknownField, field.Field, "%s", err)
	case errors.As(err, &field):
		return badField(field.Field, "%s", err)
	case errors.As(err, &kind) && kind.Field != "":
		return badField(kind.Field, "%s is a %s; another type is wanted", kind.Field, kind.Value)
	}
	return problem(codeBadJSON, "", "%s", err)
}

// expense is what every turn may tell of itself. Bodies copy it: the name of an embedded struct
// would stand in errors.
type expense struct {
	Usage *session.Usage
	Cost  *string
}

// backBody is the turn that goes back.
type backBody struct {
	Step  *int           `json:"step" jsonschema:"number of the turn to play; the first is 1"`
	Usage *session.Usage `json:"usage,omitempty" jsonschema:"tokens of the turn, as the client counts them"`
	Cost  *string        `json:"cost,omitempty" jsonschema:"cost of the turn, a decimal number"`
}

// stepBody is giving up, which is not a turn.
type stepBody struct {
	Step *int `json:"step" jsonschema:"number of the turn to come; the first is 1"`
}

func checkStep(step *int) (int, error) {
	if step == nil {
		return 0, badField("step", "step is missing: the number of the turn to play, the first is 1")
	}
	return *step, nil
}

// moveBody has one of choice, title and reply.
type moveBody struct {
	Step   *int    `json:"step" jsonschema:"number of the turn to play; the first is 1"`
	Choice *int    `json:"choice,omitempty" jsonschema:"number of an option that the observation lists, from 0"`
	Title  *string `json:"title,omitempty" jsonschema:"name of such an option"`
	Reply  *string `json:"reply,omitempty" jsonschema:"what a model said, where the server accepts replies"`
	// Beside choice or title, in games that keep reasons.
	Reasoning            *string        `json:"reasoning,omitempty" jsonschema:"in games that keep reasons, why this option"`
	RestrictionReasoning *string        `json:"restriction_reasoning,omitempty" jsonschema:"in such games, why it is allowed"`
	Usage                *session.Usage `json:"usage,omitempty" jsonschema:"tokens of the turn, as the client counts them"`
	Cost                 *string        `json:"cost,omitempty" jsonschema:"cost of the turn, a decimal number"`
}

func (b moveBody) move() (family.Reply, error) {
	n := 0
	for _, there := range []bool{b.Choice != nil, b.Title != nil, b.Reply != nil} {
		if there {
			n++
		}
	}
	if n != 1 {
		return family.Reply{}, badField("choice", "a move has one of choice, title and reply, not %d of them", n)
	}
	m := family.Reply{Choice: b.Choice, Title: b.Title, Text: b.Reply}
	state := func(field string, text *string) {
		if text == nil {
			return
		}
		if m.Stated == nil {
			m.Stated = map[string]string{}
		}
		m.Stated[field] = *text
	}
	state("reasoning", b.Reasoning)
	state("restriction_reasoning", b.RestrictionReasoning)
	return m, nil
}

// callsBody is calls of tools. Their arguments are the game's to judge.
type callsBody struct {
	Step  *int           `json:"step" jsonschema:"number of the turn to play; the first is 1"`
	Calls []toolCall     `json:"calls"`
	Usage *session.Usage `json:"usage,omitempty" jsonschema:"tokens of the turn, as the client counts them"`
	Cost  *string        `json:"cost,omitempty" jsonschema:"cost of the turn, a decimal number"`
}

type toolCall struct {
	ID   string          `json:"id,omitempty" jsonschema:"name of the call, for the log"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args" jsonschema:"its arguments, any JSON"`
}

func (*callsBody) open() {}

func (b callsBody) reply() (m family.Reply, err error) {
	if len(b.Calls) == 0 {
		return m, badField("calls", "calls is missing: a list of objects with tool and args")
	}
	for _, c := range b.Calls {
		m.Calls = append(m.Calls, family.Call{ID: c.ID, Name: c.Tool, Arguments: c.Args})
	}
	return m, nil
}

// answerBody is the turn that hands in an answer.
type answerBody struct {
	Step   *int           `json:"step" jsonschema:"number of the turn to play; the first is 1"`
	Answer *string        `json:"answer"`
	Usage  *session.Usage `json:"usage,omitempty" jsonschema:"tokens of the turn, as the client counts them"`
	Cost   *string        `json:"cost,omitempty" jsonschema:"cost of the turn, a decimal number"`
}

// startBody names the instance, which may be left out where one alone is offered.
type startBody struct {
	Instance *string         `json:"instance,omitempty" jsonschema:"id of what is played; may be left out where one alone is offered"`
	Options  json.RawMessage `json:"options,omitempty" jsonschema:"rules that differ from the server's, by name"`
	ClientID string          `json:"client_id,omitempty" jsonschema:"who plays, for the log"`
}

// parameter is one of a query.
type parameter struct {
	name, says           string
	number               bool
	low, high, otherwise int // of a number that may be left out
	needed               bool
}

// query returns the parameters of the request, each of which must be one of the route's and stand
// once.
func (r *request) query() (map[string]string, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badField("query", "the query cannot be read")
	}
	out := map[string]string{}
	for _, p := range r.route.query {
		switch len(values[p.name]) {
		case 0:
		case 1:
			out[p.name] = values[p.name][0]
		default:
			return nil, badField(p.name, "%s stands %d times", p.name, len(values[p.name]))
		}
		delete(values, p.name)
	}
	for name := range values {
		return nil, problem(codeUnknownField, name, "no parameter is called %q", name)
	}
	return out, nil
}

// number returns a parameter that is a number within the bounds of the route.
func (r *request) number(q map[string]string, name string) (int, error) {
	p := r.route.query[slices.IndexFunc(r.route.query, func(p parameter) bool { return p.name == name })]
	text, ok := q[name]
	if !ok {
		return p.otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < p.low || n > p.high {
		return 0, badField(name, "%s is a number from %d to %d", name, p.low, p.high)
	}
	return n, nil
}
