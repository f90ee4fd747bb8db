package pipeline_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestShardsComputedSideBySideGiveTheBytesOfOneBuild(t *testing.T) {
	whole := newJob(t)
	whole.mustBuild(t)
	parts := whole
	parts.work, parts.only = t.TempDir(), "distances"
	p, err := parts.open(t)
	must(t, err)
	if _, err := p.Shards(t.Context(), pipeline.Share{Index: 1, Of: 3}); !errors.Is(err, fault.NotFound) {
		t.Fatalf("before the stages it needs: %v", err)
	}
	before := parts
	before.only = "targets"
	before.mustBuild(t)

	var group sync.WaitGroup
	results := make([]*pipeline.Shards, 3)
	for i := range results {
		p, err := parts.open(t)
		must(t, err)
		group.Go(func() {
			var err error
			if results[i], err = p.Shards(t.Context(), pipeline.Share{Index: i + 1, Of: 3}); err != nil {
				t.Errorf("share %d: %v", i+1, err)
			}
		})
	}
	group.Wait()
	var computed []int
	for _, r := range results {
		computed = append(computed, r.Computed...)
	}
	slices.Sort(computed)
	if len(computed) < 2 || !slices.Equal(computed, slices.Compact(slices.Clone(computed))) {
		t.Errorf("computed %v", computed)
	}
	rest := parts
	rest.only = ""
	rest.mustBuild(t)
	if a, b := tree(t, rest.work), tree(t, whole.work); a != b {
		t.Errorf("in shares:\n%s\nin one build:\n%s", a, b)
	}
}

func TestABusyShardIsLeftToTheOther(t *testing.T) {
	j := newJob(t)
	j.only = "targets"
	j.mustBuild(t)
	j.only = "distances"
	p, err := j.open(t)
	must(t, err)
	steps, err := p.Plan(t.Context())
	must(t, err)
	dir, err := store.Open(j.work, store.OS{})
	must(t, err)
	lock, err := dir.Result("distances", steps[len(steps)-1].Key).LockShard(0)
	must(t, err)
	defer lock.Release()
	done, err := p.Shards(t.Context(), pipeline.Share{Index: 1, Of: 1})
	must(t, err)
	if !slices.Equal(done.Busy, []int{0}) || slices.Contains(done.Computed, 0) {
		t.Errorf("got %+v", done)
	}
}

func TestAStageWithoutShardsSaysSoWhetherItIsThereOrNot(t *testing.T) {
	j := newJob(t)
	j.only = "scc"
	j.mustBuild(t)
	for only, says := range map[string]string{
		"scc":     "--shard with --only scc: stage scc has no shards", // fresh
		"targets": "--shard with --only targets: stage targets has no shards",
		"":        "--shard needs the stage",
	} {
		j.only = only
		p, err := j.open(t)
		must(t, err)
		_, err = p.Shards(t.Context(), pipeline.Share{Index: 1, Of: 2})
		if !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), says) {
			t.Errorf("--only %q: %v, want a usage error with %q", only, err, says)
		}
		if e, ok := err.(*fault.Error); ok && !strings.Contains(e.Remedy, "--only distances") {
			t.Errorf("--only %q: the remedy is %q", only, e.Remedy)
		}
	}
}
