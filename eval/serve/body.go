package serve

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/canon"
)

// read decodes the request's body of at most limit bytes, and tells how many it had.
func (r *request) read(limit int, v any) (int, error) { return r.readBy(canon.Decode, limit, v) }

// readOpen is read for bodies that hold values of others as they were sent.
func (r *request) readOpen(limit int, v any) error {
	_, err := r.readBy(canon.DecodeOpen, limit, v)
	return err
}

func (r *request) readBy(decode func([]byte, int, any) error, limit int, v any) (int, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Header.Get("Content-Encoding") != "" {
		return 0, problem(http.StatusUnsupportedMediaType, "media_type", "", "the body must be plain JSON, Content-Type: application/json")
	}
	if r.ContentLength > int64(limit) {
		return 0, tooLarge(limit)
	}
	data, err := io.ReadAll(http.MaxBytesReader(r.w, r.Body, int64(limit)))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return 0, tooLarge(limit)
	case err != nil:
		return 0, problem(http.StatusBadRequest, "bad_json", "", "the body ended early")
	}
	return len(data), bodyError(decode(data, limit, v))
}

func tooLarge(limit int) error {
	return problem(http.StatusRequestEntityTooLarge, "too_large", "", "the body is larger than %d bytes", limit)
}

func bodyError(err error) error {
	var field *canon.FieldError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &field) && errors.Is(err, canon.ErrUnknownField):
		return problem(http.StatusBadRequest, "unknown_field", field.Field, "%s", err)
	case errors.As(err, &field):
		return badField(field.Field, "%s", err)
	case errors.As(err, &kind) && kind.Field != "":
		return badField(kind.Field, "%s is a %s; another type is wanted", kind.Field, kind.Value)
	}
	return problem(http.StatusBadRequest, "bad_json", "", "%s", err)
}

// expense is what every turn may tell of itself. Bodies copy it: the name of an embedded struct
// would stand in errors.
type expense struct {
	Usage *session.Usage
	Cost  *string
}

// backBody is the turn that goes back.
type backBody struct {
	Step  *int           `json:"step"`
	Usage *session.Usage `json:"usage,omitempty"`
	Cost  *string        `json:"cost,omitempty"`
}

// stepBody is giving up, which is no turn.
type stepBody struct {
	Step *int `json:"step"`
}

func checkStep(step *int) (int, error) {
	if step == nil {
		return 0, badField("step", "step is missing: the number of the turn to play, the first is 1")
	}
	return *step, nil
}

type moveBody struct {
	Step   *int    `json:"step"`
	Choice *int    `json:"choice,omitempty"`
	Title  *string `json:"title,omitempty"`
	Reply  *string `json:"reply,omitempty"`
	// Beside choice or title, in games that keep reasons.
	Reasoning            *string        `json:"reasoning,omitempty"`
	RestrictionReasoning *string        `json:"restriction_reasoning,omitempty"`
	Usage                *session.Usage `json:"usage,omitempty"`
	Cost                 *string        `json:"cost,omitempty"`
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
	Step  *int `json:"step"`
	Calls []struct {
		ID   string          `json:"id"`
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	} `json:"calls"`
	Usage *session.Usage `json:"usage,omitempty"`
	Cost  *string        `json:"cost,omitempty"`
}

func (b callsBody) reply() (m family.Reply, err error) {
	if len(b.Calls) == 0 {
		return m, badField("calls", "calls is missing: a list of objects with tool and args")
	}
	for _, c := range b.Calls {
		m.Calls = append(m.Calls, family.Call{ID: c.ID, Name: c.Tool, Arguments: c.Args})
	}
	return m, nil
}

type answerBody struct {
	Step   *int           `json:"step"`
	Answer *string        `json:"answer"`
	Usage  *session.Usage `json:"usage,omitempty"`
	Cost   *string        `json:"cost,omitempty"`
}

type startBody struct {
	Instance *string         `json:"instance"`
	Options  json.RawMessage `json:"options"`
	ClientID string          `json:"client_id"`
}

// query returns the parameters of the request, each of which must be one of names and stand once.
func (r *request) query(names ...string) (map[string]string, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badField("query", "the query cannot be read")
	}
	out := map[string]string{}
	for _, name := range names {
		switch len(values[name]) {
		case 0:
		case 1:
			out[name] = values[name][0]
		default:
			return nil, badField(name, "%s stands %d times", name, len(values[name]))
		}
		delete(values, name)
	}
	for name := range values {
		return nil, problem(http.StatusBadRequest, "unknown_field", name, "no parameter is called %q", name)
	}
	return out, nil
}

func number(q map[string]string, name string, low, high, otherwise int) (int, error) {
	text, ok := q[name]
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, badField(name, "%s is a number from %d to %d", name, low, high)
	}
	return n, nil
}
