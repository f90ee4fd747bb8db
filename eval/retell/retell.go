// Package retell tells again, turn by turn, what was played: the replies of a log are made once
// more in the episode of their task, so that what the player saw, could do and lost is known of
// each turn, for every family that a set and an episode are enough of.
//
// It promises to tell what the release says and what the player said, and nothing else of the log.
// It keeps the lines of the run that it tells of in memory. Whether a game was won is the score's
// to say.
package retell

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Game is an item of a run in a line.
type Game struct {
	Item     string `json:"item"`
	Task     string `json:"task"`
	Instance string `json:"instance"`
	Split    string `json:"split"`
	Variant  string `json:"variant,omitempty"`
	Attempt  int    `json:"attempt"`
	Outcome  string `json:"outcome"`
	Success  bool   `json:"success"`
	Steps    int    `json:"steps"`
	Optimal  int    `json:"optimal"` // turns of an optimal player
	Lost     int    `json:"lost"`    // the turn that lost most, 0 for none
	Why      string `json:"why,omitempty"`
}

// Told is an item turn by turn.
type Told struct {
	Game
	Turns []Turn `json:"turns"`
	Final string `json:"final"` // where the player ended
	Ended string `json:"ended"` // the outcome that the turns came to, "" where the log stops before
	// Untold is why the turns could not be made again; they are told by the log alone then.
	Untold string `json:"untold,omitempty"`
}

// Turn is a turn of a player. Distances are turns that an optimal player has left, null where
// nothing leads to success or nobody counts.
type Turn struct {
	Step      int               `json:"step"`
	Place     string            `json:"place"`
	Menu      []family.Choice   `json:"menu"`
	Messages  []schemas.Message `json:"messages"` // that were new to the player
	Reply     string            `json:"reply"`    // in words, "" for none
	Reasoning string            `json:"reasoning,omitempty"`
	Done      string            `json:"done"` // as Menu calls it
	Valid     bool              `json:"valid"`
	Reason    string            `json:"reason,omitempty"`
	Before    *int              `json:"before"`
	After     *int              `json:"after"`
	Remarks   []string          `json:"remarks"`
}

// Run is a run whose games can be told.
type Run struct {
	Family family.Family
	Set    family.Set
	Log    *trace.Log
	Scores *family.Scores
	Wrong  error // what is wrong with the log; the scores are those of the replay

	tasks  map[string]family.Task
	items  []*item // in the order of the log
	byKey  map[string]*item
	manner family.Manner
	rules  family.Options
}

type item struct {
	key   string
	entry trace.Entry
	main  []byte
	side  [][]byte
	score *family.Result // nil for what was not scored
}

// Open reads and scores a run; set must be open under its rules.
func Open(f family.Family, set family.Set, rules family.Options, log *trace.Log) (*Run, error) {
	r := &Run{
		Family: f, Set: set, Log: log, rules: rules, byKey: map[string]*item{},
		manner: mannerOf(f, rules, log),
	}
	req := family.Request{Partial: true, MaxInfra: math.MaxInt}
	if r.Scores, r.Wrong = set.Score(log, req); r.Scores == nil {
		return nil, r.Wrong
	}
	var err error
	if r.tasks, err = family.TasksByID(set); err != nil {
		return nil, err
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	r.settle()
	return r, nil
}

// mannerOf returns how the player met its episodes, as far as replies are read by it: a program's
// lines are read as such, and all else as a model's.
func mannerOf(f family.Family, rules family.Options, log *trace.Log) family.Manner {
	m := family.Manner{Interface: schemas.InterfaceChat}
	if log.Run == nil {
		return m
	}
	if log.Run.Rules.Interface == schemas.InterfaceLines {
		m.Interface = schemas.InterfaceLines
	}
	if m.Prompt = log.Prompt; m.Prompt != nil {
		if _, err := family.WordsOf(f, rules, m); err != nil {
			m.Prompt = nil // the words of tools are those of no dialogue
		}
	}
	reader, ok := f.(family.Rereader)
	if !ok || log.Run.Rules.Parser == nil {
		return m
	}
	for _, name := range reader.Parsers() {
		w, err := f.Words(rules, family.Manner{Interface: schemas.InterfaceChat, Parser: name})
		if err == nil && w.Parser != nil && *w.Parser == *log.Run.Rules.Parser {
			m.Parser = name
		}
	}
	return m
}

func (r *Run) read() error {
	l := r.Log.Layout
	err := r.Log.Main(func(_ int, line []byte) error {
		key, err := l.Key(line)
		if err != nil {
			return err
		}
		it := &item{key: key, main: slices.Clone(line)}
		if it.entry, err = l.Entry(line); err != nil {
			return err
		}
		r.items, r.byKey[key] = append(r.items, it), it
		return nil
	})
	if err != nil {
		return err
	}
	return r.Log.Side(func(_ int, line []byte) error {
		key, err := l.Key(line)
		if it := r.byKey[key]; it != nil {
			it.side = append(it.side, slices.Clone(line))
		}
		return err
	})
}

// settle finds the score of each item, by its task and attempt.
func (r *Run) settle() {
	type place struct {
		task    string
		attempt int
	}
	scored := map[place]*family.Result{}
	for i := range r.Scores.Results {
		s := &r.Scores.Results[i]
		scored[place{s.Task, s.Attempt}] = s
	}
	for _, it := range r.items {
		id := cmp.Or(r.task(it).ID, it.entry.Instance) // pairs that people played are no tasks
		it.score = scored[place{id, max(it.entry.Attempt, 1)}]
	}
}

// task returns the task of an item, which has the item's own name where a task is played once.
func (r *Run) task(it *item) family.Task {
	if t, ok := r.tasks[it.key]; ok {
		return t
	}
	return r.tasks[it.entry.Instance]
}

// Games lists the games of the run in the order of its log, each told to say where it was lost.
func (r *Run) Games() ([]Game, error) {
	list := []Game{}
	for _, it := range r.items {
		t, err := r.tell(it)
		if err != nil {
			return nil, err
		}
		list = append(list, t.Game)
	}
	return list, nil
}

// Tell tells the item of this name, or the only one of this instance or task.
func (r *Run) Tell(name string) (*Told, error) {
	if it := r.byKey[name]; it != nil {
		return r.tell(it)
	}
	var found []*item
	for _, it := range r.items {
		if t := r.task(it); it.entry.Instance == name || t.Instance == name && name != "" {
			found = append(found, it)
		}
	}
	if len(found) == 1 {
		return r.tell(found[0])
	}
	e := fault.New(fault.NotFound, "the run has no game %s", fault.Quote(name)).At(r.Log.Path,
		r.Log.Layout.Main)
	if len(found) > 1 {
		return nil, e.Hint("of that instance there are %s and %d more", found[0].key, len(found)-1)
	}
	var names []string
	for _, it := range r.items[:min(len(r.items), maxNamed)] {
		names = append(names, it.key)
	}
	return nil, e.Choose(name, names)
}

// maxNamed bounds the names that a message is made of.
const maxNamed = 10_000

func (r *Run) tell(it *item) (*Told, error) {
	g := Game{
		Item: it.key, Instance: it.entry.Instance, Attempt: max(it.entry.Attempt, 1),
		Steps: it.entry.Turns, Outcome: "not scored",
	}
	t := r.task(it)
	if t.ID != "" {
		g.Task, g.Instance, g.Split, g.Variant = t.ID, t.Instance, t.Split, t.Variant
	}
	if s := it.score; s != nil {
		g.Outcome, g.Success, g.Optimal = s.Outcome, s.Success, s.Length
	}
	told := &Told{Game: g, Turns: []Turn{}}
	list, err := r.replies(it)
	if err != nil {
		return nil, fault.New(fault.Malformed, "%s: %w", it.key, err).At(r.Log.Path, r.Log.Layout.Main)
	}
	if it.entry.Infra != nil {
		told.Why = "infra: " + *it.entry.Infra
	}
	t.Attempt = g.Attempt
	if e, err := r.start(t); err != nil {
		told.Untold = err.Error()
		told.quote(list)
	} else {
		told.play(&table{e, r.Set, t}, func() (family.Reply, bool) {
			if len(list) == 0 {
				return family.Reply{}, false
			}
			next := list[0]
			list = list[1:]
			return next, true
		})
	}
	told.remark()
	return told, nil
}

func (r *Run) start(t family.Task) (family.Episode, error) {
	switch im := r.Log.Import; {
	case t.ID == "":
		return nil, fault.New(fault.NotFound, "the release has no such instance")
	case im != nil && (im.Human || im.Unchecked):
		return nil, fault.New(fault.NotFound, "it was played by none of our rules, or on another graph")
	}
	return r.Set.Start(t, r.rules, r.manner)
}

// quote tells replies of which nothing more is known.
func (t *Told) quote(list []family.Reply) {
	for i, r := range list {
		t.Turns = append(t.Turns, Turn{Step: i + 1, Reasoning: reasoning(r), Done: said(r), Valid: true})
	}
}

// Best tells how the best player plays a task under the rules of the run.
func (r *Run) Best(t family.Task) (*Told, error) { return Best(r.Set, t, r.rules) }

// Best tells how a player who knows all plays a task: of the set's baselines that do, the first
// that loses fewest turns, because some are made to show what ignoring a rule comes to. Those of a
// series are made weak.
func Best(set family.Set, task family.Task, rules family.Options) (best *Told, err error) {
	task.Attempt = 1
	for _, b := range set.Baselines() {
		if b.Kind != schemas.KindOracle || b.Series != "" || !b.Plays(task.Split) {
			continue
		}
		told, err := seated(set, task, rules, b)
		if err != nil {
			return nil, err
		}
		if best == nil || told.lost() < best.lost() {
			best = told
		}
	}
	if best == nil {
		return nil, fault.New(fault.NotFound, "nobody here knows how %s is played at best", fault.Quote(task.ID))
	}
	return best, nil
}

// seated lets a baseline play. One that cannot go on is an error, not a short game.
func seated(
	set family.Set, task family.Task, rules family.Options, b family.Baseline,
) (told *Told, err error) {
	e, err := set.Start(task, rules, family.Manner{Interface: schemas.InterfaceChat})
	if err != nil {
		return nil, err
	}
	next := b.Start(e, family.Seat{Task: task, Attempt: 1, Player: b.Name})
	told = &Told{Turns: []Turn{}, Game: Game{
		Item: b.Name, Task: task.ID, Instance: task.Instance, Split: task.Split, Variant: task.Variant,
		Attempt: 1, Success: true,
	}}
	told.play(&table{e, set, task}, func() (r family.Reply, more bool) {
		r, err = next()
		return r, err == nil
	})
	told.Outcome, told.Steps, told.Optimal = e.Outcome(), len(told.Turns), len(told.Turns)
	return told, err
}

// lost counts the turns that brought the player no nearer by one.
func (t *Told) lost() (n int) {
	for _, x := range t.Turns {
		if x.Before == nil || x.After == nil || *x.After != *x.Before-1 {
			n++
		}
	}
	return n
}

// remark says of turns what went wrong in them, and of the game where it was lost: the first turn
// that led out of reach, or else away, or to where the player had been, or that was not valid.
func (t *Told) remark() {
	seen, worst := map[string]int{}, 0
	for i := range t.Turns {
		n := &t.Turns[i]
		if _, again := seen[n.Place]; !again {
			seen[n.Place] = n.Step
		}
		to, last := t.Final, i == len(t.Turns)-1
		if !last {
			to = t.Turns[i+1].Place
		}
		rank := n.judge(last)
		if first, again := seen[to]; again && to != n.Place && n.Valid {
			n.Remarks = append(n.Remarks, fmt.Sprintf("came back to where it was at step %d", first))
			rank = max(rank, 2)
		}
		if rank > worst {
			worst, t.Lost, t.Why = rank, n.Step, n.Remarks[0]
		}
	}
}

// judge remarks on what a turn lost, and returns how much that weighs.
func (n *Turn) judge(last bool) (rank int) {
	text := ""
	switch {
	case !n.Valid:
		rank, text = 1, "not valid: "+n.Reason
	case n.Before == nil:
	case n.After == nil && last:
		rank, text = 4, "ended the game without success"
	case n.After == nil:
		rank, text = 4, "nothing leads to success any more"
	case *n.After > *n.Before:
		rank, text = 3, fmt.Sprintf("moved away: %d turns were left, now %d", *n.Before, *n.After)
	case *n.After == *n.Before:
		rank, text = 2, "came no nearer"
	}
	if n.Remarks = []string{}; text != "" {
		n.Remarks = append(n.Remarks, text)
	}
	return rank
}
