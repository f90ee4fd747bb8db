package distances

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// place reads the committed shards back and fills in where each column lies and how many nodes stand at each
// distance: so the sidecar tells of the bytes on disk, whoever computed them.
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
		c.At, c.Unreached = distances.Count(f.Uint8s(row, 0))
	}
	return nil
}
