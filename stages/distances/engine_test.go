package distances

import (
	"maps"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

func TestLanesAreAsManyAsFitAndTargetsFill(t *testing.T) {
	t.Parallel()
	const nodes, edges = 7_000_000, 200_000_000 // the English Wikipedia
	for _, c := range []struct {
		longest int
		memory  int64
		want    int
	}{
		{150, 0, 256},
		{150, 16 << 30, 256},
		{4096, 16 << 30, 512},
		{4096, 8 << 30, 512},
		{4096, 6 << 30, 256},
		{4096, 2 << 30, 64},
		{4096, 1 << 30, 0},
		{16, 16 << 30, 64},
		{64, 16 << 30, 64},
		{65, 16 << 30, 128},
		{15, 16 << 30, 0},
	} {
		got := chooseLanes(nodes, edges, c.longest, c.memory)
		if got != c.want {
			t.Errorf("%d targets, memory %d: got %d lanes, want %d", c.longest, c.memory, got, c.want)
		}
		if c.memory > 0 && got > 0 && graph.ManyBytes(nodes, edges, got) > c.memory {
			t.Errorf("%d lanes need more than %d bytes", got, c.memory)
		}
	}
}

func TestMemoryDecidesHowColumnsAreFoundAndNotWhatIsInThem(t *testing.T) {
	t.Parallel()
	succ := graphtest.WikiLike(700, 6, 4)
	stage := New(Params{ShardBytes: shardOf(300, succ.Nodes())})
	env := envOf(t, succ, nil)
	env.MustRun(stage)
	want := maps.Clone(env.Outputs)
	need := graph.ManyBytes(succ.Nodes(), succ.Edges(), 64)
	for _, memory := range []int64{1, need, 0} {
		env.MemoryBytes = memory
		env.MustRun(stage)
		if !maps.Equal(env.Outputs, want) {
			t.Errorf("memory %d: outputs %v, want %v", memory, env.Outputs, want)
		}
	}
}
