package schemas

// LuminaOptions are the rules of an episode that an instance leaves open.
type LuminaOptions struct {
	Oracle          []string `json:"oracle"`            // configurations of oracles in which each instance is played, in order
	MaxFormatErrors int      `json:"max_format_errors"` // consecutive ones that end an episode
}

// LuminaEpisode is one model playing one instance in one configuration: a line of episodes.jsonl.
type LuminaEpisode struct {
	Schema         string         `json:"schema"`
	InstanceID     string         `json:"instance_id"`
	ManifestSHA256 string         `json:"manifest_sha256"`
	Config         string         `json:"config"`
	Model          string         `json:"model"`
	Sampling       LuminaSampling `json:"sampling"`
	TemplateSHA256 string         `json:"template_sha256"`
	FewshotSHA256  string         `json:"fewshot_sha256"`
	Steps          []LuminaStep   `json:"steps"`
	Outcome        string         `json:"outcome"`
	Retried        bool           `json:"retried"`          // the endpoint failed and was asked again
	Reason         *string        `json:"reason,omitempty"` // of OutcomeInfra
	Usage          *Usage         `json:"usage,omitempty"`
	Cost           *string        `json:"cost,omitempty"`
}

// LuminaSampling is how a model was sampled, as given; "" and 0 for players that are no model.
type LuminaSampling struct {
	Temperature string `json:"temperature"` // decimal
	MaxTokens   int64  `json:"max_tokens"`
}

// LuminaStep is one turn. All but Reply follows from the instance, the configuration and the
// replies.
type LuminaStep struct {
	T            int      `json:"t"`            // 1-based
	StateDigest  string   `json:"state_digest"` // of the state before the turn, 16 hex digits
	Reply        string   `json:"reply"`
	Action       *string  `json:"action"` // canonical call; null for a format error
	Status       string   `json:"status"`
	Optimal      bool     `json:"optimal"`
	Dead         bool     `json:"dead"`   // before the turn nothing could succeed any more
	AStar        []string `json:"a_star"` // optimal calls before the turn
	Obs          string   `json:"obs"`
	PromptSHA256 string   `json:"prompt_sha256"`
	Reasoning    *string  `json:"reasoning,omitempty"` // this and the next ones as in Step
	Usage        *Usage   `json:"usage,omitempty"`
	Served       *Served  `json:"served,omitempty"`
	Cost         *string  `json:"cost,omitempty"`
	Retries      int      `json:"retries,omitempty"`
	Flag         string   `json:"flag,omitempty"`
}

const (
	StatusLegal       = "legal"
	StatusIllegal     = "illegal"
	StatusFormatError = "format_error"
)

// Outcomes of an episode, beside OutcomeSuccess, OutcomeFormat and OutcomeInfra of the games.
const (
	OutcomeWrongTerminal = "wrong_terminal"
	OutcomeIrrecoverable = "irrecoverable"
	OutcomeBudget        = "budget"
	OutcomeTurns         = "turns"
)

// InterventionStream is the first part of the names of the streams from which comparisons of
// oracles are resampled, in every family: the protocol is that of the three worlds.
const InterventionStream = "lumina"
