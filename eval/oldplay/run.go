package play

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Config says what to play. Run, which Describe completes, Instances and Tasks decide every byte but the clock fields.
type Config struct {
	Dir       string
	Run       schemas.GameRun
	World     game.World
	Player    Player
	Instances []schemas.WikiraceInstance // in order of play
	Tasks     []game.Task                // of another family, after Instances
	Workers   int                        // games at a time, at least 1; changes no byte
	Limit     int                        // play only the first so many games of the order of play; 0: all
	Again     bool                       // games that ended as infra are played once more
	Now       func() time.Time
	Progress  func(done, total int) // called after each game, by one goroutine at a time
}

// Describe fills in what follows from the other fields of run: schema, hash of the options, and the id, which is the same for the
// same run anywhere. Tool version and time are no part of the id.
func Describe(run schemas.GameRun) schemas.GameRun {
	run.Schema, run.OptionsSHA256 = schemas.GameRunSchema, game.OptionsSHA256(run.Options)
	named := run
	named.Run, named.Tool, named.CreatedAt = "", "", ""
	run.Run = runID(run.Model.Name, named)
	return run
}

// runID names a run for its model and for what named, its record without the fields that may vary, says of it.
func runID(model string, named any) string {
	sum := sha256.Sum256(canon.MustMarshal(named))
	return strings.Map(fileRune, model) + "-" + hex.EncodeToString(sum[:6])
}

// fileRune leaves what a directory's name can have: models are called vendor/model:size.
func fileRune(r rune) rune {
	if r < 0x80 && (r == '-' || r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return r
	}
	return '-'
}

// Run plays every attempt of every instance that the run directory does not hold yet, and gives the number of games it then
// holds. Other processes may do the same at the same time: no game is played twice, and whoever comes to the end waits for the
// others, to take over what they leave. When ctx ends it stops between two turns; games that were finished are kept, and the same
// call goes on from there.
func Run(ctx context.Context, c Config) (int, error) {
	items := c.items()
	j, err := gameRun.join(c.Dir, c.Run, c.Now, gameLogs, keys(items), checkGames)
	if err != nil {
		return 0, err
	}
	if _, one := c.Player.(single); one {
		c.Workers = 1
	}
	r := &runner{Config: c, journal: j}
	err = r.playAll(ctx, items)
	err = errors.Join(err, j.tidy()) // an interruption comes first
	n := j.count()
	if closed := j.close(); err == nil {
		err = closed
	}
	return n, err
}

type runner struct {
	Config
	journal *journal
}

// task is a game to play.
type task struct {
	game.Task
	attempt int
}

// gameLogs are the logs of games: a step names its game, and a game itself, in the same field.
var gameLogs = logs{
	main: trace.GamesFile, side: trace.StepsFile,
	key: keyOf(func(k struct {
		Game string `json:"game"`
	},
	) string {
		return k.Game
	}),
}

// checkGames refuses logs that the strict reader refuses, and drops steps without a game.
func checkGames(j *journal) error {
	log, err := trace.OpenGames(j.dir)
	if err != nil || log.Dropped.LooseSteps == 0 {
		return err
	}
	games, err := j.lines(j.main)
	if err != nil {
		return err
	}
	return j.tidySide(games)
}

// items lists the games in the order of play.
func (c Config) items() []item[task] {
	var all []game.Task
	for _, inst := range c.Instances {
		all = append(all, game.TaskOf(inst))
	}
	var list []item[task]
	for _, t := range append(all, c.Tasks...) {
		for attempt := 1; attempt <= c.Run.Attempts; attempt++ {
			list = append(list, item[task]{task{t, attempt}, gameID(t.ID, attempt), len(list)})
		}
	}
	return list
}

func (r *runner) playAll(ctx context.Context, items []item[task]) error {
	if r.Again {
		if err := r.journal.retry(failedGame); err != nil {
			return err
		}
	}
	s := shift[task]{journal: r.journal, items: limit(items, r.Limit), play: r.playRecord, after: progress(r.Progress, len(limit(items, r.Limit)))}
	return s.run(ctx, r.Workers)
}

func failedGame(line []byte) bool {
	var g schemas.Game
	return json.Unmarshal(line, &g) == nil && g.Outcome == schemas.OutcomeInfra
}

func (r *runner) playRecord(ctx context.Context, t task) (side, line []byte, err error) {
	rec, err := r.play(ctx, t)
	return appendLines(nil, rec.Steps...), appendLines(nil, rec.Game), err
}
