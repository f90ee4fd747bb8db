// Package provider is the door to tools that no release answers: live services, whose answers are
// recorded once and replayed ever after. It ships no provider and opens no connection; a program
// that brings one adds it to All.
package provider

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Provider answers calls of the tools that it names; args are canonical. An error is recorded as
// the answer.
type Provider interface {
	Name() string
	Tools() []string
	Call(ctx context.Context, tool string, args []byte) (response []byte, err error)
}

// Secretive is a provider with keys; they come from the environment and are never recorded.
type Secretive interface{ Secrets() []string }

// All are the providers that can be named.
var All []Provider

// Find returns the provider of that name.
func Find(name string, all []Provider) (Provider, error) {
	known := []string{}
	for _, p := range all {
		if p.Name() == name {
			return p, nil
		}
		known = append(known, p.Name())
	}
	e := fault.New(fault.Usage, "--provider %s: there is no such provider", fault.Quote(name))
	if len(known) == 0 {
		return nil, e.Hint("this program has no live provider")
	}
	return nil, e.Choose(name, known)
}

// Call is a call to record.
type Call struct {
	Tool string
	Args []byte // canonical
}

// Recorded is a call with its answer.
type Recorded struct {
	Call
	Response []byte // the message of an error, if Failed
	Failed   bool
	Provider string
	At       string // RFC 3339, UTC
}

// Record asks p for every call, in order, and hands each answer to put. A call or answer with a key
// of the provider in it is refused; so is one of a tool that it does not offer, before anything is
// asked.
func Record(ctx context.Context, p Provider, calls []Call, now func() time.Time, put func(Recorded) error) error {
	offered := map[string]bool{}
	for _, tool := range p.Tools() {
		offered[tool] = true
	}
	for _, c := range calls {
		if !offered[c.Tool] {
			return fault.New(fault.Usage, "the provider %s does not offer %s", p.Name(), fault.Quote(c.Tool)).
				Hint("it offers %s", strings.Join(p.Tools(), ", "))
		}
		if holdsSecret(p, c.Args) {
			return leak(p, "arguments", c.Tool)
		}
	}
	for _, c := range calls {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := Recorded{Call: c, Provider: p.Name()}
		response, err := p.Call(ctx, c.Tool, c.Args)
		if ctx.Err() != nil {
			return ctx.Err() // the answer is that of the interruption
		}
		if r.Response, r.Failed = response, err != nil; r.Failed {
			r.Response = []byte(err.Error())
		}
		if holdsSecret(p, r.Response) {
			return leak(p, "answer", c.Tool)
		}
		r.At = now().UTC().Format(time.RFC3339)
		if err := put(r); err != nil {
			return err
		}
	}
	return nil
}

func leak(p Provider, what, tool string) error {
	return fault.New(fault.Failure, "the %s of a call of %s hold a key of the provider %s", what, tool, p.Name()).
		Hint("nothing of it was recorded")
}

func holdsSecret(p Provider, data []byte) bool {
	s, ok := p.(Secretive)
	if !ok {
		return false
	}
	for _, key := range s.Secrets() {
		if key != "" && bytes.Contains(data, []byte(key)) {
			return true
		}
	}
	return false
}
