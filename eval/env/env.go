// Package env plays many episodes of one release side by side for a program that trains or measures
// a player: a reset begins an episode in a slot, a step makes a turn in it and is paid.
//
// It owns slots, the draw of tasks, rewards and the protocol of JSON lines over which both are
// asked for (docs/evaluator/env.md). A request handles any number of slots, so that one round trip
// makes many turns. It promises that equal requests get equal answers, whatever the number of
// processors; that an error of one slot leaves it as it was and touches no other; and that no
// observation and no info tells what only an oracle knows, unless the host exposes it. A reward
// may, which is what it is for. Episodes that end are kept by the host's log before their end is
// told. The package knows families by their contract alone, and opens no connection.
//
// It needs some kilobytes for each slot, and nothing for an episode that is over.
package env

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Config says what is played, and how it is paid.
type Config struct {
	// Host is one after Offer. Strict refuses a choice that is not listed instead of making a turn
	// of it.
	Host    *session.Host
	Rewards []string // of the Reward words, whose sum a turn is paid
	Gamma   float64  // discount of the potential, above 0 and at most 1
	Slots   int      // episodes at a time
	Seed    int64    // of the tasks in slots that are reset without a seed of their own
	Client  string   // who plays, for the log
	Release string   // id
	Program string   // name and version
}

// Env is the episodes of one client. It is not safe for concurrent use.
type Env struct {
	Config
	tasks   []family.Task
	byID    map[string]family.Task
	slots   []*slot
	pays    []pay
	words   bool // played in words alone, as a model is asked
	workers int  // slots that are handled at once
}

// MaxSlots bounds the episodes at a time.
const MaxSlots = 1 << 16

// New returns an environment whose slots are empty. Errors: fault.Usage.
func New(c Config) (*Env, error) {
	e := &Env{
		Config: c, byID: map[string]family.Task{},
		words:   c.Host.Manner.Interface == schemas.InterfaceChat,
		workers: runtime.GOMAXPROCS(0),
	}
	switch {
	case c.Slots < 1 || c.Slots > MaxSlots:
		return nil, fault.New(fault.Usage, "--slots %d: want 1 to %d", c.Slots, MaxSlots)
	case !(c.Gamma > 0 && c.Gamma <= 1):
		return nil, fault.New(fault.Usage, "--gamma %v: want more than 0 and at most 1", c.Gamma)
	}
	e.tasks, _ = c.Host.Tasks("")
	if len(e.tasks) == 0 {
		return nil, fault.New(fault.Usage, "there is nothing to play in the splits that are chosen").
			Hint("choose others with --split, or leave it out")
	}
	for _, t := range e.tasks {
		e.byID[t.ID] = t
	}
	sample, err := c.Host.Try()
	if err != nil {
		return nil, err
	}
	if e.words { // what nobody who begins episodes may ask for, nobody may in words
		others := *c.Host
		others.Manner.Interface = schemas.InterfaceEnv
		if _, err := others.Try(); err != nil {
			return nil, err
		}
	}
	e.pays, err = paysOf(c, sample)
	for i := range c.Slots {
		e.slots = append(e.slots, &slot{env: e, number: i})
	}
	return e, err
}

// slot is a place in which one episode is played at a time.
type slot struct {
	*episode
	env    *Env
	number int
	draws  *draws            // nil before the first
	ended  *session.Finished // the episode that the turn at hand ended, nil for none
	out    line              // the answer, whose memory the next one takes
}

// episode is what is under way in a slot.
type episode struct {
	family.Episode
	task          family.Task
	options       family.Options
	paid          []float64 // of the last turn
	state         state
	mixed         bool // some turn was no reply in words
	started, last time.Time
}

// each calls do with the places of n things, several at a time; things must be independent.
func (e *Env) each(n int, do func(i int)) {
	workers := min(e.workers, n)
	if workers < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	arrowio.Workers(workers, func(w int) {
		for i := w; i < n; i += workers {
			do(i)
		}
	})
}

// draws is a stream of tasks. The next one is drawn ahead, so that a reset that is refused takes
// none.
type draws struct {
	stream *rng.Stream
	next   family.Task
}

// drawsOf returns the draws of a seed and a name.
func (e *Env) drawsOf(seed int64, name ...string) *draws {
	d := &draws{stream: rng.New(uint64(seed), append([]string{"env"}, name...)...)}
	d.pass(e.tasks)
	return d
}

// pass takes the next task from the draws.
func (d *draws) pass(tasks []family.Task) { d.next = tasks[d.stream.Below(len(tasks))] }

// choose returns the task of a reset: the one that is named, or the next of the slot's draws, which
// begin anew where a seed is given. It returns these draws, too, nil for a task that is named.
func (s *slot) choose(instance *string, seed *int64) (family.Task, *draws, error) {
	d := s.draws
	switch {
	case instance != nil:
		t, ok := s.env.byID[*instance]
		if !ok {
			return t, nil, family.Refuse(family.CodeInstanceNotFound, "instance", "no instance %s",
				fault.Quote(*instance))
		}
		return t, nil, nil
	case seed != nil:
		d = s.env.drawsOf(*seed, "seed")
	case d == nil:
		d = s.env.drawsOf(s.env.Seed, "slot", rng.Part(s.number))
	}
	return d.next, d, nil
}

// begin starts the episode of a task in the slot, in place of one that may be under way, which is
// then kept nowhere.
func (s *slot) begin(t family.Task, changes json.RawMessage) error {
	h := s.env.Host
	options, err := h.Merge(changes)
	if err != nil {
		return err
	}
	e, err := h.Set.Start(t, options, h.Manner)
	switch {
	case errors.Is(err, fault.Usage):
		return family.Refuse(family.CodeBadOption, "options", "%s", err)
	case err != nil:
		return err
	}
	now := h.Now()
	s.episode = &episode{
		Episode: e,
		task:    t,
		options: options,
		started: now,
		last:    now,
		paid:    make([]float64, len(s.env.pays)),
	}
	s.state = stateOf(e, nil)
	return nil
}

// step makes a turn in the slot and pays for it.
func (s *slot) step(r family.Reply) (family.Turn, error) {
	switch {
	case s.episode == nil:
		return family.Turn{}, family.Refuse(family.CodeNotFound, "slot",
			"slot %d is empty; reset it first", s.number)
	case s.Outcome() != "":
		return family.Turn{}, family.Refuse(family.CodeGameOver, "slot",
			"the episode of slot %d is over: %s; reset it first", s.number, s.Outcome())
	}
	now := s.env.Host.Now()
	r.LatencyMS = max(0, now.Sub(s.last).Milliseconds()) // a clock may be set back
	if s.env.words {
		r.PromptSHA256 = prompt.Hash(s.Messages())
	}
	r.Strict = s.env.Host.Strict && r.Text == nil
	turn, err := s.Act(r)
	if err != nil {
		return turn, err
	}
	s.mixed = s.mixed || r.Text == nil
	s.pay(turn)
	s.last = s.env.Host.Now()
	s.finish()
	return turn, nil
}

// giveUp ends the episode as its player's choice.
func (s *slot) giveUp() (family.Turn, error) {
	if s.episode == nil || s.Outcome() != "" {
		return s.step(family.Reply{})
	}
	s.Stop(schemas.OutcomeGaveUp)
	s.last = s.env.Host.Now()
	s.pay(family.Turn{})
	s.finish()
	return family.Turn{}, nil
}

// pay pays the turn that was made.
func (s *slot) pay(turn family.Turn) {
	after := stateOf(s.Episode, &s.state)
	for i, p := range s.env.pays {
		s.paid[i] = p.of(s.Episode, turn, s.state, after)
	}
	s.state = after
}

// finish notes an episode that is over, for the log.
func (s *slot) finish() {
	if s.Outcome() == "" {
		return
	}
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	s.ended = &session.Finished{
		Episode: s.Episode, Task: s.task, Options: s.options, Game: "g-" + hex.EncodeToString(b[:]),
		Client: s.env.Client, Spoken: s.env.words || !s.mixed && s.Step() > 1,
		Started: s.started, Ended: s.last,
	}
}

// keep logs the episodes that ended in slots. They are written together, and wait for the disk
// once.
func (e *Env) keep(slots []*slot) error {
	if e.Host.Log == nil {
		return nil
	}
	errs := make([]error, len(slots))
	arrowio.Workers(len(slots), func(i int) { errs[i] = e.Host.Log.Keep(*slots[i].ended) })
	return errors.Join(errs...)
}

// truncates lists the outcomes with which an episode ends for a reason that is none of its own:
// time, turns or tokens are used up, or somebody stopped it.
var truncates = []string{
	schemas.OutcomeStepLimit, schemas.OutcomeTurns, schemas.OutcomeBudget, schemas.OutcomeTimeout,
	schemas.OutcomeSpent, schemas.OutcomeGaveUp, schemas.OutcomeInfra,
}

func truncated(outcome string) bool { return slices.Contains(truncates, outcome) }

// oracle returns what only an oracle knows of the slot, nil unless the host exposes it.
func (s *slot) oracle() any {
	if !s.env.Host.Exposed {
		return nil
	}
	told := struct {
		Left   *int `json:"left,omitempty"`
		Advice any  `json:"advice,omitempty"`
	}{}
	if m, ok := s.Episode.(family.Measured); ok {
		told.Left = m.Left()
	}
	if a, ok := s.Episode.(family.Advised); ok {
		told.Advice = a.Oracle()
	}
	return told
}

// line is JSON under way, which holds no line end.
type line []byte

// Write appends what an encoder writes.
func (l *line) Write(p []byte) (int, error) {
	*l = append(*l, p...)
	return len(p), nil
}

// put appends a field of an object, or, without a name, a value.
func (l *line) put(name string, v any) {
	*l = append(*l, name...)
	enc := json.NewEncoder(l)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // records of ours
	}
	*l = (*l)[:len(*l)-1]
}
