package judge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Versions of the records of a score. 1: first layout.
const (
	ScoresSchema  = "wikirace.scores/1"
	SummarySchema = "summary/1"
)

// frozen holds the SHA-256 of the splits that were published. There is none yet, so every score is UNFROZEN.
var frozen []string

// Frozen tells whether a split with that SHA-256 was published. Only what was published has numbers on a leaderboard.
func Frozen(sha256 string) bool { return slices.Contains(frozen, sha256) }

// Flags of a summary. Some carry counts: "SHORT 4/6".
const (
	FlagShort        = "SHORT"
	FlagPartial      = "PARTIAL"
	FlagOtherGraph   = "GRAPH?"
	FlagHuman        = "HUMAN"
	FlagUnfrozen     = "UNFROZEN"
	FlagOracle       = "ORACLE"
	FlagContaminated = "CONTAMINATED"
)

// Scores is what a score run gives: summary.json of a run directory.
type Scores struct {
	Schema        string          `json:"schema"`
	Summaries     []Summary       `json:"summaries"` // in the release's order of splits
	Disagreements []Disagreement  `json:"disagreements"`
	Unlisted      int             `json:"unlisted"` // disagreements that were counted and not kept
	Dropped       Dropped         `json:"dropped"`
	Import        *schemas.Import `json:"import,omitempty"` // what an import left out, for imported games
	games         []Result
}

// Games lists every game that was scored, in the order of splits and logs.
func (s *Scores) Games() []Result { return s.games }

// Result is what the replay says of one game.
type Result struct {
	Split    string
	Instance string
	Attempt  int
	Source   uint32
	Target   uint32
	Distance int
	Outcome  string
	Excess   int // turns beyond the distance; of people whose back clicks are not told, links
	Broken   int // moves onto banned pages
	Optimal  int // turns from live states that were optimal
	Counted  int // turns from live states
	Visits   int // to the page that was visited most
}

// Success tells whether the game reached its target, and kept to its ban.
func (r Result) Success() bool { return r.Outcome == schemas.OutcomeSuccess && r.Broken == 0 }

// Dropped counts what an interrupted run left behind; it is not scored.
type Dropped struct {
	TornLines  int `json:"torn_lines"`
	LooseSteps int `json:"loose_steps"`
}

// Summary is the score of one run on one split.
type Summary struct {
	Schema        string            `json:"schema"`
	Run           *string           `json:"run"` // null for a file that names none, as Model
	Release       string            `json:"release"`
	ManifestID    string            `json:"manifest_id"`
	Split         string            `json:"split"`
	SplitSHA256   string            `json:"split_sha256"`
	Frozen        bool              `json:"frozen"`
	OptionsSHA256 string            `json:"options_sha256"`
	Model         *schemas.Model    `json:"model"`
	Attempts      int               `json:"attempts"`
	N             int               `json:"n"` // denominator of the success rate
	Infra         int               `json:"infra"`
	Missing       int               `json:"missing"`
	LeadsMissing  int               `json:"leads_missing"` // menus on pages without a lead, under context=lead
	Outcomes      map[string]int    `json:"outcomes"`      // games by outcome
	Metrics       map[string]Metric `json:"metrics"`       // null if there were too many infra games
	ByDistance    []Row             `json:"by_distance"`
	Usage         *schemas.Usage    `json:"usage"`
	Cost          *string           `json:"cost"`
	Currency      *string           `json:"currency"` // of cost and of the metrics made of it
	Flags         []string          `json:"flags"`
}

// Row is the metrics of a split's instances of one distance.
type Row struct {
	Distance int               `json:"distance"`
	N        int               `json:"n"`
	Metrics  map[string]Metric `json:"metrics"`
}

func (j *judge) scores() *Scores {
	s := &Scores{Schema: ScoresSchema, Summaries: []Summary{}, Disagreements: j.disagreed, Dropped: Dropped(j.log.Dropped), Unlisted: j.unlisted, Import: j.log.Import}
	if s.Disagreements == nil {
		s.Disagreements = []Disagreement{}
	}
	for _, c := range j.cells {
		c.sort()
		s.Summaries = append(s.Summaries, j.summary(c))
		s.games = append(s.games, c.results()...)
	}
	return s
}

// sort puts the games into the order of the split, so that no score depends on the order in which a log has them: the bootstrap draws
// games by their place.
func (c *cell) sort() {
	if len(c.source.Instances) == 0 {
		return // pairs that are no instances have no order but that of their file
	}
	place := map[string]int{}
	for i, inst := range c.source.Instances {
		place[inst.ID] = i
	}
	slices.SortStableFunc(c.games, func(a, b *verdict) int {
		return cmp.Or(cmp.Compare(place[a.id], place[b.id]), cmp.Compare(a.attempt, b.attempt))
	})
}

func (c *cell) results() []Result {
	out := make([]Result, len(c.games))
	for i, v := range c.games {
		out[i] = Result{c.split, v.id, v.attempt, v.source, v.target, v.distance, v.outcome, v.turns - v.distance, v.broken, v.optimal, v.counted, v.maxVisits}
		if c.human && !c.clicks {
			out[i].Excess = v.effective - v.distance
		}
	}
	return out
}

func (j *judge) summary(c *cell) Summary {
	s := Summary{
		Schema: SummarySchema, Release: j.rel.Name, ManifestID: j.rel.ID,
		Split: c.split, SplitSHA256: c.source.SHA256, Frozen: Frozen(c.source.SHA256),
		OptionsSHA256: game.OptionsSHA256(j.opts), Attempts: j.req.Attempts,
		N: c.n(), Infra: c.infra(), Missing: c.missing(), Outcomes: outcomes(c.games), LeadsMissing: int(total(c.games, func(v *verdict) int { return v.leadless })),
		Usage: schemas.SumUsage(c.played(), (*verdict).told), Cost: sumCost(c.played()).text(), Flags: j.flags(c), ByDistance: []Row{},
	}
	if run := j.log.Run; run != nil {
		s.Run, s.Model = &run.Run, &run.Model
		if s.Cost != nil {
			s.Currency = &run.Price.Currency
		}
	}
	if c.infra() <= j.req.MaxInfra {
		s.Metrics, s.ByDistance = c.metrics(), c.byDistance(j.req.Attempts)
	}
	return s
}

func outcomes(games []*verdict) map[string]int {
	counts := map[string]int{}
	for _, v := range games {
		counts[v.outcome]++
	}
	return counts
}

// byDistance gives a row for each distance of the split, ascending.
func (c *cell) byDistance(attempts int) []Row {
	if c.unchecked {
		return []Row{}
	}
	cells := map[int]*cell{}
	for _, inst := range c.source.Instances {
		if cells[inst.Distance] == nil {
			cells[inst.Distance] = &cell{split: c.split, seed: c.seed, partial: c.partial}
		}
		cells[inst.Distance].expected += attempts
	}
	for _, v := range c.games {
		if cells[v.distance] == nil { // of a pair that is no instance
			cells[v.distance] = &cell{split: c.split, seed: c.seed, open: true, human: c.human, clicks: c.clicks}
		}
		cells[v.distance].add(v)
	}
	rows := []Row{}
	for d := range int(schemas.Unreached) + 1 {
		if sub := cells[d]; sub != nil {
			rows = append(rows, Row{d, sub.n(), sub.metrics()})
		}
	}
	return rows
}

// flags says in words what a reader must know before comparing the score.
func (j *judge) flags(c *cell) []string {
	flags := []string{}
	if got := len(c.source.Instances); got < c.source.Requested {
		flags = append(flags, fmt.Sprintf("%s %d/%d", FlagShort, got, c.source.Requested))
	}
	if c.partial && c.missing() > 0 {
		flags = append(flags, fmt.Sprintf("%s %d/%d", FlagPartial, len(c.games), c.expected))
	}
	if c.unchecked {
		flags = append(flags, FlagOtherGraph)
	}
	if c.human {
		flags = append(flags, FlagHuman)
	}
	if !Frozen(c.source.SHA256) {
		flags = append(flags, FlagUnfrozen)
	}
	if !j.human() && !j.unchecked() && j.opts.Oracle != game.OracleNone || j.log.Run != nil && j.log.Run.Model.Kind == schemas.KindOracle {
		flags = append(flags, FlagOracle)
	}
	if c.source.Contaminated {
		flags = append(flags, FlagContaminated)
	}
	return flags
}

// fault says what keeps the scores from standing; a log that the graph contradicts comes first.
func (s *Scores) fault(path string, maxInfra int) error {
	if err := contradicted(path, len(s.Disagreements)+s.Unlisted); err != nil {
		return err
	}
	for _, sum := range s.Summaries {
		if sum.Infra > maxInfra {
			return tooManyInfra(path, sum.Split, sum.Infra, maxInfra)
		}
	}
	return nil
}

func contradicted(path string, places int) error {
	if places == 0 {
		return nil
	}
	return fault.New(fault.Mismatch, "the replay contradicts the log in %d places", places).At(path, "").Hint("the scores are those of the replay")
}

func tooManyInfra(path, split string, infra, most int) error {
	return fault.New(fault.Failure, "split %s has %d infra games, at most %d are allowed: no score", split, infra, most).
		At(path, "").Hint("play them again, or raise --max-infra-errors")
}
