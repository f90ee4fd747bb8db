// Package session holds games that somebody outside plays, a turn at a time: what the HTTP server
// and the MCP server share.
//
// It owns the step protocol. A client names the turn that it plays, so that the same request twice
// is one turn, and a request that comes late or early is refused with the game untouched. A game is
// locked for the length of a request; different games go on side by side. It knows neither
// transports nor families: a game is an episode of whatever family the host has.
//
// It tells a client what an observation tells. What only an oracle knows leaves it in the trace of
// a finished game and in Oracle alone, and only for a host that exposes it.
package session

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Session is a game and its client. It is safe for concurrent use.
type Session struct {
	ID     string
	Client string

	host    *Host
	task    family.Task
	options family.Options

	mu      sync.Mutex
	game    family.Episode
	played  []played
	gaveUp  int // the step at which the client gave up, 0 for never
	kept    bool
	started time.Time
	last    time.Time // when the last turn ended
	ended   time.Time
}

// played is a turn that was made, or a reply that cost none.
type played struct {
	step int
	move family.Reply
	turn family.Turn
}

// same reports whether m is b sent once more. What is said beside a move is no part of that.
func same(m, b family.Reply) bool {
	return equal(m.Choice, b.Choice) && equal(m.Title, b.Title) && equal(m.Text, b.Text) && m.Back == b.Back &&
		equal(m.Answer, b.Answer) &&
		slices.EqualFunc(m.Calls, b.Calls, func(m, b family.Call) bool { return m.Name == b.Name && string(m.Arguments) == string(b.Arguments) })
}

func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func spoken(r family.Reply) bool {
	return r.Text != nil && r.Choice == nil && r.Title == nil && !r.Back && r.Calls == nil && r.Answer == nil
}

// Result is the answer to a move, the same for the same move sent again.
type Result struct {
	Observation any    `json:"observation"`
	Valid       bool   `json:"valid" jsonschema:"the turn was a move that the rules allow"`
	Reason      string `json:"reason,omitempty" jsonschema:"why the turn was not valid"`
	Done        bool   `json:"done" jsonschema:"the game is over"`
	Outcome     string `json:"outcome,omitempty" jsonschema:"how it ended; success is the task done"`
}

type State struct {
	Game        string `json:"game"`
	Observation any    `json:"observation"`
	Turns       int    `json:"turns"`
	Outcome     string `json:"outcome,omitempty"`
}

type Ended struct {
	Done    bool   `json:"done"`
	Outcome string `json:"outcome"`
}

// Oracle returns what the oracle knows of the turn to come, as an object, if the host exposes it.
func (s *Session) Oracle() (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if advised, ok := s.game.(family.Advised); ok && s.host.Exposed {
		return advised.Oracle(), nil
	}
	return nil, family.Refuse(family.CodeNotFound, "", "this server exposes no oracle")
}

func (s *Session) fresh() (family.Episode, error) {
	e, err := s.host.Set.Start(s.task, s.options, s.host.Manner)
	if errors.Is(err, fault.Usage) {
		return nil, family.Refuse(family.CodeBadOption, "options", "%s", err)
	}
	if named, ok := e.(family.Named); ok && err == nil {
		named.Name(s.ID)
	}
	return e, err
}

func (s *Session) Task() family.Task { return s.task }

// OptionsSHA256 is the hash of the rules that the game is played by.
func (s *Session) OptionsSHA256() string { return digest.SHA256(s.options.JSON) }

func (s *Session) Tools() []family.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.game.Tools()
}

func (s *Session) Observe() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{s.ID, s.host.show(s.game, true), s.game.Step() - 1, s.game.Outcome()}
}

func (s *Session) Done() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.game.Outcome() != ""
}

// Move plays turn step. The same move again gets the same answer, another one CodeStepPlayed. Where
// a reply costs no turn the step stays open: what comes next for it is a new reply.
func (s *Session) Move(step int, m family.Reply) (Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(step)
	switch {
	case i < 0:
		if err := s.admit(step); err != nil {
			return Result{}, err
		}
		var err error
		if i, err = s.play(step, m); err != nil {
			return Result{}, err
		}
	case !same(s.played[i].move, m):
		return Result{}, stepPlayed(step)
	}
	if err := s.keep(); err != nil {
		return Result{}, err
	}
	g := s.game
	if i < len(s.played)-1 || s.gaveUp != 0 {
		var err error
		if g, err = s.replay(i + 1); err != nil {
			return Result{}, err
		}
	}
	t := s.played[i].turn
	return Result{s.host.show(g, false), t.Valid, t.Reason, g.Outcome() != "", g.Outcome()}, nil
}

// play makes a turn, and returns its place.
func (s *Session) play(step int, m family.Reply) (int, error) {
	if spoken(m) && !s.host.Replies {
		return 0, family.Refuse(family.CodeBadField, "reply", "raw replies are not accepted here; send choice or title")
	}
	if spoken(m) && len(m.Stated) > 0 {
		field := slices.Min(slices.Collect(maps.Keys(m.Stated)))
		return 0, family.Refuse(family.CodeBadField, field, "%s stands beside choice or title; a reply holds its own", field)
	}
	said := m
	said.Strict, said.LatencyMS = s.host.Strict && !spoken(m), s.host.Now().Sub(s.last).Milliseconds()
	turn, err := s.game.Act(said)
	if err != nil {
		return 0, err
	}
	s.last = s.host.Now()
	s.played = append(s.played, played{step, m, turn})
	return len(s.played) - 1, nil
}

func (s *Session) GiveUp(step int) (Ended, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gaveUp == 0 || s.gaveUp != step {
		if s.find(step) >= 0 {
			return Ended{}, stepPlayed(step)
		}
		if err := s.admit(step); err != nil {
			return Ended{}, err
		}
		s.gaveUp = step
		s.game.Stop(schemas.OutcomeGaveUp)
	}
	return Ended{true, s.game.Outcome()}, s.keep()
}

func (s *Session) Trace() (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.game.Outcome() == "" {
		return nil, family.Refuse(family.CodeGameRunning, "", "game %s is not over; its trace is for afterwards", s.ID)
	}
	traced, ok := s.game.(family.Traced)
	if !ok {
		return nil, family.Refuse(family.CodeNotFound, "", "games of the family %s have no trace", s.host.Family.Name())
	}
	return traced.Trace(s.ID, s.host.Exposed), nil
}

// find returns the place of the turn that consumed step, or ended the game at it; -1 for none.
func (s *Session) find(step int) int {
	for i := len(s.played) - 1; i >= 0; i-- {
		p := s.played[i]
		ending := i == len(s.played)-1 && s.gaveUp == 0 && s.game.Outcome() != ""
		if p.step == step && (p.turn.Counted || ending) {
			return i
		}
	}
	return -1
}

func (s *Session) admit(step int) error {
	next := s.game.Step()
	switch {
	case step < 1:
		return family.Refuse(family.CodeBadField, "step", "step is %d; the first is 1", step)
	case s.game.Outcome() != "":
		return family.Refuse(family.CodeGameOver, "step", "game %s is over: %s", s.ID, s.game.Outcome())
	case step > next:
		return family.Refuse(family.CodeStepAhead, "step", "step %d is ahead of the game, the one to come is %d", step, next)
	}
	return nil
}

func stepPlayed(step int) error {
	return family.Refuse(family.CodeStepPlayed, "step", "step %d was played with another move", step)
}

// replay returns the game after n turns. It is a function of its moves: nothing else is stored.
func (s *Session) replay(n int) (family.Episode, error) {
	g, err := s.fresh()
	for _, p := range s.played[:n] {
		if err != nil {
			return nil, err
		}
		_, err = g.Act(p.move)
	}
	return g, err
}

// keep logs a game that is over, once. A client whose last turn was not logged must send it again.
func (s *Session) keep() error {
	if s.game.Outcome() == "" || s.kept {
		return nil
	}
	if s.ended.IsZero() {
		s.ended = s.host.Now()
	}
	if s.host.Log != nil {
		if err := s.host.Log.Keep(s.finished()); err != nil {
			return err
		}
	}
	s.kept = true
	return nil
}

func (s *Session) finished() Finished {
	return Finished{
		Episode: s.game, Task: s.task, Options: s.options, Game: s.ID, Client: s.Client, Started: s.started, Ended: s.ended,
		Spoken: s.host.Replies && !slices.ContainsFunc(s.played, func(p played) bool { return !spoken(p.move) }),
	}
}
