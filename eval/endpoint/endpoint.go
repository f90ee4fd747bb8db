// Package endpoint asks a model behind an OpenAI-compatible endpoint for chat completions.
//
// It owns the request, the reading of whatever comes back, the repetition of what failed, and the cap on what may be spent. It is the one
// package of the evaluator that opens an outgoing connection. It promises that a failure of the endpoint is told apart from a reply of
// the model in every case (the table in fault_test.go), that an answer is read to 1 MiB and no further, and that the key reaches
// nobody but the host that was named: no other host after a redirect, no error, no text of an answer that says it back. It keeps no
// conversation, knows no game, and reads neither clock nor environment but through Config.
//
// Answers are not streamed. Rules: robustness specification, 5.4 and 10.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
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
}

func (f *Failed) Error() string {
	if f.Retries > 0 {
		return fmt.Sprintf("%s, after %d tries", f.Reason, f.Retries+1)
	}
	return f.Reason
}

// Client asks. It is safe for concurrent use.
type Client struct {
	Config
	at     address
	http   *http.Client
	ledger ledger
}

// New gives a client. A base URL that is none is a usage fault, which does not show it.
func New(c Config) (*Client, error) {
	at, err := parseAddress(c.BaseURL)
	if err != nil {
		return nil, err
	}
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
	c.BaseURL = at.String() // whoever prints the client prints no secret
	client := &Client{Config: c, at: at}
	client.http = &http.Client{Transport: c.Transport, CheckRedirect: client.follow}
	return client, nil
}

// Address is the address that is asked, without user and query.
func (c *Client) Address() string { return c.at.String() }

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Ask puts one question. Errors: *Failed for a question that the endpoint did not answer; ErrSpent; the context's; and a fault for what
// no repetition mends, such as a wrong key, where every question would fail.
func (c *Client) Ask(ctx context.Context, r Request) (Reply, error) {
	if err := r.check(); err != nil {
		return Reply{}, err
	}
	body := r.body()
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
			return Reply{}, c.giveUp(err, try)
		case try == maxTries-1:
			return Reply{}, c.giveUp(&Failed{Reason: again.reason}, try)
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

// giveUp books a question without a reply.
func (c *Client) giveUp(err error, retries int) error {
	var f *Failed
	if errors.As(err, &f) {
		f.Retries = retries
		c.ledger.book(func(b *Books) { b.Failed++ })
	}
	return err
}

// spend tries once, within the budget.
func (c *Client) spend(ctx context.Context, bound schemas.Usage, body []byte) (Reply, error) {
	if err := c.Budget.admit(bound); err != nil {
		return Reply{}, err
	}
	reply, charged, err := c.try(ctx, body)
	cost := schemas.Usage{}
	switch {
	case err == nil && reply.Usage != nil:
		cost = *reply.Usage
	case err == nil || charged:
		cost = bound
	}
	c.Budget.settle(bound, cost)
	c.ledger.book(func(b *Books) {
		b.Tries++
		if err == nil {
			b.reply(reply.Usage)
		} else if charged {
			b.Lost++
		}
	})
	return reply, err
}
