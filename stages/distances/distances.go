// Package distances is the stage that computes the distance from every node to every target.
//
// Each target has one column of a byte per node. Columns lie in shards of a fixed size in target
// order; a shard commits on its own, so an interrupted run goes on at the next shard. Every column
// is checked before it is committed, by rules that do not repeat the search that made it.
//
// Memory: the graph mapped (8 bytes per edge), and graph.ManyBytes: 4 bytes per edge, and per node
// 25 bytes and two per lane, of which there are 64 to 512, as many as --memory allows. Where not
// even 64 fit, or targets are few: 13 bytes per node and worker. Disk: nodes x targets bytes.
package distances

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
)

type Params struct {
	ShardBytes int64 `json:"shard_bytes"` // of one shard, at most 4 GiB
}

// Default is a shard of 1 GiB.
func Default() Params { return Params{ShardBytes: 1 << 30} }

// Validate reports, before any work, what is wrong with the values; its errors are fault.Usage.
func (p Params) Validate() error {
	if p.ShardBytes < 1 || p.ShardBytes > 4<<30 {
		return fault.New(fault.Usage, "recipe: [distances] shard_bytes = %d, want 1 to 4 GiB", p.ShardBytes)
	}
	return nil
}

func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: "distances", Version: 1,
		Inputs:  []schemas.Artifact{schemas.Graph, schemas.Targets},
		Outputs: []schemas.Artifact{schemas.Distances},
		Params:  p,
		Sharded: true,
	}, p.run)
}

// run computes the shards that are missing, then the sidecar over all of them.
func (p Params) run(ctx context.Context, env *stages.Run) error {
	g, err := env.Graph()
	if err != nil {
		return err
	}
	columns, err := readTargets(env)
	if err != nil {
		return err
	}
	job := &job{graph: g, columns: columns}
	shards, err := p.partition(job)
	if err != nil {
		return err
	}
	if err := job.fill(ctx, env, shards); err != nil {
		return err
	}
	if err := job.place(ctx, env, shards); err != nil {
		return err
	}
	env.Count("targets", int64(len(job.columns)))
	env.Count("shards", int64(len(shards)))
	env.Count("far", job.far)
	pairs := int64(len(job.columns)) * int64(job.graph.Len())
	stages.WarnAbove(env, "W_FAR", schemas.Ratio{Num: job.far, Den: pairs}, schemas.Ratio{Den: 1})
	return env.Write(distances.Sidecar, func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(w, stages.Options(env), job.columns)
	})
}

// partition refuses more shards than their names can number.
func (p Params) partition(j *job) ([]distances.Shard, error) {
	stride, err := distances.Stride(j.graph.Len())
	if err != nil {
		return nil, err
	}
	shards := distances.Partition(len(j.columns), j.graph.Len(), p.ShardBytes, stride)
	if len(shards) > distances.MaxShards {
		return nil, fault.New(fault.Usage, "shard_bytes = %d makes %d shards, %d is the most", p.ShardBytes, len(shards), distances.MaxShards).
			Hint("raise distances.shard_bytes in the recipe, or ask for fewer targets")
	}
	return shards, nil
}

// job is the graph and the targets at hand.
type job struct {
	graph   *graph.Graph
	columns []distances.Column // by node
	longest int                // targets of the largest shard
	block   *block             // nil until a shard is computed
	far     int64              // distances that a column does not tell exactly
}

func readTargets(env *stages.Run) ([]distances.Column, error) {
	t, err := env.Table(schemas.Targets, "targets.arrow", schemas.TargetsTable)
	if err != nil {
		return nil, err
	}
	var columns []distances.Column
	for b := range t.Batches() {
		col := schemas.TargetsTable.Index
		nodes, ids := t.Uint32s(b, col("node")), t.Uint32s(b, col("page_id"))
		titles, reasons := t.Strings(b, col("title")), t.Uint8s(b, col("reasons"))
		for i := range nodes {
			columns = append(columns, distances.Column{
				Node: nodes[i], PageID: ids[i], Title: titles.At(i), Reasons: reasons[i],
			})
		}
	}
	return columns, nil
}

// fill computes what is missing. The meter counts columns: those of a shard that is there at once.
func (j *job) fill(ctx context.Context, env stages.Env, shards []distances.Shard) error {
	meter := env.Meter("searching", "targets", int64(len(j.columns)))
	defer meter.Done()
	for _, shard := range shards {
		j.longest = max(j.longest, shard.Count)
	}
	for _, shard := range shards {
		there := true
		err := env.Shard(shard.Number, func(env stages.Env) error {
			there = false
			return j.compute(ctx, env, shard, meter)
		})
		if err != nil {
			return err
		}
		if there {
			meter.Add(int64(shard.Count))
		}
	}
	return nil
}

// checkedNodes is how many nodes of each column are checked against their successors before the
// column is committed.
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

// room returns the one block of the job, made when the first shard turns out to be missing.
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
	return graph.Each(ctx, b.workers, len(targets), func(_, i int) error {
		t, g := targets[i], b.job.graph
		err := distances.CheckColumn(g.Succ, t.Node, b.columns[i], sample(g.Len(), t.Node))
		if err != nil {
			return fmt.Errorf("distances to page %d: %w", t.PageID, err)
		}
		return nil
	})
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

// place reads the committed shards back and fills in where each column lies and how many nodes
// stand at each distance: so the sidecar tells of the bytes on disk, whoever computed them.
func (j *job) place(ctx context.Context, env stages.Env, shards []distances.Shard) error {
	for _, shard := range shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		file, err := env.Written(distances.ShardName(shard.Number))
		if err != nil {
			return err
		}
		if err := j.placeShard(file, shard); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) placeShard(file stages.File, shard distances.Shard) error {
	f, err := file.Open(schemas.DistancesTable)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Batches() != shard.Count {
		return fault.New(fault.Mismatch, "%d columns, want %d", f.Batches(), shard.Count).At(file.Name, "")
	}
	for row := range shard.Count {
		c := &j.columns[shard.First+row]
		c.Shard, c.Row = uint32(shard.Number), uint32(row)
		column := f.Uint8s(row, 0)
		c.At, c.Unreached = distances.Count(column)
		j.far += int64(bytes.Count(column, []byte{schemas.Far}))
	}
	return nil
}
