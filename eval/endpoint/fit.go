package endpoint

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Traits of a request that not every endpoint takes.
const (
	TraitFormat      = "response_format"
	TraitTemperature = "temperature"
	TraitSystem      = "system"
	TraitMaxField    = "max_tokens_field"
	TraitTopP        = "top_p"
	TraitEffort      = "reasoning_effort"
	TraitSeed        = "seed"
	TraitExtra       = "extra_body"
)

// Given is what of a request its user asked for in words: by traits, the flag with its value. It is
// never left out for an endpoint that does not take it.
type Given map[string]string

// trait is part of a request, in the forms in which it can be put: first as asked, last left out.
type trait struct {
	name  string
	forms []func(x *Request)
}

// traits lists what can be left out of a request. What was given has no form between.
func (r Request) traits(given Given) (list []trait) {
	add := func(has bool, name string, forms ...func(*Request)) {
		if has {
			list = append(list, trait{name, forms})
		}
	}
	object := func(x *Request) { x.Format = schemas.FormatObject }
	if r.Format == schemas.FormatObject || given[TraitFormat] != "" {
		object = func(x *Request) { x.Format = r.Format }
	}
	system := slices.ContainsFunc(r.Messages, func(m schemas.Message) bool { return m.Role == schemas.RoleSystem })
	add(r.responseFormat() != nil, TraitFormat, func(x *Request) { x.Format = r.Format }, object,
		func(x *Request) { x.Format = schemas.FormatNone })
	add(r.Asked.Temperature != nil, TraitTemperature, func(x *Request) { x.Asked.Temperature = r.Asked.Temperature },
		func(x *Request) { x.Asked.Temperature = nil })
	add(system && !r.Folded, TraitSystem, func(x *Request) { x.Folded = false }, func(x *Request) { x.Folded = true })
	add(r.Asked.TopP != nil, TraitTopP, func(x *Request) { x.Asked.TopP = r.Asked.TopP },
		func(x *Request) { x.Asked.TopP = nil })
	add(r.Asked.ReasoningEffort != nil, TraitEffort, func(x *Request) { x.Asked.ReasoningEffort = r.Asked.ReasoningEffort },
		func(x *Request) { x.Asked.ReasoningEffort = nil })
	add(r.Seed != nil, TraitSeed, func(x *Request) { x.Seed = r.Seed }, func(x *Request) { x.Seed = nil })
	add(len(r.Extra) > 0, TraitExtra, func(x *Request) { x.Extra = r.Extra }, func(x *Request) { x.Extra = nil })
	return list
}

// Fit puts the question r, and returns it in the form that the endpoint takes. Where the endpoint
// refuses it, every trait is left out, and then put back one after the other, as far as each is
// taken: what is refused follows from what the endpoint does, and not from the words in which it
// complains. A trait that was given and is not taken is fault.Usage, which names its flag.
//
// The reply to the question as it is returned is kept for the Ask that puts it next, so that an
// endpoint that takes everything is asked nothing more. So is a failure that says nothing of
// traits; r is then returned as it is.
func (c *Client) Fit(ctx context.Context, r Request, given Given) (Request, error) {
	if err := r.Check(); err != nil {
		return r, err
	}
	refused, _ := c.probe(ctx, r)
	if refused == nil || ctx.Err() != nil {
		return r, ctx.Err()
	}
	traits := r.traits(given)
	fit, ok, err := c.bare(ctx, r, traits, given)
	if !ok && err == nil && r.Tools != nil {
		err = c.toolless(ctx, r, traits, refused)
	}
	if !ok || err != nil {
		return r, err // what it refuses is none of the traits: r meets that again
	}
	for _, t := range traits {
		refused, err := c.restore(ctx, &fit, t)
		switch {
		case err != nil:
			return r, err
		case refused != nil && given[t.name] != "":
			return r, c.untaken(given[t.name], refused)
		}
	}
	return fit, nil
}

func (c *Client) untaken(flag string, refused error) error {
	return fault.New(fault.Usage, "%s: the endpoint does not take it: %w", flag, refused).
		Hint("leave the flag out, or choose a value that %s takes", c.BaseURL)
}

// bare finds the request without its traits that is taken, by either name of the field that bounds
// a reply; ok is false where none is.
func (c *Client) bare(ctx context.Context, r Request, traits []trait, given Given) (fit Request, ok bool, err error) {
	fit = r
	for _, t := range traits {
		t.forms[len(t.forms)-1](&fit)
	}
	refused, failed := c.probe(ctx, fit)
	if refused == nil || r.Asked.MaxTokens == nil {
		return fit, refused == nil && failed == nil, ctx.Err()
	}
	fit.MaxTokensField = FieldMaxCompletionTokens
	if r.MaxTokensField == FieldMaxCompletionTokens {
		fit.MaxTokensField = FieldMaxTokens
	}
	again, failed := c.probe(ctx, fit)
	ok = again == nil && failed == nil
	if flag := given[TraitMaxField]; ok && flag != "" {
		return fit, false, c.untaken(flag, refused)
	}
	return fit, ok, ctx.Err()
}

// toolless returns fault.Usage if a request that is refused whatever its traits is taken without its
// tools.
func (c *Client) toolless(ctx context.Context, r Request, traits []trait, refused error) error {
	r.Tools = nil
	if _, ok, err := c.bare(ctx, r, traits, nil); !ok || err != nil {
		return err
	}
	return fault.New(fault.Usage, "the endpoint does not take the field tools: %w", refused).
		Hint("--tool-format text asks for calls in words")
}

// restore puts a trait back into a request that is taken, in the first of its forms with which it
// still is. It returns the refusal of the form that was asked for.
func (c *Client) restore(ctx context.Context, fit *Request, t trait) (first, err error) {
	for _, put := range t.forms[:len(t.forms)-1] {
		tried := *fit
		put(&tried)
		refused, failed := c.probe(ctx, tried)
		switch {
		case failed != nil:
			return nil, fault.New(fault.Failure, "what the endpoint takes is not known yet: %w", failed).
				Hint("run the same command again")
		case refused == nil:
			*fit = tried
			return first, nil
		case first == nil:
			first = refused
		}
	}
	return first, nil
}

// outcome is what came of a question that was not refused.
type outcome struct {
	body  []byte
	reply Reply
	err   error
}

// probe puts a question. It returns the endpoint's refusal of its form, or another failure; what is
// no refusal is kept.
func (c *Client) probe(ctx context.Context, r Request) (refused, failed error) {
	body := r.body()
	reply, err := c.ask(ctx, r, body)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case refusal(err):
		return err, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first = &outcome{body, reply, err}
	return nil, err
}

// refusal reports whether an endpoint says that it does not take a request as it is. Some say with
// 404 that none of their servers takes it.
func refusal(err error) bool {
	var s status
	return errors.As(err, &s) && slices.Contains([]status{
		http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity,
	}, s)
}

// take returns what came of the last question of Fit, to the first who asks the same.
func (c *Client) take(body []byte) (outcome, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first == nil || !bytes.Equal(c.first.body, body) {
		return outcome{}, false
	}
	known := *c.first
	c.first = nil
	return known, true
}
