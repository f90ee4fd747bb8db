// Package endpoint asks a model behind an OpenAI-compatible endpoint for chat completions.
//
// It owns the request, the reading of whatever comes back, the repetition of what failed, and the
// cap on what may be spent. It is the one package of the evaluator that opens an outgoing
// connection. It promises that a failure of the endpoint is told apart from a reply of the model in
// every case (the table in fault_test.go), that an answer is read to 1 MiB and no further, and that
// the key reaches nobody but the host that was named: no other host after a redirect, no error, no
// text of an answer that says it back. It keeps no conversation, knows no game, and reads neither
// clock nor environment but through Config.
//
// Answers are not streamed. Rules: robustness specification, 5.4 and 10.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Config says whom to ask. Only BaseURL has no default.
type Config struct {
	BaseURL   string
	Key       Secret
	Timeout   time.Duration     // of one try, 10 minutes by default
	Transport http.RoundTripper // by default the network, with the proxies of the environment
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error
	Seed      int64   // of the jitter
	Budget    *Budget // nil: no cap
}

// Failed is a question to which the endpoint gave no reply: no fault of the model.
type Failed struct {
	Reason  string // the same for the same failure: no port, no time
	Retries int
	cause   error // the status, where the endpoint answered with another than 200
}

func (f *Failed) Unwrap() error { return f.cause }

func (f *Failed) Error() string {
	if f.Retries > 0 {
		return fmt.Sprintf("%s, after %d tries", f.Reason, f.Retries+1)
	}
	return f.Reason
}

type Books struct {
	Tries   int64         `json:"tries"`   // requests sent, repetitions among them
	Replies int64         `json:"replies"` // that could be read
	Failed  int64         `json:"failed"`  // questions that were given up
	Lost    int64         `json:"lost"`    // tries whose answer was lost on the way: the endpoint may charge for them
	Untold  int64         `json:"untold"`  // replies that do not tell their tokens
	Usage   schemas.Usage `json:"usage"`   // of the other replies

	Served map[string]int64 `json:"served,omitempty"` // replies by the model that the endpoint says served them
}

// Client asks. It is safe for concurrent use.
type Client struct {
	Config
	at   *url.URL // where completions are asked for; user and query may hold a key
	http *http.Client

	mu    sync.Mutex
	books Books
	first *outcome // of the question that Fit put, until it is asked again
}

// New returns a client. A base URL that is none is a usage fault, which does not show it.
func New(c Config) (*Client, error) {
	at, err := url.Parse(c.BaseURL)
	if err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Host == "" || at.Fragment != "" {
		return nil, fault.New(fault.Usage, "the base URL is no http or https address").Hint("for example https://host/v1")
	}
	at.Path = strings.TrimSuffix(strings.TrimSuffix(at.Path, "/"), "/chat/completions") + "/chat/completions"
	at.RawPath = ""
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Minute
	}
	if c.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression = true // it is asked for and undone here, under a limit
		t.MaxIdleConnsPerHost = 64
		c.Transport = t
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	c.BaseURL = shown(at) // whoever prints the client prints no secret
	client := &Client{Config: c, at: at}
	client.http = &http.Client{Transport: c.Transport, CheckRedirect: client.follow}
	return client, nil
}

// shown is an address without user and query.
func shown(u *url.URL) string {
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return bare.String()
}

func (c *Client) Books() Books {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.books
	b.Served = maps.Clone(b.Served)
	return b
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Ask puts one question. Errors: *Failed for a question that the endpoint did not answer; ErrSpent;
// the context's; and a fault for what no repetition mends, such as a wrong key, where every
// question would fail.
func (c *Client) Ask(ctx context.Context, r Request) (Reply, error) {
	if err := r.Check(); err != nil {
		return Reply{}, err
	}
	body := r.body()
	known, ok := c.take(body)
	if !ok {
		known.reply, known.err = c.ask(ctx, r, body)
	}
	if failed := (*Failed)(nil); errors.As(known.err, &failed) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.books.Failed++
	}
	return known.reply, known.err
}

// ask puts a question until it has a reply, or until no more tries are left.
func (c *Client) ask(ctx context.Context, r Request, body []byte) (Reply, error) {
	jitter := rng.New(uint64(c.Seed), "endpoint", "jitter", digest.SHA256(body))
	for try := 0; ; try++ {
		reply, err := c.spend(ctx, r.bound(), body)
		var again *temporary
		switch {
		case err == nil:
			reply.Retries = try
			if reply.Flag == schemas.FlagToolCalls && r.Tools != nil {
				reply.Flag = "" // it was offered them
			}
			return reply, nil
		case ctx.Err() != nil:
			return Reply{}, ctx.Err()
		case !errors.As(err, &again):
			if failed := (*Failed)(nil); errors.As(err, &failed) {
				failed.Retries = try
			}
			return Reply{}, err
		case try == maxTries-1:
			return Reply{}, &Failed{Reason: again.reason, Retries: try}
		}
		wait := backoff(try, jitter)
		if again.told {
			wait = again.after
		}
		if err := c.Sleep(ctx, wait); err != nil {
			return Reply{}, err
		}
	}
}

// spend tries once, within the budget.
func (c *Client) spend(ctx context.Context, bound schemas.Usage, body []byte) (Reply, error) {
	if err := c.Budget.admit(bound); err != nil {
		return Reply{}, err
	}
	reply, charged, err := c.try(ctx, body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.books.Tries++
	cost := schemas.Usage{}
	switch {
	case err == nil && reply.Usage != nil:
		cost = *reply.Usage
		c.books.Replies++
		c.books.Usage.Add(cost)
	case err == nil:
		cost = bound
		c.books.Replies++
		c.books.Untold++
	case charged:
		cost = bound
		c.books.Lost++
	}
	if err == nil && reply.Served != nil && reply.Served.Model != "" {
		if c.books.Served == nil {
			c.books.Served = map[string]int64{}
		}
		c.books.Served[reply.Served.Model]++
	}
	c.Budget.settle(bound, cost)
	return reply, err
}
