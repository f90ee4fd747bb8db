package family

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ScoresSchema names the record's version. 1: the record of every family, in place of one for each.
const ScoresSchema = "wikinav.scores/1"

// Scores is what scoring a log yields, whatever its family: summary.json of a run directory.
type Scores struct {
	Schema        string          `json:"schema"`
	Family        string          `json:"family"`
	Release       string          `json:"release"`
	ManifestID    string          `json:"manifest_id"`
	FreshSince    string          `json:"fresh_since,omitempty"` // id of the older release that cannot answer the pairs
	Run           *string         `json:"run"`                   // null for a file that names none, as Model and Rules
	Model         *schemas.Player `json:"model"`
	Rules         *schemas.Rules  `json:"rules"`
	RulesSHA256   string          `json:"rules_sha256"`     // "" without Rules
	Served        []string        `json:"served,omitempty"` // models that the endpoint said served the replies
	Attempts      int             `json:"attempts"`
	Partial       bool            `json:"partial"`
	Options       map[string]any  `json:"options"`           // how it was scored where the family leaves a choice
	Rows          []Row           `json:"rows"`              // in the release's order of splits; all of a split before its groups
	Passes        []Pass          `json:"pass_at,omitempty"` // of runs with several attempts
	Pairs         []Pair          `json:"pairs,omitempty"`
	Effects       []Effect        `json:"effects,omitempty"`
	Counts        map[string]int  `json:"counts"` // what else was seen, such as replies to no question
	Notes         []string        `json:"notes,omitempty"`
	Disagreements []Disagreement  `json:"disagreements"`
	Unlisted      int             `json:"unlisted"` // disagreements that were counted and not kept
	Dropped       Dropped         `json:"dropped"`
	Import        *schemas.Import `json:"import,omitempty"`

	// Reparsed is the parser of the run where Rules name the one by which its replies were read
	// again.
	Reparsed *schemas.Versioned `json:"reparsed,omitempty"`

	Results []Result `json:"-"` // every item that was scored, in the order of splits and tasks
}

// Stand returns what keeps the scores of the log at path from standing: a log that the replay
// contradicts, else a row in which the endpoint failed on more than maxInfra items.
func (s *Scores) Stand(path string, maxInfra int) error {
	if n := len(s.Disagreements) + s.Unlisted; n > 0 {
		first := s.Disagreements[0]
		return fault.New(fault.Mismatch, "the replay contradicts the log in %d places, first in %s: %s is %s, the replay says %s",
			n, fault.Quote(first.Item), first.Field, first.Log, first.Replay).At(path, first.place()).
			Hint("the scores are those of the replay")
	}
	for _, r := range s.Rows {
		if r.Infra > maxInfra {
			of := r.Split
			for _, g := range r.By {
				of += ", " + g.Name + " " + g.Value
			}
			return fault.New(fault.Failure, "the endpoint failed on %d items of %s, at most %d are allowed: no score", r.Infra, of, maxInfra).
				At(path, "").Hint("play them once more with --retry-infra, or raise --max-infra-errors")
		}
	}
	return nil
}

// Unplayed returns why the scores of a run at path show nothing: items that play has not come to.
// What a list of somebody else's leaves out fails, and so does what a client of a server left
// alone.
func (s *Scores) Unplayed(path string) error {
	if s.Partial || s.Rules == nil || s.Import != nil || (Manner{Interface: s.Rules.Interface}).Hosted() {
		return nil
	}
	missing, all := 0, 0
	for _, r := range s.Rows {
		if r.Whole() {
			missing, all = missing+r.Missing, all+r.Missing
			for _, n := range r.Outcomes {
				all += n
			}
		}
	}
	if missing == 0 {
		return nil
	}
	return fault.New(fault.Failure, "%d of %d items are missing: no score", missing, all).At(path, "").
		Hint("play them with the same command without --limit, or score what was played with --partial")
}

// RulesSHA256 returns the hash by which rules are compared: the SHA-256 of their canonical JSON, in
// hex.
func RulesSHA256(r schemas.Rules) string { return digest.SHA256(canon.MustMarshal(r)) }

// Row is the score of a split, or of a group of its instances.
type Row struct {
	Split       string                  `json:"split"`
	SplitSHA256 string                  `json:"split_sha256"`
	Frozen      bool                    `json:"frozen"` // the split was published
	By          []Group                 `json:"by"`     // what the row is restricted to; [] for the whole split
	N           int                     `json:"n"`      // denominator of the first metric
	Missing     int                     `json:"missing"`
	Infra       int                     `json:"infra"`
	Outcomes    map[string]int          `json:"outcomes"` // items by outcome
	Metrics     map[string]judge.Metric `json:"metrics"`  // null if the endpoint failed too often
	Usage       *schemas.Usage          `json:"usage"`
	Cost        *string                 `json:"cost"`
	Currency    *string                 `json:"currency"` // of cost and of the metrics made of it
	Flags       []string                `json:"flags"`    // what a reader must know before comparing
}

// Has reports whether the row carries a flag, whatever its counts.
func (r Row) Has(flag string) bool {
	return slices.ContainsFunc(r.Flags, func(f string) bool { return f == flag || strings.HasPrefix(f, flag+" ") })
}

// GroupVariant is the name of the group by which the variants of the same instances are told apart.
const GroupVariant = "config"

// Whole reports whether the row covers all instances of its split, of one variant where there are
// several.
func (r Row) Whole() bool {
	return !slices.ContainsFunc(r.By, func(g Group) bool { return g.Name != GroupVariant })
}

// Group is a value of something by which instances are told apart, such as distance or level.
type Group struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Pair compares two variants of the same instances.
type Pair struct {
	Split string  `json:"split"`
	By    []Group `json:"by"`
	judge.Contrast
}

// Effect is the mean of the pairs of one effect.
type Effect struct {
	Split string  `json:"split"`
	By    []Group `json:"by"`
	judge.Change
}

// Disagreement is a place where a log and the replay differ. Step 0 is the item's own record.
type Disagreement struct {
	Line     int    `json:"line,omitempty"` // of the log's main file, 0 where it is of no line
	Item     string `json:"item"`
	Instance string `json:"instance"`
	Attempt  int    `json:"attempt"`
	Step     int    `json:"step"`
	Field    string `json:"field"`
	Log      string `json:"log"`
	Replay   string `json:"replay"`
}

func (d Disagreement) place() string {
	if d.Line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d", d.Line)
}

// Dropped counts what an interrupted run left behind; it is not scored.
type Dropped struct {
	TornLines  int `json:"torn_lines"`
	LooseSteps int `json:"loose_steps"` // of items without a line of their own
}

// OutcomeMissing is the outcome of a Result that stands for what nobody played.
const OutcomeMissing = "missing"

type Result struct {
	Split    string
	Task     string // id of the task
	Instance string
	Attempt  int
	Source   uint32 // nodes between which a game of links was played, 0 for other items
	Target   uint32
	Length   int // turns of an optimal player
	Outcome  string
	Success  bool
	Excess   int // turns of a success beyond Length
	Optimal  int // turns that were optimal, of Counted
	Counted  int
	Visits   int // to the state that was visited most
}

// Items lists what came of every item, in the order of Results.
func (s *Scores) Items() []schemas.Result {
	list := make([]schemas.Result, len(s.Results))
	run, model := "", ""
	if s.Run != nil {
		run = *s.Run
	}
	if s.Model != nil {
		model = s.Model.Name
	}
	for i, r := range s.Results {
		list[i] = schemas.Result{
			Schema: schemas.ResultSchema, ManifestID: s.ManifestID, Family: s.Family, Run: run, Model: model,
			Split: r.Split, Task: r.Task, Instance: r.Instance, Attempt: r.Attempt, Outcome: r.Outcome,
			Success: r.Success,
		}
	}
	return list
}

// Statement is a move with what its player said of it, and what the replay knows of it.
type Statement struct {
	Run         string
	Game        string
	Instance    string
	Attempt     int
	Step        int
	To          uint32 // node
	Title       string // of To
	Banned      string // the category that must not be entered
	Labels      []string
	Restriction string // why To is allowed
	Violates    bool   // To is banned
}
