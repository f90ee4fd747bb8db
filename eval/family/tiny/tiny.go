// Package tiny is a tiny family, to test what knows families by their contract alone.
//
// An instance is a goal; a player adds 1 to Max in each turn until it stands on the goal, has passed it,
// or has no turns left. With one turn it is a family of questions, whose record is one line.
package tiny

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Family is the family. Its episodes have so many turns at most; more than one makes a side file.
type Family struct {
	Called string
	Turns  int
	Goals  []int // of the instances of each split
}

type rules struct {
	Max int `json:"max"`
}

func (f Family) Name() string { return f.Called }

func (f Family) Options(texts []string) (family.Options, error) {
	r := rules{Max: 3}
	for _, text := range texts {
		if _, err := fmt.Sscanf(text, "max=%d", &r.Max); err != nil {
			return family.Options{}, err
		}
	}
	return family.Options{JSON: canon.MustMarshal(r), Value: r}, nil
}

func (f Family) ReadOptions(data json.RawMessage) (family.Options, error) {
	r := rules{Max: 3}
	err := canon.Decode(data, canon.MaxLine, &r)
	return family.Options{JSON: data, Value: r}, err
}

// Words pins a prompt and a parser for those who see words.
func (f Family) Words(_ family.Options, m family.Manner) (family.Words, error) {
	if m.Interface != schemas.InterfaceChat && m.Interface != schemas.InterfaceHuman {
		return family.Words{}, nil
	}
	version := schemas.Versioned{Version: f.Called + "/1", SHA256: digest.SHA256([]byte(wording))}
	return family.Words{Prompt: &version, Parser: &version, Temperature: "0.5"}, nil
}

func (f Family) Open(*open.Release, family.Options) (family.Set, error) { return &Set{Family: f}, nil }

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

func (f Family) Columns() []family.Column {
	return []family.Column{{Heading: "SR", Metric: judge.MetricSuccess, Better: 1}}
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

type Step struct {
	Item         string `json:"item"`
	Step         int    `json:"step"`
	Add          int    `json:"add"`
	Reply        string `json:"reply"`
	PromptSHA256 string `json:"prompt_sha256"`
	LatencyMS    int64  `json:"latency_ms"`
}

func decode(line []byte) (g Game, err error) {
	err = canon.Decode(line, canon.MaxLine, &g)
	return g, err
}

// Set is what can be played of it: a split called easy and a closed one called closed. It scores nothing.
type Set struct {
	Family
	family.Set
}

const closed = "closed"

func (s *Set) Splits() []family.Split {
	return []family.Split{{Name: "easy"}, {Name: closed, Closed: true}}
}

func (s *Set) Tasks(split string, most int) (list []family.Task, err error) {
	if split != "easy" && split != closed {
		return nil, nil
	}
	for i := range s.Goals {
		id := fmt.Sprintf("%s-%04d", split, i+1)
		list = append(list, family.Task{ID: id, Instance: id, Split: split, Info: map[string]any{"turns": s.Turns}})
	}
	return family.First(list, most), nil
}

func (s *Set) goal(instance string) int {
	i, _ := strconv.Atoi(instance[len(instance)-4:])
	return s.Goals[i-1]
}

func (s *Set) Start(t family.Task, o family.Options, _ family.Manner) (family.Episode, error) {
	return &episode{set: s, max: o.Value.(rules).Max, goal: s.goal(t.Instance), game: Game{Instance: t.Instance}}, nil
}

// Baselines are one that draws, one that knows the goal, and one that plays the closed split alone.
func (s *Set) Baselines() []family.Baseline {
	add := func(name, kind string, n func(e *episode, seat family.Seat) func() int, splits ...string) family.Baseline {
		return family.Baseline{Name: name, Kind: kind, Splits: splits, Start: func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
			next := n(e.(*episode), seat)
			return func() (family.Reply, error) { return family.Reply{Choice: new(next())}, nil }
		}}
	}
	return []family.Baseline{
		add("random", schemas.KindLocal, func(e *episode, seat family.Seat) func() int {
			stream := seat.Stream(seat.Task.Instance, strconv.Itoa(seat.Attempt))
			return func() int { return 1 + stream.Below(e.max) }
		}),
		add("best", schemas.KindOracle, func(e *episode, _ family.Seat) func() int {
			return func() int { return min(e.max, e.goal-e.at) }
		}),
		add("one", schemas.KindLocal, func(*episode, family.Seat) func() int { return func() int { return 1 } }, closed),
	}
}

func (s *Set) Difficulty(instance string) (family.Difficulty, bool) {
	g := s.goal(instance)
	features := []family.Feature{{Name: "goal", Value: strconv.Itoa(g)}, {Name: "odd", Value: []string{"no", "yes"}[g%2]}}
	return family.Difficulty{Length: (g + 2) / 3, Called: "fewest", Features: features}, true
}

const wording = "You are at %d. The goal is %d. Add 1 to %d."

// episode is a Game under way, with its sum so far.
type episode struct {
	set           *Set
	max, goal, at int
	game          Game
	steps         []Step
	usage         []*schemas.Usage
	costs         []*string
}

func (e *episode) Observe() any {
	return map[string]any{"at": e.at, "goal": e.goal, "max": e.max, "done": e.game.Outcome != "", "outcome": e.game.Outcome}
}

func (e *episode) Messages() []schemas.Message {
	return []schemas.Message{{Role: schemas.RoleUser, Content: fmt.Sprintf(wording, e.at, e.goal, e.max)}}
}

func (e *episode) Tools() []family.Tool { return nil }
func (e *episode) Step() int            { return len(e.steps) + 1 }
func (e *episode) Stop(outcome string)  { e.game.Outcome = outcome }
func (e *episode) Outcome() string      { return e.game.Outcome }

// Act adds what the reply says; a reply that is not a number adds nothing.
func (e *episode) Act(r family.Reply) (family.Turn, error) {
	s := Step{Step: len(e.steps) + 1, PromptSHA256: r.PromptSHA256, LatencyMS: r.LatencyMS}
	if r.Text != nil {
		s.Reply = *r.Text
		s.Add, _ = strconv.Atoi(s.Reply)
	}
	if r.Choice != nil {
		s.Add = *r.Choice
	}
	t := family.Turn{Valid: s.Add >= 1 && s.Add <= e.max, Counted: true}
	if !t.Valid {
		s.Add, t.Reason = 0, "not a number from 1 to the largest"
	}
	e.at, e.steps = e.at+s.Add, append(e.steps, s)
	e.usage, e.costs = append(e.usage, r.Usage), append(e.costs, r.Cost)
	e.game.Adds, e.game.Turns = append(e.game.Adds, s.Add), len(e.steps)
	switch {
	case e.at == e.goal:
		e.game.Outcome = schemas.OutcomeSuccess
	case e.at > e.goal:
		e.game.Outcome = schemas.OutcomeStuck
	case len(e.steps) == e.set.Turns:
		e.game.Outcome = schemas.OutcomeStepLimit
	}
	return t, nil
}

func (e *episode) Record(r family.Recording) (rec family.Record) {
	g := e.game
	g.Run, g.Item, g.Attempt, g.Retried, g.Reason = r.Run.Run, r.Item, r.Attempt, r.Retried, r.Reason
	g.Started, g.Ended = r.Started.UTC().Format("15:04:05"), r.Ended.UTC().Format("15:04:05")
	g.Usage = schemas.SumUsage(e.usage, func(u *schemas.Usage) *schemas.Usage { return u })
	g.Cost = judge.DecimalOf(judge.Spent(r.Run, g.Usage, e.costs))
	for _, s := range e.steps {
		if s.Item = r.Item; e.set.Turns > 1 {
			rec.Side = append(rec.Side, s)
		}
	}
	rec.Main = g
	return rec
}
