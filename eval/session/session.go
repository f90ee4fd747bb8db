// Package session holds games that somebody outside plays, a turn at a time: what the HTTP server and the MCP server share.
//
// It owns the step protocol. A client names the turn that it plays, so that the same request twice is one turn, and a request that
// comes late or early is refused with the game untouched. A game is locked for the length of a request; different games go on side by
// side. It does not know transports, and of a family's rules only what Game says; the rules are package game's.
//
// It tells a client what an observation tells. Distances leave it in the trace of a finished game and in Oracle alone, and only for a
// host that exposes them.
//
// Specification: publishing, 16 and 17.
package session

import (
	"sync"
	"time"

	"github.com/wikinav/wikinav/eval/links/game"
)

// Move is what a client makes of a turn. One of Choice, Title, Reply and Back is set.
type Move struct {
	Choice *int    // number of a link
	Title  *string // title of a link, or of a redirect to one
	Reply  *string // what a model said, to be read by the family's parser
	Back   bool    // the way back
	// What a player says beside a choice or title in a game under a ban; nil for nothing. No other game keeps it.
	Reasoning            *string
	RestrictionReasoning *string
}

// same tells whether m is b sent once more. What is said beside a move is no part of that.
func (m Move) same(b Move) bool {
	return equal(m.Choice, b.Choice) && equal(m.Title, b.Title) && equal(m.Reply, b.Reply) && m.Back == b.Back
}

func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// Turn is what a move did.
type Turn struct {
	Valid   bool
	Reason  string // why it was not valid
	Counted bool   // consumed a turn
}

// Game is one game of a family. A Session calls it from one goroutine at a time.
type Game interface {
	Instance() string
	OptionsSHA256() string
	Step() int       // number of the turn to come, 1-based
	Turns() int      // consumed so far
	Outcome() string // "" while the game runs
	// Observe gives what a player may see now: a value that encodes as a JSON object, owned by the caller.
	Observe(id string) any
	// Play makes a move in a running game. It refuses with an *Error, the game untouched, what is no move at all, and an illegal choice
	// if by is Harness. latency is the time since the last turn ended, for the record.
	Play(m Move, by Mover, latency time.Duration) (Turn, error)
	Stop(outcome string)
	// Fresh gives the same game at its start.
	Fresh() (Game, error)
	// Trace lists the records of the steps, with what only an oracle knows if exposed.
	Trace(id string, exposed bool) any
	// Oracle is asked by a host that exposes it, and by no other.
	Oracle() Oracle
}

// Mover is who makes the moves.
type Mover int

const (
	// Harness is a program that asks a model and reads its replies itself: a choice that is not on the menu is its own error.
	Harness Mover = iota
	// Model is the model itself: such a choice is an invalid turn.
	Model
)

// Session is a game and its client. It is safe for concurrent use.
type Session struct {
	ID     string
	Client string

	host    *Host
	mu      sync.Mutex
	game    Game
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
	move Move
	turn Turn
}

// Result is the answer to a move, the same for the same move sent again.
type Result struct {
	Observation any    `json:"observation"`
	Valid       bool   `json:"valid"`
	Reason      string `json:"reason,omitempty"`
	Done        bool   `json:"done"`
	Outcome     string `json:"outcome,omitempty"`
}

// State is a game as it stands.
type State struct {
	Game        string `json:"game"`
	Observation any    `json:"observation"`
	Turns       int    `json:"turns"`
	Outcome     string `json:"outcome,omitempty"`
}

// Ended is the answer to giving up.
type Ended struct {
	Done    bool   `json:"done"`
	Outcome string `json:"outcome"`
}

// Oracle is what nobody who plays may know.
type Oracle struct {
	Distance int         `json:"distance"` // links on a shortest path from the current page to the target
	Plan     *game.Link  `json:"plan"`     // an optimal link, null once the game is over
	State    *game.State `json:"state"`
}

// Oracle tells what the oracle knows of the turn to come. It is refused unless the host exposes it.
func (s *Session) Oracle() (Oracle, error) {
	if !s.host.Exposed {
		return Oracle{}, errorf(CodeNotFound, "", "this server exposes no oracle")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.game.Oracle(), nil
}

// Game gives the game, for what never changes of it: instance and rules.
func (s *Session) Game() Game { return s.game }

// Instance names what is played.
func (s *Session) Instance() string { return s.game.Instance() }

// OptionsSHA256 is the hash of the rules that the game is played by.
func (s *Session) OptionsSHA256() string { return s.game.OptionsSHA256() }

// Observe gives the game as it stands.
func (s *Session) Observe() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{s.ID, s.game.Observe(s.ID), s.game.Turns(), s.game.Outcome()}
}

// Done tells whether the game is over.
func (s *Session) Done() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.game.Outcome() != ""
}

// Move plays turn step. The same move for a step that was played gets the answer that it got, another one CodeStepPlayed. Under the
// option invalid=retry a reply that cost no turn leaves the step open: whatever comes next for it is a new reply.
func (s *Session) Move(step int, m Move) (Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.find(step); i >= 0 {
		return s.again(i, m)
	}
	if err := s.admit(step); err != nil {
		return Result{}, err
	}
	turn, err := s.game.Play(m, s.host.Mover, s.host.Now().Sub(s.last))
	if err != nil {
		return Result{}, err
	}
	s.last = s.host.Now()
	s.played = append(s.played, played{step, m, turn})
	if err := s.keep(); err != nil {
		return Result{}, err
	}
	return s.result(s.game, turn), nil
}

// GiveUp ends the game before turn step.
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
		s.game.Stop(gaveUp)
	}
	return Ended{true, s.game.Outcome()}, s.keep()
}

// Trace gives the records of a finished game's steps.
func (s *Session) Trace() (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.game.Outcome() == "" {
		return nil, errorf(CodeGameRunning, "", "game %s is not over; its trace is for afterwards", s.ID)
	}
	return s.game.Trace(s.ID, s.host.Exposed), nil
}

// find gives the place of the turn that consumed step, or ended the game at it; -1 for none.
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

// admit refuses a step that is not the one to come.
func (s *Session) admit(step int) error {
	next := s.game.Step()
	switch {
	case step < 1:
		return errorf(CodeBadField, "step", "step is %d; the first is 1", step)
	case s.game.Outcome() != "":
		return errorf(CodeGameOver, "step", "game %s is over: %s", s.ID, s.game.Outcome())
	case step > next:
		return errorf(CodeStepAhead, "step", "step %d is ahead of the game, the one to come is %d", step, next)
	}
	return nil
}

// again answers a step that was played.
func (s *Session) again(i int, m Move) (Result, error) {
	if !s.played[i].move.same(m) {
		return Result{}, stepPlayed(s.played[i].step)
	}
	if err := s.keep(); err != nil {
		return Result{}, err
	}
	if i == len(s.played)-1 && s.gaveUp == 0 {
		return s.result(s.game, s.played[i].turn), nil
	}
	g, err := s.replay(i + 1)
	if err != nil {
		return Result{}, err
	}
	return s.result(g, s.played[i].turn), nil
}

// replay gives the game as it stood after the first n turns. A game is a function of its moves, so nothing but these is stored.
func (s *Session) replay(n int) (Game, error) {
	g, err := s.game.Fresh()
	for _, p := range s.played[:n] {
		if err != nil {
			return nil, err
		}
		_, err = g.Play(p.move, s.host.Mover, 0)
	}
	return g, err
}

func (s *Session) result(g Game, t Turn) Result {
	return Result{g.Observe(s.ID), t.Valid, t.Reason, g.Outcome() != "", g.Outcome()}
}

// keep logs a game that is over, once. A client whose last turn could not be logged is told so, and sends it again.
func (s *Session) keep() error {
	if s.game.Outcome() == "" || s.kept {
		return nil
	}
	if s.ended.IsZero() {
		s.ended = s.host.Now()
	}
	if s.host.Log != nil {
		if err := s.host.Log.Keep(s.game, Particulars{s.ID, s.Client, s.started, s.ended}); err != nil {
			return err
		}
	}
	s.kept = true
	return nil
}
