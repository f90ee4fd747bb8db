package probe

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/internal/pairs"
	"github.com/wikinav/wikinav/stages/stagetest"
)

func envOf(t *testing.T, w stagetest.Wiki, targets []uint32) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveSnapshot()
	env.GiveGraph(w)
	env.GiveNodes(w)
	env.GiveDistances(w, targets, 50)
	return env
}

func params(size int) Params {
	p := Default()
	p.Size = size
	return p
}

func read(t *testing.T, env *stagetest.Env) (list []schemas.ProbeInstance, shortage []schemas.Quota) {
	t.Helper()
	for line := range bytes.Lines(env.Read("probe.jsonl")) {
		var p schemas.ProbeInstance
		if err := canon.Decode(line, canon.MaxLine, &p); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, p)
	}
	if err := canon.Decode(env.Read(schemas.QuotasFile), canon.MaxManifest, &shortage); err != nil {
		t.Fatal(err)
	}
	return list, shortage
}

// isOf tells by the words of the specification whether (u, v) is of a class.
func isOf(class string, w stagetest.Wiki, dist [][]int, u, v uint32) bool {
	to, back := slices.Contains(w.Succ.Row(u), v), slices.Contains(w.Succ.Row(v), u)
	switch {
	case u == v:
		return false
	case class == "connected":
		return to
	case class == "reversed":
		return back && !to && dist[u][v] < int(schemas.Unreached)
	}
	return !back && fmt.Sprintf("d%d", dist[u][v]) == class
}

// sample has pages that may be no ends, and targets that are not every page.
func sample() (stagetest.Wiki, []uint32) {
	w := stagetest.NewWiki(graphtest.WikiLike(300, 6, 9))
	var targets []uint32
	for u := range w.Flags {
		if u%5 == 0 {
			w.Flags[u] = schemas.FlagList
		}
		if u%3 > 0 {
			targets = append(targets, uint32(u))
		}
	}
	return w, targets
}

func TestEveryPairIsOfItsClassAndUnique(t *testing.T) {
	w, targets := sample()
	p := params(40)
	p.ExcludeFlags = schemas.FlagList
	env := envOf(t, w, targets)
	env.MustRun(New(p))
	list, shortage := read(t, env)
	dist := graphtest.Distances(w.Succ)
	counts, mutual, ids := map[string]int{}, 0, []string{}
	seen := map[[2]uint32]bool{}
	for _, x := range list {
		u, v := x.Source.Node, x.Target.Node
		if !isOf(x.Class, w, dist, u, v) || (x.Gold == "yes") != (x.Class == "connected") || x.Distance != min(dist[u][v], int(schemas.Unreached)) {
			t.Errorf("%+v: distance %d", x, dist[u][v])
		}
		if w.Flags[u] != 0 || w.Flags[v] != 0 || !slices.Contains(targets, v) {
			t.Errorf("%s: ends do not pass the filters", x.ID)
		}
		if x.Mutual != (x.Class == "connected" && slices.Contains(w.Succ.Row(v), u)) {
			t.Errorf("%s: mutual %v", x.ID, x.Mutual)
		}
		if x.Mutual {
			mutual++
		}
		if seen[[2]uint32{u, v}] {
			t.Errorf("%s: the pair came before", x.ID)
		}
		seen[[2]uint32{u, v}] = true
		counts[x.Class]++
		ids = append(ids, x.ID)
	}
	if len(counts) != 5 || len(list) != 200 || mutual == 0 || mutual == 40 || !slices.IsSorted(ids) || len(slices.Compact(ids)) != 200 {
		t.Errorf("%d pairs, %v, %d mutual, ids sorted %v", len(list), counts, mutual, slices.IsSorted(ids))
	}
	for i, s := range shortage {
		if s.Of != schemas.ProbeClasses[i] || s.Status != "ok" || s.Got != 40 {
			t.Errorf("report %+v", s)
		}
	}
}

// The draw by the words of the specification, looking at every pair every time.
// TestNoPairIsWithoutAPath: pages of one half link to the other, which has no link back. A quarter of the
// pairs that are reversed links have no path.
func TestNoPairIsWithoutAPath(t *testing.T) {
	half := graphtest.WikiLike(150, 6, 9)
	w := stagetest.NewWiki(graphtest.From(300, func(yield func(u, v uint32)) {
		for u := range uint32(150) {
			for _, v := range half.Row(u) {
				yield(u, v)
				yield(u+150, v+150)
			}
			yield(u, u+150)
			yield(u, (u+7)%150+150)
		}
	}))
	env := envOf(t, w, nil)
	env.MustRun(New(params(150)))
	list, _ := read(t, env)
	dist, reversed := graphtest.Distances(w.Succ), 0
	for _, x := range list {
		if !isOf(x.Class, w, dist, x.Source.Node, x.Target.Node) {
			t.Errorf("%s: no pair of its class: distance %d", x.ID, x.Distance)
		}
		if x.Class == schemas.ProbeReversed {
			reversed++
		}
	}
	if reversed < 100 {
		t.Errorf("%d reversed pairs: this tests too little", reversed)
	}
}

func TestDrawingEqualsTheReference(t *testing.T) {
	filled, short := 0, 0
	for i := range 150 {
		w := stagetest.NewWiki(graphtest.Random(i, 25))
		dist := graphtest.Distances(w.Succ)
		p := params(1 + i%30)
		p.Seed, p.MaxAttempts = int64(i), 1+i%7
		env := envOf(t, w, nil)
		env.MustRun(New(p))
		list, shortage := read(t, env)
		for k, class := range schemas.ProbeClasses {
			want, gaps, fills := reference(p, class, w, dist)
			var got [][2]uint32
			for _, x := range list {
				if x.Class == class {
					got = append(got, [2]uint32{x.Source.Node, x.Target.Node})
				}
			}
			if !slices.Equal(got, want) || shortage[k].Got != len(want) || (shortage[k].Status == "short") != (gaps > 0) {
				t.Fatalf("graph %d, class %s: got %v, want %v, report %+v", i, class, got, want, shortage[k])
			}
			if gaps > 0 && (shortage[k].Counts["eligible_pairs"] != 0 || shortage[k].Counts["eligible_pairs_reuse_any"] != int64(len(want))) {
				t.Fatalf("graph %d, class %s: report %+v", i, class, shortage[k])
			}
			filled, short = filled+fills, short+min(gaps, 1)
		}
	}
	if filled < 100 || short < 100 {
		t.Errorf("%d slots were filled by enumeration, %d classes short: the graphs test too little", filled, short)
	}
}

func reference(p Params, class string, w stagetest.Wiki, dist [][]int) (got [][2]uint32, gaps, fills int) {
	n, pred := w.Succ.Nodes(), make([]int, w.Succ.Nodes())
	for _, v := range w.Succ.Values {
		pred[v]++
	}
	ends := func(u, v uint32) bool { return w.Succ.Degree(u) > 0 && pred[v] > 0 && isOf(class, w, dist, u, v) }
	var sources []uint32
	for u := range uint32(n) {
		if w.Succ.Degree(u) > 0 {
			sources = append(sources, u)
		}
	}
slots:
	for slot := range p.Size {
		for j := 0; j < p.MaxAttempts && len(sources) > 0; j++ {
			s := rng.New(uint64(p.Seed), "probe", class, rng.Part(slot), rng.Part(j))
			u := sources[s.Below(len(sources))]
			var layer []uint32
			for v := range uint32(n) {
				if ends(u, v) {
					layer = append(layer, v)
				}
			}
			if len(layer) == 0 {
				continue
			}
			if pair := [2]uint32{u, layer[s.Below(len(layer))]}; !slices.Contains(got, pair) {
				got = append(got, pair)
				continue slots
			}
		}
		var left [][2]uint32
		for u := range uint32(n) {
			for v := range uint32(n) {
				if ends(u, v) && !slices.Contains(got, [2]uint32{u, v}) {
					left = append(left, [2]uint32{u, v})
				}
			}
		}
		if len(left) == 0 {
			gaps++
			continue
		}
		fills++
		got = append(got, left[rng.New(uint64(p.Seed), "probe", "fill", class, rng.Part(slot)).Below(len(left))])
	}
	return got, gaps, fills
}

func TestTooManyPairsToListIsASampledShortage(t *testing.T) {
	p := params(50)
	p.ExhaustivePairs = 80 // of 81
	env := envOf(t, stagetest.ParseWiki(stagetest.G9), nil)
	env.MustRun(New(p))
	_, shortage := read(t, env)
	for _, s := range shortage {
		if s.Status != "short" || s.Mode != "sampled" || len(s.Counts) != 2 || s.Got == 0 {
			t.Errorf("report %+v", s)
		}
	}
}

func TestOnShortageFailNamesTheClassesAndWritesNothing(t *testing.T) {
	p := params(20)
	p.OnShortage = pairs.OnShortageFail
	env := envOf(t, stagetest.ParseWiki(stagetest.G9), nil)
	err := env.Run(t.Context(), New(p))
	if !errors.Is(err, fault.Shortage) || !strings.Contains(err.Error(), "connected got 18 of 20") || len(env.Outputs) > 0 {
		t.Errorf("got %v, files %v", err, env.OutputNames())
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	w, targets := sample()
	env := envOf(t, w, targets)
	var first map[string]stagetest.Output
	for _, workers := range []int{1, 2, 8} {
		env.NumWorkers = workers
		env.MustRun(New(params(60)))
		if first == nil {
			first = env.Outputs
		}
		if !maps.Equal(env.Outputs, first) {
			t.Errorf("%d workers: outputs %v, want %v", workers, env.Outputs, first)
		}
	}
}

func TestTheStageKeepsTheContract(t *testing.T) {
	w, targets := sample()
	stagetest.Run(t, New(params(10)), envOf(t, w, targets))
}

func TestParamsThatMeanNothingAreRefused(t *testing.T) {
	for says, change := range map[string]func(*Params){
		"size is 0":        func(p *Params) { p.Size = 0 },
		"max_attempts":     func(p *Params) { p.MaxAttempts = 0 },
		"on_shortage":      func(p *Params) { p.OnShortage = "" },
		"exclude_title_re": func(p *Params) { p.ExcludeTitleRE = "(" },
		"seed":             func(p *Params) { p.Seed = 1 << 53 },
	} {
		p := Default()
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&p)
		if err := p.Validate(); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
}
