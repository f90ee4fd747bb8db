package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/eval/trace"
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
	Limit     int                // play only the first so many episodes of the order of play; 0: all
	Again     bool               // episodes that ended as infra are played once more
	Now       func() time.Time
	Progress  func(done, total int) // called after each episode, by one goroutine at a time
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
// ends it stops between two turns; episodes that were finished are kept, and the same call goes on from there. Processes share the
// episodes as they do in Run.
func RunLumina(ctx context.Context, c LuminaConfig) (int, error) {
	items, err := c.items()
	if err != nil {
		return 0, err
	}
	j, err := luminaRun.join(c.Dir, c.Run, c.Now, luminaLogs, keys(items), func(j *journal) error {
		_, err := trace.OpenLumina(j.dir)
		return err
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
	main: trace.EpisodesFile,
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
		for _, name := range c.Run.Configs {
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
	if m := r.Run.Model.Sampling; m != nil {
		record.Sampling = samplingOf(*m)
	}
	agent := r.Player.Start(luminaSeat(r.Player, e, t.cfg))
	for !e.Done() {
		if err := ctx.Err(); err != nil {
			return record, err
		}
		said, err := agent.Reply(ctx, e.Messages)
		if err != nil && ctx.Err() != nil {
			return record, ctx.Err()
		}
		if err == nil && said.size()+told(record.Steps) > maxEpisode {
			err = &Unreachable{Reason: fmt.Sprintf("the replies are longer than %d bytes, more than a record holds", maxEpisode)}
		}
		if errors.Is(err, ErrInfra) {
			e.Fail()
			reason := err.Error()
			record.Reason, record.Retried = &reason, repeated(err)
			break
		}
		if err != nil {
			return record, err
		}
		record.Steps = append(record.Steps, r.step(e.Play(said.Text), said))
	}
	record.Outcome = e.Outcome()
	r.sum(&record)
	record.Retried = record.Retried || r.journal.again[t.inst.ID+"/"+t.cfg.String()]
	return record, nil
}

// maxEpisode bounds the replies of an episode, whose record is one line.
const maxEpisode = 1 << 20

func (s Said) size() int {
	n := len(s.Text)
	if s.Reasoning != nil {
		n += len(*s.Reasoning)
	}
	return n
}

func told(steps []schemas.LuminaStep) (n int) {
	for _, s := range steps {
		n += Said{Text: s.Reply, Reasoning: s.Reasoning}.size()
	}
	return n
}

func samplingOf(m schemas.Sampling) (s schemas.LuminaSampling) {
	if m.Temperature != nil {
		s.Temperature = *m.Temperature
	}
	if m.MaxTokens != nil {
		s.MaxTokens = *m.MaxTokens
	}
	return s
}

// step adds to a turn what was said on the way to it.
func (r *luminaRunner) step(s schemas.LuminaStep, said Said) schemas.LuminaStep {
	s.Reasoning, s.Usage, s.Retries, s.Flag = said.Reasoning, said.Usage, said.Retries, said.Flag
	s.Cost = judge.Cost(r.Run.Price, said.Usage)
	return s
}

// sum adds up the turns. What one of them does not tell, the episode does not tell.
func (r *luminaRunner) sum(e *schemas.LuminaEpisode) {
	for _, s := range e.Steps {
		e.Retried = e.Retried || s.Retries > 0
	}
	e.Usage = schemas.SumUsage(e.Steps, func(s schemas.LuminaStep) *schemas.Usage { return s.Usage })
	e.Cost = judge.Cost(r.Run.Price, e.Usage)
}
