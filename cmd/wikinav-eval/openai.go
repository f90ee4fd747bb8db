package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// modelFlags say which model is asked, how, and what may be spent.
type modelFlags struct {
	BaseURL        string        `flag:"base-url" usage:"openai: address of the endpoint, for example https://host/v1"`
	Name           string        `flag:"model" usage:"openai: name of the model there"`
	KeyFile        string        `flag:"api-key-file" usage:"openai: file with the API key; default: the environment's WIKINAV_API_KEY"`
	KeyEnv         string        `flag:"api-key-env" usage:"openai: name of the environment's variable with the API key (default WIKINAV_API_KEY)"`
	Temperature    string        `flag:"temperature" usage:"openai: sampling temperature, or none to leave it to the endpoint (default: the family's)"`
	TopP           string        `flag:"top-p" usage:"openai: nucleus of the sampling (default: left to the endpoint)"`
	Effort         string        `flag:"reasoning-effort" usage:"openai: low, medium, high, or what the endpoint knows (default: left to it)"`
	MaxTokenField  string        `flag:"max-tokens-field" usage:"openai: how the endpoint is told, max_tokens or max_completion_tokens"`
	MaxTokens      int64         `flag:"max-tokens" usage:"openai: tokens of a reply at most; 0 leaves it to the endpoint"`
	Timeout        time.Duration `flag:"timeout" usage:"openai: time for one reply"`
	PricePrompt    string        `flag:"price-prompt" usage:"openai: price of a million tokens of prompts, for example 2.50"`
	PriceCached    string        `flag:"price-cached" usage:"openai: price of a million tokens of prompts that the endpoint had cached (default: as the others)"`
	PriceOutput    string        `flag:"price-output" usage:"openai: price of a million tokens of replies"`
	Currency       string        `flag:"currency" usage:"openai: of the prices"`
	MaxCost        string        `flag:"max-cost" usage:"openai: stop before the run could cost more than this"`
	MaxTokensTotal int64         `flag:"max-tokens-total" usage:"openai: stop before the run could use more tokens than this"`
	MaxInfra       int           `flag:"max-infra-errors" usage:"openai: games on which the endpoint may fail without an exit code of 1"`
	Format         string        `flag:"response-format" usage:"openai: how replies of a form are asked for: auto (as the endpoint takes it), json_schema, json_object or none"`
	Extra          string        `flag:"extra-body" usage:"openai: JSON object of further fields of each request, for example '{\"top_k\":20}'"`
	given          endpoint.Given
	seedGiven      bool
	prefix         string // of the flags, where they stand for another command's
}

// formatAuto is the form of replies that the endpoint takes.
const formatAuto = "auto"

const apiKeyVariable = "WIKINAV_API_KEY"

// check refuses flags of a model for a player that is none, and a model without what it needs.
func (m *modelFlags) check(cmd *cobra.Command, player string) error {
	if player != play.OpenAI {
		var err error
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if strings.HasPrefix(f.Usage, play.OpenAI+": ") {
				err = fault.New(fault.Usage, "--%s means nothing to player %s", f.Name, fault.Quote(player)).Hint("it is for --player %s", play.OpenAI)
			}
		})
		return err
	}
	m.seedGiven = cmd.Flags().Changed("seed")
	m.wishes(cmd)
	switch {
	case m.BaseURL == "" || m.Name == "":
		return fault.New(fault.Usage, "--player %s needs --base-url and --model", play.OpenAI)
	case m.MaxTokens == 0 && (m.MaxCost != "" || m.MaxTokensTotal > 0):
		return fault.New(fault.Usage, "--max-tokens 0: without a bound of one reply nothing bounds the run")
	case m.MaxInfra < 0:
		return fault.New(fault.Usage, "--max-infra-errors %d: want 0 or more", m.MaxInfra)
	case m.MaxTokens < 0 || m.MaxTokensTotal < 0:
		return fault.New(fault.Usage, "a bound of tokens below 0")
	case m.Timeout <= 0:
		return fault.New(fault.Usage, "--timeout %v: want more than 0", m.Timeout)
	}
	return nil
}

// wishes notes which flags ask for what an endpoint may not take.
func (m *modelFlags) wishes(cmd *cobra.Command) {
	m.given = endpoint.Given{}
	for trait, name := range map[string]string{
		endpoint.TraitFormat: "response-format", endpoint.TraitTemperature: "temperature", endpoint.TraitMaxField: "max-tokens-field",
		endpoint.TraitTopP: "top-p", endpoint.TraitEffort: "reasoning-effort", endpoint.TraitSeed: "seed", endpoint.TraitExtra: "extra-body",
	} {
		if f := cmd.Flags().Lookup(m.prefix + name); f != nil && f.Changed && f.Value.String() != formatAuto {
			m.given[trait] = "--" + f.Name + " " + f.Value.String()
		}
	}
}

// price returns the prices, nil without any.
func (m *modelFlags) price() (*schemas.Price, error) {
	if m.PricePrompt == "" && m.PriceOutput == "" && m.PriceCached == "" {
		return nil, nil
	}
	for _, text := range []string{m.PricePrompt, m.PriceOutput} {
		if _, ok := judge.PlainDecimal(text); !ok {
			return nil, fault.New(fault.Usage, "--price-prompt %s and --price-output %s: want two decimal numbers such as 2.50",
				fault.Quote(m.PricePrompt), fault.Quote(m.PriceOutput))
		}
	}
	cached, ok := judge.PlainDecimal(cmp.Or(m.PriceCached, m.PricePrompt))
	if whole, _ := judge.PlainDecimal(m.PricePrompt); !ok || cached.Cmp(whole) > 0 {
		return nil, fault.New(fault.Usage, "--price-cached %s: want a decimal number, at most --price-prompt", fault.Quote(m.PriceCached))
	}
	return &schemas.Price{PromptPerMTok: m.PricePrompt, CachedPerMTok: m.PriceCached, OutputPerMTok: m.PriceOutput, Currency: m.Currency}, nil
}

// key reads the API key: from the file or the variable that a flag names, or from the environment.
// None is needed. What is said to be a name is never shown: it may be the key.
func (m *modelFlags) key() (endpoint.Secret, error) {
	text, there := os.LookupEnv(cmp.Or(m.KeyEnv, apiKeyVariable))
	switch {
	case m.KeyEnv != "" && m.KeyFile != "":
		return endpoint.Secret{}, fault.New(fault.Usage, "--api-key-env and --api-key-file: want one of both")
	case m.KeyEnv != "" && !there:
		return endpoint.Secret{}, fault.New(fault.Usage, "--api-key-env: the environment has no variable of that name").
			Hint("it names the variable; a key itself stands in no flag and no file of models")
	case m.KeyFile != "":
		data, err := os.ReadFile(m.KeyFile)
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
	a := schemas.Asked{Temperature: given(cmp.Or(m.Temperature, byDefault)), TopP: given(m.TopP), ReasoningEffort: given(m.Effort)}
	if m.MaxTokens > 0 {
		a.MaxTokens = &m.MaxTokens
	}
	return a
}

// outside is the network and the clock of the player openai where tests put a script in their
// place.
var outside endpoint.Config

// contact is a model that is ready to be asked.
type contact struct {
	client *endpoint.Client
	price  *schemas.Price
	asked  schemas.Asked
	format string // one of the schemas.Format words; "" for the schema
	folded bool   // the system has no role of its own
	extra  endpoint.Extra
	given  endpoint.Given
	who    schemas.Player
	silent atomic.Int64 // questions without a reply since the last one with
}

// open returns the model, nil for other players. Nothing is asked yet.
func (m *modelFlags) open(cmd *cobra.Command, player string, seed int64, temperature string) (*contact, error) {
	if err := m.check(cmd, player); err != nil || player != play.OpenAI {
		return nil, err
	}
	return m.connect(seed, temperature)
}

// connect returns the model that the flags name; temperature is what they leave open.
func (m *modelFlags) connect(seed int64, temperature string) (*contact, error) {
	c := &contact{
		asked: m.asked(temperature), given: m.given,
		who: schemas.Player{Name: m.Name, Kind: schemas.KindOpenAI, MaxTokensField: m.MaxTokenField},
	}
	if m.seedGiven {
		c.who.SamplingSeed = &seed
	}
	switch m.Format {
	case "", formatAuto:
	case schemas.FormatSchema, schemas.FormatObject, schemas.FormatNone:
		c.format = m.Format
	default:
		return nil, fault.New(fault.Usage, "--%sresponse-format %s: there is no such form", m.prefix, fault.Quote(m.Format)).
			Choose(m.Format, []string{formatAuto, schemas.FormatSchema, schemas.FormatObject, schemas.FormatNone})
	}
	var err error
	if c.extra, err = endpoint.ReadExtra("--"+m.prefix+"extra-body", m.Extra); err != nil {
		return nil, err
	}
	if c.price, err = m.price(); err != nil {
		return nil, err
	}
	if _, err := endpoint.NewBudget(m.MaxTokensTotal, m.MaxCost, c.price, schemas.Usage{}); err != nil {
		return nil, err
	}
	conf := outside
	conf.BaseURL, conf.Timeout, conf.Seed = m.BaseURL, m.Timeout, seed
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
	if m.MaxCost == "" && m.MaxTokensTotal == 0 {
		return nil
	}
	c.client.Budget, err = endpoint.NewBudget(m.MaxTokensTotal, m.MaxCost, c.price, spent)
	return err
}

func (c *contact) request(attempt int, p play.Prompt) endpoint.Request {
	r := endpoint.Request{
		Model: c.who.Name, Messages: p.Messages, Asked: c.asked, MaxTokensField: c.who.MaxTokensField,
		Format: c.format, Folded: c.folded, Extra: c.extra,
	}
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

// fit finds the form in which the endpoint takes requests such as the first one, and keeps to it.
func (c *contact) fit(ctx context.Context, p play.Prompt) error {
	r, err := c.client.Fit(ctx, c.request(1, p), c.given)
	if err == nil {
		c.asked, c.who.MaxTokensField, c.format, c.folded = r.Asked, r.MaxTokensField, r.Format, r.Folded
	}
	return err
}

// rejoin takes the form of requests from the rules of a run that goes on, as far as the user leaves
// it open.
func (c *contact) rejoin(run *schemas.Run) {
	if s := run.Rules.Sampling; s != nil && c.given[endpoint.TraitTemperature] == "" {
		c.asked.Temperature = s.Temperature
	}
	if c.given[endpoint.TraitMaxField] == "" && run.Model.MaxTokensField != "" {
		c.who.MaxTokensField = run.Model.MaxTokensField
	}
	if put := run.Rules.Request; put != nil {
		c.folded = put.System != ""
		if c.given[endpoint.TraitFormat] == "" {
			c.format = put.ResponseFormat
		}
	}
}

// put returns what is not by default in requests for replies of a form (asked: there is one), nil
// for nothing.
func (c *contact) put(asked bool) *schemas.Put {
	p := schemas.Put{ExtraBody: c.extra.JSON()}
	if asked && c.format != schemas.FormatSchema {
		p.ResponseFormat = c.format
	}
	if c.folded {
		p.System = schemas.RoleUser
	}
	if p.ExtraBody == nil && p.ResponseFormat == "" && p.System == "" {
		return nil
	}
	return &p
}

// as returns the model as a player knows it. A nil contact is no model.
func (c *contact) as() *play.Model {
	if c == nil {
		return nil
	}
	return &play.Model{Player: c.who, Asked: c.asked, Speak: func(attempt int) play.Speaker { return voice{c, attempt} }}
}

// priced returns the prices, nil for what is no model.
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

// maxSilence is the number of questions in a row without a reply after which the endpoint is held
// to be gone.
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
	reply := family.Reply{Text: &r.Text, Said: family.Said{
		Reasoning: r.Reasoning, Usage: r.Usage, Served: r.Served, Retries: r.Retries, Flag: r.Flag,
	}}
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
