package session

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/schemas"
)

// Runs is the Log of games of type Race: a directory of run directories, each such as `play` writes it, so that `score` takes it. Games of one
// client, under one set of rules, read by one parser, are a run. A run has run.Attempts games of an instance; what a client plays
// beyond that goes into a second run, with -2 behind its name, and so on. Nothing is ever replaced.
type Runs struct {
	dir string
	run schemas.GameRun // what all runs have in common
	now func() time.Time

	mu    sync.Mutex
	open  map[string]*openRun // by run id
	clock int                 // counts uses
	full  map[string]int      // by run and instance: how many runs of that name have all their games of it
}

var _ Log = (*Runs)(nil)

// maxOpen is the number of runs that stay open. More clients than that cost time, not files.
const maxOpen = 128

// NewRuns keeps games below dir. run says release, family, splits, attempts, kind of model and tool.
func NewRuns(dir string, run schemas.GameRun, now func() time.Time) *Runs {
	return &Runs{dir: dir, run: run, now: now, open: map[string]*openRun{}, full: map[string]int{}}
}

// Keep writes a game into the first run that has room for it.
func (l *Runs) Keep(g Game, p Particulars) error {
	race, ok := g.(*Race)
	if !ok {
		panic(fmt.Sprintf("session: a log of races with a %T", g))
	}
	run := l.run
	run.Model.Name, run.Options, run.Parser = p.Client, race.Options(), race.Parser()
	run = play.Describe(run)
	key := run.Run + "/" + race.Instance()
	for {
		n := l.passed(key)
		full, err := l.keepIn(numbered(run, n), race, p)
		if !full {
			return err
		}
		l.pass(key, n+1)
	}
}

// numbered gives the n-th run after the first of its name.
func numbered(run schemas.GameRun, n int) schemas.GameRun {
	if n > 0 {
		run.Run = fmt.Sprintf("%s-%d", run.Run, n+1)
	}
	return run
}

func (l *Runs) passed(key string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full[key]
}

func (l *Runs) pass(key string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full[key] = max(l.full[key], n)
}

func (l *Runs) keepIn(run schemas.GameRun, race *Race, p Particulars) (full bool, err error) {
	o := l.acquire(run)
	full, err = o.keep(l, race, p)
	return full, errors.Join(err, l.release(o, err))
}

// acquire gives the run, opened by whoever comes first.
func (l *Runs) acquire(run schemas.GameRun) *openRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.open[run.Run]
	if o == nil {
		o = &openRun{run: run, reached: map[string]int{}}
		l.open[run.Run] = o
	}
	l.clock++
	o.users, o.used = o.users+1, l.clock
	return o
}

// release forgets a run that failed, so that the next game opens it again, and closes one that nobody needs if many are open.
func (l *Runs) release(o *openRun, failed error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	o.users--
	if failed != nil && l.open[o.run.Run] == o {
		delete(l.open, o.run.Run)
	}
	if len(l.open) <= maxOpen {
		return nil
	}
	var idle *openRun
	for _, c := range l.open {
		if c.users == 0 && (idle == nil || c.used < idle.used) {
			idle = c
		}
	}
	if idle == nil {
		return nil
	}
	delete(l.open, idle.run.Run)
	return idle.close()
}

// Close closes all runs. No game may be kept afterwards.
func (l *Runs) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, o := range l.open {
		errs = append(errs, o.close())
	}
	clear(l.open)
	return errors.Join(errs...)
}

// record gives the game as `play` would write it.
func (r *Race) record(run schemas.GameRun, attempt int, p Particulars) play.Record {
	steps := make([]schemas.Step, len(r.steps))
	for i, s := range r.steps {
		s.Run, s.Game = run.Run, p.Game
		steps[i] = s
	}
	rec := play.GameRecord(r.game, steps, run)
	rec.Game, rec.Instance, rec.Attempt = p.Game, r.task.ID, attempt
	rec.Started, rec.Ended = play.Stamp(p.Started), play.Stamp(p.Ended)
	return play.Record{Game: rec, Steps: steps}
}
