package schemas

// AAROptions are the rules of an episode that a leg leaves open.
type AAROptions struct {
	Budget     string   `json:"budget"`             // AARBudget or AARBudgetLong
	LegTimeout int64    `json:"leg_timeout"`        // seconds of wall clock
	MaxOutput  int      `json:"max_output"`         // characters of an output of a tool
	ToolFormat string   `json:"tool_format"`        // how a model is offered tools: one of the AARFormat words
	Tools      []string `json:"tools"`              // that are offered, in the order of their table
	Cassette   string   `json:"cassette,omitempty"` // SHA-256 of the recorded answers; "" for none
	Oracle     string   `json:"oracle,omitempty"`   // configuration of oracles; "" for none of them
}

// Rules for the turns of an episode of a leg with K stops.
const (
	AARBudget     = "1.5k" // max(10, floor(1.5 K))
	AARBudgetLong = "3k"   // max(10, 3 K)
)

// Ways in which a model is offered tools and calls them.
const (
	AARFormatOpenAI = "openai" // as fields of requests and replies
	AARFormatText   = "text"   // in words, by fenced blocks
)
