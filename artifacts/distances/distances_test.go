package distances_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	_ "github.com/wikinav/wikinav/artifacts/arrowio/library" // tests write tables
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

const dir = "distances"

var (
	graphSHA256 = strings.Repeat("ab", 32)
	options     = arrowio.Options{ParamsSHA256: strings.Repeat("0", 64)}
)

// artifact is the distances of a graph before they are written, open to mutation.
type artifact struct {
	g         *graph.Graph
	cols      []distances.Column
	dist      [][]uint8
	files     map[string][]byte
	digestsOf map[string][]byte // what the digests are taken of, where it is not files
}

// compute makes the columns of targets, perShard in a shard, and writes them.
func compute(t testing.TB, g *graph.Graph, targets []uint32, perShard int) *artifact {
	t.Helper()
	a := &artifact{g: g}
	for i, target := range targets {
		dist := make([]uint8, g.Len())
		graph.DistancesTo(g.Pred, target, dist, nil)
		at, unreached := distances.Count(dist)
		a.dist = append(a.dist, dist)
		a.cols = append(a.cols, distances.Column{
			Node: target, PageID: g.PageIDs[target], Title: g.Title(target), Reasons: 2,
			Shard: uint32(i / perShard), Row: uint32(i % perShard), At: at, Unreached: unreached,
		})
	}
	a.write(t, perShard)
	return a
}

// write encodes all files anew.
func (a *artifact) write(t testing.TB, perShard int) {
	t.Helper()
	a.files = map[string][]byte{distances.Sidecar: sidecar(t, a.cols)}
	for first := 0; first < len(a.dist); first += perShard {
		part := a.dist[first:min(first+perShard, len(a.dist))]
		a.files[distances.ShardName(first/perShard)] = shardFile(t, a.g.Len(), part)
	}
}

func sidecar(t testing.TB, cols []distances.Column) []byte {
	t.Helper()
	var out bytes.Buffer
	if sum, err := distances.WriteColumns(&out, options, cols); err != nil || sum.Rows != int64(len(cols)) {
		t.Fatalf("sidecar: %d rows, %v", sum.Rows, err)
	}
	return out.Bytes()
}

func shardFile(t testing.TB, nodes int, dist [][]uint8) []byte {
	t.Helper()
	var out bytes.Buffer
	sum, err := distances.WriteShard(&out, options, graphSHA256, nodes, len(dist), func(i int) ([]uint8, error) { return dist[i], nil })
	if err != nil || sum.Rows != int64(nodes*len(dist)) {
		t.Fatalf("shard: %d rows, %v", sum.Rows, err)
	}
	return out.Bytes()
}

// open writes the files below a folder of their own and opens them under their digests.
func (a *artifact) open(t testing.TB) (*distances.Set, error) {
	t.Helper()
	base := t.TempDir()
	if err := os.Mkdir(filepath.Join(base, dir), 0o700); err != nil {
		t.Fatal(err)
	}
	digests := map[string]digest.Digest{}
	for name, data := range a.files {
		if err := os.WriteFile(filepath.Join(base, dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		digests[name] = digest.Bytes(data)
	}
	for name, data := range a.digestsOf {
		digests[name] = digest.Bytes(data)
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	set, err := distances.Open(root, dir, digests, a.g.Len(), graphSHA256)
	if err == nil {
		t.Cleanup(func() { set.Close() })
	}
	return set, err
}

func (a *artifact) mustOpen(t testing.TB) *distances.Set {
	t.Helper()
	set, err := a.open(t)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func g9() *graph.Graph {
	c, names := graphtest.G9()
	return graphtest.Graph(c, names)
}

// everyThird returns the nodes 1, 4, 7, ...
func everyThird(n int) []uint32 {
	var nodes []uint32
	for u := uint32(1); int(u) < n; u += 3 {
		nodes = append(nodes, u)
	}
	return nodes
}
