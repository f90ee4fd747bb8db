package schemas

// Versioned names a template or parser and pins its text.
type Versioned struct {
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

const (
	KindLocal   = "local"  // built in, sees what a model sees, or degrees beside it; no distance
	KindOracle  = "oracle" // built in, sees distances: its scores are a bound, never an entry of a leaderboard
	KindHuman   = "human"
	KindPipe    = "pipe"    // another program, over lines of JSON
	KindOpenAI  = "openai"  // a model behind an OpenAI-compatible endpoint
	KindHTTP    = "http"    // a program at the HTTP server
	KindMCP     = "mcp"     // a model at the MCP server
	KindEnv     = "env"     // a program at the environment
	KindForeign = "foreign" // a model of another harness, whose games were imported
)

// Price is in units of Currency for a million tokens, as decimal strings.
type Price struct {
	PromptPerMTok string `json:"prompt_per_mtok"`
	CachedPerMTok string `json:"cached_per_mtok,omitempty"` // of Usage.Cached; "": as other prompts
	OutputPerMTok string `json:"output_per_mtok"`
	Currency      string `json:"currency"`
}

// GameOptions are the rules of one game; the hash of their canonical form stands beside every
// score.
type GameOptions struct {
	MaxSteps   int    `json:"max_steps"`
	MaxLinks   int    `json:"max_links"`
	Pruning    string `json:"pruning"`
	Order      string `json:"order"`
	Renderer   string `json:"renderer"`
	Context    string `json:"context"`
	Revisit    string `json:"revisit"`
	Back       string `json:"back"`
	Invalid    string `json:"invalid"`
	MaxInvalid int    `json:"max_invalid"`
	Titles     string `json:"titles"`
	Oracle     string `json:"oracle"`

	// Absent where they are not used, so that rules without them keep their hash.
	Plan      string `json:"plan,omitempty"`      // how far the oracle P looks: a number of links from 2 on, or "path"
	Reshuffle string `json:"reshuffle,omitempty"` // "attempt": menus have another order in each attempt
	Budget    string `json:"budget,omitempty"`    // turns by the instance's distance, as "3/2*d+5", in place of max_steps

	*BanRules // of games with a ban, nil in all others
}

// Step is one turn: a line of steps.jsonl. Every field that the release determines is checked by
// the scorer. Under invalid=retry a reply that costs nothing has a line too, with the number of the
// turn that it did not consume.
type Step struct {
	Schema        string   `json:"schema"`
	Run           string   `json:"run"`
	Game          string   `json:"game"`
	Instance      string   `json:"instance"`
	Step          int      `json:"step"` // 1-based
	Page          uint32   `json:"page"`
	Menu          []uint32 `json:"menu"` // nodes in the order shown
	Choice        *int     `json:"choice"`
	To            *uint32  `json:"to"`
	Valid         bool     `json:"valid"`
	InvalidReason *string  `json:"invalid_reason"`
	PromptSHA256  string   `json:"prompt_sha256"`
	ReplySHA256   string   `json:"reply_sha256"`
	Reply         string   `json:"reply"`
	Reasoning     *string  `json:"reasoning"`
	Usage         *Usage   `json:"usage"`
	Served        *Served  `json:"served,omitempty"`
	LatencyMS     int64    `json:"latency_ms"`
	Retries       int      `json:"retries"`
	Flag          string   `json:"flag,omitempty"` // one of the Flag words, of a reply that the endpoint cut
	Cost          *string  `json:"cost,omitempty"`
	Optimal       bool     `json:"optimal"`
	DBefore       int      `json:"d_before"` // links to the target before the turn, 254 for that or more, 255 for none
	DAfter        int      `json:"d_after"`
	Oracle        string   `json:"oracle"`
	*BanStep               // of games with a ban, nil in all others
}

// Usage counts tokens. Output includes Reasoning, Prompt includes Cached.
type Usage struct {
	Prompt    int64 `json:"prompt"`
	Cached    int64 `json:"cached,omitempty"` // that the endpoint had read before
	Output    int64 `json:"output"`
	Reasoning int64 `json:"reasoning"`
}

// Served is what an endpoint says answered a request; what it does not say is absent.
type Served struct {
	Model       string `json:"model,omitempty"`
	Fingerprint string `json:"system_fingerprint,omitempty"`
	Response    string `json:"response_id,omitempty"`
}

// Told returns the tokens that the turn tells, nil for none.
func (s Step) Told() *Usage { return s.Usage }

// ToldCost returns what the turn tells of its cost, nil for nothing.
func (s Step) ToldCost() *string { return s.Cost }

// Costs lists what the items of a list tell of their costs.
func Costs[T any](list []T, told func(T) *string) []*string {
	costs := make([]*string, len(list))
	for i, item := range list {
		costs[i] = told(item)
	}
	return costs
}

func (u *Usage) Add(v Usage) {
	u.Prompt += v.Prompt
	u.Cached += v.Cached
	u.Output += v.Output
	u.Reasoning += v.Reasoning
}

// SumUsage adds what the items of a list tell; nil for an empty list and if one item tells nothing:
// what is missing is not zero.
func SumUsage[T any](list []T, told func(T) *Usage) *Usage {
	if len(list) == 0 {
		return nil
	}
	var sum Usage
	for _, item := range list {
		u := told(item)
		if u == nil {
			return nil
		}
		sum.Add(*u)
	}
	return &sum
}

// Game is one finished game: a line of games.jsonl. A game without such a line is not complete.
type Game struct {
	Schema   string   `json:"schema"`
	Run      string   `json:"run"`
	Game     string   `json:"game"`
	Instance string   `json:"instance"`
	Attempt  int      `json:"attempt"` // 1-based
	Outcome  string   `json:"outcome"`
	Turns    int      `json:"turns"` // consumed: moves and invalid
	Moves    int      `json:"moves"`
	Invalid  int      `json:"invalid"`
	Path     []uint32 `json:"path"` // pages visited, source first
	Usage    *Usage   `json:"usage"`
	Cost     *string  `json:"cost"`
	Retried  bool     `json:"retried,omitempty"` // a request was repeated, or the game, because the endpoint failed
	Reason   *string  `json:"reason,omitempty"`  // of OutcomeInfra and OutcomeSpent
	Started  string   `json:"started"`
	Ended    string   `json:"ended"`
}

const (
	FlagTruncated = "truncated"  // by the limit of tokens
	FlagSpent     = "spent"      // there is no reply: the budget of the game was used up
	FlagFiltered  = "filtered"   // by the endpoint's filter, or refused by the model
	FlagToolCalls = "tool_calls" // the model called tools that it was not offered
)

const (
	OutcomeSuccess       = "success"
	OutcomeStepLimit     = "step_limit"
	OutcomeFormat        = "format"
	OutcomeInvalidAction = "invalid_action"
	OutcomeRevisit       = "revisit"
	OutcomeStuck         = "stuck"
	OutcomeGaveUp        = "gave_up"
	OutcomeInfra         = "infra"
	OutcomeAnswered      = "answered" // however well, where success is another's to say
	OutcomeTimeout       = "timeout"  // the wall clock of the episode ran out
	OutcomeSpent         = "spent"    // the budget that the rules of a run give a game is used up
)
