package play

import (
	"errors"
	"os"
	"time"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// runDir is a run directory open for more games, and locked against other processes.
type runDir struct {
	lock         *os.File
	steps, games *os.File
	finished     map[string]bool // by game id
}

// openDir starts the run in dir, or goes on with it when dir already holds it.
func openDir(dir string, run schemas.Run, now func() time.Time) (*runDir, error) {
	lock, err := gameRun.claim(dir, run, now)
	if err != nil {
		return nil, err
	}
	d := &runDir{lock: lock, finished: map[string]bool{}}
	if err := d.open(dir); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *runDir) open(dir string) error {
	if err := d.restore(dir); err != nil {
		return err
	}
	var err error
	if d.steps, err = appendTo(dir, trace.StepsFile); err != nil {
		return err
	}
	d.games, err = appendTo(dir, trace.GamesFile)
	return err
}

// restore notes the finished games, and removes what an interruption left behind them.
func (d *runDir) restore(dir string) error {
	for _, name := range []string{trace.StepsFile, trace.GamesFile} {
		f, err := appendTo(dir, name)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	log, err := trace.Open(dir)
	if err != nil {
		return err
	}
	for _, g := range log.Games {
		d.finished[g.Record.Game] = true
	}
	if log.Dropped == (trace.Dropped{}) {
		return nil
	}
	return rewrite(dir, log.Games)
}

// rewrite keeps the finished games alone. The games come last: until then every step that they need is still there.
func rewrite(dir string, games []trace.Game) error {
	var steps, lines []byte
	for _, g := range games {
		steps = appendLines(steps, g.Steps...)
		lines = appendLines(lines, g.Record)
	}
	if err := trace.WriteFile(dir, trace.StepsFile, steps); err != nil {
		return err
	}
	return trace.WriteFile(dir, trace.GamesFile, lines)
}

// add appends a finished game. Its steps are on disk before the line that makes them count.
func (d *runDir) add(r record) error {
	if err := appendSynced(d.steps, appendLines(nil, r.steps...)); err != nil {
		return err
	}
	return appendSynced(d.games, appendLines(nil, r.game))
}

func (d *runDir) close() error { return closeAll(d.steps, d.games, d.lock) }
