package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// outside is the network and the clock of the player openai where tests put a script in their place.
var outside endpoint.Config

// contact is a model that is ready to be asked.
type contact struct {
	client *endpoint.Client
	price  *schemas.Price
	asked  schemas.Asked
	who    schemas.Player
	silent atomic.Int64 // questions without a reply since the last one with
}

// open returns the model, nil for other players. Nothing is asked yet.
func (m *modelFlags) open(cmd *cobra.Command, player string, seed int64, temperature string) (*contact, error) {
	if err := m.check(cmd, player); err != nil || player != play.OpenAI {
		return nil, err
	}
	c := &contact{asked: m.asked(temperature), who: schemas.Player{Name: m.name, Kind: schemas.KindOpenAI, MaxTokensField: m.maxTokenField}}
	if m.seedGiven {
		c.who.SamplingSeed = &seed
	}
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
	return c, c.request(1, play.Prompt{Messages: []schemas.Message{{}}}).Check()
}

// budget caps what the run may spend from now on.
func (m *modelFlags) budget(c *contact, spent schemas.Usage) (err error) {
	if m.maxCost == "" && m.maxTokensTotal == 0 {
		return nil
	}
	c.client.Budget, err = endpoint.NewBudget(m.maxTokensTotal, m.maxCost, c.price, spent)
	return err
}

func (c *contact) request(attempt int, p play.Prompt) endpoint.Request {
	r := endpoint.Request{Model: c.who.Name, Messages: p.Messages, Asked: c.asked, MaxTokensField: c.who.MaxTokensField}
	if c.who.SamplingSeed != nil {
		seed := *c.who.SamplingSeed + int64(attempt) - 1
		r.Seed = &seed
	}
	if p.Schema != nil {
		r.Schema = &endpoint.Schema{Name: "reply", Schema: p.Schema}
	}
	for _, t := range p.Tools {
		r.Tools = append(r.Tools, endpoint.Schema{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	return r
}

// as returns the model as a player knows it. A nil contact is no model.
func (c *contact) as() *play.Model {
	if c == nil {
		return nil
	}
	return &play.Model{Player: c.who, Asked: c.asked, Speak: func(attempt int) play.Speaker { return voice{c, attempt} }}
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
func (v voice) Say(ctx context.Context, p play.Prompt) (family.Reply, error) {
	c := v.contact
	r, err := c.client.Ask(ctx, c.request(v.attempt, p))
	var failed *endpoint.Failed
	switch {
	case errors.As(err, &failed):
		if c.silent.Add(1) >= maxSilence {
			return family.Reply{}, fault.New(fault.Failure, "%d questions in a row had no reply, the last for this reason: %s", maxSilence, failed.Reason).
				Hint("see to the endpoint, then run the same command again")
		}
		return family.Reply{}, &play.Unreachable{Reason: failed.Error(), Retries: failed.Retries}
	case errors.Is(err, endpoint.ErrSpent):
		return family.Reply{}, fmt.Errorf("%w: %w", play.ErrStop, err)
	case err != nil:
		return family.Reply{}, err
	}
	c.silent.Store(0)
	reply := family.Reply{Text: &r.Text, Said: family.Said{Reasoning: r.Reasoning, Usage: r.Usage, Retries: r.Retries, Flag: r.Flag}}
	if p.Tools != nil {
		reply.Calls = r.Calls
	}
	return reply, nil
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
