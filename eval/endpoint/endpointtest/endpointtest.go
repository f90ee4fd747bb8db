// Package endpointtest is a chat endpoint for tests that answers by a script, misbehaves in every
// way that the robustness specification, 10, lists, and keeps books of its own.
//
// It is an http.Handler for a real server, and an http.RoundTripper for tests without sockets,
// where also the connection itself can fail. Nothing in it sleeps, reads a clock or draws: what it
// does to a request follows from the request's bytes and from how often they came. It knows nothing
// of the client.
package endpointtest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Endpoint is a scripted endpoint. It is safe for concurrent use.
type Endpoint struct {
	Say    func(messages []schemas.Message) string             // what the model replies
	Call   func(messages []schemas.Message) []schemas.ToolCall // the tools that it calls; nil: none
	Faults func(request string, seen int) Fault                // what happens to a request, by digest and how often it came before; nil: nothing
	Temper Temper                                              // what it takes, and how it replies

	mu    sync.Mutex
	seen  map[string]int
	books Books
}

type Books struct {
	Requests    int
	Completions int // sent whole
	Faults      map[Fault]int
	Refused     int           // for what the temper does not take
	Usage       schemas.Usage // of the completions
	Keys        map[string]int
}

func (e *Endpoint) Books() Books {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.books
	b.Faults, b.Keys = maps.Clone(b.Faults), maps.Clone(b.Keys)
	return b
}

// Share returns a schedule in which so many of a hundred requests meet one of the faults.
func Share(seed uint64, percent int, faults ...Fault) func(string, int) Fault {
	return func(request string, seen int) Fault {
		s := rng.New(seed, "endpointtest", request, rng.Part(seen))
		if s.Below(100) >= percent {
			return None
		}
		return faults[s.Below(len(faults))]
	}
}

// Usage is how many tokens the endpoint says that a completion costs: a token is four bytes.
func Usage(messages []schemas.Message, reply string) schemas.Usage {
	u := schemas.Usage{Output: int64(len(reply)/4 + 1), Reasoning: int64(len(reply) / 16)}
	for _, m := range messages {
		u.Prompt += int64(len(m.Content)/4 + 3)
	}
	return u
}

// admit reads a request and decides what happens to it.
func (e *Endpoint) admit(req *http.Request) (Fault, []schemas.Message) {
	data, err := io.ReadAll(req.Body)
	var asked Request
	if err != nil || json.Unmarshal(data, &asked) != nil || len(asked.Messages) == 0 || !strings.HasSuffix(req.URL.Path, "/chat/completions") {
		return badRequest, nil
	}
	key := digest.SHA256(data)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen, e.books.Faults, e.books.Keys = map[string]int{}, map[Fault]int{}, map[string]int{}
	}
	e.books.Requests++
	e.books.Keys[req.Header.Get("Authorization")]++
	if e.Temper.Refuses != nil && e.Temper.Refuses(asked) {
		e.books.Refused++
		return untaken, nil
	}
	fault := None
	if e.Temper.Faults != nil {
		fault = e.Temper.Faults(e.seen[key])
	}
	if e.Faults != nil {
		fault = e.Faults(key, e.seen[key])
	}
	e.seen[key]++
	e.books.Faults[fault]++
	return fault, asked.Messages
}

// complete is a whole completion, booked.
func (e *Endpoint) complete(messages []schemas.Message, f Fault, req *http.Request) string {
	text := e.Say(messages)
	u := Usage(messages, text)
	if e.Temper.Cached {
		u.Cached = u.Prompt / 2
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.books.Completions++
	e.books.Usage.Add(u)
	whole := shaped(f, req, text, u)
	if e.Call != nil {
		whole = reshape(whole, called(e.Call(messages)))
	}
	if e.Temper.Shape != nil {
		n := e.books.Completions
		whole = reshape(whole, func(whole, message map[string]any) { e.Temper.Shape(n, whole, message) })
	}
	return whole
}
