// Package play lets players play games and keeps what they did in a run directory (package trace).
//
// It owns the built-in players and the runner. It promises that a run's files depend on release, options, player and seed alone,
// the clock fields apart: each game draws from a stream of its own, and a run that has come to its end is in the order of play however many
// games were played at once, by however many processes. A run that was interrupted goes on where it stopped and ends with the same
// files. It never judges: what
// it writes of distances and optimal links is what package game says, and package judge says it again.
package play

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Player takes part in many games, several at a time.
type Player interface {
	Name() string
	Kind() string // one of the schemas.Kind words
	Start(Seat) Agent
}

// Agent plays one game. An error that is ErrGaveUp or ErrInfra ends the game, any other the run.
type Agent interface {
	Act(context.Context, game.Observation) (Answer, error)
}

// Answer is a move, and what was said on the way to it. All but the move stays empty for a player that neither reads nor writes text.
type Answer struct {
	Move      game.Move
	Prompt    string // SHA-256 of the prompt
	Reply     string
	Reasoning *string
	Usage     *schemas.Usage
	Retries   int
	Flag      string // one of the schemas.Flag words, or ""
}

// Errors with which an agent ends its game.
var (
	ErrGaveUp = errors.New("the player gave up")
	ErrInfra  = errors.New("the player could not be asked")
)

// ErrStop is an error with which a player ends the run cleanly: games under way go on until they meet it themselves, and no new ones
// are begun.
var ErrStop = errors.New("the player plays no more")

// Unreachable is an ErrInfra that says why, and how often the player had been asked before.
type Unreachable struct {
	Reason  string
	Retries int
}

func (u *Unreachable) Error() string   { return u.Reason }
func (u *Unreachable) Is(e error) bool { return e == ErrInfra }

// repeated tells whether the player was asked more than once before it was given up.
func repeated(err error) bool {
	var u *Unreachable
	return errors.As(err, &u) && u.Retries > 0
}

// Spectator is an agent that wants to see how its game ended.
type Spectator interface{ End(game.Observation) }

// Reader is a player that reads prompts and writes replies: which wording, which parser.
type Reader interface {
	Reads(schemas.GameOptions) (wording, parser schemas.Versioned)
}

// Seat is what a player learns of a game before it starts.
type Seat struct {
	Instance string
	Attempt  int // 1-based
	Options  schemas.GameOptions
	// Best gives the place in the current menu of a link nearest to the target, of an allowed one under a ban; Shortest does not care what
	// is banned. Only players of kind oracle get them.
	Best, Shortest func() int
	// Survey gives what is behind the links of the current menu. Only the degree players get it.
	Survey func() []Candidate
}

// single is a player at a terminal or pipe: one game at a time.
type single interface{ plays1() }

// Setup is what players are made from.
type Setup struct {
	Seed    int64     // the player's own, not the game's
	In      io.Reader // of the players that somebody else moves
	Out     io.Writer
	Lenient bool // their replies are read by the lenient parser
	Model   Model
}

// players lists the built-in players.
var players = map[string]func(Setup) Player{
	"random":            func(s Setup) Player { return random{s.Seed} },
	"shortest":          func(Setup) Player { return shortest{} },
	"shortest-legal":    func(Setup) Player { return shortestLegal{} },
	"greedy-degree":     func(Setup) Player { return greedy{"greedy-degree", func(c Candidate) int { return c.In }} },
	"greedy-degree-out": func(Setup) Player { return greedy{"greedy-degree-out", func(c Candidate) int { return c.Out }} },
	"human":             func(s Setup) Player { return newHuman(s) },
	"lines":             func(s Setup) Player { return newLines(s) },
	playerOpenAI:        func(s Setup) Player { return speaking{s.Model, s.Lenient} },
}

// Names lists the built-in players.
func Names() []string {
	var names []string
	for name := range players {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// New gives the built-in player called name, or a usage fault that lists them. Without In and Out it has nobody to ask.
func New(name string, seed int64) (Player, error) { return Setup{Seed: seed}.Player(name) }

// Player gives the built-in player called name, or a usage fault that lists them.
func (s Setup) Player(name string) (Player, error) {
	start, ok := players[name]
	if !ok {
		return nil, fault.New(fault.Usage, "no player is called %s", fault.Quote(name)).Hint("choose from %s", strings.Join(Names(), ", "))
	}
	if name == playerOpenAI && s.Model.Speak == nil {
		return nil, errNoModel
	}
	if s.In == nil {
		s.In = strings.NewReader("")
	}
	if s.Out == nil {
		s.Out = io.Discard
	}
	return start(s), nil
}
