package targets

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// big is the synthetic graph of the tests: large enough for the parts, with pages at all depths of Default.
var big = sync.OnceValue(func() graph.CSR { return graphtest.WikiLike(20_000, 10, 7) })

// fewSources is Default but for the number of searches, which most tests need not pay for.
var fewSources = change(func(p *Params) { p.RemoteSources = 24 })

// newChooser returns the rules of p on a graph, and the counters that they will fill.
func newChooser(t *testing.T, p Params, succ graph.CSR, workers int) (*chooser, map[string]int64) {
	t.Helper()
	w, env := stagetest.NewWiki(succ), stagetest.New(t)
	return &chooser{
		Params: p, succ: succ, pred: graph.Transpose(succ),
		pages:   &graph.Graph{PageIDs: w.PageIDs, Titles: arrowio.MakeStrings(w.Titles)},
		workers: workers, count: env.Count, meter: env.Meter,
	}, env.Counters
}

// choose runs the rules of p on a graph and gives reasons and counters.
func choose(t *testing.T, p Params, succ graph.CSR, workers int) ([]uint8, map[string]int64, error) {
	t.Helper()
	c, counters := newChooser(t, p, succ, workers)
	reasons, err := c.choose(context.Background())
	return reasons, counters, err
}

func mustChoose(t *testing.T, p Params, succ graph.CSR, workers int) ([]uint8, map[string]int64) {
	t.Helper()
	reasons, counters, err := choose(t, p, succ, workers)
	if err != nil {
		t.Fatal(err)
	}
	return reasons, counters
}

func TestThePartsEqualTheReference(t *testing.T) {
	t.Parallel()
	named := []string{"Page 17", "1003", "Page_19999"} // node 17, node 1 by its page id, node 19999
	for _, c := range []struct {
		name   string
		change func(*Params)
		named  []uint32
	}{
		{"published sizes", func(p *Params) { p.RemoteSources = 256 }, nil},
		{"another seed", func(p *Params) { p.Seed = 43 }, nil},
		{"a negative seed", func(p *Params) { p.Seed = -1 }, nil},
		{"named pages", func(p *Params) { p.Named = named }, []uint32{1, 17, 19_999}},
		{"other depths", func(p *Params) { p.RemoteDepths = []int{1, 4, 9, 200} }, nil},
		{"few draws", func(p *Params) { p.RemoteDraws = 10 }, nil},
		{"linked by many", func(p *Params) { p.LinkedMinIn = 300 }, nil},
		{"room for fewer random pages", func(p *Params) { p.MaxStore = 20_000*6000 + 19_999 }, nil},
		{"room for named and fewer random pages", func(p *Params) { p.MaxStore, p.Named = 20_000*6000, named }, []uint32{1, 17, 19_999}},
		{"room for a share of each part", func(p *Params) { p.MaxStore, p.Named = 20_000*777, named }, []uint32{1, 17, 19_999}},
		{"room for the named alone", func(p *Params) { p.MaxStore, p.Named = 20_000*3, named }, []uint32{1, 17, 19_999}},
		{"fewer random pages than the least", func(p *Params) { p.Random, p.MaxStore = 500, 20_000*600 }, nil},
	} {
		p := fewSources
		c.change(&p)
		got, _ := mustChoose(t, p, big(), 2)
		if want := reference(p, big(), c.named); !slices.Equal(got, want) {
			t.Errorf("%s: %d targets, want %d; first difference at node %d", c.name, size(got), size(want), firstDifference(got, want))
		}
	}
}

func firstDifference(a, b []uint8) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

func TestTheCountersTellWhatWasDrawnAndWhatWasLeft(t *testing.T) {
	t.Parallel()
	p := fewSources
	p.MaxStore, p.Named, p.Release = 20_000*1000, []string{"Page 5"}, []uint32{1000 + 3*5, 1000 + 3*6, 999}
	reasons, got := mustChoose(t, p, big(), 1)
	if got["named"] != 2 || got["named_dropped"] != 1 || got["capacity"] != 1000 || got["drawn_random"] != 4096 {
		t.Errorf("counters %v", got)
	}
	sum := got["named"] + got["random"] + got["linked"]
	for _, d := range []string{"5", "6", "7", "8"} {
		sum += got["remote_"+d]
		if got["remote_"+d+"_draws"] < got["drawn_remote_"+d] || got["drawn_remote_"+d] == 0 {
			t.Errorf("depth %s: %d draws for %d pages", d, got["remote_"+d+"_draws"], got["drawn_remote_"+d])
		}
	}
	if sum > 1000 || sum < 1000-7 {
		t.Errorf("the parts have %d pages together, want just within the capacity of 1000", sum)
	}
	if got["targets"] != int64(size(reasons)) || got["nodes"] != 20_000 {
		t.Errorf("counters %v for %d targets", got, size(reasons))
	}
	for bit, name := range schemas.ReasonNames[1:5] { // the last needs listed pairs
		if !slices.ContainsFunc(reasons, func(r uint8) bool { return r&(2<<bit) != 0 }) {
			t.Errorf("no page is a target because it is %s", name)
		}
	}
	if !slices.ContainsFunc(reasons, func(r uint8) bool { return r&(r-1) != 0 }) {
		t.Error("no page has two reasons")
	}
}

// Targets of listed pairs are added, and take nothing from the other parts while there is room.
func TestTargetsOfListedPairsAreNeverLeftOut(t *testing.T) {
	t.Parallel()
	listed := []uint32{3, 4, 19_998}
	for name, store := range map[string]int64{"room for all": 8 << 30, "room for these alone": 20_000 * 3} {
		p := fewSources
		p.MaxStore = store
		without := make([]uint8, 20_000)
		if name == "room for all" {
			without, _ = mustChoose(t, p, big(), 2)
		}
		c, counters := newChooser(t, p, big(), 2)
		c.listed = listed
		got, err := c.choose(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		only := int64(0)
		for u := range got {
			if got[u] == schemas.ReasonListed {
				only++
			}
			is := slices.Contains(listed, uint32(u))
			if is != (got[u]&schemas.ReasonListed != 0) || got[u]&^schemas.ReasonListed != without[u] {
				t.Errorf("%s: node %d has reasons %b, without listed pairs %b", name, u, got[u], without[u])
			}
		}
		if counters["listed_only"] != only {
			t.Errorf("%s: %d pages are listed alone, counted %v", name, only, counters)
		}
	}
	p := fewSources
	p.MaxStore = 20_000 * 2
	c, _ := newChooser(t, p, big(), 2)
	c.listed = listed
	if _, err := c.choose(t.Context()); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "listed pages: 3 columns") {
		t.Errorf("room for two: %v", err)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	want, counters := mustChoose(t, fewSources, big(), 1)
	for _, workers := range []int{2, 8} {
		got, counted := mustChoose(t, fewSources, big(), workers)
		if !slices.Equal(got, want) || !maps.Equal(counted, counters) {
			t.Errorf("%d workers choose other targets than 1", workers)
		}
	}
}

func TestSmallGraphsAndModeAllGetEveryPage(t *testing.T) {
	t.Parallel()
	g9, _ := graphtest.G9()
	for name, p := range map[string]Params{
		"small": change(func(p *Params) { p.AllBelow = 9 }),
		"all":   change(func(p *Params) { p.Mode, p.AllBelow, p.Named = ModeAll, 0, []string{"Page 2"} }),
	} {
		got, _ := mustChoose(t, p, g9, 1)
		want := slices.Repeat([]uint8{schemas.ReasonAll}, 9)
		if len(p.Named) > 0 {
			want[2] |= schemas.ReasonNamed
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if got, _ := mustChoose(t, change(func(p *Params) { p.AllBelow, p.Random = 8, 4 }), g9, 1); slices.Contains(got, schemas.ReasonAll) {
		t.Errorf("9 pages with all_below = 8: got %v", got)
	}
}

func TestModeRandomDrawsFromTheStreamOfTheRandomPart(t *testing.T) {
	t.Parallel()
	p := change(func(p *Params) { p.Mode, p.RandomN, p.Named = ModeRandom, 100, []string{"Page 3"} })
	got, _ := mustChoose(t, p, big(), 1)
	want := make([]uint8, 20_000)
	for _, u := range referenceRandom(Params{Seed: 42, Random: 100}, 20_000) {
		want[u] = schemas.ReasonRandom
	}
	want[3] |= schemas.ReasonNamed
	if !slices.Equal(got, want) {
		t.Errorf("got %d targets, want %d", size(got), size(want))
	}
}

func change(f func(*Params)) Params {
	p := Default()
	f(&p)
	return p
}

func TestWhatCannotBeChosenIsRefused(t *testing.T) {
	t.Parallel()
	g9, _ := graphtest.G9()
	for _, c := range []struct {
		name   string
		params Params
		kind   *fault.Kind
		says   string
	}{
		{"all beyond the store", change(func(p *Params) { p.Mode, p.MaxStore = ModeAll, 80 }), fault.Usage, "81 bytes"},
		{"a small graph beyond the store", change(func(p *Params) { p.MaxStore = 80 }), fault.Usage, "81 bytes"},
		{"random beyond the store", change(func(p *Params) { p.Mode, p.RandomN, p.MaxStore = ModeRandom, 3, 26 }), fault.Usage, "27 bytes"},
		{"named beyond the store", change(func(p *Params) { p.AllBelow, p.MaxStore, p.Named = 0, 17, []string{"Page 1", "Page 2"} }), fault.Usage, "18 bytes"},
		{"no room at all", change(func(p *Params) { p.AllBelow, p.MaxStore = 0, 8 }), fault.Usage, "no page is a target"},
		{"an unknown page", change(func(p *Params) { p.Named = []string{"Page 1", "", "Page 9"} }), fault.Malformed, "line 3"},
		{"an unknown page id", change(func(p *Params) { p.Named = []string{"1001"} }), fault.Malformed, "line 1"},
		{"an unknown mode", change(func(p *Params) { p.Mode = "some" }), fault.Usage, "mode"},
		{"random without a number", change(func(p *Params) { p.Mode = ModeRandom }), fault.Usage, "random"},
		{"a number without random", change(func(p *Params) { p.RandomN = 3 }), fault.Usage, "random"},
		{"a negative size", change(func(p *Params) { p.Linked = -1 }), fault.Usage, "linked is -1"},
		{"depths that do not ascend", change(func(p *Params) { p.RemoteDepths = []int{5, 5} }), fault.Usage, "remote_depths"},
		{"a depth without encoding", change(func(p *Params) { p.RemoteDepths = []int{254} }), fault.Usage, "remote_depths"},
		{"no store", change(func(p *Params) { p.MaxStore = 0 }), fault.Usage, "max_store"},
	} {
		_, _, err := choose(t, c.params, g9, 1)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want a %v that says %q", c.name, err, c.kind, c.says)
		}
	}
}

func TestATitleOfDigitsIsFoundWhereNoPageHasThatID(t *testing.T) {
	t.Parallel()
	pages := &graph.Graph{PageIDs: []uint32{7, 1984}, Titles: arrowio.MakeStrings([]string{"1984", "2001: A Space Odyssey"})}
	for line, want := range map[string]uint32{"7": 0, "1984": 1, "2001:_A_Space_Odyssey": 1} {
		if got, ok := find(pages, line); !ok || got != want {
			t.Errorf("%s: node %d (%v), want %d", line, got, ok, want)
		}
	}
	pages.PageIDs[1] = 8
	if got, ok := find(pages, "1984"); !ok || got != 0 {
		t.Errorf("1984: node %d (%v), want 0 by its title", got, ok)
	}
}

func TestTheStageKeepsTheContract(t *testing.T) {
	t.Parallel()
	env := stagetest.New(t)
	env.GiveGraph(stagetest.NewWiki(graphtest.WikiLike(300, 6, 1)))
	small := change(func(p *Params) {
		p.AllBelow, p.Random, p.RandomMin, p.Linked, p.LinkedMinIn, p.Remote, p.RemoteDepths = 0, 40, 10, 10, 9, 5, []int{2, 3}
		p.MaxStore = 300 * 30
	})
	stagetest.Run(t, New(small), env)
	stagetest.Run(t, New(Default()), env)
}

func TestTheFileListsTheTargetsByNode(t *testing.T) {
	t.Parallel()
	env, w := stagetest.New(t), stagetest.ParseWiki(stagetest.G9)
	env.GiveGraph(w)
	env.MustRun(New(change(func(p *Params) {
		p.AllBelow, p.Random, p.Linked, p.Remote, p.Named = 0, 0, 0, 0, []string{"T", "B", "T"}
	})))
	file := written(t, env)
	col := schemas.TargetsTable.Index
	nodes, titles := file.Uint32s(0, col("node")), file.Strings(0, col("title"))
	ids, reasons := file.Uint32s(0, col("page_id")), file.Uint8s(0, col("reasons"))
	if !slices.Equal(nodes, []uint32{1, 8}) || titles.At(0) != "B" || titles.At(1) != "T" ||
		!slices.Equal(ids, []uint32{w.PageIDs[1], w.PageIDs[8]}) || !slices.Equal(reasons, []uint8{16, 16}) {
		t.Errorf("nodes %v, ids %v, titles %q, reasons %v", nodes, ids, titles.Data, reasons)
	}
	if rows := env.Outputs["targets.arrow"].Rows; rows != 2 {
		t.Errorf("%d rows reported, want 2", rows)
	}
}

func written(t *testing.T, env *stagetest.Env) *arrowio.File {
	t.Helper()
	out, err := env.Written("targets.arrow")
	if err != nil {
		t.Fatal(err)
	}
	file, err := stages.File.Open(out, schemas.TargetsTable)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}
