package play

import (
	"context"
	"time"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// LuminaConfig says what to play of the three worlds. Run, which DescribeLumina completes, and Instances decide every byte
// but run.json's clock field.
type LuminaConfig struct {
	Dir       string
	Run       schemas.LuminaRun
	Book      *lumina.Book
	Player    LuminaPlayer
	Instances []*worlds.Instance // in order of play; of each, all configurations of the run
	Workers   int                // episodes at a time, at least 1; changes no byte
	Now       func() time.Time
	Progress  func(done, total int) // called after each episode, from one goroutine
}

// DescribeLumina fills in what follows from the other fields of run: schema, and the id, which is the same for the same run anywhere.
func DescribeLumina(run schemas.LuminaRun) schemas.LuminaRun {
	run.Schema = schemas.LuminaRunSchema
	named := run
	named.Run, named.Tool, named.CreatedAt = "", "", ""
	run.Run = runID(run.Model.Name, named)
	return run
}

// RunLumina plays every episode that the run directory does not hold yet, and gives the number of episodes it then holds. When ctx
// ends it stops between two turns; episodes that were finished are kept, and the same call goes on from there.
func RunLumina(ctx context.Context, c LuminaConfig) (int, error) {
	dir, err := openLuminaDir(c.Dir, c.Run, c.Now)
	if err != nil {
		return 0, err
	}
	r := &luminaRunner{c, dir}
	err = r.playAll(ctx)
	if closed := dir.close(); err == nil {
		err = closed
	}
	return len(dir.finished), err
}

type luminaRunner struct {
	LuminaConfig
	dir *luminaDir
}

// luminaTask is an episode to play.
type luminaTask struct {
	inst *worlds.Instance
	cfg  lumina.Config
}

func (r *luminaRunner) playAll(ctx context.Context) error {
	tasks, err := r.open()
	if err != nil {
		return err
	}
	total := len(r.dir.finished) + len(tasks)
	return inOrder(ctx, r.Workers, tasks, r.play, func(e schemas.LuminaEpisode) error {
		if err := r.dir.add(e); err != nil {
			return err
		}
		if r.Progress != nil {
			r.Progress(len(r.dir.finished), total)
		}
		return nil
	})
}

// open lists the episodes that are still to be played, in order.
func (r *luminaRunner) open() ([]luminaTask, error) {
	var tasks []luminaTask
	for _, inst := range r.Instances {
		for _, name := range r.Run.Configs {
			cfg, err := lumina.ParseConfig(name)
			if err != nil {
				return nil, err
			}
			if !r.dir.finished[episodeKey{inst.ID, name}] {
				tasks = append(tasks, luminaTask{inst, cfg})
			}
		}
	}
	return tasks, nil
}

// play plays one episode to its end. A player's error is a failure of the infrastructure, and no turn.
func (r *luminaRunner) play(ctx context.Context, t luminaTask) (schemas.LuminaEpisode, error) {
	e, err := lumina.New(t.inst, t.cfg, r.Run.Options, r.Book)
	if err != nil {
		return schemas.LuminaEpisode{}, err
	}
	record := schemas.LuminaEpisode{
		Schema: schemas.LuminaEpisodeSchema, InstanceID: t.inst.ID, ManifestSHA256: r.Run.ManifestSHA256, Config: t.cfg.String(),
		Model: r.Run.Model.Name, TemplateSHA256: prompt.TemplateSHA256(t.inst.Env),
		FewshotSHA256: r.Book.FewshotSHA256(t.inst.Env, t.cfg), Steps: []schemas.LuminaStep{},
	}
	agent := r.Player.Start(luminaSeat(r.Player, e, t.cfg))
	for !e.Done() {
		if err := ctx.Err(); err != nil {
			return record, err
		}
		reply, err := agent.Reply(ctx, e.Messages)
		if err != nil && ctx.Err() != nil {
			return record, ctx.Err()
		}
		if err != nil {
			e.Fail()
			break
		}
		record.Steps = append(record.Steps, e.Play(reply))
	}
	record.Outcome = e.Outcome()
	return record, nil
}
