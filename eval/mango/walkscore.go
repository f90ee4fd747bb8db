package mango

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/mango/walk"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// toldWalk is a walk as a log tells it. Any field but the id and the replies may be left out.
type toldWalk struct {
	schemas.MangoWalk
	fields map[string]json.RawMessage
	steps  []map[string]json.RawMessage
	line   int
}

func readWalks(log *trace.Log) (list []toldWalk, err error) {
	seen := map[string]int{}
	err = log.Main(func(n int, line []byte) error {
		w, err := decodeWalk(line)
		if err != nil {
			return err
		}
		if first, twice := seen[w.ID]; twice {
			return fmt.Errorf("the walk %s stands on line %d already", fault.Quote(w.ID), first)
		}
		seen[w.ID], w.line = n, n
		list = append(list, w)
		return nil
	})
	return list, err
}

func decodeWalk(line []byte) (w toldWalk, err error) {
	var steps struct{ Steps []map[string]json.RawMessage }
	for _, to := range []any{&w.MangoWalk, &w.fields} {
		if err := canon.Decode(line, canon.MaxLine, to); err != nil {
			return w, err
		}
	}
	if err := json.Unmarshal(line, &steps); err != nil {
		return w, err
	}
	if w.steps = steps.Steps; w.ID == "" {
		return w, errors.New("no id is named")
	}
	if w.fields["schema"] != nil {
		if err := trace.CheckSchema(w.Schema, schemas.MangoWalkSchema); err != nil {
			return w, err
		}
	}
	for i, s := range w.steps {
		if s["reply"] == nil {
			return w, fmt.Errorf("step %d has no reply", i+1)
		}
		if err := trace.CheckUsage(w.Steps[i].Usage); err != nil {
			return w, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return w, trace.CheckUsage(w.Usage)
}

// Score replays the replies of a log on the mazes; whatever else it says is compared with the
// replay, and the replay counts.
func (w walks) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	if err := family.NoChoice("a walk", req.Options); err != nil {
		return nil, err
	}
	if log.Run != nil && !walked(log) {
		return nil, otherMode(log)
	}
	told, err := readWalks(log)
	if err != nil {
		return nil, err
	}
	all, err := w.whole()
	if err != nil {
		return nil, err
	}
	sc, err := family.Begin(name, all.base.src, log, req)
	if err != nil {
		return nil, err
	}
	if n := sc.Request.Attempts; n != 1 {
		return nil, fault.New(fault.Usage, "--attempts %d: a question is walked once", n)
	}
	sc.CheckRules()
	j := &walkScorer{Scoring: sc, walks: w, set: all, played: map[string]*walk.Episode{}}
	if j.values = w.values; log.Run != nil {
		if j.values, err = all.optionsOf(log); err != nil {
			return nil, err
		}
	}
	if j.rules, err = rulesOf(j.values); err != nil {
		return nil, err
	}
	if _, err := family.Choose(w, sc.Request.Splits); err != nil {
		return nil, err
	}
	for _, t := range told {
		if err := j.replay(t); err != nil {
			return nil, err
		}
	}
	return j.rows()
}

// otherMode refuses a run in the mode that the set was not opened in.
func otherMode(log *trace.Log) error {
	return fault.New(fault.Usage, "a run in another mode than the set was opened in").At(log.Path, trace.RunFile).
		Hint("open the release with the options of the run")
}

type walkScorer struct {
	*family.Scoring
	walks
	set    *set
	values map[string]string
	rules  walk.Rules
	played map[string]*walk.Episode
}

// outcomeIncomplete is that of a walk whose replies stop before its end: a failure.
const outcomeIncomplete = "incomplete"

// replay repeats the replies of a walk.
func (j *walkScorer) replay(t toldWalk) error {
	q, err := j.set.walkOf(t.ID)
	if err != nil {
		return err
	}
	if q == nil {
		j.Scores.Counts[question.CountUnknown]++
		j.NotePlaces("no such walk was asked for, so it counts for nothing", []string{fmt.Sprintf("line %d", t.line)})
		return nil
	}
	e := walk.New(q, j.rules, j.Log.Prompt)
	for i, s := range t.Steps {
		if e.Outcome() != "" {
			j.note(t, i+1, "steps", len(t.Steps), i)
			break
		}
		said := family.Said{
			Reasoning: s.Reasoning, Usage: s.Usage, Served: s.Served, Cost: s.Cost, Retries: s.Retries, Flag: s.Flag,
		}
		if _, err := e.Act(family.Reply{Text: &s.Reply, Said: said}); err != nil {
			return err
		}
	}
	if end := j.BrokenOff(t.Outcome); end != "" {
		e.Stop(end)
	}
	e.Stop(outcomeIncomplete)
	j.played[t.ID] = e
	return j.compare(t, e)
}

// trusted are the fields of a log that no replay can have: who played, and what came with replies.
var trusted = []string{
	"model", "retried", "infra", "usage", "cost", "reasoning", "served", "retries", "flag", "steps",
}

// compare lists what the log tells otherwise than the replay; what it does not tell cannot differ.
func (j *walkScorer) compare(t toldWalk, e *walk.Episode) error {
	run := schemas.Run{ManifestSHA256: j.set.base.src.ManifestSHA256}
	replay, err := decodeWalk(canon.MustMarshal(e.Record(family.Recording{Run: &run}).Main))
	if err != nil {
		return err
	}
	j.compareFields(t, 0, t.fields, replay.fields)
	for i := range min(len(t.steps), len(replay.steps)) {
		j.compareFields(t, i+1, t.steps[i], replay.steps[i])
	}
	return nil
}

func (j *walkScorer) compareFields(t toldWalk, step int, told, replay map[string]json.RawMessage) {
	for _, field := range sorted(told) {
		if slices.Contains(trusted, field) || string(told[field]) == "null" {
			continue
		}
		if a, b := canonical(told[field]), canonical(replay[field]); !bytes.Equal(a, b) {
			j.note(t, step, field, told[field], replay[field])
		}
	}
}

// canonical writes a value without differences that mean nothing.
func canonical(value json.RawMessage) []byte {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return value
	}
	return canon.MustMarshal(v)
}

func (j *walkScorer) note(t toldWalk, step int, field string, log, replay any) {
	j.Scores.Disagreements = append(j.Scores.Disagreements, family.Disagreement{
		Line: t.line, Item: t.ID, Instance: t.ID, Attempt: 1, Step: step, Field: field, Log: judge.Text(log), Replay: judge.Text(replay),
	})
}

// rows scores each split, and its easy and hard questions.
func (j *walkScorer) rows() (*family.Scores, error) {
	for _, split := range j.Splits() {
		if names := j.Request.Splits; names != nil && !slices.Contains(names, split.Name) {
			continue
		}
		tasks, err := j.Tasks(split.Name, 0)
		if err != nil {
			return nil, err
		}
		if split.Got = len(tasks); split.Requested < split.Got {
			split.Requested += split.Got
		}
		for _, class := range []string{"", schemas.MangoEasy, schemas.MangoHard} {
			j.addRow(split, tasks, class)
		}
		for _, t := range tasks {
			j.addResult(split, t)
		}
	}
	return j.End()
}

func (j *walkScorer) addRow(split family.Split, tasks []family.Task, class string) {
	var by []family.Group
	if class != "" {
		by = append(by, family.Group{Name: byClass, Value: class})
	}
	r, c := j.Row(split, by), walkCell{arm: judge.Arm{Config: j.rules.Config.String(), Partial: j.Request.Partial}}
	left := 0
	for _, t := range tasks {
		switch run := j.Log.Run; {
		case class != "" && j.set.of[t.ID].class != class:
		case run != nil && run.Instances != nil && !slices.Contains(run.Instances, t.ID):
			left++
		default:
			c.add(j, t.ID, &r)
		}
	}
	expected := len(c.lengths) + left
	if class != "" && expected == 0 {
		return
	}
	if r.N = c.arm.N(); j.Request.Partial || left > 0 {
		left += r.Missing
	}
	r.Flags = j.Flags(split, expected, left, j.rules.Config != family.Config{})
	j.Account(&r, schemas.SumUsage(c.usages, func(u *schemas.Usage) *schemas.Usage { return u }), c.costs)
	if r.Infra <= j.Request.MaxInfra {
		r.Metrics = c.metrics()
	}
	j.Scores.Rows = append(j.Scores.Rows, r)
}

// walkCell is the walks of a row.
type walkCell struct {
	arm                          judge.Arm
	lengths                      []int
	usages                       []*schemas.Usage
	costs                        []*string // of every turn
	excess, won, turns, notLegal int64
}

func (c *walkCell) add(j *walkScorer, id string, r *family.Row) {
	q, _ := j.set.walkOf(id) // it was listed
	c.lengths = append(c.lengths, q.Length())
	e := j.played[id]
	if e == nil {
		c.arm.Games = append(c.arm.Games, nil)
		r.Missing++
		return
	}
	r.Outcomes[e.Outcome()]++
	p, excess := e.Played()
	c.arm.Games = append(c.arm.Games, &p)
	if p.Infra {
		r.Infra++
		return
	}
	if p.Success {
		c.excess, c.won = c.excess+int64(excess), c.won+1
	}
	notLegal, usage, costs := e.Spent()
	c.costs = append(c.costs, costs...)
	c.turns, c.notLegal, c.usages = c.turns+int64(p.Counted), c.notLegal+notLegal, append(c.usages, usage)
}

func (c *walkCell) metrics() map[string]judge.Metric {
	m := c.arm.Metrics(c.lengths)
	m[metricExcess] = judge.Ratio(c.excess, c.won)
	m[judge.MetricInvalid] = judge.Ratio(c.notLegal, c.turns)
	return m
}

func (j *walkScorer) addResult(split family.Split, t family.Task) {
	e := j.played[t.ID]
	if e == nil {
		return
	}
	p, excess := e.Played()
	r := family.Result{
		Split: split.Name, Task: t.ID, Instance: t.Instance, Attempt: 1, Outcome: e.Outcome(), Success: p.Success,
		Optimal: p.Optimal, Counted: p.Counted, Visits: p.MostSeen, Length: p.Counted - excess,
	}
	if p.Success {
		r.Excess = excess
	}
	j.Scores.Results = append(j.Scores.Results, r)
}
