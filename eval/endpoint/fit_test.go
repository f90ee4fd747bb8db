package endpoint_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/endpoint"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// whole is a request with everything that an endpoint may not take.
func whole() endpoint.Request {
	temperature, most := "0.7", int64(100)
	return endpoint.Request{
		Model: "m", MaxTokensField: endpoint.FieldMaxTokens, Asked: schemas.Asked{Temperature: &temperature, MaxTokens: &most},
		Messages: []schemas.Message{{Role: schemas.RoleSystem, Content: "Rules."}, {Role: schemas.RoleUser, Content: "Question?"}},
		Schema:   &endpoint.Schema{Name: "reply", Schema: []byte(`{"type":"object"}`)},
	}
}

// form says in words what is left of whole.
func form(r endpoint.Request) string {
	parts := []string{r.Format, r.MaxTokensField}
	if r.Asked.Temperature != nil {
		parts = append(parts, "temperature")
	}
	if r.Folded {
		parts = append(parts, "folded")
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

func TestAnEndpointIsAskedInTheFormThatItTakes(t *testing.T) {
	want := map[string]string{
		"no json_schema": "json_object max_tokens temperature", "no response_format": "none max_tokens temperature",
		"no temperature": "max_tokens", "no system role": "max_tokens temperature folded",
		"no max_tokens": "max_completion_tokens temperature", "nothing but messages": "none max_completion_tokens folded",
	}
	for _, temper := range ep.Tempers() {
		e := &ep.Endpoint{Say: func([]schemas.Message) string { return "5" }, Temper: temper}
		c := client(t, e)
		r, err := c.Fit(t.Context(), whole(), nil)
		expected := want[temper.Name]
		if expected == "" {
			expected = "max_tokens temperature"
		}
		if err != nil || form(r) != expected {
			t.Errorf("%s: %v, %s; want %s", temper.Name, err, form(r), expected)
		}
		completions := e.Books().Completions
		if _, err := c.Ask(t.Context(), r); err != nil || e.Books().Completions != completions {
			t.Errorf("%s: the question was put once more: %v, %+v", temper.Name, err, e.Books())
		}
		if _, err := c.Ask(t.Context(), r); err != nil || e.Books().Completions != completions+1 {
			t.Errorf("%s: a kept reply is given once: %v, %+v", temper.Name, err, e.Books())
		}
		if b := c.Books(); b.Failed != 0 || b.Replies != int64(completions+1) {
			t.Errorf("%s: books %+v", temper.Name, b)
		}
	}
}

func TestWhatWasGivenIsNeverLeftOut(t *testing.T) {
	for temper, g := range map[string]endpoint.Given{
		"no json_schema":     {endpoint.TraitFormat: "--response-format json_schema"},
		"no response_format": {endpoint.TraitFormat: "--response-format json_schema"},
		"no temperature":     {endpoint.TraitTemperature: "--temperature 0.7"},
		"no max_tokens":      {endpoint.TraitMaxField: "--max-tokens-field max_tokens"},
	} {
		for _, x := range ep.Tempers() {
			if x.Name != temper {
				continue
			}
			_, err := client(t, &ep.Endpoint{Say: func([]schemas.Message) string { return "5" }, Temper: x}).Fit(t.Context(), whole(), g)
			for _, flag := range g {
				if !errors.Is(err, fault.Usage) || !strings.HasPrefix(err.Error(), flag+": the endpoint does not take it") {
					t.Errorf("%s: got %v", temper, err)
				}
			}
		}
	}
}

func TestToolsThatAreNotTakenAreToldOf(t *testing.T) {
	for _, temper := range ep.Tempers() {
		e := &ep.Endpoint{Say: func([]schemas.Message) string { return "5" }, Temper: temper}
		if temper.Name == "no tools" { // nor anything else that can be left out
			e.Temper.Refuses = func(r ep.Request) bool { return r.Tools != nil || r.Temperature != nil || r.MaxTokens != nil }
		}
		r := whole()
		r.Schema, r.Tools = nil, []endpoint.Schema{{Name: "open", Schema: []byte(`{"type":"object"}`)}}
		got, err := client(t, e).Fit(t.Context(), r, nil)
		if temper.Name == "no tools" {
			if !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "--tool-format text") {
				t.Errorf("%s: %v", temper.Name, err)
			}
		} else if err != nil || got.Tools == nil {
			t.Errorf("%s: %+v, %v", temper.Name, got, err)
		}
	}
}

func TestARefusalOfSomethingElseIsLeftToTheQuestion(t *testing.T) {
	e := &ep.Endpoint{Say: func([]schemas.Message) string { return "5" }, Faults: func(string, int) ep.Fault { return ep.TooLong }}
	c := client(t, e)
	r, err := c.Fit(t.Context(), whole(), nil)
	if err != nil || form(r) != "max_tokens temperature" {
		t.Errorf("%v, %s", err, form(r))
	}
	var failed *endpoint.Failed
	if _, err := c.Ask(t.Context(), r); !errors.As(err, &failed) || c.Books().Failed != 1 {
		t.Errorf("%v, %+v", err, c.Books())
	}
}

func TestExtraFieldsAreMergedAndSetNothingOfOurs(t *testing.T) {
	for _, text := range []string{
		`{"model":"x"}`, `{"messages":[]}`, `{"stream":true}`, `{"temperature":1}`, `{"n":2}`, `{"response_format":1}`, `[]`, `null`, `{`,
	} {
		if x, err := endpoint.ReadExtra("--extra-body", text); !errors.Is(err, fault.Usage) || !strings.HasPrefix(err.Error(), "--extra-body") {
			t.Errorf("%s: %v, %v", text, x, err)
		}
	}
	x, err := endpoint.ReadExtra("--extra-body", `{"top_k":20,"a":{"b":1}}`)
	if err != nil || string(x.JSON()) != `{"a":{"b":1},"top_k":20}` {
		t.Fatalf("%s, %v", x.JSON(), err)
	}
	e := &ep.Endpoint{Say: func([]schemas.Message) string { return "5" }, Temper: ep.Tempers()[6]}
	r := whole()
	r.Extra = x
	if _, err := client(t, e).Fit(t.Context(), r, endpoint.Given{endpoint.TraitExtra: "--extra-body {}"}); !errors.Is(err, fault.Usage) {
		t.Errorf("an endpoint without top_k: %v", err) // it was sent, then
	}
}

func TestServedNamesAndCachedTokensAreRead(t *testing.T) {
	for _, temper := range ep.Tempers() {
		e := &ep.Endpoint{Say: func([]schemas.Message) string { return "5" }, Temper: temper}
		c := client(t, e)
		r, err := c.Fit(t.Context(), whole(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 7 {
			reply, err := c.Ask(t.Context(), r)
			if err != nil || (reply.Served == nil) != (temper.Name == "tells nothing of itself") {
				t.Fatalf("%s: %v, %+v", temper.Name, err, reply.Served)
			}
			if u := reply.Usage; (u != nil && u.Cached > 0) != temper.Cached {
				t.Errorf("%s: usage %+v", temper.Name, u)
			}
		}
		if names := len(c.Books().Served); (names == 2) != (temper.Name == "a name that changes") {
			t.Errorf("%s: served %v", temper.Name, c.Books().Served)
		}
	}
}

func client(t *testing.T, e *ep.Endpoint) *endpoint.Client {
	t.Helper()
	c, err := endpoint.New(endpoint.Config{
		BaseURL: "https://host.test/v1", Transport: e,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
