package endpoint_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/endpoint"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestASecretIsPrintedAsStars(t *testing.T) {
	s, err := endpoint.NewSecret(" " + canary + "\n")
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(map[string]any{"a": s, "b": &s, "c": struct{ S endpoint.Secret }{s}})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s)
	asText, _ := s.MarshalText()
	all := string(asJSON) + log.String() + string(asText) +
		fmt.Sprintf("%v %+v %#v %s %q %x %d %T", s, s, s, s, s, s, s, s) + fmt.Sprintf("%v %+v %#v", &s, struct{ S endpoint.Secret }{s}, []endpoint.Secret{s})
	if strings.Contains(all, canary) || strings.Contains(all, fmt.Sprintf("%x", canary)) || strings.Count(all, "***") < 14 {
		t.Errorf("printed %s", all)
	}
	for _, bad := range []string{"two words", "a\nb", "schlüssel", "\x00"} {
		if _, err := endpoint.NewSecret(bad); fault.KindOf(err) != fault.Usage || strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestABaseURLIsCheckedAndShownWithoutItsSecrets(t *testing.T) {
	for base, want := range map[string]string{
		"https://h/v1": "https://h/v1/chat/completions", "http://h:8000/v1/": "http://h:8000/v1/chat/completions", "http://h": "http://h/chat/completions",
		"https://u:p@h/v1/chat/completions?k=secret": "https://h/v1/chat/completions",
	} {
		c, err := endpoint.New(endpoint.Config{BaseURL: base})
		if err != nil || c.BaseURL != want {
			t.Errorf("%s: %v, want %s", base, err, want)
		}
	}
	for _, bad := range []string{"", "h/v1", "ftp://h", "https://", "https://u:secret@h:port/", "https://h/#secret", "\x7f://secret"} {
		if _, err := endpoint.New(endpoint.Config{BaseURL: bad}); fault.KindOf(err) != fault.Usage || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestTheRequestSaysWhatWasAskedForAndNoMore decodes what a server gets.
func TestTheRequestSaysWhatWasAskedForAndNoMore(t *testing.T) {
	var got map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got = nil
		if err := json.Unmarshal(data, &got); err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s, %v, %v", r.Method, r.Header, err)
		}
		if auth := r.Header.Get("Authorization"); auth != "" {
			t.Errorf("no key, and the authorization %q", auth)
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"x"}}]}`)
	}))
	defer server.Close()
	c, err := endpoint.New(endpoint.Config{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	word := func(s string) *string { return &s }
	number := func(n int64) *int64 { return &n }
	for want, r := range map[string]endpoint.Request{
		`map[messages:[map[content:be brief role:system] map[content:which link? role:user]] model:m stream:false]`: {},
		`map[max_completion_tokens:9 messages:[map[content:be brief role:system] map[content:which link? role:user]] model:m reasoning_effort:low response_format:map[json_schema:map[name:n schema:map[type:object] strict:true] type:json_schema] seed:3 stream:false temperature:0.7 top_p:0.95]`: {
			Asked: schemas.Asked{Temperature: word("0.7"), TopP: word("0.95"), MaxTokens: number(9), ReasoningEffort: word("low")},
			Seed:  number(3), MaxTokensField: endpoint.FieldMaxCompletionTokens,
			Schema: &endpoint.Schema{Name: "n", Schema: json.RawMessage(`{"type":"object"}`)},
		},
		`map[messages:[map[content:be brief role:system] map[content:which link? role:user]] model:m stream:false tool_choice:auto tools:[map[function:map[description:d name:click parameters:map[type:object]] type:function]]]`: {
			Tools: []endpoint.Schema{{Name: "click", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}},
		},
	} {
		r.Model, r.Messages = "m", question
		if _, err := c.Ask(t.Context(), r); err != nil || fmt.Sprint(got) != want {
			t.Errorf("sent %v, %v\nwant %s", got, err, want)
		}
	}
	for _, bad := range []string{"1e9", "-1", "NaN", "", "1.", "0x1"} {
		if _, err := c.Ask(t.Context(), endpoint.Request{Model: "m", Messages: question, Asked: schemas.Asked{Temperature: &bad}}); fault.KindOf(err) != fault.Usage {
			t.Errorf("temperature %q: %v", bad, err)
		}
	}
}

// TestFaultsOfARealServerAreDecidedAlike sends the faults over sockets; a breach of the connection stands for those that no server can make.
func TestFaultsOfARealServerAreDecidedAlike(t *testing.T) {
	for _, c := range decisions {
		script := &ep.Endpoint{Say: func([]schemas.Message) string { return "12" }, Faults: func(string, int) ep.Fault { return c.fault }}
		server := httptest.NewServer(script)
		d := newDesk(t, func(conf *endpoint.Config) {
			conf.BaseURL, conf.Transport = server.URL, nil
			if c.fault == ep.SlowHead || c.fault == ep.SlowBody {
				conf.Timeout = 50 * time.Millisecond
			}
		}, nil)
		reply, err := ask(d)
		var failed *endpoint.Failed
		isFailed := errors.As(err, &failed)
		switch {
		case c.what == replied && (err != nil || reply.Text != c.says),
			c.what == fatal && (isFailed || fault.KindOf(err) != fault.Failure),
			c.what == infra && (!isFailed || failed.Reason != c.says && c.fault != ep.TooLong),
			c.what == again && (!isFailed || failed.Retries != 4):
			t.Errorf("%s: got %+v, %v", c.fault, reply, err)
		}
		server.CloseClientConnections()
		server.Close()
	}
}

func TestAnotherHostNeverGetsTheKey(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			t.Errorf("%d: the other host was asked, with %v", status, r.Header)
		}))
		here := httptest.NewServer(http.RedirectHandler(other.URL+"/v1/chat/completions?key="+canary, status))
		d := newDesk(t, func(c *endpoint.Config) { c.BaseURL, c.Transport = here.URL, nil }, nil)
		if _, err := ask(d); fault.KindOf(err) != fault.Failure || strings.Contains(err.Error(), canary) {
			t.Errorf("%d: %v", status, err)
		}
		here.Close()
		other.Close()
	}
}

func TestARedirectInsideTheHostIsFollowed(t *testing.T) {
	script := &ep.Endpoint{Say: func([]schemas.Message) string { return "12" }}
	mux := http.NewServeMux()
	mux.Handle("/old/", http.RedirectHandler("/new/chat/completions", http.StatusPermanentRedirect))
	mux.Handle("/new/", script)
	server := httptest.NewServer(mux)
	defer server.Close()
	d := newDesk(t, func(c *endpoint.Config) { c.BaseURL, c.Transport = server.URL+"/old", nil }, nil)
	if reply, err := ask(d); err != nil || reply.Text != "12" {
		t.Errorf("got %+v, %v", reply, err)
	}
	checkKeys(t, script)
}

func TestAnInterruptionEndsAWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := newDesk(t, func(c *endpoint.Config) {
		c.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	}, func(string, int) ep.Fault { return ep.Internal })
	if _, err := d.Ask(ctx, endpoint.Request{Model: "m", Messages: question}); !errors.Is(err, context.Canceled) || d.Books().Failed != 0 {
		t.Errorf("got %v, %+v", err, d.Books())
	}
}

// TestNoRequestGoesBeyondTheBudget asks side by side until the budget is spent, with faults that the endpoint may charge for.
func TestNoRequestGoesBeyondTheBudget(t *testing.T) {
	price := &schemas.Price{PromptPerMTok: "3", OutputPerMTok: "15.5", Currency: "EUR"}
	for _, c := range []struct {
		tokens int64
		cost   string
	}{{5000, ""}, {0, "0.05"}, {1, ""}} {
		budget, err := endpoint.NewBudget(c.tokens, c.cost, price, schemas.Usage{})
		if err != nil {
			t.Fatal(err)
		}
		d := newDesk(t, func(conf *endpoint.Config) {
			conf.Budget = budget
			conf.Sleep = func(context.Context, time.Duration) error { return nil }
		}, ep.Share(1, 30, ep.CutBody, ep.Internal, ep.NoUsage))
		var group sync.WaitGroup
		for w := range 8 {
			group.Go(func() {
				for i := 0; ; i++ {
					n := int64(100)
					_, err := d.Ask(t.Context(), endpoint.Request{
						Model: "m", Messages: []schemas.Message{{Role: schemas.RoleUser, Content: fmt.Sprint("question ", w, i)}},
						Asked: schemas.Asked{MaxTokens: &n}, MaxTokensField: endpoint.FieldMaxTokens,
					})
					if errors.Is(err, endpoint.ErrSpent) {
						return
					}
					var failed *endpoint.Failed
					if err != nil && !errors.As(err, &failed) {
						t.Errorf("got %v", err)
						return
					}
				}
			})
		}
		group.Wait()
		theirs, ours := d.script.Books(), d.Books()
		spent, untold := theirs.Usage.Prompt+theirs.Usage.Output, ours.Untold
		if c.tokens > 0 && spent > c.tokens || (spent == 0) != (c.tokens == 1) {
			t.Errorf("cap %+v: the endpoint counts %d tokens", c, spent)
		}
		if money := float64(theirs.Usage.Prompt)*3e-6 + float64(theirs.Usage.Output)*15.5e-6; c.cost != "" && (money > 0.05 || money < 0.001) {
			t.Errorf("cap %+v: the endpoint charges %v", c, money)
		}
		if untold == 0 && ours.Usage != theirs.Usage {
			t.Errorf("our books %+v, theirs %+v", ours, theirs)
		}
	}
	if _, err := endpoint.NewBudget(0, "1", nil, schemas.Usage{}); fault.KindOf(err) != fault.Usage {
		t.Errorf("money without a price: %v", err)
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(`{"choices":[{"message":{"content":"5"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)
	f.Add(`{"choices":[{"message":{"content":[{"type":"text","text":"5"}]}}]}`)
	f.Add(`{"choices":[{}]}`)
	f.Add(`data: {}`)
	f.Fuzz(func(t *testing.T, body string) {
		d := newDesk(t, func(c *endpoint.Config) {
			c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
			})
		}, nil)
		reply, err := ask(d)
		var failed *endpoint.Failed
		if err != nil && !errors.As(err, &failed) {
			t.Fatalf("%q: %v", body, err)
		}
		if u := reply.Usage; u != nil && (u.Prompt < 0 || u.Output < 0) {
			t.Fatalf("%q: %+v", body, u)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestCallsOfToolsThatWereOfferedAreReplies(t *testing.T) {
	call := func(name string, arguments any) map[string]any {
		return map[string]any{"id": "1", "type": "function", "function": map[string]any{"name": name, "arguments": arguments}}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		message := map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call("click", `{"link":3}`), call("click", `{"link":`), "x", call("click", map[string]any{"link": 4})}}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"finish_reason": "tool_calls", "message": message}}})
	}))
	defer server.Close()
	c, err := endpoint.New(endpoint.Config{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	r := endpoint.Request{Model: "m", Messages: question, Tools: []endpoint.Schema{{Name: "click", Schema: json.RawMessage(`{}`)}}}
	got, err := c.Ask(t.Context(), r)
	if err != nil || len(got.Calls) != 4 || got.Calls[0].ID != "1" || got.Flag != "" || got.Text != "" {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, want := range []string{`click {"link":3}`, `click "{\"link\":"`, ` "x"`, `click {"link":4}`} {
		if text := got.Calls[i].Name + " " + string(got.Calls[i].Arguments); text != want {
			t.Errorf("call %d is %s, want %s", i, text, want)
		}
	}
	r.Tools = nil
	if got, err = c.Ask(t.Context(), r); err != nil || got.Flag != schemas.FlagToolCalls {
		t.Errorf("not offered: %+v, %v", got, err)
	}
}
