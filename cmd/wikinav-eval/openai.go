package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// outside is the network and the clock of the player openai where tests put a script in their place.
var outside endpoint.Config

// contact is a model that is ready to be asked.
type contact struct {
	client   *endpoint.Client
	price    *schemas.Price
	sampling schemas.Sampling
	model    string
	silent   atomic.Int64 // questions without a reply since the last one with
}

// open gives the model, nil for other players. Nothing is asked yet.
func (m *modelFlags) open(cmd *cobra.Command, player string, seed int64, temperature string) (*contact, error) {
	if err := m.check(cmd, player); err != nil || player != playerOpenAI {
		return nil, err
	}
	c := &contact{model: m.name, sampling: m.sampling(seed, temperature)}
	var err error
	if c.price, err = m.price(); err != nil {
		return nil, err
	}
	if _, err := endpoint.NewBudget(m.maxTokensTotal, m.maxCost, c.price, schemas.Usage{}); err != nil {
		return nil, err
	}
	conf := outside
	conf.BaseURL, conf.Timeout, conf.Seed = m.baseURL, m.timeout, seed
	if conf.Key, err = m.key(); err != nil {
		return nil, err
	}
	if c.client, err = endpoint.New(conf); err != nil {
		return nil, err
	}
	return c, c.client.Check(c.request(1, []schemas.Message{{}}))
}

// budget caps what the run may spend from now on.
func (m *modelFlags) budget(c *contact, spent schemas.Usage) (err error) {
	if m.maxCost == "" && m.maxTokensTotal == 0 {
		return nil
	}
	c.client.Budget, err = endpoint.NewBudget(m.maxTokensTotal, m.maxCost, c.price, spent)
	return err
}

func (c *contact) request(attempt int, messages []schemas.Message) endpoint.Request {
	r := endpoint.Request{Model: c.model, Messages: messages, Sampling: c.sampling}
	if c.sampling.Seed != nil {
		seed := *c.sampling.Seed + int64(attempt) - 1
		r.Sampling.Seed = &seed
	}
	return r
}

// as gives the model as a player knows it. A nil contact is no model.
func (c *contact) as() play.Model {
	if c == nil {
		return play.Model{}
	}
	return play.Model{Name: c.model, Sampling: &c.sampling, Speak: func(attempt int) play.Speaker { return voice{c, attempt} }}
}

// priced gives the prices, nil for what is no model.
func (c *contact) priced() *schemas.Price {
	if c == nil {
		return nil
	}
	return c.price
}

// voice speaks for the model in one attempt.
type voice struct {
	contact *contact
	attempt int
}

// maxSilence is the number of questions in a row without a reply after which the endpoint is held to be gone.
const maxSilence = 20

// Say asks the model. What no repetition mended is no fault of the model.
func (v voice) Say(ctx context.Context, messages []schemas.Message) (play.Said, error) {
	return v.ask(ctx, v.contact.request(v.attempt, messages))
}

// SayAs is Say for a reply that is to be JSON of a schema.
func (v voice) SayAs(ctx context.Context, messages []schemas.Message, schema json.RawMessage) (play.Said, error) {
	r := v.contact.request(v.attempt, messages)
	r.Schema = &endpoint.Schema{Name: "reply", Schema: schema}
	return v.ask(ctx, r)
}

func (v voice) ask(ctx context.Context, question endpoint.Request) (play.Said, error) {
	c := v.contact
	r, err := c.client.Ask(ctx, question)
	var failed *endpoint.Failed
	switch {
	case errors.As(err, &failed):
		if c.silent.Add(1) >= maxSilence {
			return play.Said{}, fault.New(fault.Failure, "%d questions in a row had no reply, the last for this reason: %s", maxSilence, failed.Reason).
				Hint("see to the endpoint, then run the same command again")
		}
		return play.Said{}, &play.Unreachable{Reason: failed.Error(), Retries: failed.Retries}
	case errors.Is(err, endpoint.ErrSpent):
		return play.Said{}, fmt.Errorf("%w: %w", play.ErrStop, err)
	case err != nil:
		return play.Said{}, err
	}
	c.silent.Store(0)
	return play.Said{Text: r.Text, Reasoning: r.Reasoning, Usage: r.Usage, Retries: r.Retries, Flag: r.Flag}, nil
}

// status is what the progress line says beside the number of games.
func (c *contact) status(elapsed time.Duration) string {
	b := c.client.Books()
	parts := []string{
		fmt.Sprintf("%.1f moves/s", float64(b.Replies)/max(elapsed.Seconds(), 0.001)),
		fmt.Sprintf("%d+%d tokens", b.Usage.Prompt, b.Usage.Output),
	}
	if c.price != nil {
		parts = append(parts, money(c.price, b.Usage))
	}
	return strings.Join(append(parts, fmt.Sprintf("%d infra", b.Failed)), ", ")
}
