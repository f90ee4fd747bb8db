package distances_test

import (
	"bytes"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

func TestASetGivesBackEveryDistance(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Random(0, 300), nil)
	for _, perShard := range []int{1, 4, 1000} {
		a := compute(t, g, everyThird(g.Len()), perShard)
		set := a.mustOpen(t)
		if !reflect.DeepEqual(set.Columns(), a.cols) || set.Nodes() != g.Len() {
			t.Fatalf("%d a shard: columns %v of %d nodes, want %v", perShard, set.Columns(), set.Nodes(), a.cols)
		}
		if err := set.Check(); err != nil {
			t.Fatal(err)
		}
		for i, c := range a.cols {
			got, err := set.Column(c.Node)
			if err != nil || !bytes.Equal(got, a.dist[i]) {
				t.Fatalf("%d a shard, target %d: %v, %v; want %v", perShard, c.Node, got, err, a.dist[i])
			}
			for u, want := range a.dist[i] {
				if d, err := set.At(uint32(u), c.Node); err != nil || d != want {
					t.Fatalf("%d a shard: At(%d, %d) = %d, %v; want %d", perShard, u, c.Node, d, err, want)
				}
			}
		}
	}
}

func TestASetWithoutTargetsIsEmpty(t *testing.T) {
	t.Parallel()
	set := compute(t, g9(), nil, 1).mustOpen(t)
	if _, err := set.Column(0); len(set.Columns()) != 0 || !errors.Is(err, distances.ErrNoTarget) {
		t.Errorf("columns %v, %v; want none and ErrNoTarget", set.Columns(), err)
	}
}

func TestAnAbsentTargetIsAnErrorAndNotADistance(t *testing.T) {
	t.Parallel()
	set := compute(t, g9(), []uint32{1, 4}, 2).mustOpen(t)
	for _, target := range []uint32{0, 5, 8, 9, 4e9} {
		_, err1 := set.Column(target)
		_, err2 := set.At(0, target)
		if !errors.Is(err1, distances.ErrNoTarget) || !errors.Is(err2, distances.ErrNoTarget) {
			t.Errorf("target %d: %v, %v; want ErrNoTarget", target, err1, err2)
		}
	}
	if _, err := set.At(9, 1); fault.KindOf(err) != fault.NotFound {
		t.Errorf("source 9 of 9: %v, want not found", err)
	}
}

// What performance.md promises to readers without an Arrow library.
func TestColumnsStandWhereTheMetadataSays(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Random(0, 300), nil)
	a := compute(t, g, everyThird(g.Len()), 7)
	data := a.files[distances.ShardName(1)]
	offset0, stride := metadataNumber(t, data, distances.KeyOffset0), metadataNumber(t, data, distances.KeyStride)
	for i, want := range a.dist[7:14] {
		at := offset0 + i*stride
		if got := data[at : at+g.Len()]; !bytes.Equal(got, want) {
			t.Errorf("column %d at byte %d: %v, want %v", i, at, got, want)
		}
	}
	if s, err := distances.Stride(g.Len()); err != nil || s != int64(stride) {
		t.Errorf("Stride %d, %v; the file has %d", s, err, stride)
	}
}

// metadataNumber finds a number as a reader with nothing but the bytes would: a value stands before its key.
func metadataNumber(t *testing.T, data []byte, key string) int {
	t.Helper()
	found := numberOf(key).FindSubmatch(data)
	if found == nil {
		t.Fatalf("no %s in the file", key)
	}
	n, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func numberOf(key string) *regexp.Regexp {
	return regexp.MustCompile(`([0-9]{20})([^0-9a-z]*` + regexp.QuoteMeta(key) + `)`)
}

// BenchmarkAt reads random bytes of 25 MB, more than the caches hold.
func BenchmarkAt(b *testing.B) {
	const n = 50_000
	g := graphtest.Graph(graphtest.WikiLike(n, 35, 1), nil)
	targets := everyThird(3 * 512)
	set := compute(b, g, targets, 200).mustOpen(b)
	pairs := make([][2]uint32, 1<<14)
	r := rng.New(1, "pairs")
	for i := range pairs {
		pairs[i] = [2]uint32{uint32(r.Below(n)), targets[r.Below(len(targets))]}
	}
	i := 0
	b.ResetTimer()
	for b.Loop() {
		p := pairs[i%len(pairs)]
		if _, err := set.At(p[0], p[1]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// BenchmarkColumn reads whole columns, the scan for damage behind it.
func BenchmarkColumn(b *testing.B) {
	const n = 50_000
	g := graphtest.Graph(graphtest.WikiLike(n, 35, 1), nil)
	set := compute(b, g, []uint32{5}, 1).mustOpen(b)
	var sum int
	for b.Loop() {
		dist, err := set.Column(5)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range dist {
			sum += int(d)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/node")
}
