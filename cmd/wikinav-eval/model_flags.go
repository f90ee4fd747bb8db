package main

import (
	"cmp"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

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
	flags.StringVar(&m.temperature, "temperature", "", "openai: sampling temperature, or none to leave it to the endpoint (default: the family's)")
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
	if player != play.OpenAI {
		for _, name := range modelFlagNames {
			if cmd.Flags().Changed(name) {
				return fault.New(fault.Usage, "--%s means nothing to player %s", name, fault.Quote(player)).Hint("it is for --player %s", play.OpenAI)
			}
		}
		return nil
	}
	m.seedGiven = cmd.Flags().Changed("seed")
	switch {
	case m.baseURL == "" || m.name == "":
		return fault.New(fault.Usage, "--player %s needs --base-url and --model", play.OpenAI)
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
		if _, ok := judge.PlainDecimal(text); !ok {
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

// asked says how the endpoint is told to sample. byDefault is the family's temperature.
func (m *modelFlags) asked(byDefault string) schemas.Asked {
	given := func(text string) *string {
		if text == "" || text == "none" {
			return nil
		}
		return &text
	}
	a := schemas.Asked{Temperature: given(cmp.Or(m.temperature, byDefault)), TopP: given(m.topP), ReasoningEffort: given(m.effort)}
	if m.maxTokens > 0 {
		a.MaxTokens = &m.maxTokens
	}
	return a
}
