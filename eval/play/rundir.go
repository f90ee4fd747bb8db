package play

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// runDir is a run directory open for more games, and locked against other processes.
type runDir struct {
	lock         *os.File
	steps, games *os.File
	finished     map[string]bool // by game id
}

// openDir starts the run in dir, or goes on with it when dir already holds it.
func openDir(dir string, run schemas.Run, now func() time.Time) (*runDir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	d := &runDir{lock: lock, finished: map[string]bool{}}
	if err := d.open(dir, run, now); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *runDir) open(dir string, run schemas.Run, now func() time.Time) error {
	if err := claim(dir, run, now); err != nil {
		return err
	}
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

// lockDir locks the directory itself, so that no lock file is left in it and the lock dies with the process.
func lockDir(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fault.New(fault.Locked, "another wikinav-eval plays in this directory").At(dir, "")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// claim writes run.json first, so that logs without it are never ours; a directory with another run is refused.
func claim(dir string, run schemas.Run, now func() time.Time) error {
	if !trace.HasRun(dir) {
		if err := checkNoLogs(dir); err != nil {
			return err
		}
		run.CreatedAt = stamp(now())
		return trace.WriteFile(dir, trace.RunFile, append(canon.MustMarshal(run), '\n'))
	}
	old, err := trace.ReadRun(dir)
	if err != nil {
		return err
	}
	run.CreatedAt = old.CreatedAt
	if !bytes.Equal(canon.MustMarshal(run), canon.MustMarshal(old)) {
		return fault.New(fault.Usage, "directory holds another run, %s by %s", old.Run, fault.Quote(old.Tool)).
			At(filepath.Join(dir, trace.RunFile), "").Hint("this one is %s by %q; give it a directory of its own", run.Run, run.Tool)
	}
	return nil
}

func checkNoLogs(dir string) error {
	for _, name := range []string{trace.StepsFile, trace.GamesFile, trace.RepliesFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fault.New(fault.Usage, "a log without a %s", trace.RunFile).At(filepath.Join(dir, name), "").Hint("name another directory")
		}
	}
	return nil
}

func appendTo(dir, name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
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

func appendLines[T any](dst []byte, records ...T) []byte {
	for _, r := range records {
		dst = append(append(dst, canon.MustMarshal(r)...), '\n')
	}
	return dst
}

// add appends a finished game. Its steps are on disk before the line that makes them count.
func (d *runDir) add(r record) error {
	if err := appendSynced(d.steps, appendLines(nil, r.steps...)); err != nil {
		return err
	}
	return appendSynced(d.games, appendLines(nil, r.game))
}

func appendSynced(f *os.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

func (d *runDir) close() error {
	var errs []error
	for _, f := range []*os.File{d.steps, d.games, d.lock} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
