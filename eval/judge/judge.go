// Package judge scores games by playing them again.
//
// It owns the replay, the metrics and their intervals. It promises that a score says what the release's graph says: every
// menu is rebuilt, every choice is checked against it, every derived field is computed again and the computed value counts.
// Each place where the log says something else is listed. It shares no code with the stages that made the instances,
// reads no clock and no file, and draws only the resamples of the bootstrap, from named streams.
//
// Metrics: wikirace specification, section 12; step accuracy: lumina specification, section 9.
package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Release is what the judge needs of a release.
type Release struct {
	Name           string
	ID             string
	ManifestSHA256 string
	World          game.World
	Resolve        func(title string) (uint32, bool) // exact titles first, then aliases
	Splits         []Split
}

// Split is one frozen list of instances.
type Split struct {
	Name         string
	SHA256       string
	Requested    int // instances asked for; more than there are if the split is short
	Instances    []schemas.WikiraceInstance
	Contaminated bool // the release's own training set was drawn without regard to it
}

// Request says what to score.
type Request struct {
	Splits   []string // nil: those of the run, or all of the release
	Attempts int      // games expected of each instance; 0: those of the run, or 1
	Partial  bool     // games that are not there are left out instead of being failures
	MaxInfra int      // infra games of a split up to which it gets a score
	Seed     int64    // of the bootstrap
}

// Disagreement is a place where a log and the replay differ. Step 0 is the game's own record.
type Disagreement struct {
	Game     string `json:"game"`
	Instance string `json:"instance"`
	Attempt  int    `json:"attempt"`
	Step     int    `json:"step"`
	Field    string `json:"field"`
	Log      string `json:"log"`
	Replay   string `json:"replay"`
}

// keptDisagreements bounds the list of a log that is wrong everywhere; the others are counted.
const keptDisagreements = 10_000

// Score replays the games of log and gives their scores. With a non-nil Scores the error says what is wrong with the log and the scores
// hold what the graph says: fault.Mismatch for disagreements, else fault.Failure for too many infra games.
// Without Scores nothing was replayed: a run of another release is fault.Mismatch, an unknown split fault.Usage.
func Score(rel Release, log *trace.GameLog, req Request) (*Scores, error) {
	j := &judge{rel: rel, log: log, req: req, opts: game.Defaults()}
	if err := j.prepare(); err != nil {
		return nil, err
	}
	for _, g := range log.Games {
		if err := j.judgeGame(g); err != nil {
			return nil, err
		}
	}
	scores := j.scores()
	return scores, scores.fault(log.Path, req.MaxInfra)
}

type judge struct {
	rel       Release
	log       *trace.GameLog
	req       Request
	opts      schemas.GameOptions
	known     map[string]*place // by instance id, over all splits
	cells     []*cell           // one per split to score
	pairs     *cell             // imported games of pairs that are no instances
	disagreed []Disagreement
	unlisted  int // disagreements beyond keptDisagreements
}

// place is where an instance's games go: nil for a split that is not scored.
type place struct {
	task game.Task
	cell *cell
}

func (j *judge) prepare() error {
	if run := j.log.Run; run != nil {
		if err := j.adopt(*run); err != nil {
			return err
		}
	}
	if j.req.Attempts == 0 {
		j.req.Attempts = 1
	}
	names := splitNames(j.rel.Splits)
	for _, s := range j.req.Splits {
		if !slices.Contains(names, s) {
			return fault.New(fault.Usage, "the release has no split %s", fault.Quote(s)).Hint("it has %s", strings.Join(names, ", "))
		}
	}
	j.seat(names)
	return nil
}

func splitNames(splits []Split) []string {
	names := make([]string, len(splits))
	for i, s := range splits {
		names[i] = s.Name
	}
	return names
}

// adopt takes from run.json what the request leaves open, and refuses a run of another release.
func (j *judge) adopt(run schemas.GameRun) error {
	if run.ReleaseID != j.rel.ID || run.ManifestSHA256 != j.rel.ManifestSHA256 {
		return fault.New(fault.Mismatch, "played on release %s (manifest %s), this one is %s (manifest %s)",
			fault.Quote(run.ReleaseID), fault.Quote(run.ManifestSHA256), j.rel.ID, j.rel.ManifestSHA256).At(j.log.Path, trace.RunFile)
	}
	if game.HasBan(run.Options) != game.HasBan(j.opts) {
		return fault.New(fault.Usage, "a run of the family %s", fault.Quote(run.Family)).At(j.log.Path, trace.RunFile).Hint("score it with its --family")
	}
	if err := game.CheckOptions(run.Options); err != nil && !j.human() && !j.unchecked() {
		return fault.New(fault.Malformed, "%w", err).At(j.log.Path, trace.RunFile)
	}
	j.opts = run.Options
	if want := game.OptionsSHA256(run.Options); run.OptionsSHA256 != want {
		j.disagree(Disagreement{Game: run.Run, Field: "options_sha256", Log: run.OptionsSHA256, Replay: want})
	}
	if j.req.Splits == nil {
		j.req.Splits = run.Splits
	}
	if j.req.Attempts == 0 {
		j.req.Attempts = run.Attempts
	}
	return nil
}

// seat makes a cell for each split to score, and a place for each instance of the release.
func (j *judge) seat(names []string) {
	if j.req.Splits == nil {
		j.req.Splits = names
	}
	j.known = map[string]*place{}
	for _, s := range j.rel.Splits {
		var c *cell
		if slices.Contains(j.req.Splits, s.Name) {
			c = &cell{split: s.Name, seed: j.req.Seed, expected: len(s.Instances) * j.req.Attempts, partial: j.req.Partial, source: s}
			j.cells = append(j.cells, c)
		}
		for _, inst := range s.Instances {
			j.known[inst.ID] = &place{game.TaskOf(inst), c}
		}
	}
}

// judgeGame replays a game into its cell. A game that belongs nowhere is listed and counts for nothing.
func (j *judge) judgeGame(told trace.Game) error {
	p, err := j.place(told.Instance)
	switch {
	case err != nil:
		return err
	case p == nil:
		j.disagree(at(told, 0, "instance", fault.Quote(told.Instance), "not in the release"))
		return nil
	case p.cell == nil:
		return nil
	case told.Attempt > j.req.Attempts && p.cell != j.pairs:
		j.disagree(at(told, 0, "attempt", fmt.Sprint(told.Attempt), fmt.Sprintf("at most %d", j.req.Attempts)))
		return nil
	}
	v, disagreed, err := j.replay(told, p.task)
	if err != nil {
		return err
	}
	p.cell.add(v)
	j.disagree(disagreed...)
	return nil
}

// replay plays a game again, under the rules that it was played by.
func (j *judge) replay(told trace.Game, task game.Task) (*verdict, []Disagreement, error) {
	if j.unchecked() {
		return uncheckedGame(told, task, j.log)
	}
	if j.human() {
		w := newWalk(j, told, task)
		return w.verdict(), w.disagreed, nil
	}
	r, err := newReplay(j, told, task)
	if err != nil {
		return nil, nil, err
	}
	return r.verdict(), r.disagreed, nil
}

func (j *judge) disagree(list ...Disagreement) {
	room := min(len(list), keptDisagreements-len(j.disagreed))
	j.disagreed = append(j.disagreed, list[:room]...)
	j.unlisted += len(list) - room
}

func at(g trace.Game, step int, field, log, replay string) Disagreement {
	return Disagreement{Game: g.Name(), Instance: g.Instance, Attempt: g.Attempt, Step: step, Field: field, Log: log, Replay: replay}
}
