package distances

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// envOf returns a world with that graph and these targets, nil for every node.
func envOf(t *testing.T, succ graph.CSR, targets []uint32) *stagetest.Env {
	t.Helper()
	env, w := stagetest.New(t), stagetest.NewWiki(succ)
	env.GiveGraph(w)
	reason := schemas.ReasonNamed
	if targets == nil {
		reason = schemas.ReasonAll
		for u := range w.PageIDs {
			targets = append(targets, uint32(u))
		}
	}
	env.Give(schemas.Targets, "targets.arrow", stages.Rows(schemas.TargetsTable, arrowio.Options{}, func(t *arrowio.Writer) error {
		for _, u := range targets {
			if err := t.Row(u, w.PageIDs[u], w.Titles[u], reason); err != nil {
				return err
			}
		}
		return nil
	}))
	return env
}

// set opens what a run left, as any reader does.
func set(t *testing.T, env *stagetest.Env, nodes int) *distances.Set {
	t.Helper()
	sidecar, err := env.Written(distances.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]digest.Digest{}
	for name, out := range env.Outputs {
		files[name] = out.Digest
	}
	s, err := distances.Open(sidecar.Root, ".", files, nodes, graphSHA256(t, env))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Check(); err != nil {
		t.Errorf("the written set: %v", err)
	}
	return s
}

func graphSHA256(t *testing.T, env *stagetest.Env) string {
	t.Helper()
	files, err := env.Input(schemas.Graph)
	if err != nil {
		t.Fatal(err)
	}
	return files[0].Digest.SHA256
}

// someTargets draws a target set, ascending.
func someTargets(r *rng.Stream, nodes int) []uint32 {
	var targets []uint32
	for u := range uint32(nodes) {
		if r.Below(3) > 0 {
			targets = append(targets, u)
		}
	}
	if targets == nil {
		targets = []uint32{0}
	}
	return targets
}

func TestEveryDistanceEqualsTheDefinition(t *testing.T) {
	t.Parallel()
	for seed := range 40 {
		succ := graphtest.Random(seed, 60)
		targets := someTargets(rng.New(uint64(seed), "targets"), succ.Nodes())
		env := envOf(t, succ, targets)
		env.MustRun(New(Params{ShardBytes: shardOf(3, succ.Nodes())}))
		got, want := set(t, env, succ.Nodes()), graphtest.Distances(succ)
		if len(got.Columns()) != len(targets) {
			t.Fatalf("seed %d: %d columns, want %d", seed, len(got.Columns()), len(targets))
		}
		for i, c := range got.Columns() {
			if c.Node != targets[i] || c.PageID != 1000+3*c.Node || c.Title != fmt.Sprintf("Page %d", c.Node) || c.Reasons != schemas.ReasonNamed {
				t.Fatalf("seed %d: column %d is %+v, want that of node %d", seed, i, c, targets[i])
			}
			column, err := got.Column(c.Node)
			if err != nil {
				t.Fatal(err)
			}
			for u, d := range column {
				if w := want[u][c.Node]; int(d) != w && !(d == schemas.Unreached && w == graphtest.Unreachable) {
					t.Fatalf("seed %d: from %d to %d got %d, want %d", seed, u, c.Node, d, w)
				}
			}
		}
	}
}

// shardOf returns a shard_bytes that n columns of nodes bytes fill, and one more exceeds.
func shardOf(n, nodes int) int64 {
	stride, err := distances.Stride(nodes)
	if err != nil {
		panic(err)
	}
	size := int64(1)
	for len(distances.Partition(n, nodes, size, stride)) > 1 {
		size *= 2
	}
	for len(distances.Partition(n, nodes, size-1, stride)) == 1 {
		size--
	}
	return size
}

func TestColumnsLieInShardsOfTheSizeThatTheRecipeSays(t *testing.T) {
	t.Parallel()
	succ := graphtest.Cycle(100)
	whole, cut := envOf(t, succ, nil), envOf(t, succ, nil)
	whole.MustRun(New(Default()))
	size := shardOf(30, succ.Nodes())
	cut.MustRun(New(Params{ShardBytes: size}))
	if got, want := strings.Join(cut.OutputNames(), " "), "columns.arrow distances-0000.arrow distances-0001.arrow distances-0002.arrow distances-0003.arrow"; got != want {
		t.Errorf("files: got %s, want %s", got, want)
	}
	if got := cut.Counters; got["targets"] != 100 || got["shards"] != 4 {
		t.Errorf("counters: got %v, want 100 targets in 4 shards", got)
	}
	if n := whole.Counters["shards"]; n != 1 {
		t.Errorf("default: %d shards, want 1", n)
	}
	for name, out := range cut.Outputs {
		if name != distances.Sidecar && out.Digest.Bytes > size {
			t.Errorf("%s has %d bytes, more than %d", name, out.Digest.Bytes, size)
		}
	}
	a, b := set(t, whole, 100), set(t, cut, 100)
	for i, c := range b.Columns() {
		if int(c.Shard) != i/30 || int(c.Row) != i%30 {
			t.Errorf("column %d is at shard %d, row %d", i, c.Shard, c.Row)
		}
		first, _ := a.Column(c.Node)
		second, _ := b.Column(c.Node)
		if !slices.Equal(first, second) {
			t.Errorf("target %d: %v in one shard, %v in four", c.Node, first, second)
		}
	}
}

func TestTheSidecarCountsTheNodesAtEachDistance(t *testing.T) {
	t.Parallel()
	succ := graphtest.Line(40) // 0 -> 1 -> ... -> 39
	env := envOf(t, succ, []uint32{0, 10, 39})
	env.MustRun(New(Default()))
	for _, c := range set(t, env, succ.Nodes()).Columns() {
		for d, got := range c.At {
			want := uint32(0)
			if d <= int(c.Node) {
				want = 1
			}
			if d == schemas.CountedDepth {
				want = uint32(max(0, int(c.Node)-schemas.CountedDepth+1))
			}
			if got != want {
				t.Errorf("target %d: %d nodes at distance %d, want %d", c.Node, got, d, want)
			}
		}
		if want := uint32(succ.Nodes()) - c.Node - 1; c.Unreached != want {
			t.Errorf("target %d: %d unreached, want %d", c.Node, c.Unreached, want)
		}
	}
}

// TestFarPairsAreCountedAndWarnedOf: no graph fails for being deep.
func TestFarPairsAreCountedAndWarnedOf(t *testing.T) {
	t.Parallel()
	for nodes, far := range map[int]int64{254: 0, 255: 1, 300: 46 * 47 / 2} {
		succ := graphtest.Line(nodes)
		for _, workers := range []int{1, 4} {
			env := envOf(t, succ, nil)
			env.NumWorkers = workers
			if err := env.Run(context.Background(), New(Default())); err != nil {
				t.Fatalf("a line of %d nodes: %v", nodes, err)
			}
			if got := env.Counters["far"]; got != far || (len(env.Warnings) > 0) != (far > 0) {
				t.Errorf("a line of %d nodes: %d far pairs and warnings %v, want %d", nodes, got, env.Warnings, far)
			}
		}
	}
}

func TestMoreShardsThanNamesAreRefused(t *testing.T) {
	t.Parallel()
	succ := graphtest.Build(distances.MaxShards+1, nil)
	env := envOf(t, succ, nil)
	if err := env.Run(context.Background(), New(Params{ShardBytes: 1})); !errors.Is(err, fault.Usage) || len(env.Outputs) != 0 {
		t.Errorf("got %v and files %v, want usage and none", err, env.OutputNames())
	}
}

func TestTheStageKeepsTheContract(t *testing.T) {
	t.Parallel()
	succ := graphtest.Random(23, 50)
	stagetest.Run(t, New(Params{ShardBytes: shardOf(7, succ.Nodes())}), envOf(t, succ, nil))
}
