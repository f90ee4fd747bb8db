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
	"github.com/wikinav/wikinav/schemas/fault"
)

// Score replays the replies of a log. With non-nil scores the error says what is wrong with the
// log: fault.Mismatch for differences, else fault.Failure for too many infra episodes. Without
// scores nothing was replayed: fault.Usage or fault.Malformed.
func (s *Set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	if err := family.NoChoice("lumina", req.Options); err != nil {
		return nil, err
	}
	episodes, err := readEpisodes(log)
	if err == nil {
		err = s.readAll()
	}
	if err != nil {
		return nil, err
	}
	if req.Attempts > 1 {
		return nil, fault.New(fault.Usage, "--attempts %d: an instance of lumina is played once in each configuration", req.Attempts)
	}
	req.Attempts = 1
	sc, err := family.Begin(Family{}.Name(), family.Source{Name: s.name, ID: s.id, ManifestSHA256: s.manifestSHA256}, log, req)
	if err != nil {
		return nil, err
	}
	j := &scorer{Scoring: sc, set: s, opts: s.opts, episodes: episodes, told: map[string]*verdict{}}
	if err := j.choose(); err != nil {
		return nil, err
	}
	for _, e := range episodes {
		if err := j.judge(e); err != nil {
			return nil, err
		}
	}
	j.score()
	return j.End()
}

type scorer struct {
	*family.Scoring
	set      *Set
	opts     schemas.LuminaOptions
	episodes []toldEpisode
	splits   []*split            // to score
	configs  []string            // to score
	told     map[string]*verdict // by task
}

func (j *scorer) choose() error {
	configs := j.occurring(func(e toldEpisode) string { return e.Config })
	if run := j.Log.Run; run != nil {
		o, err := Family{}.ReadOptions(run.Rules.Options)
		if err != nil {
			return fault.New(fault.Malformed, "%w", err).At(j.Log.Path, trace.RunFile)
		}
		j.opts = optionsOf(o)
		configs = j.opts.Oracle
	}
	names := j.Request.Splits
	if names == nil {
		names = j.occurring(func(e toldEpisode) string { return j.set.known[e.InstanceID].split })
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
	j.configs = slices.DeleteFunc(family.ConfigNames(), func(name string) bool { return !slices.Contains(configs, name) })
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
	cfg, err := family.ParseConfig(told.Config)
	if err != nil || !slices.Contains(j.configs, told.Config) {
		j.note(told, 0, "config", fault.Quote(told.Config), "not among those of the run")
		return nil
	}
	if !slices.ContainsFunc(j.splits, func(p *split) bool { return p.Name == place.split }) {
		return nil
	}
	e, err := New(place.inst, cfg, j.opts, j.set.book, j.Log.Prompt)
	if err != nil {
		return err
	}
	j.told[taskID(told.InstanceID, told.Config)] = j.replay(told, e)
	j.compareEpisode(told, e)
	return nil
}

// outcomeIncomplete is that of an episode whose replies stop before its end: a failure.
const outcomeIncomplete = "incomplete"

func (j *scorer) replay(told toldEpisode, e *Episode) *verdict {
	v := &verdict{inst: e.inst, path: slices.Clone(e.inst.OnPath)}
	for i, s := range told.Steps {
		if e.Done() {
			j.note(told, i+1, "steps", fmt.Sprint(len(told.Steps)), fmt.Sprint(i))
			break
		}
		before := e.state
		step := e.Play(*s.Reply)
		v.count(step, before)
		j.compareStep(told, s, step)
		v.usages, v.costs = append(v.usages, s.Usage), append(v.costs, s.Cost)
	}
	if told.Outcome != nil {
		if end := j.BrokenOff(*told.Outcome); end != "" {
			e.Stop(end)
		}
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
		j.note(told, step.T, "action", judge.Text(s.Action), judge.Text(step.Action))
	}
	if s.AStar != nil && !slices.Equal(s.AStar, step.AStar) {
		j.note(told, step.T, "a_star", judge.Text(s.AStar), judge.Text(step.AStar))
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
		j.note(e, step, field, judge.Text(*told), judge.Text(replay))
	}
}

func (j *scorer) note(e toldEpisode, step int, field, log, replay string) {
	j.Scores.Disagreements = append(j.Scores.Disagreements, family.Disagreement{
		Line: e.line, Item: taskID(e.InstanceID, e.Config), Instance: e.InstanceID, Attempt: 1, Step: step, Field: field, Log: log, Replay: replay,
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
	usages      []*schemas.Usage // told by the steps, as costs
	costs       []*string
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

func (j *scorer) score() {
	for _, p := range j.splits {
		for _, level := range levelsOf(p) {
			j.addLevel(p, level)
		}
		j.Scores.Results = append(j.Scores.Results, j.results(p)...)
	}
}

// allLevels stands for the whole of a split.
const allLevels = ""

// levelsOf lists all levels, and before them that which covers them.
func levelsOf(p *split) []string {
	levels := []string{allLevels}
	for _, inst := range p.instances {
		levels = append(levels, inst.Level)
	}
	slices.Sort(levels)
	return slices.Compact(levels)
}

func (j *scorer) addLevel(p *split, level string) {
	s := j.Scores
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
	pairs, changes := judge.Compare(arms, j.Request.Seed)
	for _, c := range pairs {
		s.Pairs = append(s.Pairs, family.Pair{Split: p.Name, By: by, Contrast: c})
	}
	for _, c := range changes {
		s.Effects = append(s.Effects, family.Effect{Split: p.Name, By: by, Change: c})
	}
}

func (j *scorer) cell(p *split, level, config string) *cell {
	c := &cell{config: config, partial: j.Request.Partial}
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
	run := j.Log.Run
	return run == nil || run.Instances == nil || slices.Contains(run.Instances, instance)
}

func (j *scorer) row(c *cell, p *split, by []family.Group) family.Row {
	r := j.Row(p.Split, by)
	r.N = c.arm().N()
	r.Outcomes, r.Missing, r.Infra = c.outcomes()
	left := c.left
	if c.partial || c.left > 0 {
		left += r.Missing
	}
	r.Flags = j.Flags(p.Split, len(c.instances)+c.left, left, c.config != (family.Config{}).String())
	j.Account(&r, c.usage(), c.costs())
	if r.Infra <= j.Request.MaxInfra {
		r.Metrics = c.metrics()
	}
	return r
}

// results lists the episodes of a split in the order of play.
func (j *scorer) results(p *split) (list []family.Result) {
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
