// Package distances is the stage that computes the distance from every node to every target.
//
// Each target has one column of a byte per node. Columns lie in shards of a fixed size in target order; a shard
// commits on its own, so an interrupted run goes on at the next shard. Every column is checked before it is
// committed, by rules that do not repeat the search that made it.
//
// Memory: the graph mapped (8 bytes per edge), and graph.ManyBytes: 4 bytes per edge, and per node 25 bytes and two per lane,
// of which there are 64 to 512, as many as --memory allows. Where not even 64 fit, or targets are few: 13 bytes per node and
// worker. Disk: nodes x targets bytes.
package distances

import (
	"context"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Params of the stage.
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

type stage struct{ params Params }

// New returns the stage.
func New(p Params) stages.Stage { return stage{p} }

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name: "distances", Version: 1,
		Inputs:  []schemas.Artifact{schemas.Graph, schemas.Targets},
		Outputs: []schemas.Artifact{schemas.Distances},
		Params:  s.params,
	}
}

// Run computes the shards that are missing, then the sidecar over all of them.
func (s stage) Run(ctx context.Context, env stages.Env) error {
	job, err := s.open(env)
	if err != nil {
		return err
	}
	defer job.graph.Close()
	shards, err := s.partition(job)
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
	return env.Write(distances.Sidecar, func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(w, stages.Options(env), job.columns)
	})
}

// partition refuses more shards than their names can number.
func (s stage) partition(j *job) ([]distances.Shard, error) {
	stride, err := distances.Stride(j.graph.Len())
	if err != nil {
		return nil, err
	}
	shards := distances.Partition(len(j.columns), j.graph.Len(), s.params.ShardBytes, stride)
	if len(shards) > distances.MaxShards {
		return nil, fault.New(fault.Usage, "shard_bytes = %d makes %d shards, %d is the most", s.params.ShardBytes, len(shards), distances.MaxShards).
			Hint("raise distances.shard_bytes in the recipe, or ask for fewer targets")
	}
	return shards, nil
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

// job is the graph and the targets at hand.
type job struct {
	graph   *graph.Graph
	columns []distances.Column // by node
	longest int                // targets of the largest shard
	block   *block             // nil until a shard is computed
}

func (s stage) open(env stages.Env) (*job, error) {
	g, err := stages.OpenGraph(env)
	if err != nil {
		return nil, err
	}
	columns, err := readTargets(env)
	if err != nil {
		g.Close()
		return nil, err
	}
	return &job{graph: g, columns: columns}, nil
}

func readTargets(env stages.Env) ([]distances.Column, error) {
	t, err := stages.OpenTable(env, schemas.Targets, "targets.arrow", schemas.TargetsTable)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var columns []distances.Column
	for b := range t.Batches() {
		nodes, ids, titles, reasons := t.Uint32s(b, 0), t.Uint32s(b, 1), t.Strings(b, 2), t.Uint8s(b, 3)
		for i := range nodes {
			columns = append(columns, distances.Column{
				Node: nodes[i], PageID: ids[i], Title: titles.At(i), Reasons: reasons[i],
			})
		}
	}
	return columns, nil
}
