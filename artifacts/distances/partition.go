package distances

import "fmt"

// Shard is the part of the target set that one file holds: Count targets from the First on, in ascending order of node.
type Shard struct{ Number, First, Count int }

// MaxShards is what four digits can number.
const MaxShards = 10_000

// Bytes of an Arrow file beside its columns: the schema in its head and in its foot, and in the foot a record of each
// batch. The first is an upper bound, which the tests hold against files.
const (
	frameBytes  = 4096
	footerBytes = 24
)

// ShardName gives the name of shard i's file.
func ShardName(i int) string { return fmt.Sprintf("distances-%04d.arrow", i) }

// Partition spreads targets over shards in order. No file exceeds shardBytes unless a single column does; every
// shard but the last is full. nodes is the number of bytes in a column and stride the number that it takes in the
// file, as Layout gives it. A partition into more than MaxShards shards is for the caller to refuse.
func Partition(targets, nodes int, shardBytes, stride int64) []Shard {
	if stride < int64(nodes) {
		panic(fmt.Sprintf("distances: a stride of %d for columns of %d bytes", stride, nodes))
	}
	full := int(min(int64(targets), max(1, (shardBytes-frameBytes)/(stride+footerBytes))))
	var shards []Shard
	for first := 0; first < targets; first += full {
		shards = append(shards, Shard{len(shards), first, min(full, targets-first)})
	}
	return shards
}
