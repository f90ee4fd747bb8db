package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// LuminaRelease is what the judge needs of a release to score episodes of the three worlds.
type LuminaRelease struct {
	Name           string
	ID             string
	ManifestSHA256 string
	Splits         []LuminaSplit
	Book           *lumina.Book
}

// LuminaSplit is one frozen list of instances.
type LuminaSplit struct {
	Name      string // <env>/<split>
	SHA256    string
	Instances []*worlds.Instance // sorted by id
}

// LuminaRequest says what to score.
type LuminaRequest struct {
	Splits   []string // nil: those of the run, or all that occur
	Partial  bool     // episodes that are not there are left out instead of being failures
	MaxInfra int      // infra episodes of a cell up to which it gets a success rate
	Seed     int64    // of the bootstrap
}

// ScoreLumina replays the replies of log and gives their scores. Of a log it trusts the instance, the configuration, the replies, and
// that an episode ended for no fault of the model; whatever else it says is compared with the replay, and the replay counts.
//
// With non-nil scores the error says what is wrong with the log: fault.Mismatch for differences, else fault.Failure for too
// many infra episodes. Without scores nothing was replayed: fault.Usage or fault.Malformed.
func ScoreLumina(rel LuminaRelease, log *trace.LuminaLog, req LuminaRequest) (*LuminaScores, error) {
	j := &luminaJudge{rel: rel, log: log, req: req, opts: lumina.Defaults(), told: map[luminaKey]*luminaVerdict{}, known: map[string]luminaPlace{}}
	if err := j.prepare(); err != nil {
		return nil, err
	}
	for _, e := range log.Episodes {
		if err := j.judge(e); err != nil {
			return nil, err
		}
	}
	scores := j.scores()
	return scores, scores.fault(log.Path, req.MaxInfra)
}

type luminaJudge struct {
	rel       LuminaRelease
	log       *trace.LuminaLog
	req       LuminaRequest
	opts      schemas.LuminaOptions
	splits    []LuminaSplit // to score
	configs   []string      // to score
	known     map[string]luminaPlace
	told      map[luminaKey]*luminaVerdict
	disagreed []Disagreement
}

// luminaKey names an episode.
type luminaKey struct{ instance, config string }

type luminaPlace struct {
	inst  *worlds.Instance
	split string
}

func (j *luminaJudge) prepare() error {
	for _, s := range j.rel.Splits {
		for _, inst := range s.Instances {
			j.known[inst.ID] = luminaPlace{inst, s.Name}
		}
	}
	if run := j.log.Run; run != nil {
		if err := lumina.CheckOptions(run.Options); err != nil {
			return fault.New(fault.Malformed, "%w", err).At(j.log.Path, trace.RunFile)
		}
		j.opts = run.Options
		if run.ReleaseID != j.rel.ID || run.ManifestSHA256 != j.rel.ManifestSHA256 {
			return fault.New(fault.Mismatch, "played on release %s (manifest %s), this one is %s (manifest %s)",
				fault.Quote(run.ReleaseID), fault.Quote(run.ManifestSHA256), j.rel.ID, j.rel.ManifestSHA256).At(j.log.Path, trace.RunFile)
		}
	}
	return j.choose()
}

// choose settles which splits and configurations are scored.
func (j *luminaJudge) choose() error {
	names, configs := j.req.Splits, []string(nil)
	if run := j.log.Run; run != nil {
		configs = run.Configs
		if names == nil {
			names = run.Splits
		}
	}
	if names == nil {
		names = j.occurring(func(e trace.LuminaEpisode) string { return j.known[e.InstanceID].split })
	}
	if configs == nil {
		configs = j.occurring(func(e trace.LuminaEpisode) string { return e.Config })
	}
	for _, s := range j.rel.Splits {
		if slices.Contains(names, s.Name) {
			j.splits = append(j.splits, s)
		}
	}
	if i := slices.IndexFunc(names, func(n string) bool { return !slices.Contains(j.splitNames(), n) }); i >= 0 {
		return fault.New(fault.Usage, "the release has no split %s to score", fault.Quote(names[i])).Hint("it has %s", strings.Join(j.splitNames(), ", "))
	}
	for _, name := range lumina.ConfigNames() { // their order is that of the table
		if slices.Contains(configs, name) {
			j.configs = append(j.configs, name)
		}
	}
	return nil
}

func (j *luminaJudge) splitNames() []string {
	var names []string
	for _, s := range j.rel.Splits {
		names = append(names, s.Name)
	}
	return names
}

// occurring lists the names that the log's episodes have, but for "".
func (j *luminaJudge) occurring(name func(trace.LuminaEpisode) string) []string {
	names := []string{}
	for _, e := range j.log.Episodes {
		if n := name(e); n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// judge replays an episode. One that belongs nowhere is listed and counts for nothing.
func (j *luminaJudge) judge(told trace.LuminaEpisode) error {
	place, ok := j.known[told.InstanceID]
	if !ok {
		j.note(told, 0, "instance_id", fault.Quote(told.InstanceID), "not in the release")
		return nil
	}
	cfg, err := lumina.ParseConfig(told.Config)
	if err != nil || !slices.Contains(j.configs, told.Config) {
		j.note(told, 0, "config", fault.Quote(told.Config), "not among those of the run")
		return nil
	}
	if !slices.ContainsFunc(j.splits, func(s LuminaSplit) bool { return s.Name == place.split }) {
		return nil
	}
	e, err := lumina.New(place.inst, cfg, j.opts, j.rel.Book)
	if err != nil {
		return err
	}
	j.told[luminaKey{told.InstanceID, told.Config}] = j.replay(told, e)
	j.compareEpisode(told, e, cfg)
	return nil
}

// replay plays the replies again.
func (j *luminaJudge) replay(told trace.LuminaEpisode, e *lumina.Episode) *luminaVerdict {
	v := newLuminaVerdict(e.Instance())
	for i, s := range told.Steps {
		if e.Done() {
			j.note(told, i+1, "steps", fmt.Sprint(len(told.Steps)), fmt.Sprint(i))
			break
		}
		before := e.State()
		step := e.Play(*s.Reply)
		v.count(step, before)
		j.compareLuminaStep(told, s, step)
	}
	if told.Outcome != nil && *told.Outcome == schemas.OutcomeInfra {
		e.Fail()
	}
	if v.outcome = e.Outcome(); v.outcome == "" {
		v.outcome = OutcomeIncomplete
	}
	return v
}

// OutcomeIncomplete is the outcome of an episode whose replies stop before its end. It is a failure.
const OutcomeIncomplete = "incomplete"

func (j *luminaJudge) compareLuminaStep(told trace.LuminaEpisode, s trace.LuminaStep, step schemas.LuminaStep) {
	compareTold(j, told, step.T, "t", s.T, step.T)
	compareTold(j, told, step.T, "state_digest", s.StateDigest, step.StateDigest)
	compareTold(j, told, step.T, "status", s.Status, step.Status)
	compareTold(j, told, step.T, "optimal", s.Optimal, step.Optimal)
	compareTold(j, told, step.T, "dead", s.Dead, step.Dead)
	compareTold(j, told, step.T, "obs", s.Obs, step.Obs)
	compareTold(j, told, step.T, "prompt_sha256", s.PromptSHA256, step.PromptSHA256)
	if s.Action != nil && (step.Action == nil || *s.Action != *step.Action) {
		j.note(told, step.T, "action", text(s.Action), text(step.Action))
	}
	if s.AStar != nil && !slices.Equal(s.AStar, step.AStar) {
		j.note(told, step.T, "a_star", text(s.AStar), text(step.AStar))
	}
}

func (j *luminaJudge) compareEpisode(told trace.LuminaEpisode, e *lumina.Episode, cfg lumina.Config) {
	env := e.Instance().Env
	outcome := e.Outcome()
	if outcome == "" {
		outcome = OutcomeIncomplete
	}
	compareTold(j, told, 0, "outcome", told.Outcome, outcome)
	compareTold(j, told, 0, "manifest_sha256", told.ManifestSHA256, j.rel.ManifestSHA256)
	compareTold(j, told, 0, "template_sha256", told.TemplateSHA256, prompt.TemplateSHA256(env))
	compareTold(j, told, 0, "fewshot_sha256", told.FewshotSHA256, j.rel.Book.FewshotSHA256(env, cfg))
}

// compareTold lists a field that the log tells otherwise; what it does not tell cannot differ.
func compareTold[T comparable](j *luminaJudge, e trace.LuminaEpisode, step int, field string, told *T, replay T) {
	if told != nil && *told != replay {
		j.note(e, step, field, text(*told), text(replay))
	}
}

func (j *luminaJudge) note(e trace.LuminaEpisode, step int, field, log, replay string) {
	j.disagreed = append(j.disagreed, Disagreement{
		Game: e.InstanceID + "/" + e.Config, Instance: e.InstanceID, Attempt: 1, Step: step, Field: field, Log: log, Replay: replay,
	})
}
