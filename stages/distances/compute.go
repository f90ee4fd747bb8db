package distances

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
)

// checkedNodes is how many nodes of each column are checked against their successors before the column is committed.
const checkedNodes = 64

// compute writes one shard. Columns are searched in blocks, each worker a share of the block, and written in order.
func (j *job) compute(ctx context.Context, env stages.Env, shard distances.Shard, meter stages.Meter) error {
	targets := j.columns[shard.First : shard.First+shard.Count]
	block := j.room(env.Workers())
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

// columnsPerWorker in a block keeps the workers busy between two writes.
const columnsPerWorker = 8

// block is the columns that are searched together.
type block struct {
	graph   *graph.Graph
	columns [][]uint8
	queues  [][]uint32 // by worker
}

// room gives the one block of the job, made when the first shard turns out to be missing.
func (j *job) room(workers int) *block {
	if j.block == nil {
		j.block = newBlock(j.graph, workers)
	}
	return j.block
}

func newBlock(g *graph.Graph, workers int) *block {
	b := &block{graph: g, columns: make([][]uint8, workers*columnsPerWorker), queues: make([][]uint32, workers)}
	for i := range b.columns {
		b.columns[i] = make([]uint8, g.Len())
	}
	for i := range b.queues {
		b.queues[i] = make([]uint32, g.Len())
	}
	return b
}

// search fills one column per target; worker w takes every workers-th, so no slot is shared. Of several errors that
// of the first target counts.
func (b *block) search(ctx context.Context, targets []distances.Column) error {
	errs := make([]error, len(targets))
	var wait sync.WaitGroup
	for w, queue := range b.queues {
		wait.Go(func() {
			for i := w; i < len(targets) && ctx.Err() == nil; i += len(b.queues) {
				errs[i] = b.one(targets[i], b.columns[i], queue)
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

func (b *block) one(target distances.Column, column []uint8, queue []uint32) error {
	if _, err := graph.DistancesTo(b.graph.Pred, target.Node, column, queue); err != nil {
		return fmt.Errorf("distances to page %d: %w", target.PageID, err)
	}
	return distances.CheckColumn(b.graph.Succ, target.Node, column, sample(b.graph.Len(), target.Node))
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
