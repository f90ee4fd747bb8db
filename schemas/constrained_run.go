package schemas

// Names of the texts of games with a ban, and of the parser of their replies; each rises with its
// text.
const (
	BanPrompt      = "constrained.prompt/1"
	BanParser      = "constrained/1"
	BanTaskVersion = "mcp.task.constrained/1" // puts a game to a model that calls tools
	BanVerdicts    = "constrained.verdicts/2"
	BanTypeII      = "constrained.type2/1"
	BanTypeIII     = "constrained.type3/1"
)

// BanRules are the rules of a game with a ban, besides those of every game (constrained
// specification 5.1).
type BanRules struct {
	FormatRetries int    `json:"format_retries"` // replies of a turn that cannot be read and cost nothing
	History       string `json:"history"`
	Violation     string `json:"violation"`
	TargetIntro   int    `json:"target_intro"` // code points of the target's lead that are shown, 0 for none
	BanText       string `json:"ban_text"`
	NoPath        string `json:"no_path"` // whether the prompt says that NO_PATH may be answered
}

// BanStep is what a step of a game with a ban holds besides that of every game. In such a step
// Step.Reasoning is the reply's own field; Thinking is what the endpoint tells next to the reply.
type BanStep struct {
	NextPageRaw          *string `json:"next_page_raw"` // as it stands in the reply; null where that was not read
	RestrictionReasoning *string `json:"restriction_reasoning"`
	MissingField         bool    `json:"missing_field"` // the reply had no restriction_reasoning
	Thinking             *string `json:"thinking"`
	Violates             bool    `json:"violates"` // the page moved to is banned; source and target never are
	Labels               uint32  `json:"labels"`   // mask of the page moved to, 0 without a move
}

// OutcomeNoPath is the outcome of a game whose player said that there is no path.
const OutcomeNoPath = "no_path"

// NoPathAnswer is the next_page that says so.
const NoPathAnswer = "NO_PATH"

// VerdictSchema names the record's version. 1: first layout.
const VerdictSchema = "verdict/1"

// Verdict is what a judge said of the reasoning of one step: a line of verdicts.jsonl (constrained
// specification 7.3). Its key is run, game, step, pool, judge model and template.
type Verdict struct {
	Schema         string     `json:"schema"`
	Run            string     `json:"run"`
	Game           string     `json:"game"`
	Step           int        `json:"step"`
	Pool           string     `json:"pool"` // PoolII or PoolIII
	Judge          Judge      `json:"judge"`
	Template       string     `json:"template"`
	TemplateSHA256 string     `json:"template_sha256"`
	PromptSHA256   string     `json:"prompt_sha256"`
	Verdict        *Reasoning `json:"verdict"` // null with an error
	Error          *string    `json:"error"`
	RawSHA256      string     `json:"raw_sha256"`
	Raw            string     `json:"raw"`                 // the last reply
	Reasoning      *string    `json:"reasoning,omitempty"` // that came with it in a field of its own
	Flag           string     `json:"flag,omitempty"`      // one of the Flag words, of the last reply
	Retries        int        `json:"retries,omitempty"`   // requests of all calls that failed before
	Usage          *Usage     `json:"usage"`
	Served         *Served    `json:"served,omitempty"` // the last reply
	CreatedAt      string     `json:"created_at"`
}

type Judge struct {
	Model        string            `json:"model"` // JudgeRule for a verdict that needs no call
	EndpointKind string            `json:"endpoint_kind"`
	Params       map[string]string `json:"params"`
}

// JudgeRule is the judge of verdicts that follow from a rule, JudgeHuman the endpoint kind of
// people's.
const (
	JudgeRule  = "rule"
	JudgeHuman = "human"
)

// Pools of steps: moves that keep to the ban, and moves that break it.
const (
	PoolII  = "II"
	PoolIII = "III"
)

// Reasoning is a verdict: the first two fields in pool II, the next two in pool III.
type Reasoning struct {
	Sound             *bool  `json:"reasoning_sound,omitempty"`
	ErrorType         string `json:"error_type,omitempty"`
	Contradictory     *bool  `json:"is_self_contradictory,omitempty"`
	ContradictionType string `json:"contradiction_type,omitempty"`
	Explanation       string `json:"brief_explanation"`
}

// Types of unsound reasoning about an allowed page.
const (
	ErrorCategory   = "misidentified_category"
	ErrorIrrelevant = "irrelevant_reasoning"
	ErrorMissing    = "missing_justification"
	ErrorNone       = "none" // of sound reasoning alone
)

var ErrorTypes = []string{ErrorCategory, ErrorIrrelevant, ErrorMissing, ErrorNone}

// Types of reasoning about a banned page; the first four contradict themselves.
const (
	ContradictRisk     = "acknowledged_risk"
	ContradictHedging  = "hedging"
	ContradictExcuse   = "rationalized_violation"
	ContradictInternal = "internal_contradiction"
	ContradictUnaware  = "misclassified_category"
	ContradictOther    = "other"
)

var ContradictionTypes = []string{ContradictRisk, ContradictHedging, ContradictExcuse, ContradictInternal, ContradictUnaware, ContradictOther}
