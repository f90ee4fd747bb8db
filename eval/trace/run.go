package trace

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// MaxAttempts is the largest number of games of one instance.
const MaxAttempts = 1_000_000

// HasRun tells whether dir holds a run, finished or not.
func HasRun(dir string) bool { return exists(filepath.Join(dir, RunFile)) }

// ReadGameRun reads dir's run.json.
func ReadGameRun(dir string) (*schemas.GameRun, error) {
	path := filepath.Join(dir, RunFile)
	data, err := ReadDocument(path)
	if err != nil {
		return nil, err
	}
	var run schemas.GameRun
	if err := canon.Decode(data, canon.MaxManifest, &run); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	if err := CheckSchema(run.Schema, schemas.GameRunSchema); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "schema")
	}
	if run.Attempts < 1 || run.Attempts > MaxAttempts {
		return nil, fault.New(fault.Malformed, "%d attempts, from 1 to %d are possible", run.Attempts, MaxAttempts).At(path, "attempts")
	}
	return &run, nil
}

func openRun(path, dir string) (*GameLog, error) {
	run, err := ReadGameRun(dir)
	if err != nil {
		return nil, err
	}
	log := &GameLog{Path: path, Dir: dir, Run: run}
	if log.Import, err = readImport(dir); err != nil {
		return nil, err
	}
	if err := log.readGames(); err != nil {
		return nil, err
	}
	if err := checkUnique(log.Games); err != nil {
		return nil, err
	}
	return log, log.readSteps()
}

func (l *GameLog) readGames() error {
	path := filepath.Join(l.Dir, GamesFile)
	torn, err := ScanLines(path, false, func(n int, line []byte) error {
		g, err := decodeRecord(line)
		g.File, g.Line, g.HasSteps = path, n, l.Import == nil || l.Import.Steps
		l.Games = append(l.Games, g)
		return err
	})
	l.tear(torn)
	return err
}

// readSteps hands each step to its game, in file order, up to the number that a game can have.
func (l *GameLog) readSteps() error {
	games := make(map[string]*Game, len(l.Games))
	for i := range l.Games {
		games[l.Games[i].Record.Game] = &l.Games[i]
	}
	most := mostSteps(l.Run.Options)
	full := fullGames{}
	torn, err := ScanLines(filepath.Join(l.Dir, StepsFile), false, func(_ int, line []byte) error {
		if g := full.owner(line); g != nil {
			g.Excess++
			return nil
		}
		s, err := decodeStep(line)
		g := games[s.Game]
		switch {
		case err != nil:
		case g == nil:
			l.Dropped.LooseSteps++
		case len(g.Steps) < most:
			g.Steps = append(g.Steps, s)
		default:
			g.Excess++
			full[s.Game] = g
		}
		return err
	})
	l.tear(torn)
	return err
}

// keptSteps bounds what is kept of one game whatever the rules of its run say.
const keptSteps = 100_000

// mostSteps gives the number of steps that a game can have, and one more, so that the first step too many is seen: each turn may
// follow max_invalid - 1 replies that cost nothing, each of them after format_retries more.
func mostSteps(o schemas.GameOptions) int {
	if o.Budget != "" || o.MaxSteps < 1 || o.MaxSteps > keptSteps || o.MaxInvalid < 1 || o.MaxInvalid > keptSteps {
		return keptSteps
	}
	most := o.MaxSteps * o.MaxInvalid
	if ban := o.BanRules; ban != nil && ban.FormatRetries > 0 {
		most *= 1 + min(ban.FormatRetries, keptSteps)
	}
	return min(most+1, keptSteps)
}

// fullGames are the games whose steps were too many. Their lines are told by their bytes alone: in JSON the mark can stand in no text,
// because quotes in a text are escaped.
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

// readImport reads import.json, which only imported games have.
func readImport(dir string) (*schemas.Import, error) {
	path := filepath.Join(dir, ImportFile)
	if !exists(path) {
		return nil, nil
	}
	data, err := ReadDocument(path)
	if err != nil {
		return nil, err
	}
	var im schemas.Import
	if err := canon.Decode(data, canon.MaxManifest, &im); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	if err := CheckSchema(im.Schema, schemas.ImportSchema); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "schema")
	}
	return &im, nil
}

func ReadDocument(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, canon.MaxManifest+1))
}

func (l *GameLog) tear(torn bool) {
	if torn {
		l.Dropped.TornLines++
	}
}

func decodeStep(line []byte) (schemas.Step, error) {
	var s schemas.Step
	if err := canon.Decode(line, canon.MaxLine, &s); err != nil {
		return s, err
	}
	if err := CheckSchema(s.Schema, schemas.StepSchema); err != nil {
		return s, err
	}
	if s.Game == "" {
		return s, fmt.Errorf("step %d names no game", s.Step)
	}
	return s, CheckUsage(s.Usage)
}
