// Package family is the contract between the families of instances and all that faces people:
// whoever plays, serves, imports, scores or compares instances knows a family by these types alone.
//
// A Family reads its options and opens a release. A Set is what can be played of that release; it
// starts an Episode for each Task and scores the log of a run. An Episode is one game, or one
// question, which is a game of one turn. What only some families offer is a small interface of its
// own (Importer, Reasoned, Advised, ...), which a door asks for by type assertion and never by
// name; a door that a family lacks says so with the list of those that have it.
//
// The package holds types and the few functions that follow from them. It plays, reads and scores
// nothing.
package family

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Family is a kind of instance with its game and its judge.
type Family interface {
	// Name returns the family's name, which is that of its folders.
	Name() string
	// Options reads rules of the form NAME=VALUE over the family's defaults. A name or value that
	// the family does not have is a fault.Usage that lists those it has.
	Options(texts []string) (Options, error)
	// ReadOptions reads the canonical object that Options.JSON holds, whole or with fields left
	// out, which then have their defaults. Unknown fields, wrong types and values are a
	// fault.Usage.
	ReadOptions(data json.RawMessage) (Options, error)
	// Words names what a player at an interface reads and how its replies are read.
	Words(o Options, m Manner) (Words, error)
	// Open returns what can be played of a release. fault.NotFound if the release has nothing of
	// the family, fault.Usage if it lacks what the options show.
	Open(r *open.Release, o Options) (Set, error)
	// Layout says which files a run directory of the family has.
	Layout() trace.Layout
	// Columns lists the metrics that tables show, the one that ranks first.
	Columns() []Column
}

// Options are rules of one family, checked. Value is what the family made of them.
type Options struct {
	JSON  json.RawMessage // canonical object with every rule
	Value any
}

// Manner is how a player meets an episode.
type Manner struct {
	Interface string // one of the schemas.Interface words
	Parser    string // name of the parser of replies in words; "" for the family's default
	// Prompt is the user's own words, of a Templated family; nil for those of the family.
	Prompt *wording.Template
}

// Hosted reports whether episodes are begun by clients, and not by the runner.
func (m Manner) Hosted() bool {
	switch m.Interface {
	case schemas.InterfaceHTTP, schemas.InterfaceMCP, schemas.InterfaceEnv:
		return true
	}
	return false
}

// Words pins the text around an episode, for the identity of a score.
type Words struct {
	Prompt, Parser, Format *schemas.Versioned // null where the interface has none
	Schema                 json.RawMessage    // of Format: the JSON schema that a reply is asked to follow
	Temperature            string             // a model's where its user names none; "" leaves it to the endpoint
}

// Set is what can be played of one release. It is safe for concurrent use.
type Set interface {
	// Splits lists the splits in the release's order.
	Splits() []Split
	// Tasks lists a split's tasks in the order of play, shared: the first most of them, or all if
	// most is 0; nil for an unknown split. A set may leave to it what opening need not read, and
	// then reads no file, and of a file no record, that comes after the tasks it lists. The digest
	// of what it reads is always checked; that the records are as many as the manifest says, and
	// none stands twice, holds of those it has read. Listing all checks all, and Score does too.
	Tasks(split string, most int) ([]Task, error)
	// Start begins the episode of a task. The options may differ from those that the set was opened
	// with: a fault.Usage says that the release lacks what they show.
	Start(t Task, o Options, m Manner) (Episode, error)
	// Baselines lists the players that the family brings along.
	Baselines() []Baseline
	// Score replays what a log holds. With non-nil Scores the error says what is wrong with the
	// log, and the scores hold what the release says: fault.Mismatch for disagreements,
	// fault.Failure for too many items on which the endpoint failed.
	Score(log *trace.Log, req Request) (*Scores, error)
}

// TasksByID returns the tasks of all splits.
func TasksByID(s Set) (map[string]Task, error) {
	all := map[string]Task{}
	for _, split := range s.Splits() {
		tasks, err := s.Tasks(split.Name, 0)
		if err != nil {
			return nil, err
		}
		for _, t := range tasks {
			all[t.ID] = t
		}
	}
	return all, nil
}

// Split is a list of instances that are scored together.
type Split struct {
	Name      string
	SHA256    string // of the published file
	Requested int    // instances asked for; more than Got if the split is short
	Got       int    // instances; 0 where a set has not read them yet and no manifest counts them
	Closed    bool   // not offered to outside players and not played unless named: its name tells the answer
	// Contaminated says that the release's own training set was drawn without regard to the split.
	Contaminated bool
}

// Short reports whether the split has fewer instances than were asked for.
func (s Split) Short() bool { return s.Got < s.Requested }

// First returns the tasks of a whole list that Set.Tasks asks for.
func First(tasks []Task, most int) []Task {
	if most > 0 && most < len(tasks) {
		return tasks[:most]
	}
	return tasks
}

// Task is something to play: an instance, in one of the variants that the options ask for. Outside
// players are shown ID and Info, and never Instance: a published id may tell the answer.
type Task struct {
	ID       string // unique in the set
	Instance string // its published id; several tasks of one instance differ in their variant
	Variant  string // "" where there are no variants
	Split    string
	Attempt  int // at the task, from 1, where an episode of it begins; 0 is the first
	// Info is what outside players may know before: an object without distance, answer or feature.
	Info any
	// Posed is what the set keeps of a task that it posed; nil for a task of the release.
	Posed any
}

// Episode is one game under way. One goroutine uses it at a time.
type Episode interface {
	// Observe returns what a player may see now: a JSON object, owned by the caller.
	Observe() any
	// Messages returns the same in words, with the dialogue that led here.
	Messages() []schemas.Message
	// Tools lists what a player may call now; nil where replies are text.
	Tools() []Tool
	// Step returns the number of the turn to come, from 1.
	Step() int
	// Act makes a turn. A *Refusal leaves the episode as it was.
	Act(r Reply) (Turn, error)
	// Stop ends a running episode from outside, with one of the schemas.Outcome words.
	Stop(outcome string)
	// Outcome returns "" while the episode runs.
	Outcome() string
	// Record returns the lines of an episode that has ended.
	Record(r Recording) Record
}

// Reply is what a player does in a turn. Players set what they have; an episode takes the first of
// Answer, Calls, Choice, Title, Back and Text that is there and that it knows.
type Reply struct {
	Text   *string           // words, read by the family's parser
	Choice *int              // number of an option that the observation lists
	Title  *string           // name of such an option
	Back   bool              // the way back, in games that have one
	Calls  []Call            // of tools
	Answer *string           // what is handed in, in games that end with that
	Stated map[string]string // what is said beside a choice or title, by the field of a reply in words

	// Strict asks for a *Refusal instead of an invalid turn where the choice is not one of those
	// listed: for programs, whose error it is and not a model's.
	Strict bool
	Said
}

// Said is what came with a reply, for the record.
type Said struct {
	PromptSHA256 string // of the messages in canonical JSON
	Reasoning    *string
	Usage        *schemas.Usage
	Served       *schemas.Served
	Cost         *string
	Retries      int
	Flag         string // one of the schemas.Flag words, or ""
	LatencyMS    int64
}

// Call is a call of a tool.
type Call struct {
	ID        string          `json:"id,omitempty"` // as the player names it, "" for no name
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // as sent; a JSON string holds what was no JSON object
}

type Tool struct {
	Name        string
	Title       string // for people
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

type Turn struct {
	Valid   bool
	Reason  string // why it was not valid
	Counted bool   // consumed a turn
}

// Refusal is a reply that an outside player should not have sent. Code is one of the Code words.
type Refusal struct {
	Code    string
	Field   string // of the reply, "" for the reply as a whole
	Message string
}

func (r *Refusal) Error() string { return r.Message }

func Refuse(code, field, format string, args ...any) *Refusal {
	return &Refusal{code, field, fmt.Sprintf(format, args...)}
}

// Recording is what an episode does not know of itself.
type Recording struct {
	Run            *schemas.Run
	Item           string // name of the episode in its run
	Attempt        int    // from 1
	Started, Ended time.Time
	Retried        bool    // asked or played more than once because the endpoint failed
	Reason         *string // of schemas.OutcomeInfra
}

// Record is an episode as the files of its Layout hold it.
type Record struct {
	Main any
	Side []any
}

// Baseline is a player that needs nobody to ask.
type Baseline struct {
	Name   string
	Kind   string // schemas.KindLocal, or schemas.KindOracle for one that knows what no player may
	Says   string // one sentence for help texts
	Series string // how lists call it together with others that differ in a number; "" for its name
	Splits []string
	// Start seats the player at an episode of its set. It draws from seat's stream alone.
	Start func(e Episode, seat Seat) func() (Reply, error)
}

// Plays reports whether the baseline plays a split; one that names none plays all.
func (b Baseline) Plays(split string) bool {
	return len(b.Splits) == 0 || slices.Contains(b.Splits, split)
}

// Seat is where a baseline sits.
type Seat struct {
	Task    Task
	Attempt int // from 1
	Seed    int64
	Player  string // name of the baseline
}

// Stream returns the random stream of this player in this episode: its draws depend on no other.
func (s Seat) Stream(parts ...string) *rng.Stream {
	return rng.New(uint64(s.Seed), append([]string{"player", s.Player}, parts...)...)
}

type Request struct {
	Splits   []string // nil: those of the run, or all
	Attempts int      // expected of each instance; 0: those of the run, or 1
	Partial  bool     // what is missing is left out instead of being a failure
	MaxInfra int      // failures of the endpoint in a split up to which it gets a score
	Seed     int64    // of the bootstrap
	Options  []string // NAME=VALUE: how to score where the family leaves a choice
	PassAt   []int    // the k of pass@k; nil for all, none of a run with one attempt
	Reparse  string   // a parser of a Rereader by which replies are read in place of the run's; "" for that
}

// Columns and what they mean.

type Column struct {
	Heading string
	Metric  string // key of Row.Metrics
	Better  int    // 1 if more is better, -1 if less is, 0 if neither
	Detail  bool   // shown by score alone, not where runs are compared
}

// Importer is a family whose instances other harnesses and people have played.
type Importer interface{ Imports() []Import }

type Import struct {
	Format string
	Says   string // one sentence for help texts
	// Read turns the file at path, or the folder, into a run.
	Read func(set Set, path string, req ImportRequest) (*Imported, error)
}

// ImportRequest says how a foreign file is meant.
type ImportRequest struct {
	Options   Options     // the rules that the file's instances were played by, unless it says so itself
	Given     []string    // the same as the user gave them
	Model     string      // whose, where a file has several; "" for the only one
	Unchecked bool        // played on another graph: no link is looked at
	Run       schemas.Run // release, tool and family; Read completes it
}

// RejectInfra is why an import leaves out a line that says that an endpoint failed: it cannot know.
const RejectInfra = "infra"

// Imported is a run as it is written to a directory.
type Imported struct {
	Run     schemas.Run
	Import  schemas.Import
	Records []Record
}

// Reasoned is a Set whose players give reasons that a model can judge.
type Reasoned interface {
	// Reasons lists the statements of the games of a log, which must agree with the release.
	Reasons(log *trace.Log, seed int64) (Reasons, error)
}

// Reasons are what players said of their moves.
type Reasons struct {
	Statements []Statement
	Games      []string                                    // of which a verdict may be had, each once
	Lead       func(node uint32) (text string, known bool) // beginning of a page's text
}

// Named is an Episode that doors name before its first observation, which says the name.
type Named interface{ Name(item string) }

// Advised is an Episode whose oracle can be asked what an optimal player would do.
type Advised interface {
	// Oracle returns a JSON object that no player may see.
	Oracle() any
}

// Timed is an Episode with a wall clock: whatever is under way at its deadline ends it with
// schemas.OutcomeTimeout.
type Timed interface{ Deadline() time.Time }

// Traced is an Episode that can be told afterwards turn by turn.
type Traced interface {
	// Trace returns a JSON array of the turns so far, with what only an oracle knows if oracle.
	Trace(item string, oracle bool) any
}

// Revealing is a Family with options that tell a player what only an oracle knows.
type Revealing interface {
	// Reveals returns the rule of o that does, as NAME=VALUE; "" if none does.
	Reveals(o Options) string
}

// Templated is a Family whose games can be put in the user's own words.
type Templated interface {
	// Form says what a template may hold: fault.Usage where the manner shows no words.
	Form(o Options, m Manner) (wording.Form, error)
}

// DoorTemplate is what NotOffered calls the door that Templated opens.
const DoorTemplate = "prompt of the user's own (--prompt)"

// NoReader returns the error of a template for a player that reads no words.
func NoReader() error {
	return fault.New(fault.Usage, "--prompt: this player reads no words").Hint("leave the flag out")
}

// WordsOf returns the words of a family, or the user's own where the manner has some: fault.Usage
// for a template that the family cannot fill in.
func WordsOf(f Family, o Options, m Manner) (Words, error) {
	w, err := f.Words(o, m)
	if err != nil || m.Prompt == nil {
		return w, err
	}
	t, ok := f.(Templated)
	if !ok {
		return w, NotOffered(f, DoorTemplate, nil)
	}
	form, err := t.Form(o, m)
	if err == nil {
		err = m.Prompt.Check(form)
	}
	w.Prompt = m.Prompt.Versioned()
	return w, err
}

// Masking is a Family with options that hide what things are called. Lists hide it as well, so such
// a rule holds for all games of a server, and no game may ask for another.
type Masking interface {
	// Masks returns the rule of o that does, as NAME=VALUE; "" if none does.
	Masks(o Options) string
}

// Masks returns the rule of o that hides what things are called, "" if none does.
func Masks(f Family, o Options) string {
	if m, ok := f.(Masking); ok {
		return m.Masks(o)
	}
	return ""
}

// Settling is a Family with rules whose defaults a release decides.
type Settling interface {
	// Settle returns the rules with what the release brings along for them.
	Settle(r *open.Release, o Options) (Options, error)
}

// Settle returns the rules of a family for a release.
func Settle(f Family, r *open.Release, o Options) (Options, error) {
	if s, ok := f.(Settling); ok {
		return s.Settle(r, o)
	}
	return o, nil
}

// Flagged is a Family some of whose options have flags of their own, for which --option stands as
// well.
type Flagged interface{ Flags() []Flag }

type Flag struct {
	Option string // the flag's name has hyphens in place of underscores
	Usage  string
	Scored bool // a choice of Request.Options, for score, and not a rule of play
}

// Introduced is a Family that says in a sentence what is played.
type Introduced interface{ Introduction() string }

// Armed is a Family some of whose options are configurations of oracles: report compares runs that
// differ in nothing else as arms of one player.
type Armed interface {
	// Arm returns the configuration that o is; false for options that are none.
	Arm(o Options) (Arm, bool)
}

type Arm struct {
	Config  string          // base, or which of P (plan), S (state) and H (history) intervene
	Planned bool            // P is among them
	Plan    string          // how far it looks, "" for one step
	Rest    json.RawMessage // the options without what makes the configuration
}

// Twinned is a Family whose instances can be played once more with less to know: report pairs runs
// that differ in nothing else.
type Twinned interface {
	// Twin returns how an instance is played under o.
	Twin(o Options) Twin
}

// Twin is one of the ways to play an instance.
type Twin struct {
	Less string          // the rule that leaves less to know, as NAME=VALUE; "" for all there is
	Rest json.RawMessage // the options without it
}

// Charted is a Set that is played on the links between pages, all of which anybody may be shown.
type Charted interface {
	Chart() (Chart, error)
	// Finder returns a function that finds a page by its title, exact ones first, then those of
	// redirects.
	Finder() (func(title string) (node uint32, ok bool), error)
}

// Chart is a graph of pages with its distances. Slices are shared.
type Chart interface {
	Len() int
	PageID(u uint32) uint32
	Title(u uint32) string
	Node(pageID uint32) (u uint32, ok bool)
	Successors(u uint32) []uint32
	Column(target uint32) ([]uint8, error) // of each node, the links on a shortest path to target
}

// Described is a Set that says what makes its instances hard.
type Described interface {
	// Difficulty returns what is known of an instance; false for an instance that is not there.
	Difficulty(instance string) (Difficulty, bool)
}

type Difficulty struct {
	Length   int    // turns of an optimal player
	Called   string // what Length is called, such as distance
	Features []Feature
}

// Feature is a named number, or a named category where Value does not parse as a decimal.
type Feature struct{ Name, Value string }

// Decomposed is a Family that says what stands between a run and success.
type Decomposed interface {
	// Causes lists metrics whose values sum to 1 with the share of what was won.
	Causes() []Column
}

// Clustered is a Set whose instances come in clusters that are measured as wholes, such as the
// questions about a maze.
type Clustered interface {
	// Clusters lists the clusters in the order of the release; all have the same measures.
	Clusters() ([]Cluster, error)
}

// Cluster is instances, and what is measured of all of them together.
type Cluster struct {
	Name      string
	Instances []string
	Measures  []Feature
}

// Drawn is a Set whose instances can be drawn.
type Drawn interface {
	// Drawing draws the instance of a task, laid out, with what only an oracle knows of it:
	// fault.NotFound for a task that there is not.
	Drawing(t Task) (dag.Drawing, error)
}

// Keyed is a Set that can tell what is right, for other harnesses that score by themselves.
type Keyed interface {
	// Key returns what no player may see of a task.
	Key(t Task) (Key, error)
}

type Key struct {
	Target  string   // where a game leads, or what is right to say
	Targets []string // all that is as right, where there may be several
	Choices []string // what is to be chosen from, where a question has a list of it
}

// Rereader is a Family that reads the replies of a run again under another parser.
type Rereader interface{ Parsers() []string }

// Bare is a Family that can be scored on its own files in a folder, without a release.
type Bare interface {
	OpenFolder(dir string, o Options) (Set, error)
}

// NotOffered returns the error of a door that a family lacks; have lists the families that have it.
func NotOffered(f Family, door string, have []string) error {
	return fault.New(fault.Usage, "--family %s: this family has no %s", f.Name(), door).Hint("%s: %s", door, cmp.Or(strings.Join(have, ", "), "no family here"))
}
