package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// outside is the network and the clock of the player openai where tests put a script in their place.
var outside endpoint.Config

// modelFlags say which model is asked, how, and what may be spent.
type modelFlags struct {
	baseURL, name, keyFile                   string
	temperature, topP, effort, maxTokenField string
	maxTokens                                int64
	timeout                                  time.Duration
	pricePrompt, priceOutput, currency       string
	maxCost                                  string
	maxTokensTotal                           int64
	maxInfra                                 int
	seedGiven                                bool
}

const playerOpenAI = "openai"

// apiKeyVariable is the environment variable with the key.
const apiKeyVariable = "WIKINAV_API_KEY"

// modelFlagNames are the flags that mean nothing to other players.
var modelFlagNames = []string{
	"base-url", "model", "api-key-file", "temperature", "top-p", "reasoning-effort", "max-tokens", "max-tokens-field", "timeout",
	"price-prompt", "price-output", "currency", "max-cost", "max-tokens-total", "max-infra-errors",
}

func (m *modelFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&m.baseURL, "base-url", "", "openai: address of the endpoint, for example https://host/v1")
	flags.StringVar(&m.name, "model", "", "openai: name of the model there")
	flags.StringVar(&m.keyFile, "api-key-file", "", "openai: file with the API key; default: the environment's "+apiKeyVariable)
	flags.StringVar(&m.temperature, "temperature", "", "openai: sampling temperature, or none to leave it to the endpoint (default: 0.7 for lumina, 0 for constrained, none for others)")
	flags.StringVar(&m.topP, "top-p", "", "openai: nucleus of the sampling (default: left to the endpoint)")
	flags.StringVar(&m.effort, "reasoning-effort", "", "openai: low, medium, high, or what the endpoint knows (default: left to it)")
	flags.Int64Var(&m.maxTokens, "max-tokens", 4096, "openai: tokens of a reply at most; 0 leaves it to the endpoint")
	flags.StringVar(&m.maxTokenField, "max-tokens-field", endpoint.FieldMaxTokens, "openai: how the endpoint is told, max_tokens or max_completion_tokens")
	flags.DurationVar(&m.timeout, "timeout", 10*time.Minute, "openai: time for one reply")
	flags.StringVar(&m.pricePrompt, "price-prompt", "", "openai: price of a million tokens of prompts, for example 2.50")
	flags.StringVar(&m.priceOutput, "price-output", "", "openai: price of a million tokens of replies")
	flags.StringVar(&m.currency, "currency", "USD", "openai: of the prices")
	flags.StringVar(&m.maxCost, "max-cost", "", "openai: stop before the run could cost more than this")
	flags.Int64Var(&m.maxTokensTotal, "max-tokens-total", 0, "openai: stop before the run could use more tokens than this")
	flags.IntVar(&m.maxInfra, "max-infra-errors", 0, "openai: games on which the endpoint may fail without an exit code of 1")
}

// check refuses flags of a model for a player that is none, and a model without what it needs.
func (m *modelFlags) check(cmd *cobra.Command, player string) error {
	if player != playerOpenAI {
		for _, name := range modelFlagNames {
			if cmd.Flags().Changed(name) {
				return fault.New(fault.Usage, "--%s means nothing to player %s", name, fault.Quote(player)).Hint("it is for --player %s", playerOpenAI)
			}
		}
		return nil
	}
	m.seedGiven = cmd.Flags().Changed("seed")
	switch {
	case m.baseURL == "" || m.name == "":
		return fault.New(fault.Usage, "--player %s needs --base-url and --model", playerOpenAI)
	case m.maxTokens == 0 && (m.maxCost != "" || m.maxTokensTotal > 0):
		return fault.New(fault.Usage, "--max-tokens 0: without a bound of one reply nothing bounds the run")
	case m.maxInfra < 0:
		return fault.New(fault.Usage, "--max-infra-errors %d: want 0 or more", m.maxInfra)
	case m.maxTokens < 0 || m.maxTokensTotal < 0:
		return fault.New(fault.Usage, "a bound of tokens below 0")
	case m.timeout <= 0:
		return fault.New(fault.Usage, "--timeout %v: want more than 0", m.timeout)
	}
	return nil
}

// price gives the prices, nil without any.
func (m *modelFlags) price() (*schemas.Price, error) {
	if m.pricePrompt == "" && m.priceOutput == "" {
		return nil, nil
	}
	for _, text := range []string{m.pricePrompt, m.priceOutput} {
		if _, ok := endpoint.Decimal(text); !ok {
			return nil, fault.New(fault.Usage, "--price-prompt %s and --price-output %s: want two decimal numbers such as 2.50",
				fault.Quote(m.pricePrompt), fault.Quote(m.priceOutput))
		}
	}
	return &schemas.Price{PromptPerMTok: m.pricePrompt, OutputPerMTok: m.priceOutput, Currency: m.currency}, nil
}

// key reads the API key: from the file that a flag names, or from the environment. None is needed.
func (m *modelFlags) key() (endpoint.Secret, error) {
	text := os.Getenv(apiKeyVariable)
	if m.keyFile != "" {
		data, err := os.ReadFile(m.keyFile)
		if err != nil {
			return endpoint.Secret{}, fault.New(fault.NotFound, "cannot read the API key: %w", err)
		}
		text = string(data)
	}
	return endpoint.NewSecret(text)
}

// sampling gives what the endpoint is told of how to sample. byDefault is the family's temperature.
func (m *modelFlags) sampling(seed int64, byDefault string) schemas.Sampling {
	given := func(text string) *string {
		if text == "" || text == "none" {
			return nil
		}
		return &text
	}
	s := schemas.Sampling{Temperature: given(m.temperature), TopP: given(m.topP), ReasoningEffort: given(m.effort), MaxTokensField: m.maxTokenField}
	if m.temperature == "" {
		s.Temperature = given(byDefault)
	}
	if m.seedGiven {
		s.Seed = &seed
	}
	if m.maxTokens > 0 {
		s.MaxTokens = &m.maxTokens
	}
	return s
}

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
