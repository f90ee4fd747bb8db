package distances_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
)

func TestPartitionFillsShardsInOrder(t *testing.T) {
	t.Parallel()
	type shard = distances.Shard
	const kib = 1 << 10
	for _, c := range []struct {
		name       string
		targets    int
		shardBytes int64
		want       []shard
	}{
		{"no target", 0, 100 * kib, nil},
		{"all in one", 5, 1 << 30, []shard{{0, 0, 5}}},
		{"the last one is short", 5, 4*kib + 2*(kib+24), []shard{{0, 0, 2}, {1, 2, 2}, {2, 4, 1}}},
		{"one byte less", 3, 4*kib + 2*(kib+24) - 1, []shard{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}},
		{"a column larger than a shard", 2, 10, []shard{{0, 0, 1}, {1, 1, 1}}},
	} {
		if got := distances.Partition(c.targets, 900, c.shardBytes, kib); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNoShardExceedsItsBytes(t *testing.T) {
	t.Parallel()
	for _, nodes := range []int{1, 9, 64, 1000, 5000} {
		stride, err := distances.Stride(nodes)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int64{8 << 10, 64 << 10, 200_000} {
			full := distances.Partition(1_000_000, nodes, limit, stride)[0].Count
			size := len(shardFile(t, nodes, slices.Repeat([][]uint8{bytes.Repeat([]byte{7}, nodes)}, full)))
			if int64(size) > limit && full > 1 {
				t.Errorf("%d nodes: %d columns take %d bytes, more than %d", nodes, full, size, limit)
			}
			if room := limit - int64(size); room > 4096+stride+24 {
				t.Errorf("%d nodes: %d columns leave %d of %d bytes", nodes, full, room, limit)
			}
		}
	}
}

func TestShardNamesHaveFourDigits(t *testing.T) {
	t.Parallel()
	if a, b := distances.ShardName(0), distances.ShardName(9999); a != "distances-0000.arrow" || b != "distances-9999.arrow" {
		t.Errorf("%s, %s", a, b)
	}
}
