package play

import (
	"errors"
	"time"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Dir is the directory of a run whose games are played elsewhere, at a server: nobody knows beforehand which there will be, so
// one process alone writes them.
type Dir struct {
	journal  *journal
	finished map[string]bool // by game id, when it was opened
	attempts map[string]int  // the last of each instance, when it was opened
}

// wholeRun is the lease that keeps other writers out.
const wholeRun = 0

// OpenDir starts the run in dir, or goes on with it when dir already holds it. A directory with another run is fault.Usage, one that
// another process writes fault.Locked.
func OpenDir(dir string, run schemas.GameRun, now func() time.Time) (*Dir, error) {
	j, err := gameRun.join(dir, run, now, gameLogs, nil, checkGames)
	if err != nil {
		return nil, err
	}
	d := &Dir{j, map[string]bool{}, map[string]int{}}
	if err := d.open(dir); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *Dir) open(dir string) error {
	mine, err := d.journal.lease(wholeRun)
	if err != nil {
		return err
	}
	if !mine {
		return fault.New(fault.Locked, "another wikinav-eval plays in this directory").At(dir, "")
	}
	log, err := trace.OpenGames(dir)
	if err != nil {
		return err
	}
	for _, g := range log.Games {
		d.finished[g.Record.Game] = true
		d.attempts[g.Instance] = max(d.attempts[g.Instance], g.Attempt)
	}
	return nil
}

// Attempts gives the number of the last game of an instance that the directory held when it was opened, 0 for none.
func (d *Dir) Attempts(instance string) int { return d.attempts[instance] }

// Holds tells whether the directory held the game of that name when it was opened.
func (d *Dir) Holds(game string) bool { return d.finished[game] }

// Line is a finished game as it stands in the logs.
type Line struct{ finished }

// Line writes the record down.
func (r Record) Line() Line {
	return Line{finished{r.Game.Game, appendLines(nil, r.Steps...), appendLines(nil, r.Game)}}
}

// Add appends finished games, which are on disk once it returns. Their steps are there before the lines that make them count.
func (d *Dir) Add(games ...Line) error {
	list := make([]finished, len(games))
	for i, g := range games {
		list[i] = g.finished
	}
	return d.journal.append(list...)
}

// Close gives the directory free.
func (d *Dir) Close() error { return d.journal.close() }
