package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Log struct {
	*trace.Log
	Games []Game // in file order
	Loose int    // steps of games without a line of their own
}

// Game is one finished game as a source tells it.
type Game struct {
	Line     int
	Instance string
	Attempt  int
	Outcome  *string // nil if the source does not say
	Path     []Page
	Usage    *schemas.Usage
	Record   *schemas.Game  // the whole record, nil for the short form
	Steps    []schemas.Step // in file order
	Excess   int            // steps in the file that no game of this run can have; they were not read
	HasSteps bool           // the source records steps at all
}

func (g Game) Name() string {
	if g.Record != nil {
		return g.Record.Game
	}
	return g.Instance
}

// Page is a page as a source names it: by node, or by a title that is still to be resolved.
type Page struct {
	Node  uint32
	Title string
	Named bool // by title
}

func (p Page) String() string {
	if p.Named {
		return fault.Quote(p.Title)
	}
	return fmt.Sprint(p.Node)
}

func (p *Page) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		p.Named = true
		return json.Unmarshal(data, &p.Title)
	}
	if err := json.Unmarshal(data, &p.Node); err != nil {
		return fmt.Errorf("a page is a node number or a title, not %s", fault.Quote(data))
	}
	return nil
}

// Read reads the games of a run directory with their steps, or those of a single file: records, or
// the short form that anybody can write, a line a game. It is strict: what it returns is what
// stands in the file, and what no game can have been written as is fault.Malformed with file and
// line. It keeps as many steps of a game as the rules of its run admit, and counts the others.
func Read(l *trace.Log) (*Log, error) {
	log := &Log{Log: l}
	path, decode := l.Path, decodeGame
	if l.Dir != "" {
		path, decode = filepath.Join(l.Dir, l.Layout.Main), decodeRecord
	}
	err := l.Main(func(n int, line []byte) error {
		g, err := decode(line)
		g.Line, g.HasSteps = n, l.Dir != "" && (l.Import == nil || l.Import.Steps)
		log.Games = append(log.Games, g)
		return err
	})
	if err == nil {
		err = checkUnique(log.Games, path)
	}
	if err != nil || l.Dir == "" {
		return log, err
	}
	return log, log.readSteps()
}

// short is the form that anybody can write: pages by node or by title.
type short struct {
	Instance string         `json:"instance"`
	Path     []Page         `json:"path"`
	Attempt  *int           `json:"attempt"` // 1 if it is left out
	Outcome  *string        `json:"outcome"`
	Usage    *schemas.Usage `json:"usage"`
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
	if err := trace.CheckSchema(r.Schema, schemas.GameSchema); err != nil {
		return Game{}, err
	}
	if r.Game == "" || !trace.Countable(int64(r.Turns), int64(r.Moves), int64(r.Invalid)) {
		return Game{}, fmt.Errorf("a game needs a name, and counts from 0 to %d", trace.MaxCount)
	}
	g := Game{Instance: r.Instance, Attempt: r.Attempt, Outcome: &r.Outcome, Usage: r.Usage, Record: &r}
	for _, u := range r.Path {
		g.Path = append(g.Path, Page{Node: u})
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
	return trace.CheckUsage(g.Usage)
}

// checkUnique refuses a second game of an attempt, or of one name: which would count?
func checkUnique(games []Game, path string) error {
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
			return trace.LineFault(path, g.Line, fmt.Errorf("attempt %d of %s stands on line %d already", g.Attempt,
				fault.Quote(g.Instance), first))
		}
		seen[k] = g.Line
	}
	return nil
}

// readSteps hands each step to its game, in file order, up to the number that a game can have.
func (l *Log) readSteps() error {
	games := make(map[string]*Game, len(l.Games))
	for i := range l.Games {
		games[l.Games[i].Record.Game] = &l.Games[i]
	}
	most, full := mostSteps(l.Run.Rules.Options), fullGames{}
	return l.Side(func(_ int, line []byte) error {
		if g := full.owner(line); g != nil {
			g.Excess++
			return nil
		}
		s, err := decodeStep(line)
		g := games[s.Game]
		switch {
		case err != nil:
		case g == nil:
			l.Loose++
		case len(g.Steps) < most:
			g.Steps = append(g.Steps, s)
		default:
			g.Excess++
			full[s.Game] = g
		}
		return err
	})
}

func decodeStep(line []byte) (schemas.Step, error) {
	var s schemas.Step
	if err := canon.Decode(line, canon.MaxLine, &s); err != nil {
		return s, err
	}
	if err := trace.CheckSchema(s.Schema, schemas.StepSchema); err != nil {
		return s, err
	}
	if s.Game == "" {
		return s, fmt.Errorf("step %d names no game", s.Step)
	}
	return s, trace.CheckUsage(s.Usage)
}

// keptSteps bounds what is kept of one game whatever the rules of its run say.
const keptSteps = 100_000

// mostSteps returns the number of steps that a game can have under options, and one more, so that
// the first step too many is seen: each turn may follow max_invalid - 1 replies that cost nothing,
// each of them after format_retries more.
func mostSteps(options json.RawMessage) int {
	var o schemas.GameOptions
	err := json.Unmarshal(options, &o)
	if err != nil || o.Budget != "" || o.MaxSteps < 1 || o.MaxSteps > keptSteps || o.MaxInvalid < 1 ||
		o.MaxInvalid > keptSteps {
		return keptSteps
	}
	most := o.MaxSteps * o.MaxInvalid
	if ban := o.BanRules; ban != nil && ban.FormatRetries > 0 {
		most *= 1 + min(ban.FormatRetries, keptSteps)
	}
	return min(most+1, keptSteps)
}

// fullGames are the games whose steps were too many. Their lines are told by their bytes alone: in
// JSON the mark can stand in no text, because quotes in a text are escaped.
type fullGames map[string]*Game

var gameMark = []byte(`"game":"`)

func (f fullGames) owner(line []byte) *Game {
	if len(f) == 0 {
		return nil
	}
	_, rest, _ := bytes.Cut(line, gameMark)
	name, _, _ := bytes.Cut(rest, []byte{'"'})
	return f[string(name)]
}

// Check reads a run directory of this layout strictly.
func Check(dir string, l trace.Layout) error {
	log, err := trace.Open(dir, l)
	if err == nil {
		_, err = Read(log)
	}
	return err
}
