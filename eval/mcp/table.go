package mcp

import (
	"encoding/json"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/session"
)

// table is where the client plays: one game at a time. Every call holds it for its length.
type table struct {
	Config
	family family
	server *sdk.Server

	mu       sync.Mutex
	game     *session.Session // nil before the first
	backTool bool             // go_back is listed
}

// current gives the game last started.
func (t *table) current() (*session.Session, error) {
	if t.game == nil {
		return nil, refuse("game_not_found", "no game was started; call start_game first")
	}
	return t.game, nil
}

type listArgs struct {
	Split  string `json:"split" jsonschema:"name of the split"`
	Limit  *int   `json:"limit,omitempty" jsonschema:"how many to list, at most 1000; 100 if it is left out"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many to pass over; 0 if it is left out"`
}

type listed struct {
	Total int    `json:"total"`
	Items []item `json:"items"`
}

type startArgs struct {
	Instance string         `json:"instance" jsonschema:"id of the instance, as list_instances gives it"`
	Options  map[string]any `json:"options,omitempty" jsonschema:"rules that differ from the server's, by name"`
	Restart  bool           `json:"restart,omitempty" jsonschema:"give up the game that is running"`
}

type started struct {
	Observation any `json:"observation"`
}

// start begins a game. The one that is running is given up, so that it counts, and only once the new one is sure to begin.
func (t *table) start(a startArgs) (started, error) {
	if t.game != nil && !t.game.Done() && !a.Restart {
		return started{}, refuse(session.CodeGameRunning, "a game of %s is running; play it to its end, call give_up, or pass restart:true to give it up", t.game.Instance())
	}
	var options json.RawMessage
	if len(a.Options) > 0 {
		options, _ = json.Marshal(a.Options) // it was JSON
	}
	s, err := t.Host.Start(session.Request{Instance: a.Instance, Options: options, Client: t.Client})
	if err != nil {
		return started{}, err
	}
	if t.game != nil && !t.game.Done() {
		if _, err := t.game.GiveUp(t.game.Observe().Turns + 1); err != nil {
			return started{}, err
		}
	}
	t.game = s
	t.listBack(t.family.back(s.Game()))
	return started{t.seen()}, nil
}

// seen is what the current game shows.
func (t *table) seen() any { return t.family.show(t.game.Game(), t.game.Observe().Observation) }

// moved is what a move brought. It is session.Result with the observation of the family.
type moved struct {
	Observation any    `json:"observation"`
	Valid       bool   `json:"valid" jsonschema:"the turn was a move; if not, the page is the same"`
	Reason      string `json:"reason,omitempty" jsonschema:"why the turn was not valid"`
	Done        bool   `json:"done" jsonschema:"the game is over"`
	Outcome     string `json:"outcome,omitempty" jsonschema:"how it ended; success is the target reached"`
}

func (t *table) move(step int, m session.Move) (moved, error) {
	s, err := t.current()
	if err != nil {
		return moved{}, err
	}
	r, err := s.Move(step, m)
	if err != nil {
		return moved{}, err
	}
	return moved{t.family.show(s.Game(), r.Observation), r.Valid, r.Reason, r.Done, r.Outcome}, nil
}
