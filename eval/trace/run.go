package trace

import (
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

// ReadRun reads dir's run.json.
func ReadRun(dir string) (*schemas.Run, error) {
	path := filepath.Join(dir, RunFile)
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, canon.MaxManifest+1))
	if err != nil {
		return nil, err
	}
	var run schemas.Run
	if err := canon.Decode(data, canon.MaxManifest, &run); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	if err := checkSchema(run.Schema, schemas.RunSchema); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "schema")
	}
	if run.Attempts < 1 || run.Attempts > MaxAttempts {
		return nil, fault.New(fault.Malformed, "%d attempts, from 1 to %d are possible", run.Attempts, MaxAttempts).At(path, "attempts")
	}
	return &run, nil
}

func openRun(path, dir string) (*Log, error) {
	run, err := ReadRun(dir)
	if err != nil {
		return nil, err
	}
	log := &Log{Path: path, Dir: dir, Run: run}
	if err := log.readGames(); err != nil {
		return nil, err
	}
	if err := checkUnique(log.Games); err != nil {
		return nil, err
	}
	return log, log.readSteps()
}

func (l *Log) readGames() error {
	path := filepath.Join(l.Dir, GamesFile)
	torn, err := scanLines(path, false, func(n int, line []byte) error {
		g, err := decodeRecord(line)
		g.File, g.Line, g.HasSteps = path, n, true
		l.Games = append(l.Games, g)
		return err
	})
	l.tear(torn)
	return err
}

// readSteps hands each step to its game, in file order.
func (l *Log) readSteps() error {
	games := make(map[string]*Game, len(l.Games))
	for i := range l.Games {
		games[l.Games[i].Record.Game] = &l.Games[i]
	}
	torn, err := scanLines(filepath.Join(l.Dir, StepsFile), false, func(_ int, line []byte) error {
		s, err := decodeStep(line)
		if g := games[s.Game]; g != nil {
			g.Steps = append(g.Steps, s)
		} else {
			l.Dropped.LooseSteps++
		}
		return err
	})
	l.tear(torn)
	return err
}

func (l *Log) tear(torn bool) {
	if torn {
		l.Dropped.TornLines++
	}
}

func decodeStep(line []byte) (schemas.Step, error) {
	var s schemas.Step
	if err := canon.Decode(line, canon.MaxLine, &s); err != nil {
		return s, err
	}
	if err := checkSchema(s.Schema, schemas.StepSchema); err != nil {
		return s, err
	}
	if s.Game == "" {
		return s, fmt.Errorf("step %d names no game", s.Step)
	}
	return s, checkUsage(s.Usage)
}
