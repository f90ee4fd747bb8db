package play

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// LuminaConfig says what to play of the three worlds. Run, which DescribeLumina completes, and Instances decide every byte
// but run.json's clock field.
type LuminaConfig struct {
	Dir       string
	Run       schemas.Run
	Book      *lumina.Book
	Options   schemas.LuminaOptions
	Player    LuminaPlayer
	Instances []*worlds.Instance // in order of play; of each, all configurations of the run
	Workers   int                // episodes at a time, at least 1; changes no byte
	Limit     int                // play only the first so many episodes of the order of play; 0: all
	Again     bool               // episodes that ended as infra are played once more
	Now       func() time.Time
	Progress  func(done, total int) // called after each episode, by one goroutine at a time
}

// DescribeLumina fills in what follows from the other fields of run: schema, and the id, which is the same for the same run anywhere.
func DescribeLumina(run schemas.Run) schemas.Run {
	run.Schema, run.Attempts = schemas.RunSchema, 1
	sum := sha256.Sum256(canon.MustMarshal(run.Rules))
	run.RulesSHA256 = hex.EncodeToString(sum[:])
	named := run
	named.Run, named.Tool, named.CreatedAt = "", "", ""
	run.Run = runID(run.Model.Name, named)
	return run
}

// RunLumina plays every episode that the run directory does not hold yet, and gives the number of episodes it then holds. When ctx
// ends it stops between two turns; episodes that were finished are kept, and the same call goes on from there. Processes share the
// episodes as they do in Run.
func RunLumina(ctx context.Context, c LuminaConfig) (int, error) {
	items, err := c.items()
	if err != nil {
		return 0, err
	}
	j, err := luminaRun.join(c.Dir, c.Run, c.Now, luminaLogs, keys(items), func(j *journal) error {
		return lumina.Family{}.Layout().Check(j.dir)
	})
	if err != nil {
		return 0, err
	}
	r := &luminaRunner{c, j}
	err = errors.Join(r.playAll(ctx, items), j.tidy())
	n := j.count()
	if closed := j.close(); err == nil {
		err = closed
	}
	return n, err
}

type luminaRunner struct {
	LuminaConfig
	journal *journal
}

// luminaTask is an episode to play.
type luminaTask struct {
	inst *worlds.Instance
	cfg  lumina.Config
}

// luminaLogs is the log of episodes.
var luminaLogs = logs{
	main: episodesFile,
	key: keyOf(func(k struct {
		Instance string `json:"instance_id"`
		Config   string `json:"config"`
	},
	) string {
		return k.Instance + "/" + k.Config
	}),
}

// items lists the episodes in the order of play.
func (c LuminaConfig) items() ([]item[luminaTask], error) {
	var list []item[luminaTask]
	for _, inst := range c.Instances {
		for _, name := range c.Options.Oracle {
			cfg, err := lumina.ParseConfig(name)
			if err != nil {
				return nil, err
			}
			list = append(list, item[luminaTask]{luminaTask{inst, cfg}, inst.ID + "/" + name, len(list)})
		}
	}
	return list, nil
}

func (r *luminaRunner) playAll(ctx context.Context, items []item[luminaTask]) error {
	if r.Again {
		if err := r.journal.retry(failedGame); err != nil { // the field of the outcome has the same name
			return err
		}
	}
	s := shift[luminaTask]{
		journal: r.journal, items: limit(items, r.Limit), after: progress(r.Progress, len(limit(items, r.Limit))),
		play: func(ctx context.Context, t luminaTask) (_, line []byte, err error) {
			e, err := r.play(ctx, t)
			return nil, appendLines(nil, e), err
		},
	}
	return s.run(ctx, r.Workers)
}

// play plays one episode to its end. ErrInfra is a failure of the infrastructure, and no turn.
func (r *luminaRunner) play(ctx context.Context, t luminaTask) (any, error) {
	e, err := lumina.New(t.inst, t.cfg, r.Options, r.Book)
	if err != nil {
		return nil, err
	}
	key := t.inst.ID + "/" + t.cfg.String()
	rec := family.Recording{Run: &r.Run, Item: key, Attempt: 1, Retried: r.journal.again[key]}
	agent := r.Player.Start(LuminaSeat{e, family.Task{ID: key, Instance: t.inst.ID, Variant: t.cfg.String()}})
	for !e.Done() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		said, err := agent.Reply(ctx, e.Messages)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, ErrInfra) {
			e.Stop(schemas.OutcomeInfra)
			reason := err.Error()
			rec.Reason, rec.Retried = &reason, rec.Retried || repeated(err)
			break
		}
		if err != nil {
			return nil, err
		}
		if _, err := e.Act(family.Reply{Text: &said.Text, Said: family.Said{
			Reasoning: said.Reasoning, Usage: said.Usage, Retries: said.Retries, Flag: said.Flag,
		}}); err != nil {
			return nil, err
		}
	}
	return e.Record(rec).Main, nil
}

const episodesFile = "episodes.jsonl"
