package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/names"
)

// wikiGameSession is what matters here of an attempt: not its names, times and points.
type wikiGameSession struct {
	Player string   `json:"player_name"`
	Path   []string `json:"path_concept"`
	Won    *bool    `json:"won"`
}

// wikiGamePair is a pair of pages with its sessions, under FROM_<start>_TO_<target>.
type wikiGamePair struct {
	key      string
	sessions []wikiGameSession
}

// readWikiGame reads people's games from one object of pairs, each with its sessions in a list. The
// pages are told and no clicks on "back", so nothing but the links is known.
func readWikiGame(data []byte) (*File, error) {
	pairs, err := wikiGamePairs(data)
	if err != nil {
		return nil, err
	}
	f := &File{Human: true}
	people := players{}
	for _, p := range pairs {
		for i, s := range p.sessions {
			g, err := s.game(p.key)
			if err != nil {
				return nil, fmt.Errorf("session %d of %q: %w", i+1, p.key, err)
			}
			g.Where, g.Player = fmt.Sprintf("session %d of %s", i+1, p.key), people.number(s.Player)
			f.Games = append(f.Games, g)
		}
	}
	return f, nil
}

// wikiGamePairs keeps the order of the file, and a key that stands twice: a map would lose both.
func wikiGamePairs(data []byte) ([]wikiGamePair, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("not an object of FROM_<start>_TO_<target>")
	}
	var pairs []wikiGamePair
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		p := wikiGamePair{key: fmt.Sprint(key)}
		if !strings.HasPrefix(p.key, "FROM_") || !strings.Contains(p.key, "_TO_") {
			return nil, fmt.Errorf("key %q is not FROM_<start>_TO_<target>", p.key)
		}
		if err := dec.Decode(&p.sessions); err != nil {
			return nil, fmt.Errorf("%q: %w", p.key, err)
		}
		pairs = append(pairs, p)
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, errors.New("data after the JSON document")
	}
	return pairs, nil
}

func (s wikiGameSession) game(key string) (Game, error) {
	if s.Won == nil {
		return Game{}, errors.New("does not say whether it was won")
	}
	if len(s.Path) == 0 || s.Path[0] == "" {
		return Game{Reject: RejectEmptyPath}, nil
	}
	g := Game{}
	g.Reject = g.walk(s.Path)
	start, target, ok := endsOf(key, s.Path[0])
	if g.Reject == "" && !ok {
		g.Reject = RejectBadText
	}
	g.Start, g.Target = start, target
	if !*s.Won {
		gaveUp := schemas.OutcomeGaveUp
		g.Outcome, g.Type = &gaveUp, "lost"
	}
	return g, nil
}

// endsOf splits a key behind the page that starts the session: titles may hold "_TO_" themselves.
func endsOf(key, first string) (start, target string, ok bool) {
	key = strings.TrimPrefix(key, "FROM_")
	for at := range key {
		rest, is := strings.CutPrefix(key[at:], "_TO_")
		if is && samePage(key[:at], first) {
			return first, rest, names.Readings(rest) != nil
		}
	}
	return first, "", false
}

// samePage reports whether two names are likeliest to stand for the same title.
func samePage(a, b string) bool {
	x, y := names.Readings(a), names.Readings(b)
	return x != nil && y != nil && x[0] == y[0]
}
