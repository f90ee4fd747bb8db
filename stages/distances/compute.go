package distances

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
)

// checkedNodes is how many nodes of each column are checked against their successors before the column is committed.
const checkedNodes = 64

// compute writes one shard. Columns are searched in blocks and written in order.
func (j *job) compute(ctx context.Context, env stages.Env, shard distances.Shard, meter stages.Meter) error {
	targets := j.columns[shard.First : shard.First+shard.Count]
	block := j.room(env)
	column := func(i int) ([]uint8, error) {
		at := i % len(block.columns)
		if at == 0 {
			next := targets[i:min(i+len(block.columns), len(targets))]
			if err := block.search(ctx, next); err != nil {
				return nil, err
			}
			meter.Add(int64(len(next)))
		}
		return block.columns[at], nil
	}
	return env.Write(distances.ShardName(shard.Number), func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteShard(w, stages.Options(env), j.graph.SHA256, j.graph.Len(), shard.Count, column)
	})
}

// block is the columns that are searched together.
type block struct {
	engine
	job     *job
	columns [][]uint8
	workers int
}

// room gives the one block of the job, made when the first shard turns out to be missing.
func (j *job) room(env stages.Env) *block {
	if j.block != nil {
		return j.block
	}
	j.block = &block{job: j, workers: max(1, env.Workers())}
	var size int
	j.block.engine, size = newEngine(j.graph, j.longest, j.block.workers, env.Memory())
	for range size {
		j.block.columns = append(j.block.columns, make([]uint8, j.graph.Len()))
	}
	return j.block
}

// search fills and checks one column per target. Of several errors that of the first target counts.
func (b *block) search(ctx context.Context, targets []distances.Column) error {
	nodes := make([]uint32, len(targets))
	for i, t := range targets {
		nodes[i] = t.Node
	}
	if err := b.fill(ctx, nodes, b.columns[:len(nodes)]); err != nil {
		return fmt.Errorf("distances to %d pages from page %d on: %w", len(targets), targets[0].PageID, err)
	}
	return b.check(ctx, targets)
}

func (b *block) check(ctx context.Context, targets []distances.Column) error {
	return each(ctx, b.workers, len(targets), func(_, i int) error {
		t, g := targets[i], b.job.graph
		err := distances.CheckColumn(g.Succ, t.Node, b.columns[i], sample(g.Len(), t.Node))
		if err != nil {
			return fmt.Errorf("distances to page %d: %w", t.PageID, err)
		}
		return nil
	})
}

// each calls do for 0..n-1, every workers-th on the same worker, and returns the error of the smallest number.
func each(ctx context.Context, workers, n int, do func(worker, i int) error) error {
	errs := make([]error, n)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += workers {
				errs[i] = do(w, i)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// sample draws the nodes at which a column is checked: from a stream of the column's own.
func sample(nodes int, target uint32) []uint32 {
	r := rng.New(0, "distances", "check", rng.Part(target))
	out := make([]uint32, checkedNodes)
	for i := range out {
		out[i] = uint32(r.Below(nodes))
	}
	return out
}
