package release

import (
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// distances packs the columns that the release carries into shards, by the rule of the build and with a sidecar of their own.
// The values are those of the build.
func (w *writer) distances(g *graph.Graph) error {
	set, err := distances.Open(w.in.Root, w.in.Distances.Path, w.in.Distances.Files, g.Len(), w.in.Graph.Digest.SHA256)
	if err != nil {
		return err
	}
	columns, err := w.carried(set)
	if err == nil {
		err = w.pack(set, columns, g.Len())
	}
	return errors.Join(err, set.Close())
}

// carried chooses the columns of the release, sorted by node.
func (w *writer) carried(set *distances.Set) ([]distances.Column, error) {
	if w.opts.AllTargets {
		return slices.Clone(set.Columns()), nil
	}
	used := map[uint32]bool{}
	for _, b := range w.in.Parts {
		targets, err := b.Part.Targets(b.Files)
		if err != nil {
			return nil, err
		}
		for _, u := range targets {
			used[u] = true
		}
	}
	var out []distances.Column
	for _, c := range set.Columns() {
		if used[c.Node] {
			out = append(out, c)
			delete(used, c.Node)
		}
	}
	if len(used) > 0 {
		return nil, fault.New(fault.Mismatch, "targets of instances without a distance column: nodes %v", slices.Sorted(maps.Keys(used))).
			At(columnsPath, "")
	}
	return out, nil
}

// pack writes the shards and columns.arrow.
func (w *writer) pack(set *distances.Set, columns []distances.Column, nodes int) error {
	limit, err := w.in.shardBytes()
	if err != nil {
		return err
	}
	opts := arrowio.Options{ParamsSHA256: digest.SHA256(canon.MustMarshal(w.m.Params["distances"]))}
	stride, err := distances.Stride(nodes)
	if err != nil {
		return err
	}
	shards := distances.Partition(len(columns), nodes, limit, stride)
	if len(shards) > distances.MaxShards {
		return fault.New(fault.Usage, "%d distance shards of %d bytes, at most %d are possible", len(shards), limit, distances.MaxShards)
	}
	for _, shard := range shards {
		if err := w.shard(set, columns[shard.First:shard.First+shard.Count], shard, opts, nodes); err != nil {
			return err
		}
	}
	w.m.Graph.ColumnCount = len(columns)
	return w.create(columnsPath, func(out io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(out, opts, columns)
	})
}

// shard writes one shard and notes in columns where they now are.
func (w *writer) shard(set *distances.Set, columns []distances.Column, s distances.Shard, opts arrowio.Options, nodes int) error {
	for i := range columns {
		columns[i].Shard, columns[i].Row = uint32(s.Number), uint32(i)
	}
	column := func(i int) ([]uint8, error) {
		if err := w.ctx.Err(); err != nil {
			return nil, err
		}
		return set.Column(columns[i].Node)
	}
	sum := w.in.Graph.Digest.SHA256
	name, write := distances.ShardName(s.Number), func(out io.Writer) (arrowio.Summary, error) {
		return distances.WriteShard(out, opts, sum, nodes, s.Count, column)
	}
	if w.opts.Distances == Packed {
		name, write = distances.PackedName(s.Number), func(out io.Writer) (arrowio.Summary, error) {
			return arrowio.Summary{}, distances.WritePacked(out, sum, nodes, s.Count, column)
		}
	}
	if err := w.create(distancesDir+"/"+name, write); err != nil || !w.opts.Parquet.Distances {
		return err
	}
	return w.longDistances(set, columns, s.Number)
}
