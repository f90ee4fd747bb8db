package judge

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// LuminaScoresSchema names the record's version. 1: first layout.
const LuminaScoresSchema = "lumina.scores/1"

// AllLevels is the level of a row that covers its split.
const AllLevels = "all"

// LuminaScores is what a score run over the three worlds gives: summary.json of a run directory.
type LuminaScores struct {
	Schema         string                `json:"schema"`
	Run            *string               `json:"run"` // null for a file that names none, as Model
	Model          *schemas.Model        `json:"model"`
	Release        string                `json:"release"`
	ManifestID     string                `json:"manifest_id"`
	ManifestSHA256 string                `json:"manifest_sha256"`
	Options        schemas.LuminaOptions `json:"options"`
	Partial        bool                  `json:"partial"`
	Rows           []LuminaRow           `json:"rows"`    // by split, level (all of them first) and configuration
	Pairs          []LuminaPair          `json:"pairs"`   // in the same order
	Effects        []LuminaEffect        `json:"effects"` // in the same order
	Disagreements  []Disagreement        `json:"disagreements"`
	TornLines      int                   `json:"torn_lines"`
}

// LuminaRow is the score of one cell.
type LuminaRow struct {
	Split       string            `json:"split"`
	SplitSHA256 string            `json:"split_sha256"`
	Level       string            `json:"level"`
	Config      string            `json:"config"`
	N           int               `json:"n"` // denominator of the success rate
	Missing     int               `json:"missing"`
	Infra       int               `json:"infra"`
	Outcomes    map[string]int    `json:"outcomes"` // episodes by outcome
	Metrics     map[string]Metric `json:"metrics"`  // null if there were too many infra episodes
}

func (j *luminaJudge) scores() *LuminaScores {
	s := &LuminaScores{
		Schema: LuminaScoresSchema, Release: j.rel.Name, ManifestID: j.rel.ID, ManifestSHA256: j.rel.ManifestSHA256,
		Options: j.opts, Partial: j.req.Partial, Rows: []LuminaRow{}, Pairs: []LuminaPair{}, Effects: []LuminaEffect{},
		Disagreements: append([]Disagreement{}, j.disagreed...), TornLines: j.log.TornLines,
	}
	if run := j.log.Run; run != nil {
		s.Run, s.Model = &run.Run, &run.Model
	}
	for _, split := range j.splits {
		for _, level := range levelsOf(split) {
			j.addLevel(s, split, level)
		}
	}
	return s
}

// levelsOf lists all levels, and before them the row that covers them.
func levelsOf(split LuminaSplit) []string {
	var levels []string
	for _, inst := range split.Instances {
		if !slices.Contains(levels, inst.Level) {
			levels = append(levels, inst.Level)
		}
	}
	slices.Sort(levels)
	return append([]string{AllLevels}, levels...)
}

func (j *luminaJudge) addLevel(s *LuminaScores, split LuminaSplit, level string) {
	cells := map[string]*luminaCell{}
	for _, config := range j.configs {
		c := j.cell(split, level, config)
		cells[config] = c
		s.Rows = append(s.Rows, j.row(c, split.SHA256))
	}
	pairs, effects := comparePairs(cells, j.req.Seed, split.Name, level)
	s.Pairs = append(s.Pairs, pairs...)
	s.Effects = append(s.Effects, effects...)
}

func (j *luminaJudge) cell(split LuminaSplit, level, config string) *luminaCell {
	c := &luminaCell{split: split.Name, level: level, config: config, partial: j.req.Partial}
	c.instances = slices.DeleteFunc(slices.Clone(split.Instances), func(i *worlds.Instance) bool {
		return level != AllLevels && i.Level != level
	})
	for _, inst := range c.instances {
		c.verdicts = append(c.verdicts, j.told[luminaKey{inst.ID, config}])
	}
	return c
}

func (j *luminaJudge) row(c *luminaCell, sha string) LuminaRow {
	r := LuminaRow{Split: c.split, SplitSHA256: sha, Level: c.level, Config: c.config, N: c.n()}
	r.Outcomes, r.Missing, r.Infra = c.outcomes()
	if r.Infra <= j.req.MaxInfra {
		r.Metrics = c.metrics()
	}
	return r
}

// fault says what keeps the scores from standing; a log that the replay contradicts comes first.
func (s *LuminaScores) fault(path string, maxInfra int) error {
	if n := len(s.Disagreements); n > 0 {
		return fault.New(fault.Mismatch, "the replay contradicts the log in %d places", n).At(path, "").
			Hint("the scores are those of the replay")
	}
	for _, r := range s.Rows {
		if r.Infra > maxInfra {
			return fault.New(fault.Failure, "%s, configuration %s, has %d infra episodes, at most %d are allowed: no score", r.Split, r.Config, r.Infra, maxInfra).
				At(path, "").Hint("play them again, or raise --max-infra-errors")
		}
	}
	return nil
}
