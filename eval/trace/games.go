package trace

import (
	"errors"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// short is the form that anybody can write: a line a game, pages by node or by title.
type short struct {
	Instance string         `json:"instance"`
	Path     []Page         `json:"path"`
	Attempt  *int           `json:"attempt"` // 1 if it is left out
	Outcome  *string        `json:"outcome"`
	Usage    *schemas.Usage `json:"usage"`
}

func openFile(path string) (*GameLog, error) {
	log := &GameLog{Path: path}
	_, err := ScanLines(path, true, func(n int, line []byte) error {
		g, err := decodeGame(line)
		g.File, g.Line = path, n
		log.Games = append(log.Games, g)
		return err
	})
	if err != nil {
		return nil, err
	}
	return log, checkUnique(log.Games)
}

// decodeGame reads a line of either form: only the record has a schema.
func decodeGame(line []byte) (Game, error) {
	var fields map[string]any
	if err := canon.Decode(line, canon.MaxLine, &fields); err != nil {
		return Game{}, err
	}
	if _, ok := fields["schema"]; ok {
		return decodeRecord(line)
	}
	var s short
	if err := canon.Decode(line, canon.MaxLine, &s); err != nil {
		return Game{}, err
	}
	g := Game{Instance: s.Instance, Attempt: 1, Outcome: s.Outcome, Path: s.Path, Usage: s.Usage}
	if s.Attempt != nil {
		g.Attempt = *s.Attempt
	}
	return g, g.check()
}

func decodeRecord(line []byte) (Game, error) {
	var r schemas.Game
	if err := canon.Decode(line, canon.MaxLine, &r); err != nil {
		return Game{}, err
	}
	if err := CheckSchema(r.Schema, schemas.GameSchema); err != nil {
		return Game{}, err
	}
	if r.Game == "" || !Countable(int64(r.Turns), int64(r.Moves), int64(r.Invalid)) {
		return Game{}, fmt.Errorf("a game needs a name, and counts from 0 to %d", MaxCount)
	}
	g := Game{
		Instance: r.Instance, Attempt: r.Attempt, Outcome: &r.Outcome, Path: nodePages(r.Path), Usage: r.Usage, Record: &r,
	}
	return g, g.check()
}

func (g Game) check() error {
	switch {
	case g.Instance == "":
		return errors.New("no instance is named")
	case len(g.Path) == 0:
		return errors.New("path is empty; it starts with the source")
	case g.Attempt < 1:
		return fmt.Errorf("attempt is %d, the first is 1", g.Attempt)
	}
	return CheckUsage(g.Usage)
}

// MaxCount bounds the counts of one record, so that sums over records stay integers that JSON keeps.
const MaxCount = 1_000_000_000

func Countable(counts ...int64) bool {
	return !slices.ContainsFunc(counts, func(n int64) bool { return n < 0 || n > MaxCount })
}

func CheckUsage(u *schemas.Usage) error {
	if u != nil && !Countable(u.Prompt, u.Output, u.Reasoning) {
		return fmt.Errorf("usage counts tokens from 0 to %d", MaxCount)
	}
	return nil
}

func CheckSchema(got, want string) error {
	if got != want {
		return fmt.Errorf("schema is %s, this version reads %s", fault.Quote(got), want)
	}
	return nil
}

// checkUnique refuses a second game of an instance's attempt, and a second game of one name: which of the two would count?
func checkUnique(games []Game) error {
	type key struct {
		instance string
		attempt  int
	}
	seen, names := map[key]int{}, map[string]int{}
	for _, g := range games {
		k := key{g.Instance, g.Attempt}
		first, twice := seen[k]
		if g.Record != nil && !twice {
			first, twice = names[g.Record.Game]
			names[g.Record.Game] = g.Line
		}
		if twice {
			return fault.New(fault.Malformed, "attempt %d of %s stands on line %d already", g.Attempt, fault.Quote(g.Instance), first).
				At(g.File, fmt.Sprintf("line %d", g.Line))
		}
		seen[k] = g.Line
	}
	return nil
}
