package schemas

// MangoWalkSchema names the record's version. 1: first layout.
const MangoWalkSchema = "mango.walk/1"

// MangoWalk is one player walking through a maze to answer one question: a line of the log of a
// run of walks.
type MangoWalk struct {
	Schema         string      `json:"schema"`
	ID             string      `json:"id"` // of the task
	ManifestSHA256 string      `json:"manifest_sha256"`
	Config         string      `json:"config"` // of oracles
	Model          string      `json:"model"`
	PrefixStep     int         `json:"prefix_step"` // last step of the walkthrough that is shown
	Rule           string      `json:"rule"`        // for the next two
	Answerable     bool        `json:"answerable"`  // from the steps that are shown
	Easy           bool        `json:"easy"`
	TemplateSHA256 string      `json:"template_sha256"`
	Steps          []MangoTurn `json:"steps"`
	Outcome        string      `json:"outcome"`
	Retried        bool        `json:"retried"`         // the endpoint failed and was asked again
	Infra          *string     `json:"infra,omitempty"` // reason of OutcomeInfra
	Usage          *Usage      `json:"usage,omitempty"`
	Cost           *string     `json:"cost,omitempty"`
}

// MangoTurn is one turn of a walk. All but Reply follows from the maze, the question, the options
// and the replies.
type MangoTurn struct {
	T            int      `json:"t"`     // 1-based
	Place        string   `json:"place"` // before the turn
	Reply        string   `json:"reply"`
	Action       *string  `json:"action"` // canonical call; null for a format error
	Status       string   `json:"status"`
	Optimal      bool     `json:"optimal"`
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
