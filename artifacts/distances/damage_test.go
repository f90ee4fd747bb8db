package distances_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/fault"
)

// damages change the distances of G9 to the targets 1, 4, 7, two columns in a shard, in one way each. file, place and
// what must stand in the error.
var damages = []struct {
	name, file, place, what string
	change                  func(t *testing.T, a *artifact)
}{
	{
		"no sidecar", "columns.arrow", "", "not among",
		func(_ *testing.T, a *artifact) { delete(a.files, distances.Sidecar) },
	},
	{
		"first shard missing", "distances-0000.arrow", "", "not among the 2 files",
		func(_ *testing.T, a *artifact) { delete(a.files, distances.ShardName(0)) },
	},
	{
		"last shard missing", "columns.arrow", "", "3 rows for 2 columns in 1 shards",
		func(_ *testing.T, a *artifact) { delete(a.files, distances.ShardName(1)) },
	},
	{
		"a file that does not belong", "distances-0002.arrow", "", "not among the 4 files",
		func(_ *testing.T, a *artifact) { a.files["other.arrow"] = []byte("x") },
	},
	{
		"shards swapped", "columns.arrow", "row 1", "shard 0 row 1, want shard 1 row 0",
		func(_ *testing.T, a *artifact) {
			zero, one := distances.ShardName(0), distances.ShardName(1)
			a.files[zero], a.files[one] = a.files[one], a.files[zero]
		},
	},
	{
		"another graph", "distances-0001.arrow", "", "distances of the graph \"cdcd",
		func(_ *testing.T, a *artifact) {
			other := strings.ReplaceAll(graphSHA256, "ab", "cd")
			a.files[distances.ShardName(1)] = bytes.ReplaceAll(a.files[distances.ShardName(1)], []byte(graphSHA256), []byte(other))
		},
	},
	{
		"columns of another length", "distances-0001.arrow", "batch 0", "8 distances for 9 nodes",
		func(t *testing.T, a *artifact) {
			a.files[distances.ShardName(1)] = shardFile(t, 8, [][]uint8{make([]uint8, 8)})
		},
	},
	{
		"another offset in the metadata", "distances-0000.arrow", "batch 0", "by the metadata",
		func(_ *testing.T, a *artifact) { a.setNumber(0, distances.KeyOffset0, "00000000000000000064") },
	},
	{
		"another stride in the metadata", "distances-0000.arrow", "batch 1", "by the metadata",
		func(_ *testing.T, a *artifact) { a.setNumber(0, distances.KeyStride, "00000000000000000064") },
	},
	{
		"a stride that is no number", "distances-0001.arrow", "metadata wikinav.stride", "want a number of 20 digits",
		func(_ *testing.T, a *artifact) { a.setNumber(1, distances.KeyStride, "-0000000000000000064") },
	},
	{
		"nodes descend", "columns.arrow", "row 1", "node 1 after 1",
		func(_ *testing.T, a *artifact) {
			four, one := []byte{1, 0, 0, 0, 4, 0, 0, 0, 7, 0}, []byte{1, 0, 0, 0, 1, 0, 0, 0, 7, 0}
			a.files[distances.Sidecar] = bytes.Replace(a.files[distances.Sidecar], four, one, 1)
		},
	},
	{
		"node outside", "columns.arrow", "row 2", "node 9 after 4 in a graph of 9",
		func(t *testing.T, a *artifact) { a.cols[2].Node = 9; a.files[distances.Sidecar] = sidecar(t, a.cols) },
	},
	{
		"another place", "columns.arrow", "row 1", "shard 0 row 0, want shard 0 row 1",
		func(t *testing.T, a *artifact) { a.cols[1].Row = 0; a.files[distances.Sidecar] = sidecar(t, a.cols) },
	},
	{
		"counts that do not add up", "columns.arrow", "row 2", "counts add up to 10 of 9",
		func(t *testing.T, a *artifact) { a.cols[2].At[16]++; a.files[distances.Sidecar] = sidecar(t, a.cols) },
	},
	{
		"a row too few", "columns.arrow", "", "2 rows for 3 columns",
		func(t *testing.T, a *artifact) { a.files[distances.Sidecar] = sidecar(t, a.cols[:2]) },
	},
}

// setNumber writes a number of shard i's metadata anew, in the head and in the foot.
func (a *artifact) setNumber(i int, key, digits string) {
	name := distances.ShardName(i)
	a.files[name] = numberOf(key).ReplaceAll(a.files[name], []byte(digits+"${2}"))
}

func TestDamagedDistancesAreRefusedByPlace(t *testing.T) {
	t.Parallel()
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			a := compute(t, g9(), []uint32{1, 4, 7}, 2)
			d.change(t, a)
			_, err := a.open(t)
			if !finds(err, dir+"/"+d.file, d.place, d.what) {
				t.Errorf("%v, want a finding in %s at %q: %s", err, d.file, d.place, d.what)
			}
		})
	}
}

// finds looks through err and all that it joins or wraps.
func finds(err error, file, place, what string) bool {
	if f, ok := err.(*fault.Error); ok {
		return f.Kind == fault.Mismatch && f.File == file && f.Where == place && strings.Contains(f.What, what)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return false
	}
	for _, one := range joined.Unwrap() {
		if finds(one, file, place, what) {
			return true
		}
	}
	return false
}

func TestADigestThatDiffersIsRefused(t *testing.T) {
	t.Parallel()
	a := compute(t, g9(), []uint32{1, 4, 7}, 2)
	for name := range a.files {
		data := a.files[name]
		b := compute(t, g9(), []uint32{1, 4, 7}, 2)
		b.digestsOf = a.files
		b.files[name] = bytes.Clone(data)
		b.files[name][len(data)/2] ^= 1
		if _, err := b.open(t); fault.KindOf(err) != fault.Mismatch || !strings.Contains(err.Error(), name) {
			t.Errorf("%s changed: %v, want a mismatch that names it", name, err)
		}
	}
}

func TestCheckRecountsTheColumns(t *testing.T) {
	t.Parallel()
	a := compute(t, g9(), []uint32{1, 4, 7}, 2)
	name := distances.ShardName(0)
	second := metadataNumber(t, a.files[name], distances.KeyOffset0) + metadataNumber(t, a.files[name], distances.KeyStride)
	a.files[name][second+4] = 1 // the distance of target 4 to itself
	err := a.mustOpen(t).Check()
	for _, want := range []struct{ file, place, what string }{
		{name, "batch 1, row 4", "distance 1 from node 4 to target 4, want 0"},
		{distances.Sidecar, "row 1", "1 nodes at distance 0, the column of node 4 has 0"},
		{distances.Sidecar, "row 1", "nodes at distance 1, the column of node 4 has 3"},
	} {
		if !finds(err, dir+"/"+want.file, want.place, want.what) {
			t.Errorf("%v, want a finding in %s at %s: %s", err, want.file, want.place, want.what)
		}
	}
}

func TestAClosedSetHasNoTargets(t *testing.T) {
	t.Parallel()
	set := compute(t, graphtest.Graph(graphtest.Cycle(20), nil), []uint32{1, 2}, 1).mustOpen(t)
	for range 2 {
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := set.At(0, 1); !errors.Is(err, distances.ErrNoTarget) {
		t.Errorf("%v, want ErrNoTarget", err)
	}
}
