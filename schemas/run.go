package schemas

import (
	"cmp"
	"encoding/json"
)

// RunSchema names the version of run.json. 1: each family had a record of its own (wikirace.run/1,
// lumina.run/1), and only the options were hashed. 2: one record for every family; Rules are hashed
// whole.
const RunSchema = "wikinav.run/2"

// Run describes an evaluation run of any family: run.json of its directory.
type Run struct {
	Schema         string   `json:"schema"`
	Run            string   `json:"run"`
	ReleaseID      string   `json:"release_id"`
	ManifestSHA256 string   `json:"manifest_sha256"`
	Family         string   `json:"family"`
	Splits         []string `json:"splits"`
	Instances      []string `json:"instances,omitempty"` // the only ones that are played; all where absent
	Attempts       int      `json:"attempts"`            // times that each instance is played
	Rules          Rules    `json:"rules"`
	RulesSHA256    string   `json:"rules_sha256"` // of Rules in canonical JSON
	Model          Player   `json:"model"`
	Price          *Price   `json:"price"`
	Currency       string   `json:"currency,omitempty"` // of costs that players tell; "" for DefaultCurrency
	Tool           string   `json:"tool"`
	Seed           int64    `json:"seed"` // of the player, not of the instances
	CreatedAt      string   `json:"created_at"`
}

// DefaultCurrency is that of costs where nothing names another.
const DefaultCurrency = "USD"

// Money returns the currency of the run's costs.
func (r *Run) Money() string {
	if r.Price != nil {
		return r.Price.Currency
	}
	return cmp.Or(r.Currency, DefaultCurrency)
}

// Rules are all that changes what a player sees or how its replies are read. Two scores can be
// compared only if their release, split and Rules are equal. What an interface does not use is
// null.
type Rules struct {
	Options        json.RawMessage `json:"options"` // of the family, a canonical object
	Prompt         *Versioned      `json:"prompt"`
	Parser         *Versioned      `json:"parser"`
	Interface      string          `json:"interface"`       // one of the Interface words
	ResponseFormat *Versioned      `json:"response_format"` // JSON schema that replies were asked to follow
	Sampling       *Asked          `json:"sampling"`        // null for players that are not models

	// Absent where requests are put as by default, so that such rules keep their hash.
	Request *Put `json:"request,omitempty"`
	// Absent where games have no bounds but those of the options.
	Budget *GameBudget `json:"budget,omitempty"`
}

// GameBudget bounds each game: before a turn beyond it the game ends with OutcomeSpent. The turn
// that goes beyond it counts. What is absent has no bound.
type GameBudget struct {
	Turns   int    `json:"turns,omitempty"`   // replies, whether or not they were valid
	Tokens  int64  `json:"tokens,omitempty"`  // of prompts and replies
	Cost    string `json:"cost,omitempty"`    // decimal, by Price
	Price   *Price `json:"price,omitempty"`   // where Cost is
	Seconds int64  `json:"seconds,omitempty"` // of the wall clock
}

// Put is how requests were put to an endpoint that does not take them as by default, or that was to
// be told more. What is absent was as by default.
type Put struct {
	ResponseFormat string          `json:"response_format,omitempty"` // one of the Format words, where the schema was not sent
	System         string          `json:"system,omitempty"`          // RoleUser: the system's words stood before the user's
	ExtraBody      json.RawMessage `json:"extra_body,omitempty"`      // canonical object of further fields of the request
}

// Forms in which an endpoint is asked to hold a reply to a JSON schema.
const (
	FormatSchema = "json_schema"
	FormatObject = "json_object" // some JSON object; which one, the prompt says
	FormatNone   = "none"        // the prompt alone asks
)

// Interfaces between a player and its instances.
const (
	InterfaceChat    = "chat"    // messages in, text or tool calls out
	InterfaceLines   = "lines"   // an observation per line in, a reply per line out
	InterfaceHuman   = "human"   // the messages on a terminal
	InterfaceHTTP    = "http"    // the HTTP server
	InterfaceMCP     = "mcp"     // the server of the Model Context Protocol
	InterfaceEnv     = "env"     // the environment of a program that is paid for turns
	InterfaceBuiltin = "builtin" // a baseline, which is not shown any text
	InterfaceForeign = "foreign" // the harness of somebody else, imported
)

// Asked is how a model was asked to sample; null was left to the endpoint.
type Asked struct {
	Temperature     *string `json:"temperature"` // decimal, as TopP
	TopP            *string `json:"top_p"`
	MaxTokens       *int64  `json:"max_tokens"`
	ReasoningEffort *string `json:"reasoning_effort"`
}

// Player is who played. Its seed and the name of a field of the request change no rule.
type Player struct {
	Name           string `json:"name"`
	Kind           string `json:"kind"`                       // one of the Kind words
	SamplingSeed   *int64 `json:"sampling_seed,omitempty"`    // of the first attempt; the next one's is larger by 1
	MaxTokensField string `json:"max_tokens_field,omitempty"` // the name under which the endpoint was told the limit
}
