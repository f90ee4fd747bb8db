package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
)

// Runs is a Log in run directories, each such as `play` writes it, so that `score` takes it. Games
// of one client, under one set of rules, read by one parser, are a run. A run has run.Attempts
// games of a task; what a client plays beyond that goes into a second run, with -2 behind its name,
// and so on. Nothing is ever replaced. Several processes may keep games in one directory of runs.
type Runs struct {
	dir    string
	family family.Family
	manner family.Manner
	run    schemas.Run // what all runs have in common
	now    func() time.Time

	mu    sync.Mutex
	open  map[string]*openRun // by run id
	clock int                 // counts uses
	full  map[string]int      // by run and task: how many runs of that name have all their games of it
}

var _ Log = (*Runs)(nil)

// maxOpen is the number of runs that stay open. More clients than that cost time, not files.
const maxOpen = 128

// NewRuns keeps games of a host's family below dir. run says release, splits, attempts, kind of
// player and tool. A family whose tasks are played once has one attempt in a run.
func NewRuns(dir string, h *Host, run schemas.Run, now func() time.Time) *Runs {
	run.Family = h.Family.Name()
	if h.Family.Layout().Once {
		run.Attempts = 1
	}
	return &Runs{dir: dir, family: h.Family, manner: h.Manner, run: run, now: now, open: map[string]*openRun{}, full: map[string]int{}}
}

// Keep writes a game into the first run that has room for it.
func (l *Runs) Keep(g Finished) error {
	run, err := l.describe(g)
	if err != nil {
		return err
	}
	name, key := run.Run, run.Run+"/"+g.Task.ID
	for {
		n := l.passed(key)
		if n > 0 {
			run.Run = fmt.Sprintf("%s-%d", name, n+1)
		}
		o := l.acquire(run)
		full, err := o.keep(l, g)
		err = errors.Join(err, l.release(o, err))
		if !full {
			return err
		}
		l.pass(key, n+1)
	}
}

// describe returns the run that a game is of. Only what a parser read all turns of names it.
func (l *Runs) describe(g Finished) (schemas.Run, error) {
	run := l.run
	rules, err := play.RulesOf(l.family, g.Options, l.manner, nil)
	if err != nil {
		return run, err
	}
	if !g.Spoken {
		rules.Parser = nil
	}
	run.Model.Name, run.Rules = g.Client, rules
	return play.Describe(run), nil
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

// acquire returns the run, opened by whoever comes first.
func (l *Runs) acquire(run schemas.Run) *openRun {
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

// release forgets a run that failed, so that the next game opens it again, and closes one that
// nobody needs if many are open.
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

// openRun is a run directory that several sessions end games in. Games that end while others are
// being written wait, and are written together: a sync costs the same for one as for many.
type openRun struct {
	run         schemas.Run
	users, used int // under the mutex of Runs

	opening sync.Once
	dir     *play.Dir
	err     error // of opening

	mu      sync.Mutex
	reached map[string]int // attempts at a task that games of this process took, or that others did
	waiting *batch         // what is written next

	writing sync.Mutex
	failed  error // of writing: what is on disk is unknown, and nothing more is written
}

type batch struct {
	games   []*play.Finished
	written sync.Once
	left    []*play.Finished // for which the run has no room
	err     error
}

// keep returns once the game is on disk, unless the run is full.
func (o *openRun) keep(l *Runs, g Finished) (full bool, err error) {
	layout := l.family.Layout()
	o.opening.Do(func() {
		o.dir, o.err = play.OpenDir(filepath.Join(l.dir, o.run.Run), o.run, l.manner.Prompt, layout, l.now)
	})
	if o.err != nil {
		return false, o.err
	}
	attempt := o.reserve(g.Task.ID)
	if attempt > o.run.Attempts {
		return true, nil
	}
	f := &play.Finished{Task: g.Task.ID, Record: func(attempt int) (string, family.Record) {
		item := g.Game
		if layout.Once {
			item = layout.Item(g.Task.ID, attempt)
		}
		return item, g.Episode.Record(family.Recording{Run: &o.run, Item: item, Attempt: attempt, Started: g.Started, Ended: g.Ended})
	}}
	f.Write(attempt) // which is most of the work, and is done while others write
	b := o.enter(f)
	if err := o.write(b); err != nil {
		return false, err
	}
	for _, left := range b.left {
		full = full || left == f
	}
	return full, nil
}

// reserve returns the number of the next attempt at a task, as far as this process knows.
func (o *openRun) reserve(task string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reached[task]++
	return o.reached[task]
}

func (o *openRun) enter(f *play.Finished) *batch {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting == nil {
		o.waiting = &batch{}
	}
	o.waiting.games = append(o.waiting.games, f)
	return o.waiting
}

// write returns once the batch is on disk. Whoever comes first writes all that is in it by then.
func (o *openRun) write(b *batch) error {
	o.writing.Lock()
	defer o.writing.Unlock()
	b.written.Do(func() {
		o.mu.Lock()
		o.waiting = nil
		o.mu.Unlock()
		if o.failed == nil {
			var err error
			if b.left, err = o.dir.Add(b.games...); err != nil {
				o.failed = errors.Join(err, o.dir.Close())
			}
		}
		b.err = o.failed
	})
	return b.err
}

// close is for a run that nobody uses.
func (o *openRun) close() error {
	if o.dir == nil || o.failed != nil {
		return nil
	}
	return o.dir.Close()
}
