package session

import (
	"errors"
	"path/filepath"
	"sync"

	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/schemas"
)

// openRun is a run directory that several sessions end games in. Games that end while others are being written wait, and are written
// together: a sync costs the same for one as for many.
type openRun struct {
	run         schemas.GameRun
	users, used int // under the mutex of Runs

	opening sync.Once
	dir     *play.Dir
	err     error // of opening

	mu      sync.Mutex
	reached map[string]int // games by instance, those that are not written yet included
	waiting *batch         // what is written next

	writing sync.Mutex
	failed  error // of writing: what is on disk is unknown, and nothing more is written
}

// batch is games that are written together.
type batch struct {
	games   []play.Line
	written sync.Once
	err     error
}

// keep returns once the game is on disk, unless the run is full.
func (o *openRun) keep(l *Runs, race *Race, p Particulars) (full bool, err error) {
	o.opening.Do(func() { o.dir, o.err = play.OpenDir(filepath.Join(l.dir, o.run.Run), o.run, l.now) })
	if o.err != nil {
		return false, o.err
	}
	attempt, full := o.reserve(race.Instance(), p.Game)
	if attempt == 0 {
		return full, nil
	}
	// Writing the lines is most of the work, and is done beside that of others.
	return false, o.write(o.enter(race.record(o.run, attempt, p).Line()))
}

// reserve gives the number of the next game of an instance; 0 for a game that the directory holds, and for a run that is full.
func (o *openRun) reserve(instance, game string) (attempt int, full bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dir.Holds(game) {
		return 0, false
	}
	if _, ok := o.reached[instance]; !ok {
		o.reached[instance] = o.dir.Attempts(instance)
	}
	if o.reached[instance] >= o.run.Attempts {
		return 0, true
	}
	o.reached[instance]++
	return o.reached[instance], false
}

// enter puts a game into the batch that is written next.
func (o *openRun) enter(game play.Line) *batch {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting == nil {
		o.waiting = &batch{}
	}
	o.waiting.games = append(o.waiting.games, game)
	return o.waiting
}

// write returns once the batch is on disk. Whoever comes first writes it, with all that was put into it until then.
func (o *openRun) write(b *batch) error {
	o.writing.Lock()
	defer o.writing.Unlock()
	b.written.Do(func() {
		o.mu.Lock()
		o.waiting = nil
		o.mu.Unlock()
		if o.failed == nil {
			if err := o.dir.Add(b.games...); err != nil {
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
