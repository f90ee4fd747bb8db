package session

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"time"

	"github.com/wikinav/wikinav/eval/links/game"
)

// Family starts the games of one benchmark family. It is safe for concurrent use.
type Family interface {
	// Start begins a game of an instance. options is a JSON object that changes some of the host's rules, or empty. Errors of the client's
	// are *Error: CodeInstanceNotFound, CodeBadOption, CodeBadField.
	Start(instance string, options json.RawMessage) (Game, error)
	// Splits lists the splits that are played, in the release's order.
	Splits() []string
	// List gives the instances of a split, or of all splits for "", in order; false for a split that is not there. The slice is shared.
	List(split string) ([]Info, bool)
}

// Info is what is told of an instance before it is played: no distance, no witness, no feature.
type Info struct {
	ID       string    `json:"id"`
	Split    string    `json:"split"`
	Source   game.Page `json:"source"`
	Target   game.Page `json:"target"`
	MaxSteps int       `json:"max_steps"`
	MaxLinks int       `json:"max_links"`
}

// Log keeps finished games. It is safe for concurrent use, and knows the games of its family.
type Log interface {
	// Keep returns once the game is on disk, or with the reason why it is not; then the game is kept nowhere. A second call for
	// a game that is kept does nothing.
	Keep(g Game, p Particulars) error
}

// Particulars are what a session knows of a game beside its turns.
type Particulars struct {
	Game, Client   string
	Started, Ended time.Time
}

// Host is what the games of a server have in common. It must not change once a game was started.
type Host struct {
	Family  Family
	Mover   Mover
	Exposed bool // traces tell distances
	Log     Log  // nil: games are kept nowhere
	Now     func() time.Time
	// NewID names a game. Names must not come again, not even after a restart; nil draws them.
	NewID func() string
}

// Request asks for a game.
type Request struct {
	Instance string
	Options  json.RawMessage // what differs from the host's rules; empty for nothing
	Client   string          // whose game it is, "" for Anonymous
}

// Anonymous is the client of games whose client did not say who it is.
const Anonymous = "anonymous"

// clientID is the form of a client's name, which becomes part of the name of a directory.
var clientID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckClient refuses what is no name of a client.
func CheckClient(name string) error {
	if !clientID.MatchString(name) {
		return errorf(CodeBadField, "client_id", "client_id is up to 64 letters, digits, dots, hyphens and underscores, and starts with a letter or digit")
	}
	return nil
}

// Start begins a game.
func (h *Host) Start(r Request) (*Session, error) {
	if r.Client == "" {
		r.Client = Anonymous
	}
	if err := CheckClient(r.Client); err != nil {
		return nil, err
	}
	g, err := h.Family.Start(r.Instance, r.Options)
	if err != nil {
		return nil, err
	}
	now := h.Now()
	return &Session{ID: h.newID(), Client: r.Client, host: h, game: g, started: now, last: now}, nil
}

func (h *Host) newID() string {
	if h.NewID != nil {
		return h.NewID()
	}
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return "g-" + hex.EncodeToString(b[:])
}
