package distances

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// resumed is a run that finds the shards of an earlier one, as in a pipeline, but for those that were lost.
type resumed struct {
	*stagetest.Env
	earlier  *stagetest.Env // nil for a first run
	lost     []int
	computed []int
	meter    *steps
}

func (r *resumed) Shard(number int, run func(stages.Env) error) error {
	if r.earlier != nil && !slices.Contains(r.lost, number) {
		return nil
	}
	r.computed = append(r.computed, number)
	return r.Env.Shard(number, run)
}

func (r *resumed) Written(name string) (stages.File, error) {
	if _, here := r.Outputs[name]; !here && r.earlier != nil {
		return r.earlier.Written(name)
	}
	return r.Env.Written(name)
}

func (r *resumed) Meter(_, _ string, total int64) stages.Meter {
	r.meter = &steps{total: total}
	return r.meter
}

// steps keeps what a meter was told.
type steps struct {
	total int64
	added []int64
	done  bool
}

func (s *steps) Add(n int64) { s.added = append(s.added, n) }
func (s *steps) Done()       { s.done = true }

func TestASecondRunComputesTheLostShardAndNothingElse(t *testing.T) {
	t.Parallel()
	succ := graphtest.Cycle(100)
	stage := New(Params{ShardBytes: shardOf(30, succ.Nodes())})
	first := &resumed{Env: envOf(t, succ, nil)}
	if err := stage.Run(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.computed, []int{0, 1, 2, 3}) {
		t.Fatalf("the first run computed shards %v", first.computed)
	}
	for lost := range 4 {
		second := &resumed{Env: envOf(t, succ, nil), earlier: first.Env, lost: []int{lost}}
		if err := stage.Run(context.Background(), second); err != nil {
			t.Fatal(err)
		}
		shard := distances.ShardName(lost)
		if want := []string{distances.Sidecar, shard}; !slices.Equal(second.OutputNames(), want) {
			t.Errorf("shard %d lost: wrote %v, want %v", lost, second.OutputNames(), want)
		}
		for name, out := range second.Outputs {
			if out != first.Outputs[name] {
				t.Errorf("shard %d lost: %s is %v, at first it was %v", lost, name, out, first.Outputs[name])
			}
		}
		if got, want := second.Counters, first.Counters; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("shard %d lost: counters %v, at first %v", lost, got, want)
		}
	}
}

func TestTheMeterAdvancesWithinAShardAndCountsOneThatIsThereAtOnce(t *testing.T) {
	t.Parallel()
	succ := graphtest.Cycle(100)
	stage := New(Params{ShardBytes: shardOf(30, succ.Nodes())})
	first := &resumed{Env: envOf(t, succ, nil)}
	first.MemoryBytes = 1 // too little for a batch of lanes
	first.NumWorkers = 2  // blocks of 16 columns
	if err := stage.Run(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	second := &resumed{Env: envOf(t, succ, nil), earlier: first.Env, lost: []int{1}}
	second.MemoryBytes = 1
	second.NumWorkers = 1 // blocks of 8
	if err := stage.Run(context.Background(), second); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		run  *resumed
		want []int64
	}{
		{first, []int64{16, 14, 16, 14, 16, 14, 10}},
		{second, []int64{30, 8, 8, 8, 6, 30, 10}},
	} {
		if m := c.run.meter; m.total != 100 || !m.done || !slices.Equal(m.added, c.want) {
			t.Errorf("meter of %d targets: got %v, ended %t; want %v", m.total, m.added, m.done, c.want)
		}
	}
}

func TestAShardWithOtherColumnsThanItsPlaceIsRefused(t *testing.T) {
	t.Parallel()
	succ := graphtest.Cycle(100)
	earlier := &resumed{Env: envOf(t, succ, nil)}
	if err := New(Params{ShardBytes: shardOf(20, succ.Nodes())}).Run(context.Background(), earlier); err != nil {
		t.Fatal(err)
	}
	later := &resumed{Env: envOf(t, succ, nil), earlier: earlier.Env}
	if err := New(Params{ShardBytes: shardOf(30, succ.Nodes())}).Run(context.Background(), later); err == nil {
		t.Errorf("shards of 20 columns were taken for shards of 30, sidecar of %s", schemas.Distances.Name)
	}
}
