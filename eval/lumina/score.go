package lumina

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Score replays the replies of a log. With non-nil scores the error says what is wrong with the
// log: fault.Mismatch for differences, else fault.Failure for too many infra episodes. Without
// scores nothing was replayed: fault.Usage or fault.Malformed.
func (s *Set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	if len(req.Options) > 0 {
		return nil, fault.New(fault.Usage, "--score-option %s: lumina has no choice of how to score", fault.Quote(req.Options[0]))
	}
	episodes, err := readEpisodes(log)
	if err != nil {
		return nil, err
	}
	j := &scorer{set: s, log: log, req: req, opts: s.opts, episodes: episodes, told: map[string]*verdict{}}
	if err := j.prepare(); err != nil {
		return nil, err
	}
	for _, e := range episodes {
		if err := j.judge(e); err != nil {
			return nil, err
		}
	}
	scores := j.scores()
	return scores, scores.Stand(log.Path, req.MaxInfra)
}

type scorer struct {
	set       *Set
	log       *trace.Log
	req       family.Request
	opts      schemas.LuminaOptions
	episodes  []toldEpisode
	splits    []split             // to score
	configs   []string            // to score
	told      map[string]*verdict // by task
	disagreed []family.Disagreement
}

func (j *scorer) prepare() error {
	run := j.log.Run
	if run == nil {
		return j.choose(j.req.Splits, j.occurring(func(e toldEpisode) string { return e.Config }))
	}
	if run.Family != (Family{}).Name() {
		return fault.New(fault.Usage, "a run of the family %s", fault.Quote(run.Family)).At(j.log.Path, trace.RunFile).Hint("score it with --family %s", run.Family)
	}
	o, err := Family{}.ReadOptions(run.Rules.Options)
	if err != nil {
		return fault.New(fault.Malformed, "%w", err).At(j.log.Path, trace.RunFile)
	}
	j.opts = optionsOf(o)
	if run.ReleaseID != j.set.id || run.ManifestSHA256 != j.set.manifestSHA256 {
		return fault.New(fault.Mismatch, "played on release %s (manifest %s), this one is %s (manifest %s)",
			fault.Quote(run.ReleaseID), fault.Quote(run.ManifestSHA256), j.set.id, j.set.manifestSHA256).At(j.log.Path, trace.RunFile)
	}
	names := j.req.Splits
	if names == nil {
		names = run.Splits
	}
	return j.choose(names, j.opts.Oracle)
}

// choose settles which splits and configurations are scored.
func (j *scorer) choose(names, configs []string) error {
	if names == nil {
		names = j.occurring(func(e toldEpisode) string { return j.set.known[e.InstanceID].split })
	}
	if j.req.Attempts > 1 {
		return fault.New(fault.Usage, "--attempts %d: an instance of lumina is played once in each configuration", j.req.Attempts)
	}
	chosen, err := family.Choose(j.set, names)
	if err != nil {
		return err
	}
	for _, p := range j.set.splits {
		if len(names) > 0 && slices.ContainsFunc(chosen, func(c family.Split) bool { return c.Name == p.Name }) {
			j.splits = append(j.splits, p)
		}
	}
	// Their order is that of the table.
	j.configs = slices.DeleteFunc(ConfigNames(), func(name string) bool { return !slices.Contains(configs, name) })
	return nil
}

// occurring lists the names that the log's episodes have, but for "".
func (j *scorer) occurring(name func(toldEpisode) string) []string {
	names := []string{}
	for _, e := range j.episodes {
		if n := name(e); n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// judge replays an episode. One that belongs nowhere is listed and counts for nothing.
func (j *scorer) judge(told toldEpisode) error {
	place, ok := j.set.known[told.InstanceID]
	if !ok {
		j.note(told, 0, "instance_id", fault.Quote(told.InstanceID), "not in the release")
		return nil
	}
	cfg, err := ParseConfig(told.Config)
	if err != nil || !slices.Contains(j.configs, told.Config) {
		j.note(told, 0, "config", fault.Quote(told.Config), "not among those of the run")
		return nil
	}
	if !slices.ContainsFunc(j.splits, func(p split) bool { return p.Name == place.split }) {
		return nil
	}
	e, err := New(place.inst, cfg, j.opts, j.set.book)
	if err != nil {
		return err
	}
	j.told[taskID(told.InstanceID, told.Config)] = j.replay(told, e)
	j.compareEpisode(told, e)
	return nil
}

// outcomeIncomplete is the outcome of an episode whose replies stop before its end. It is a
// failure.
const outcomeIncomplete = "incomplete"

// replay plays the replies again.
func (j *scorer) replay(told toldEpisode, e *Episode) *verdict {
	v := newVerdict(e.inst)
	for i, s := range told.Steps {
		if e.Done() {
			j.note(told, i+1, "steps", fmt.Sprint(len(told.Steps)), fmt.Sprint(i))
			break
		}
		before := e.state
		step := e.Play(*s.Reply)
		v.count(step, before)
		j.compareStep(told, s, step)
		v.usages = append(v.usages, s.Usage)
	}
	if told.Outcome != nil && (*told.Outcome == schemas.OutcomeInfra || *told.Outcome == schemas.OutcomeGaveUp) {
		e.Stop(*told.Outcome)
	}
	if e.outcome == "" {
		e.outcome = outcomeIncomplete
	}
	v.outcome = e.outcome
	return v
}

func (j *scorer) compareStep(told toldEpisode, s toldStep, step schemas.LuminaStep) {
	compare(j, told, step.T, "t", s.T, step.T)
	compare(j, told, step.T, "state_digest", s.StateDigest, step.StateDigest)
	compare(j, told, step.T, "status", s.Status, step.Status)
	compare(j, told, step.T, "optimal", s.Optimal, step.Optimal)
	compare(j, told, step.T, "dead", s.Dead, step.Dead)
	compare(j, told, step.T, "obs", s.Obs, step.Obs)
	compare(j, told, step.T, "prompt_sha256", s.PromptSHA256, step.PromptSHA256)
	if s.Action != nil && (step.Action == nil || *s.Action != *step.Action) {
		j.note(told, step.T, "action", shown(s.Action), shown(step.Action))
	}
	if s.AStar != nil && !slices.Equal(s.AStar, step.AStar) {
		j.note(told, step.T, "a_star", shown(s.AStar), shown(step.AStar))
	}
}

func (j *scorer) compareEpisode(told toldEpisode, e *Episode) {
	compare(j, told, 0, "outcome", told.Outcome, e.outcome)
	compare(j, told, 0, "manifest_sha256", told.ManifestSHA256, j.set.manifestSHA256)
	compare(j, told, 0, "template_sha256", told.TemplateSHA256, prompt.TemplateSHA256(e.inst.Env))
	compare(j, told, 0, "fewshot_sha256", told.FewshotSHA256, e.fewshot)
}

// compare lists a field that the log tells otherwise; what it does not tell cannot differ.
func compare[T comparable](j *scorer, e toldEpisode, step int, field string, told *T, replay T) {
	if told != nil && *told != replay {
		j.note(e, step, field, shown(*told), shown(replay))
	}
}

// shown is a value as a disagreement shows it.
func shown(v any) string {
	data := canon.MustMarshal(v)
	if len(data) > 200 {
		return fault.Quote(data)
	}
	return string(data)
}

func (j *scorer) note(e toldEpisode, step int, field, log, replay string) {
	j.disagreed = append(j.disagreed, family.Disagreement{
		Item: taskID(e.InstanceID, e.Config), Instance: e.InstanceID, Attempt: 1, Step: step, Field: field, Log: log, Replay: replay,
	})
}

// verdict is what one episode counts for.
type verdict struct {
	inst        *worlds.Instance
	outcome     string
	turns       int
	counted     int // steps whose state before was live
	optimal     int // among counted
	dead        int // steps in a dead state
	deadOptimal int
	queries     int // of a tree, legal
	redundant   int
	onPath      int // queries that a clairvoyant makes, each once
	path        []string
	usages      []*schemas.Usage // told by the steps
}

func newVerdict(inst *worlds.Instance) *verdict {
	return &verdict{inst: inst, path: slices.Clone(inst.OnPath)}
}

func (v *verdict) success() bool { return v.outcome == schemas.OutcomeSuccess }

func (v *verdict) won() int {
	if v.success() {
		return 1
	}
	return 0
}

func (v *verdict) usage() *schemas.Usage {
	return schemas.SumUsage(v.usages, func(u *schemas.Usage) *schemas.Usage { return u })
}

// count books a step; before is the state in which it was made.
func (v *verdict) count(step schemas.LuminaStep, before worlds.State) {
	v.turns++
	n, good := &v.counted, &v.optimal
	if step.Dead {
		n, good = &v.dead, &v.deadOptimal
	}
	*n++
	if step.Optimal {
		*good++
	}
	if tree, ok := before.(*worlds.Tree); ok && step.Status == schemas.StatusLegal {
		v.countQuery(tree, step)
	}
}

func (v *verdict) countQuery(tree *worlds.Tree, step schemas.LuminaStep) {
	call, ok := Parse(schemas.LuminaTree, step.Reply)
	if !ok || call.Name != worlds.GetChildren {
		return
	}
	v.queries++
	if tree.Redundant(call.ID) {
		v.redundant++
	}
	if i := slices.Index(v.path, call.ID); i >= 0 {
		v.onPath++
		v.path = slices.Delete(v.path, i, i+1)
	}
}

func (j *scorer) scores() *family.Scores {
	s := &family.Scores{
		Schema: family.ScoresSchema, Family: Family{}.Name(), Release: j.set.name, ManifestID: j.set.id, Attempts: 1, Partial: j.req.Partial,
		Options: map[string]any{}, Rows: []family.Row{}, Counts: map[string]int{},
		Disagreements: append([]family.Disagreement{}, j.disagreed...), Dropped: family.Dropped{TornLines: j.log.Torn}, Import: j.log.Import,
	}
	if run := j.log.Run; run != nil {
		s.Run, s.Model, s.Rules, s.RulesSHA256 = &run.Run, &run.Model, &run.Rules, run.RulesSHA256
	}
	for _, p := range j.splits {
		for _, level := range levelsOf(p) {
			j.addLevel(s, p, level)
		}
		s.Results = append(s.Results, j.results(p)...)
	}
	return s
}

// allLevels stands for the whole of a split.
const allLevels = ""

// levelsOf lists all levels, and before them that which covers them.
func levelsOf(p split) []string {
	levels := []string{allLevels}
	for _, inst := range p.instances {
		levels = append(levels, inst.Level)
	}
	slices.Sort(levels)
	return slices.Compact(levels)
}

func (j *scorer) addLevel(s *family.Scores, p split, level string) {
	by := []family.Group{}
	if level != allLevels {
		by = append(by, family.Group{Name: "level", Value: level})
	}
	var arms []judge.Arm
	for _, config := range j.configs {
		c := j.cell(p, level, config)
		arms = append(arms, c.arm())
		s.Rows = append(s.Rows, j.row(c, p, append(slices.Clone(by), family.Group{Name: family.GroupVariant, Value: config})))
	}
	pairs, changes := judge.Compare(arms, j.req.Seed)
	for _, c := range pairs {
		s.Pairs = append(s.Pairs, family.Pair{Split: p.Name, By: by, Contrast: c})
	}
	for _, c := range changes {
		s.Effects = append(s.Effects, family.Effect{Split: p.Name, By: by, Change: c})
	}
}

func (j *scorer) cell(p split, level, config string) *cell {
	c := &cell{config: config, partial: j.req.Partial}
	for _, inst := range p.instances {
		switch {
		case level != allLevels && inst.Level != level:
		case j.plays(inst.ID):
			c.instances = append(c.instances, inst)
			c.verdicts = append(c.verdicts, j.told[taskID(inst.ID, config)])
		default:
			c.left++
		}
	}
	return c
}

// plays reports whether the run was of this instance: some are of a few alone.
func (j *scorer) plays(instance string) bool {
	run := j.log.Run
	return run == nil || run.Instances == nil || slices.Contains(run.Instances, instance)
}

func (j *scorer) row(c *cell, p split, by []family.Group) family.Row {
	r := family.Row{
		Split: p.Name, SplitSHA256: p.SHA256, Frozen: judge.Frozen(p.SHA256), By: by, N: c.arm().N(), Usage: c.usage(), Flags: j.flags(c, p),
	}
	r.Outcomes, r.Missing, r.Infra = c.outcomes()
	if run := j.log.Run; run != nil && run.Price != nil {
		if r.Cost = judge.Cost(run.Price, r.Usage); r.Cost != nil {
			r.Currency = &run.Price.Currency
		}
	}
	if r.Infra <= j.req.MaxInfra {
		r.Metrics = c.metrics()
	}
	return r
}

// flags says in words what a reader must know before comparing the score.
func (j *scorer) flags(c *cell, p split) []string {
	flags := []string{}
	if p.Short() {
		flags = append(flags, fmt.Sprintf("%s %d/%d", judge.FlagShort, p.Got, p.Requested))
	}
	if _, missing, _ := c.outcomes(); c.partial && missing > 0 || c.left > 0 {
		there := len(c.instances) - missing
		flags = append(flags, fmt.Sprintf("%s %d/%d", judge.FlagPartial, there, len(c.instances)+c.left))
	}
	if !judge.Frozen(p.SHA256) {
		flags = append(flags, judge.FlagUnfrozen)
	}
	if run := j.log.Run; c.config != (Config{}).String() || run != nil && run.Model.Kind == schemas.KindOracle {
		flags = append(flags, judge.FlagOracle)
	}
	return flags
}

// results lists the episodes of a split in the order of play.
func (j *scorer) results(p split) (list []family.Result) {
	for _, inst := range p.instances {
		for _, config := range j.configs {
			v := j.told[taskID(inst.ID, config)]
			if v == nil {
				continue
			}
			r := family.Result{
				Split: p.Name, Task: taskID(inst.ID, config), Instance: inst.ID, Attempt: 1, Length: inst.TStar,
				Outcome: v.outcome, Success: v.success(), Optimal: v.optimal, Counted: v.counted,
			}
			if r.Success {
				r.Excess = v.turns - inst.TStar
			}
			list = append(list, r)
		}
	}
	return list
}
