// Package tiny is a tiny family, to test what knows families by their contract alone.
//
// An instance is a goal; a player adds 1 to Max in each turn until it stands on the goal, has passed it,
// or has no turns left. With one turn it is a family of questions, whose record is one line.
package tiny

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Family is the family. Its episodes have so many turns at most; more than one makes a side file.
type Family struct {
	Called string
	Turns  int
	Goals  []int // of the instances of each split
}

// rules are the options of the family.
type rules struct {
	Max int `json:"max"`
}

func (f Family) Name() string { return f.Called }

// Options reads max=N.
func (f Family) Options(texts []string) (family.Options, error) {
	r := rules{Max: 3}
	for _, text := range texts {
		if _, err := fmt.Sscanf(text, "max=%d", &r.Max); err != nil || r.Max < 1 {
			return family.Options{}, fault.New(fault.Usage, "--option %s: this family has max=N", fault.Quote(text))
		}
	}
	return family.Options{JSON: canon.MustMarshal(r), Value: r}, nil
}

// ReadOptions reads what Options.JSON holds.
func (f Family) ReadOptions(data json.RawMessage) (family.Options, error) {
	r := rules{Max: 3}
	if err := canon.Decode(data, canon.MaxLine, &r); err != nil {
		return family.Options{}, fault.New(fault.Usage, "%w", err)
	}
	return family.Options{JSON: canon.MustMarshal(r), Value: r}, nil
}

// Words pins a prompt and a parser for those who see words.
func (f Family) Words(_ family.Options, m family.Manner) (family.Words, error) {
	if m.Interface != schemas.InterfaceChat && m.Interface != schemas.InterfaceHuman {
		return family.Words{}, nil
	}
	if m.Parser != "" && m.Parser != "strict" {
		return family.Words{}, fault.New(fault.Usage, "--parser %s: want strict", fault.Quote(m.Parser))
	}
	version := schemas.Versioned{Version: f.Called + "/1", SHA256: digest.SHA256([]byte(wording))}
	return family.Words{Prompt: &version, Parser: &version, Temperature: "0.5"}, nil
}

// Open returns the set, whatever the release.
func (f Family) Open(r *open.Release, o family.Options) (family.Set, error) {
	s := &Set{Family: f, options: o}
	if r != nil {
		s.release, s.manifest, s.sha = r.Name(), r.Manifest().ID, r.ManifestSHA256()
	}
	return s, nil
}

// Layout has steps beside games, or replies alone.
func (f Family) Layout() trace.Layout {
	l := trace.Layout{Unit: "replies", Main: trace.RepliesFile, Key: trace.KeyField("item")}
	if f.Turns > 1 {
		l.Unit, l.Main, l.Side = "games", trace.GamesFile, trace.StepsFile
	}
	l.Item = func(task string, attempt int) string { return fmt.Sprintf("%s-a%d", task, attempt) }
	l.Entry = func(line []byte) (trace.Entry, error) {
		r, err := decode(line)
		return trace.Entry{Instance: r.Instance, Attempt: r.Attempt, Infra: r.Reason, Turns: r.Turns, Usage: r.Usage}, err
	}
	l.Check = func(dir string) error {
		log, err := trace.Open(dir, l)
		if err != nil {
			return err
		}
		return log.Main(func(_ int, line []byte) error { _, err := decode(line); return err })
	}
	return l
}

// Columns lists the share of goals reached and the turns beyond the fewest.
func (f Family) Columns() []family.Column {
	return []family.Column{
		{Heading: "SR", Metric: judge.MetricSuccess, Better: 1},
		{Heading: "suboptimal", Metric: judge.MetricSuboptimal, Better: -1},
		{Heading: "sum", Metric: "sum", Detail: true},
	}
}

// Game is the line of an episode.
type Game struct {
	Run      string         `json:"run"`
	Item     string         `json:"item"`
	Instance string         `json:"instance"`
	Attempt  int            `json:"attempt"`
	Outcome  string         `json:"outcome"`
	Turns    int            `json:"turns"`
	Adds     []int          `json:"adds"`
	Usage    *schemas.Usage `json:"usage"`
	Cost     *string        `json:"cost"`
	Retried  bool           `json:"retried"`
	Reason   *string        `json:"reason"`
	Started  string         `json:"started"`
	Ended    string         `json:"ended"`
}

// Step is a line of the side file.
type Step struct {
	Item         string `json:"item"`
	Step         int    `json:"step"`
	Add          int    `json:"add"`
	Reply        string `json:"reply"`
	PromptSHA256 string `json:"prompt_sha256"`
	LatencyMS    int64  `json:"latency_ms"`
}

func decode(line []byte) (g Game, err error) {
	if err = canon.Decode(line, canon.MaxLine, &g); err == nil && g.Item == "" {
		err = errors.New("no item is named")
	}
	return g, err
}

// Set is what can be played of it: a split called easy and a closed one called closed.
type Set struct {
	Family
	options                family.Options
	release, manifest, sha string
}

const closed = "closed"

func (s *Set) Splits() []family.Split {
	n := len(s.Goals)
	sum := digest.SHA256(canon.MustMarshal(s.Goals))
	return []family.Split{
		{Name: "easy", SHA256: sum, Requested: n, Got: n},
		{Name: closed, SHA256: sum, Requested: n + 1, Got: n, Closed: true},
	}
}

func (s *Set) Tasks(split string) (list []family.Task) {
	if split != "easy" && split != closed {
		return nil
	}
	for i := range s.Goals {
		id := fmt.Sprintf("%s-%04d", split, i+1)
		list = append(list, family.Task{ID: id, Instance: id, Split: split, Info: map[string]any{"turns": s.Turns}})
	}
	return list
}

func (s *Set) goal(instance string) int {
	i, err := strconv.Atoi(instance[len(instance)-4:])
	if err != nil || i < 1 || i > len(s.Goals) {
		return 0
	}
	return s.Goals[i-1]
}

// fewest is the number of turns of an optimal player.
func (s *Set) fewest(instance string, r rules) int { return (s.goal(instance) + r.Max - 1) / r.Max }

// Start begins an episode at 0.
func (s *Set) Start(t family.Task, o family.Options, m family.Manner) (family.Episode, error) {
	if s.goal(t.Instance) == 0 {
		return nil, fault.New(fault.Usage, "there is no instance %s", fault.Quote(t.Instance))
	}
	return &episode{set: s, rules: o.Value.(rules), task: t, manner: m, goal: s.goal(t.Instance)}, nil
}

// Baselines are one that draws, one that knows the goal, and one that plays the closed split alone.
func (s *Set) Baselines() []family.Baseline {
	choice := func(n int) (family.Reply, error) { return family.Reply{Choice: &n}, nil }
	return []family.Baseline{
		{Name: "random", Kind: schemas.KindLocal, Says: "draws", Start: func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
			stream := seat.Stream(seat.Task.Instance, strconv.Itoa(seat.Attempt))
			return func() (family.Reply, error) { return choice(1 + stream.Below(e.(*episode).rules.Max)) }
		}},
		{Name: "best", Kind: schemas.KindOracle, Says: "knows", Start: func(e family.Episode, _ family.Seat) func() (family.Reply, error) {
			return func() (family.Reply, error) {
				x := e.(*episode)
				return choice(min(x.rules.Max, x.goal-x.at()))
			}
		}},
		{Name: "one", Kind: schemas.KindLocal, Says: "adds 1", Splits: []string{closed}, Start: func(family.Episode, family.Seat) func() (family.Reply, error) {
			return func() (family.Reply, error) { return choice(1) }
		}},
	}
}

// Difficulty of an instance is its goal.
func (s *Set) Difficulty(instance string) (family.Difficulty, bool) {
	g := s.goal(instance)
	return family.Difficulty{
		Length: s.fewest(instance, rules{Max: 3}), Called: "fewest",
		Features: []family.Feature{{Name: "goal", Value: strconv.Itoa(g)}, {Name: "odd", Value: []string{"no", "yes"}[g%2]}},
	}, g > 0
}

const wording = "You are at %d. The goal is %d. Add 1 to %d."

type episode struct {
	set      *Set
	rules    rules
	task     family.Task
	manner   family.Manner
	goal     int
	adds     []int
	steps    []Step
	usage    []*schemas.Usage
	outcome  string
	dialogue []schemas.Message
}

func (e *episode) at() (sum int) {
	for _, n := range e.adds {
		sum += n
	}
	return sum
}

func (e *episode) Observe() any {
	return map[string]any{"at": e.at(), "goal": e.goal, "max": e.rules.Max, "done": e.outcome != "", "outcome": e.outcome}
}

func (e *episode) Messages() []schemas.Message {
	return append(e.dialogue, schemas.Message{Role: schemas.RoleUser, Content: fmt.Sprintf(wording, e.at(), e.goal, e.rules.Max)})
}
func (e *episode) Tools() []family.Tool { return nil }
func (e *episode) Step() int            { return len(e.steps) + 1 }
func (e *episode) Stop(outcome string)  { e.outcome = outcome }
func (e *episode) Outcome() string      { return e.outcome }

// Act adds what the reply says; a reply that is not a number adds nothing.
func (e *episode) Act(r family.Reply) (family.Turn, error) {
	n, text := 0, ""
	switch {
	case r.Choice != nil:
		n = *r.Choice
	case r.Text != nil:
		n, _ = strconv.Atoi(*r.Text)
	}
	if r.Text != nil {
		text = *r.Text
	}
	t := family.Turn{Valid: n >= 1 && n <= e.rules.Max, Counted: true}
	if !t.Valid {
		n, t.Reason = 0, "not a number from 1 to the largest"
	}
	e.adds, e.usage = append(e.adds, n), append(e.usage, r.Usage)
	e.steps = append(e.steps, Step{Step: len(e.adds), Add: n, Reply: text, PromptSHA256: r.PromptSHA256, LatencyMS: r.LatencyMS})
	switch {
	case e.at() == e.goal:
		e.outcome = schemas.OutcomeSuccess
	case e.at() > e.goal:
		e.outcome = schemas.OutcomeStuck
	case len(e.adds) == e.set.Turns:
		e.outcome = schemas.OutcomeStepLimit
	}
	return t, nil
}

func (e *episode) Record(r family.Recording) (rec family.Record) {
	g := Game{
		Run: r.Run.Run, Item: r.Item, Instance: e.task.Instance, Attempt: r.Attempt, Outcome: e.outcome, Turns: len(e.adds), Adds: e.adds,
		Usage: schemas.SumUsage(e.usage, func(u *schemas.Usage) *schemas.Usage { return u }), Retried: r.Retried, Reason: r.Reason,
		Started: r.Started.UTC().Format("15:04:05"), Ended: r.Ended.UTC().Format("15:04:05"),
	}
	g.Cost = judge.Cost(r.Run.Price, g.Usage)
	if e.set.Turns > 1 {
		for _, s := range e.steps {
			s.Item = r.Item
			rec.Side = append(rec.Side, s)
		}
	}
	rec.Main = g
	return rec
}
