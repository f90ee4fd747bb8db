package pipeline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/artifacts/store/storetest"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const allStages = "ingest linkgraph scc labels targets distances wikirace probe onestep constrained mango lumina aar catalog"

func TestASecondBuildRunsNothing(t *testing.T) {
	j := newJob(t)
	if got := ran(j.mustBuild(t)); got != allStages {
		t.Fatalf("the first build ran %s", got)
	}
	before := tree(t, j.work)
	if got := ran(j.mustBuild(t)); got != "" {
		t.Errorf("the second build ran %s", got)
	}
	if after := tree(t, j.work); after != before {
		t.Errorf("the second build changed files:\n%s\nwas\n%s", after, before)
	}
}

func TestAnotherSeedRerunsTheSamplersAndGoingBackNothing(t *testing.T) {
	j := newJob(t)
	j.mustBuild(t)
	first := tree(t, j.work)
	j.seed = 7
	if got := ran(j.mustBuild(t)); got != "wikirace onestep catalog" {
		t.Errorf("another seed ran %q", got)
	}
	j.seed = 42
	if got := ran(j.mustBuild(t)); got != "" {
		t.Errorf("the old seed ran %q", got)
	}
	dir, err := store.Open(j.work, store.OS{})
	if err != nil {
		t.Fatal(err)
	}
	if pruned, err := dir.Prune(false); err != nil || len(pruned) != 3 {
		t.Fatalf("prune: %+v, %v", pruned, err)
	}
	if after := tree(t, j.work); after != first {
		t.Errorf("after the detour and prune:\n%s\nwas\n%s", after, first)
	}
}

func TestBytesDoNotDependOnWorkersOrPlace(t *testing.T) {
	one := newJob(t)
	one.workers = 1
	one.mustBuild(t)
	four := newJob(t)
	four.workers = 4
	four.mustBuild(t)
	if a, b := tree(t, one.work), tree(t, four.work); a != b {
		t.Errorf("1 worker:\n%s\n4 workers:\n%s", a, b)
	}
}

// Every operation on the work directory is a moment at which the process can die. Whatever is left, the next build
// gives the bytes of an undisturbed one.
func TestABuildThatDiesAnywhereResumesToTheSameBytes(t *testing.T) {
	j := newJob(t)
	j.workers, j.only = 1, spine
	j.mustBuild(t)
	want := tree(t, j.work)
	points := everyOperation(t, storetest.Dies, func(n int, dying job, err error) {
		if err == nil {
			t.Fatalf("operation %d: the build outlived its death", n)
		}
		dying.fs = store.OS{}
		if _, err := dying.build(t); err != nil {
			t.Fatalf("operation %d: the next build fails: %v", n, err)
		}
		if got := tree(t, dying.work); got != want {
			t.Fatalf("operation %d: resumed to\n%s\nwant\n%s", n, got, want)
		}
	})
	if points < 100 {
		t.Errorf("only %d operations: the build does not go through the store", points)
	}
}

func TestAFullDiskIsSaidAndLeavesNoTemp(t *testing.T) {
	full := func(n int) *storetest.FS { return storetest.FailsFrom(n, syscall.ENOSPC) }
	everyOperation(t, full, func(n int, j job, err error) {
		if code := fault.Code(err); code != 13 {
			t.Fatalf("operation %d: exit code %d of %v, want 13", n, code, err)
		}
		if temps := tempFiles(t, j.work); len(temps) > 0 {
			t.Fatalf("operation %d: left behind %v", n, temps)
		}
	})
}

// spine is the stage whose needs are the stages from the dump to the instances: what is built hundreds of times.
const spine = "constrained"

// everyOperation builds once per operation with a file system that breaks there, until one build is not broken.
func everyOperation(t *testing.T, broken func(n int) *storetest.FS, judge func(n int, j job, err error)) (points int) {
	t.Helper()
	base := newJob(t)
	base.workers, base.only = 1, spine
	for n := 1; ; n++ {
		fs := broken(n)
		j := base
		j.fs, j.work = fs, t.TempDir()
		_, err := j.build(t)
		if !fs.Broke() {
			if err != nil {
				t.Fatal(err)
			}
			return n - 1
		}
		judge(n, j, err)
	}
}

func tempFiles(t *testing.T, work string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(work, "stages", "*", "*", ".tmp-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestACancelledBuildIsInterruptedAndLeavesNoTemp(t *testing.T) {
	j := newJob(t)
	p, err := j.open(t)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Build(ctx); fault.Code(err) != 130 {
		t.Errorf("exit code %d of %v, want 130", fault.Code(err), err)
	}
	if temps := tempFiles(t, j.work); len(temps) > 0 {
		t.Errorf("left behind %v", temps)
	}
}

func TestDamageRerunsTheDamagedStageOnly(t *testing.T) {
	for name, c := range map[string]struct {
		stage string
		spoil func(t *testing.T, folder string)
	}{
		"an output deleted":  {"scc", func(t *testing.T, f string) { must(t, os.Remove(f+"/graph.arrow")) }},
		"an output changed":  {"linkgraph", func(t *testing.T, f string) { flip(t, f+"/aliases.arrow") }},
		"a receipt deleted":  {"targets", func(t *testing.T, f string) { must(t, os.Remove(f+"/receipt.json")) }},
		"a receipt cut":      {"wikirace", func(t *testing.T, f string) { must(t, os.Truncate(f+"/receipt.json", 20)) }},
		"a catalogue cut":    {"catalog", func(t *testing.T, f string) { must(t, os.Truncate(f+"/catalog.sqlite", 512)) }},
		"a shard changed":    {"distances", func(t *testing.T, f string) { flip(t, f+"/distances-0000.arrow") }},
		"leftovers are none": {"", func(t *testing.T, f string) { must(t, os.WriteFile(f+"/.tmp-x", []byte("x"), 0o644)) }},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJob(t)
			res := j.mustBuild(t)
			want := tree(t, j.work)
			stage := c.stage
			if stage == "" {
				stage = "scc"
			}
			folder := filepath.Join(j.work, "stages", stage, res.Build.Stages[stage][:32])
			c.spoil(t, folder)
			if got := ran(j.mustBuild(t)); got != c.stage {
				t.Errorf("the build after it ran %q, want %q", got, c.stage)
			}
			os.Remove(filepath.Join(folder, ".tmp-x"))
			if got := tree(t, j.work); got != want {
				t.Errorf("repaired to\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestOnlyTheMissingShardIsComputedAgain(t *testing.T) {
	j := newJob(t)
	res := j.mustBuild(t)
	folder := filepath.Join(j.work, "stages", "distances", res.Build.Stages["distances"][:32])
	shards, err := filepath.Glob(folder + "/distances-*.arrow")
	if err != nil || len(shards) < 2 {
		t.Fatalf("%d shards, %v: the fixture needs two", len(shards), err)
	}
	must(t, os.Remove(folder+"/receipt.json"))
	must(t, os.Remove(folder+"/distances-0001.arrow"))
	kept, err := os.Stat(folder + "/distances-0000.arrow")
	must(t, err)
	j.mustBuild(t)
	again, err := os.Stat(folder + "/distances-0000.arrow")
	must(t, err)
	if !os.SameFile(kept, again) {
		t.Error("the shard that was there was written again")
	}
}

func TestCheckFindsAByteThatTheBuildHoldsWrongly(t *testing.T) {
	j := newJob(t)
	res := j.mustBuild(t)
	p, err := j.open(t)
	must(t, err)
	if diffs, err := p.Check(t.Context()); err != nil || len(diffs) != 0 {
		t.Fatalf("a sound build: %v, %v", diffs, err)
	}
	// A wrong result with a receipt that agrees: only recomputing can find it.
	folder := filepath.Join(j.work, "stages", "wikirace", res.Build.Stages["wikirace"][:32])
	forge(t, folder, "tiny.jsonl")
	diffs, err := p.Check(t.Context())
	if err != nil || len(diffs) != 1 || diffs[0].Path != "tiny.jsonl" {
		t.Errorf("a forged result: %v, %v", diffs, err)
	}
	if _, err := os.Stat(filepath.Join(j.work, ".tmp-check")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the second build was left behind: %v", err)
	}
}

// forge changes a byte of an output and writes a receipt to match.
func forge(t *testing.T, folder, name string) {
	t.Helper()
	path := filepath.Join(folder, name)
	old := mustDigest(t, path)
	flip(t, path)
	data, err := os.ReadFile(folder + "/receipt.json")
	must(t, err)
	var r schemas.Receipt
	must(t, canon.Decode(data, canon.MaxManifest, &r))
	for i := range r.Outputs {
		if r.Outputs[i].SHA256 == old.SHA256 {
			sum := mustDigest(t, path)
			r.Outputs[i].SHA256, r.Outputs[i].XXH64 = sum.SHA256, sum.XXH64
		}
	}
	r.SHA256 = ""
	r.SHA256 = digest.SHA256(canon.MustMarshal(r))
	must(t, os.WriteFile(folder+"/receipt.json", canon.MustMarshal(r), 0o644))
}

func TestTheLogCallsNoStageThatRunsNotBuiltYetAndSaysWhatChanged(t *testing.T) {
	j, log := newJob(t), ""
	j.log = func(event any) { log += string(canon.MustMarshal(event)) + "\n" }
	j.mustBuild(t)
	n := strings.Count(log, `"state":"running"`)
	if n != len(strings.Fields(allStages)) || strings.Contains(log, "not built yet") {
		t.Errorf("%d stages ran by the log:\n%s", n, log)
	}
	j.seed, log = 7, ""
	j.mustBuild(t)
	if !strings.Contains(log, `"stage":"wikirace","state":"running","total":14,"why":"game_seed 7, was 42; seed 7, was 42"`) {
		t.Errorf("with another seed:\n%s", log)
	}
}

func TestPlanSaysWhatWouldRunAndWhy(t *testing.T) {
	j := newJob(t)
	j.mustBuild(t)
	j.seed = 7
	p, err := j.open(t)
	must(t, err)
	steps, err := p.Plan(t.Context())
	must(t, err)
	states := map[string]pipeline.State{}
	for _, s := range steps {
		states[s.Stage] = s.State
		if s.Stage == "wikirace" && !strings.Contains(s.Why, "seed 7, was 42") {
			t.Errorf("wikirace would run because %q", s.Why)
		}
	}
	if states["distances"] != pipeline.Fresh || states["wikirace"] != pipeline.Stale || states["catalog"] != pipeline.Unknown {
		t.Errorf("states %v", states)
	}
}

func TestOnlyBuildsWhatAStageNeedsAndDropsWhatDoesNotFollow(t *testing.T) {
	j := newJob(t)
	full := j.mustBuild(t)
	part := j
	part.only = "targets"
	res := part.mustBuild(t)
	if got := ran(res); got != "" || len(res.Outcomes) != 4 {
		t.Errorf("ran %q over %d stages", got, len(res.Outcomes))
	}
	if len(res.Build.Stages) != len(full.Build.Stages) {
		t.Errorf("entries that still follow were dropped: %v", res.Build.Stages)
	}
	part.dump = writeDump(t, t.TempDir(), append([]string{"Z:AB", "Y:Z"}, g9...))
	res = part.mustBuild(t)
	if got := ran(res); got != "ingest linkgraph scc targets" {
		t.Errorf("another dump ran %q", got)
	}
	for _, gone := range []string{"distances", "wikirace", "catalog"} {
		if res.Build.Stages[gone] != "" {
			t.Errorf("the build still names %s of the old dump", gone)
		}
	}
	part.only = "nonsense"
	if _, err := part.build(t); !errors.Is(err, fault.Usage) {
		t.Errorf("an unknown stage: %v", err)
	}
}

func TestLabelsFollowTheirFilesAndAPartialBuildKeepsThem(t *testing.T) {
	j := newJob(t)
	j.mustBuild(t)
	j.labels = "1\tPlace\n"
	if got := ran(j.mustBuild(t)); got != "labels constrained catalog" {
		t.Errorf("with labels by hand the build ran %q", got)
	}
	j.labels = "1\tWork\n"
	if got := ran(j.mustBuild(t)); got != "labels constrained catalog" {
		t.Errorf("with other labels the build ran %q", got)
	}
	part := j
	part.only = "targets"
	if res := part.mustBuild(t); res.Build.Stages["labels"] == "" || res.Build.Stages["catalog"] == "" {
		t.Errorf("a partial build dropped labels that still follow: %v", res.Build.Stages)
	}
	part.labels = "1\tEvent\n"
	if res := part.mustBuild(t); res.Build.Stages["labels"] != "" || res.Build.Stages["catalog"] != "" {
		t.Errorf("a partial build with other labels kept the old ones: %v", res.Build.Stages)
	}
}

func TestTwoBuildsShareADirectory(t *testing.T) {
	j := newJob(t)
	j.mustBuild(t)
	other := j
	other.name, other.seed = "other", 7
	if got := ran(other.mustBuild(t)); got != "wikirace onestep catalog" {
		t.Errorf("the second build of another name ran %q", got)
	}
	dir, err := store.Open(j.work, store.OS{})
	must(t, err)
	if pruned, err := dir.Prune(false); err != nil || len(pruned) != 0 {
		t.Errorf("prune took from two builds: %v, %v", pruned, err)
	}
}
