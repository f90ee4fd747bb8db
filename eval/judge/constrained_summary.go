package judge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// BannedScoresSchema names the record's version. 1: first layout.
const BannedScoresSchema = "constrained.scores/1"

// Groups of a BannedRow.
const (
	GroupAll     = "all"
	GroupBan     = "ban"     // by banned category
	GroupBinding = "binding" // by what the ban changes
)

// BannedScores is what a score run over games with a ban gives: summary.json of a run directory.
type BannedScores struct {
	Schema         string         `json:"schema"`
	Run            *string        `json:"run"` // null for a file that names none, as Model
	Model          *schemas.Model `json:"model"`
	Release        string         `json:"release"`
	ManifestID     string         `json:"manifest_id"`
	OptionsSHA256  string         `json:"options_sha256"`
	Attempts       int            `json:"attempts"`
	Rows           []BannedRow    `json:"rows"`
	Disagreements  []Disagreement `json:"disagreements"`
	Unlisted       int            `json:"unlisted"` // disagreements that were counted and not kept
	Dropped        Dropped        `json:"dropped"`
	games          []Result
	statements     []Statement
	statementGames []string
}

// BannedRow is the score of a set, or of a group of its instances.
type BannedRow struct {
	Set       string            `json:"set"`
	SetSHA256 string            `json:"set_sha256"`
	Group     string            `json:"group"`
	Value     string            `json:"value"` // of the group, "" for all
	N         int               `json:"n"`     // denominator of sr, cr, cvr_reach and correct_refusal
	Missing   int               `json:"missing"`
	Infra     int               `json:"infra"`
	Outcomes  map[string]int    `json:"outcomes"` // games by outcome
	Metrics   map[string]Metric `json:"metrics"`  // null if there were too many infra games
	Flags     []string          `json:"flags"`
}

// Games lists every game that was scored, in the order of sets and logs.
func (s *BannedScores) Games() []Result { return s.games }

// Statements lists the moves of the games that were scored, with what their players said of them.
func (s *BannedScores) Statements() []Statement { return s.statements }

// StatedGames lists the games of which a verdict may be had, each once: the units of the bootstrap of verdicts.
func (s *BannedScores) StatedGames() []string { return s.statementGames }

func (j *judge) bannedScores(rel BannedRelease) *BannedScores {
	s := &BannedScores{
		Schema: BannedScoresSchema, Release: j.rel.Name, ManifestID: j.rel.ID, OptionsSHA256: game.OptionsSHA256(j.opts), Attempts: j.req.Attempts,
		Rows: []BannedRow{}, Disagreements: append([]Disagreement{}, j.disagreed...), Unlisted: j.unlisted, Dropped: Dropped(j.log.Dropped),
	}
	if run := j.log.Run; run != nil {
		s.Run, s.Model = &run.Run, &run.Model
	}
	groups := groupsOf(rel.Instances)
	for _, c := range j.cells {
		c.arrange(rel.Tasks(c.split))
		s.Rows = append(s.Rows, j.bannedRow(c, GroupAll, "", rel))
		if c.split == BannedSet {
			for _, g := range groups {
				s.Rows = append(s.Rows, j.bannedRow(c.part(g, j.req.Attempts), g.kind, g.value, rel))
			}
		}
		s.games = append(s.games, c.results()...)
		for _, v := range c.played() {
			s.statements = append(s.statements, v.statements...)
			s.statementGames = append(s.statementGames, v.name)
		}
	}
	return s
}

// arrange puts the games into the order of the tasks, so that no score depends on the order in which a log has them.
func (c *cell) arrange(tasks []game.Task) {
	place := map[string]int{}
	for i, t := range tasks {
		place[t.ID] = i
	}
	slices.SortStableFunc(c.games, func(a, b *verdict) int {
		return cmp.Or(cmp.Compare(place[a.id], place[b.id]), cmp.Compare(a.attempt, b.attempt))
	})
}

// banGroup is instances that have something in common.
type banGroup struct {
	kind, value string
	ids         map[string]bool
}

// groupsOf groups the instances by banned category, in the order of the labels, then by what the ban changes.
func groupsOf(instances []schemas.ConstrainedInstance) []banGroup {
	var groups []banGroup
	add := func(kind string, values []string, of func(schemas.ConstrainedInstance) string) {
		for _, value := range values {
			g := banGroup{kind, value, map[string]bool{}}
			for _, inst := range instances {
				if of(inst) == value {
					g.ids[inst.ID] = true
				}
			}
			if len(g.ids) > 0 {
				groups = append(groups, g)
			}
		}
	}
	add(GroupBan, schemas.LabelNames, func(i schemas.ConstrainedInstance) string { return i.BannedCategory })
	add(GroupBinding, []string{schemas.BindingNone, schemas.BindingWitness, schemas.BindingLonger},
		func(i schemas.ConstrainedInstance) string { return i.Binding })
	return groups
}

// part is the games of a group.
func (c *cell) part(g banGroup, attempts int) *cell {
	return &cell{
		split: c.split + "/" + g.kind + "/" + g.value, seed: c.seed, partial: c.partial, expected: len(g.ids) * attempts, source: c.source,
		games: filter(c.games, func(v *verdict) bool { return g.ids[v.id] }),
	}
}

func (j *judge) bannedRow(c *cell, group, value string, rel BannedRelease) BannedRow {
	row := BannedRow{
		Set: c.source.Name, SetSHA256: c.source.SHA256, Group: group, Value: value, N: c.n(), Missing: c.missing(), Infra: c.infra(),
		Outcomes: outcomes(c.games), Flags: []string{},
	}
	if group == GroupAll {
		row.Flags = j.bannedFlags(c, rel)
	}
	switch {
	case c.infra() > j.req.MaxInfra:
	case row.Set == InfeasibleSet:
		row.Metrics = c.refusalMetrics()
	default:
		row.Metrics = c.banMetrics()
	}
	return row
}

func (j *judge) bannedFlags(c *cell, rel BannedRelease) []string {
	flags := j.flags(c)
	if got := len(rel.Instances); c.split == BannedSet && got < rel.Requested {
		flags = slices.Insert(flags, 0, fmt.Sprintf("SHORT %d/%d", got, rel.Requested))
	}
	return flags
}

// fault says what keeps the scores from standing; a log that the graph contradicts comes first.
func (s *BannedScores) fault(path string, maxInfra int) error {
	if err := contradicted(path, len(s.Disagreements)+s.Unlisted); err != nil {
		return err
	}
	for _, r := range s.Rows {
		if r.Infra > maxInfra {
			return tooManyInfra(path, r.Set, r.Infra, maxInfra)
		}
	}
	return nil
}

// Plain gives the scores in the form of those of games without a ban, for package report: a summary for each set and for each way in which
// bans bind. Their success rate is MetricSR.
func (s *BannedScores) Plain() *Scores {
	out := &Scores{Schema: s.Schema, Disagreements: s.Disagreements, Unlisted: s.Unlisted, Dropped: s.Dropped, games: s.games}
	for _, r := range s.Rows {
		if r.Group == GroupBan {
			continue
		}
		name := r.Set
		if r.Group == GroupBinding {
			name += " binding " + r.Value
		}
		out.Summaries = append(out.Summaries, Summary{
			Run: s.Run, Release: s.Release, ManifestID: s.ManifestID, Split: name, SplitSHA256: r.SetSHA256, OptionsSHA256: s.OptionsSHA256, Model: s.Model,
			Attempts: s.Attempts, N: r.N, Infra: r.Infra, Missing: r.Missing, Outcomes: r.Outcomes, Metrics: r.Metrics, Flags: r.Flags,
		})
	}
	return out
}
