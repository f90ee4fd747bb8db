package play

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/wikinav/wikinav/eval/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Config says what to play. Run, which Describe completes, and Instances decide every byte but the clock fields.
type Config struct {
	Dir       string
	Run       schemas.Run
	World     game.World
	Player    Player
	Instances []schemas.WikiraceInstance // in order of play
	Workers   int                        // games at a time, at least 1; changes no byte
	Now       func() time.Time
	Progress  func(done, total int) // called after each game, from one goroutine
}

// Describe fills in what follows from the other fields of run: schema, hash of the options, and the id, which is the same for the
// same run anywhere. Tool version and time are no part of the id.
func Describe(run schemas.Run) schemas.Run {
	run.Schema, run.OptionsSHA256 = schemas.RunSchema, game.OptionsSHA256(run.Options)
	named := run
	named.Run, named.Tool, named.CreatedAt = "", "", ""
	run.Run = runID(run.Model.Name, named)
	return run
}

// runID names a run for its model and for what named, its record without the fields that may vary, says of it.
func runID(model string, named any) string {
	sum := sha256.Sum256(canon.MustMarshal(named))
	return model + "-" + hex.EncodeToString(sum[:6])
}

// Run plays every attempt of every instance that the run directory does not hold yet, and gives the number of games it then
// holds. When ctx ends it stops between two turns; games that were finished are kept, and the same call goes on from there.
func Run(ctx context.Context, c Config) (int, error) {
	dir, err := openDir(c.Dir, c.Run, c.Now)
	if err != nil {
		return 0, err
	}
	if _, one := c.Player.(single); one {
		c.Workers = 1
	}
	r := &runner{Config: c, dir: dir, done: len(dir.finished)}
	err = r.playAll(ctx, r.open())
	if closed := dir.close(); err == nil {
		err = closed
	}
	return r.done, err
}

type runner struct {
	Config
	dir  *runDir
	done int
}

// task is a game to play.
type task struct {
	inst    schemas.WikiraceInstance
	attempt int
}

// open lists the games that are still to be played, in order.
func (r *runner) open() []task {
	var tasks []task
	for _, inst := range r.Instances {
		for attempt := 1; attempt <= r.Run.Attempts; attempt++ {
			if !r.dir.finished[gameID(inst.ID, attempt)] {
				tasks = append(tasks, task{inst, attempt})
			}
		}
	}
	return tasks
}

func (r *runner) playAll(ctx context.Context, tasks []task) error {
	total := r.done + len(tasks)
	return inOrder(ctx, r.Workers, tasks, r.play, func(rec record) error {
		if err := r.dir.add(rec); err != nil {
			return err
		}
		r.done++
		if r.Progress != nil {
			r.Progress(r.done, total)
		}
		return nil
	})
}
