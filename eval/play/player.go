// Package play lets players play games and keeps what they did in a run directory (package trace).
//
// It owns the built-in players and the runner. It promises that a run's files depend on release, options, player and seed alone,
// the clock fields apart: each game draws from a stream of its own, and games are written in order of play however many are
// played at once. A run that was interrupted goes on where it stopped and ends with the same files. It never judges: what
// it writes of distances and optimal links is what package game says, and package judge says it again.
package play

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/game"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Player takes part in many games, several at a time.
type Player interface {
	Name() string
	Kind() string // schemas.KindLocal or schemas.KindOracle
	Start(Seat) Agent
}

// Agent plays one game.
type Agent interface {
	Act(game.Observation) game.Move
}

// Seat is what a player learns of a game before it starts.
type Seat struct {
	Instance string
	Attempt  int // 1-based
	// Best gives the place in the current menu of a link nearest to the target. Only players of kind oracle get it.
	Best func() int
}

// players lists the built-in players; seed is the player's own, not the game's.
var players = map[string]func(seed int64) Player{
	"random":   func(seed int64) Player { return random{seed} },
	"shortest": func(int64) Player { return shortest{} },
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

// New gives the built-in player called name, or a usage fault that lists them.
func New(name string, seed int64) (Player, error) {
	start, ok := players[name]
	if !ok {
		return nil, fault.New(fault.Usage, "no player is called %s", fault.Quote(name)).Hint("choose from %s", strings.Join(Names(), ", "))
	}
	return start(seed), nil
}
