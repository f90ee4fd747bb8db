package pipeline

import (
	"context"
	"errors"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Share is one of n shares of a stage's shards: those whose number mod Of is Index - 1.
type Share struct{ Index, Of int }

// Shards tells what a process that computes shards only did.
type Shards struct {
	Computed []int
	Fresh    []int // there already
	Busy     []int // under way in another process
}

// errShardsOnly ends the stage where its shards end.
var errShardsOnly = errors.New("pipeline: this process computes shards only")

// Shards computes a share of the shards of the stage of Options.Only. The stages before it must be
// fresh; neither the stage's receipt nor the build is written. The caller holds the directory
// shared, so that several such processes work side by side and a full build excludes them all.
func (p *Pipeline) Shards(ctx context.Context, share Share) (*Shards, error) {
	if err := p.shardable(); err != nil {
		return nil, err
	}
	have := p.source.artifacts()
	for i, s := range p.stages {
		t, err := p.task(ctx, s, have)
		if err != nil {
			return nil, err
		}
		if i == len(p.stages)-1 {
			return p.runShards(ctx, t, share)
		}
		if t.state != Fresh {
			return nil, fault.New(fault.NotFound, "stage %s is not there: %s", t.spec.Name, t.why).
				Hint("run wikinav build --only %s first", t.spec.Name)
		}
		if err := p.offer(have, t); err != nil {
			return nil, err
		}
	}
	panic("pipeline: no stages")
}

// shardable refuses a stage that has no shards, whether or not its result is there.
func (p *Pipeline) shardable() error {
	var with []string
	for _, s := range Registry(p.recipe, p.source) {
		if s.Spec().Sharded {
			with = append(with, "--only "+s.Spec().Name)
		}
	}
	remedy := "stages with shards: " + strings.Join(with, ", ")
	if p.opts.Only == "" {
		return fault.New(fault.Usage, "--shard needs the stage whose shards it shares out").Hint("%s", remedy)
	}
	if !p.stages[len(p.stages)-1].Spec().Sharded {
		return fault.New(fault.Usage, "--shard with --only %s: stage %[1]s has no shards", p.opts.Only).
			Hint("leave --shard out, or name one of the %s", remedy)
	}
	return nil
}

func (p *Pipeline) runShards(ctx context.Context, t *task, share Share) (*Shards, error) {
	done := &Shards{}
	if t.state == Fresh {
		return done, nil
	}
	e := &shardEnv{env: newEnv(ctx, p, t), share: share, done: done}
	err := guarded(ctx, t.stage, e)
	if errors.Is(err, errShardsOnly) {
		return done, nil
	}
	return nil, &StageError{t.spec.Name, err}
}

// shardEnv runs the shards of a share and nothing else of a stage.
type shardEnv struct {
	*env
	share Share
	done  *Shards
}

func (e *shardEnv) Shard(number int, run func(stages.Env) error) error {
	if number%e.share.Of != e.share.Index-1 {
		return nil
	}
	if _, err := e.result.FreshShard(e.ctx, number, shardKey(e.key, number)); err == nil {
		e.done.Fresh = append(e.done.Fresh, number)
		return nil
	}
	lock, err := e.result.LockShard(number)
	if errors.Is(err, fault.Locked) {
		e.done.Busy = append(e.done.Busy, number)
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	if err := e.env.Shard(number, run); err != nil {
		return err
	}
	e.done.Computed = append(e.done.Computed, number)
	return nil
}

func (e *shardEnv) Write(string, stages.WriteFunc) error { return errShardsOnly }

func (e *shardEnv) Written(string) (stages.File, error) { return stages.File{}, errShardsOnly }
