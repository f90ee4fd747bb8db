package constrained

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// envOf returns the inputs of the stage; nil targets stand for every page.
func envOf(t *testing.T, w stagetest.Wiki, masks, targets []uint32) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveSnapshot()
	env.GiveGraph(w)
	env.GiveNodes(w)
	env.GiveDistances(w, targets, 50)
	env.GiveLabels(w, masks)
	return env
}

// lines reads a file of records.
func lines[T any](t *testing.T, env *stagetest.Env, name string) []T {
	t.Helper()
	var out []T
	for line := range bytes.Lines(env.Read(name)) {
		var x T
		if err := canon.Decode(line, canon.MaxLine, &x); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, x)
	}
	return out
}

func funnelOf(t *testing.T, env *stagetest.Env) schemas.ConstrainedFunnel {
	t.Helper()
	return lines[schemas.ConstrainedFunnel](t, env, "funnel.json")[0]
}

// smallest gives parameters that ask nothing of the pages.
func smallest(n, attempts int) Params {
	p := Default()
	p.N, p.MaxAttempts, p.SourceMinOut, p.TargetMinIn, p.BaselineMin = n, attempts, 1, 1, 1
	return p
}

// k7Links is the worked example of the constrained specification (4.6).
const k7Links = "S->A  A->B,C  B->T  C->D  D->T  T->S,X  X->B"

// k7 returns the wiki of the worked example with columns for T alone.
func k7(t *testing.T) (stagetest.Wiki, *stagetest.Env) {
	t.Helper()
	w := stagetest.ParseWiki(k7Links)
	env := envOf(t, w, nil, []uint32{w.Node("T")})
	masks := make([]uint32, len(w.Titles))
	for title, label := range map[string]string{"A": "Event", "B": "Work", "C": "Place", "D": "Place"} {
		bit, _ := schemas.LabelBit(label)
		masks[w.Node(title)] = 1 << bit
	}
	env.GiveLabels(w, masks)
	return w, env
}

func TestK7IsTheWorkedExample(t *testing.T) {
	w, env := k7(t)
	p := smallest(1, 1000)
	p.BaselineMin = 3
	env.MustRun(New(p))
	list := lines[schemas.ConstrainedInstance](t, env, "instances.jsonl")
	if len(list) != 1 {
		t.Fatalf("%d instances, want 1", len(list))
	}
	x := list[0]
	if want := fmt.Sprintf("testwiki:%d:%d:Work", w.PageIDs[w.Node("S")], w.PageIDs[w.Node("T")]); x.ID != "cw-0001" || x.Key != want {
		t.Errorf("id %s, key %s, want %s", x.ID, x.Key, want)
	}
	if x.BannedCategory != "Work" || x.BanWitness.Title != "B" || x.BanWitness.InDegree != 2 {
		t.Errorf("banned %s of %+v, want Work of B with 2 links to it", x.BannedCategory, x.BanWitness)
	}
	if a, b := strings.Join(x.BaselineTitles, " "), strings.Join(x.ConstrainedTitles, " "); a != "S A B T" || b != "S A C D T" {
		t.Errorf("paths %s and %s", a, b)
	}
	x.BanWitness, x.BaselineTitles, x.ConstrainedTitles = nil, nil, nil
	got := string(canon.MustMarshal(x))
	for _, want := range []string{
		`"baseline_length":3`, `"constrained_length":4`, `"detour":1`, `"binding":"longer"`, `"n_baseline_paths_clean":[0,1]`,
		`"compat":{"found":false,"iterations":2,"length":null}`, `"unlabelled_on_path":0`, `"length_if_unlabelled_forbidden":4`,
		`"banned_share":[0,1]`, `"banned_on_shortest":[1,2]`, `"feasible_first":[1,1]`, `"max_steps":30`, `"unlabelled":"allow"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestK7WithOtherBans(t *testing.T) {
	for _, c := range []struct {
		label, want string
	}{
		{"Place", `"baseline_length":3,"baseline_path":[0,1,2,5],`},
		{"Place", `"binding":"none"`},
		{"Place", `"constrained_length":3,`},
		{"Place", `"compat":{"found":true,"iterations":1,"length":3},`},
		{"Event", `"cut":0,`},
		{"Event", `"infeasible":true`},
	} {
		w, env := k7(t)
		p := smallest(1, 50)
		p.BaselineMin, p.BanMode, p.FixedSet = 3, BanFixedSet, []string{c.label}
		if w.Node("T") != 4 {
			c.want = strings.Replace(c.want, "[0,1,2,5]", fmt.Sprintf("[0,1,2,%d]", w.Node("T")), 1)
		}
		env.MustRun(New(p))
		if got := string(env.Read("instances.jsonl")) + string(env.Read("infeasible.jsonl")); !strings.Contains(got, c.want) || !strings.Contains(got, `"ban_witness":null`) {
			t.Errorf("%s banned: no %s in %s", c.label, c.want, got)
		}
	}
}

// The paper's procedure loses the pair of the worked example.
func TestPaper20DrawsOnlyWhatThePublishedProcedureFinds(t *testing.T) {
	_, env := k7(t)
	p := smallest(1, 200)
	p.BaselineMin, p.PathMode = 3, PathPaper20
	env.MustRun(New(p))
	if f := funnelOf(t, env); f.Accepted != 0 || f.Rejects["compat"] == 0 || f.Status != "short" {
		t.Errorf("funnel %+v", f)
	}
}

// TestSharesThatCannotBeMetCostNoAttempts: five classes of at most 2 of 40 are 10 instances. Nothing is
// tried after the tenth.
func TestSharesThatCannotBeMetCostNoAttempts(t *testing.T) {
	w, masks, targets := sample(1)
	env := envOf(t, w, masks, targets)
	p := smallest(40, 100_000)
	p.MaxSharePerClass = schemas.Ratio{Num: 1, Den: 20}
	env.MustRun(New(p))
	f := funnelOf(t, env)
	if f.Accepted != 10 || f.Spread.AtMost != 10 || len(f.Spread.Classes) != 5 || f.Attempts > 2000 {
		t.Errorf("%d accepted in %d attempts, %+v", f.Accepted, f.Attempts, f.Spread)
	}
}

// TestBansAreSpread: where nine labelled pages of ten have one class, fewer bans are of it.
func TestBansAreSpread(t *testing.T) {
	w, masks, targets := sample(2)
	for u := range masks {
		if masks[u] != 0 && u%10 != 3 {
			masks[u] = 1
		}
	}
	var most [2]int
	for i, spread := range []bool{true, false} {
		env := envOf(t, w, masks, targets)
		p := smallest(20, 20_000)
		p.Spread = spread
		env.MustRun(New(p))
		f := funnelOf(t, env)
		if f.Accepted != 20 {
			t.Errorf("spread %v: %d instances", spread, f.Accepted)
		}
		for _, n := range f.ByLabel {
			most[i] = max(most[i], n)
		}
	}
	if most[0]+3 > most[1] {
		t.Errorf("the largest class has %d spread, %d else: want 3 less", most[0], most[1])
	}
}

// sample has labels of all kinds, pages that may be no ends, and targets that are not every page.
func sample(seed int) (stagetest.Wiki, []uint32, []uint32) {
	w := stagetest.NewWiki(graphtest.WikiLike(300, 4, uint64(seed)))
	r := rng.New(uint64(seed), "labels")
	masks := make([]uint32, 300)
	var targets []uint32
	for u := range w.Flags {
		if u%9 == 0 {
			w.Flags[u] = schemas.FlagList
		}
		if u%6 == 0 {
			w.Titles[u] += " (film)"
		}
		if u%3 > 0 {
			targets = append(targets, uint32(u))
		}
		for range r.Below(3) {
			masks[u] |= 1 << (3 * r.Below(5))
		}
	}
	return w, masks, targets
}

// variants are parameters of every kind on the sample.
func variants() map[string]Params {
	out := map[string]Params{}
	for _, c := range []struct {
		name   string
		change func(*Params)
	}{
		{"plain", func(*Params) {}},
		{"longer", func(p *Params) { p.Require = RequireLonger }},
		{"on_witness", func(p *Params) { p.Require = RequireWitness }},
		{"forbid", func(p *Params) { p.Unlabelled = schemas.UnlabelledForbid }},
		{"fixed", func(p *Params) { p.BanMode, p.FixedSet = BanFixedSet, []string{"Work", "Activity", "Award"} }},
		{"paper20", func(p *Params) { p.PathMode = PathPaper20 }},
		{"near", func(p *Params) { p.BaselineMin = 1 }},
		{"single", func(p *Params) { p.Multi = false }},
		{"unspread", func(p *Params) { p.Spread = false }},
		{"capped low", func(p *Params) { p.MaxSharePerClass = schemas.Ratio{Num: 1, Den: 20} }},
		{"capped", func(p *Params) { p.MaxSharePerClass = schemas.Ratio{Num: 1, Den: 4} }},
	} {
		p := smallest(40, 3000)
		p.SourceMinOut, p.TargetMinIn, p.BaselineMin, p.InfeasibleKeep, p.ExcludeFlags = 2, 2, 3, 5, schemas.FlagList
		c.change(&p)
		out[c.name] = p
	}
	return out
}

func TestDrawingEqualsTheReference(t *testing.T) {
	rejects := map[string]int{}
	for seed := range 6 {
		w, masks, targets := sample(seed)
		dist := graphtest.Distances(w.Succ)
		for name, p := range variants() {
			p.Seed = int64(seed)
			env := envOf(t, w, masks, targets)
			env.NumWorkers = 1 + seed
			env.MustRun(New(p))
			want := newReference(p, w, dist, masks, targets)
			want.run()
			var got, infeasible []string
			for _, x := range lines[schemas.ConstrainedInstance](t, env, "instances.jsonl") {
				got = append(got, fmt.Sprintf("%s %v", x.Key, x.ConstrainedPath))
			}
			for _, x := range lines[schemas.ConstrainedInfeasible](t, env, "infeasible.jsonl") {
				infeasible = append(infeasible, fmt.Sprintf("%s %d", x.Key, x.Cut))
			}
			f := funnelOf(t, env)
			if !slices.Equal(got, want.accepted) || !slices.Equal(infeasible, want.kept()) || f.Attempts != want.attempts {
				t.Fatalf("%s, seed %d: %d attempts\n got %v\nwant %d, %v\n infeasible %v\nwant %v", name, seed, f.Attempts, got, want.attempts, want.accepted, infeasible, want.kept())
			}
			if want := labelledOn(lines[schemas.ConstrainedInstance](t, env, "instances.jsonl"), masks); f.OnPaths.Any != want {
				t.Errorf("%s, seed %d: pages on paths %v, want %v", name, seed, f.OnPaths.Any, want)
			}
			sum := f.Accepted
			for _, reason := range schemas.ConstrainedRejects {
				if f.Rejects[reason] != want.rejects[reason] {
					t.Errorf("%s, seed %d: %d rejected as %s, want %d", name, seed, f.Rejects[reason], reason, want.rejects[reason])
				}
				sum += f.Rejects[reason]
				rejects[reason] += f.Rejects[reason]
			}
			if sum != f.Attempts || f.Requested != p.N || (f.Status == "ok") != (f.Accepted == p.N) || f.Kept != len(infeasible) {
				t.Errorf("%s, seed %d: rejects and accepted are %d, funnel %+v", name, seed, sum, f)
			}
		}
	}
	for _, reason := range schemas.ConstrainedRejects {
		if rejects[reason] == 0 {
			t.Errorf("nothing was rejected as %s: the wikis test too little", reason)
		}
	}
	t.Log(rejects)
}

// labelledOn counts the pages of all paths by going through the pages.
func labelledOn(list []schemas.ConstrainedInstance, masks []uint32) (counts [2]int) {
	for u, mask := range masks {
		if slices.ContainsFunc(list, func(x schemas.ConstrainedInstance) bool {
			return slices.Contains(x.BaselinePath, uint32(u)) || slices.Contains(x.ConstrainedPath, uint32(u))
		}) {
			counts[1]++
			if mask != 0 {
				counts[0]++
			}
		}
	}
	return counts
}

func TestAnyNumberOfWorkersWritesTheSameBytes(t *testing.T) {
	w, masks, targets := sample(1)
	for name, p := range variants() {
		var first map[string]stagetest.Output
		for _, workers := range []int{1, 2, 8} {
			env := envOf(t, w, masks, targets)
			env.NumWorkers = workers
			env.MustRun(New(p))
			if first == nil {
				first = env.Outputs
			}
			for file, out := range env.Outputs {
				if out != first[file] {
					t.Errorf("%s: %s differs with %d workers", name, file, workers)
				}
			}
		}
	}
}

func TestAnEmptyFilterIsNamed(t *testing.T) {
	w, masks, targets := sample(1)
	targets, most := withoutHubs(w, targets)
	for _, c := range []struct {
		want   string
		change func(*Params)
		masks  []uint32
	}{
		{"sources.min_out", func(p *Params) { p.SourceMinOut = 1000 }, masks},
		{"pages.min_in", func(p *Params) { p.TargetMinIn = 1000 }, masks},
		{"targets.min_in", func(p *Params) { p.TargetMinIn = most }, masks},
		{"pages.labelled", func(*Params) {}, make([]uint32, 300)},
		{"pages.min_in", func(p *Params) { p.ExcludeFlags = 1 << 15 }, masks},
	} {
		wiki := w
		wiki.Flags = slices.Repeat([]uint16{1 << 15}, 300)
		p := smallest(4, 100)
		c.change(&p)
		env := envOf(t, wiki, c.masks, targets)
		env.MustRun(New(p))
		if f := funnelOf(t, env); f.Empty != c.want || f.Attempts != 0 || f.Status != "short" || len(env.Read("instances.jsonl")) > 0 {
			t.Errorf("got %+v, want empty %s", f, c.want)
		}
		p.OnShortage = pairs.OnShortageFail
		err := env.Run(t.Context(), New(p))
		if !errors.Is(err, fault.Shortage) || !strings.Contains(err.Error(), c.want) || len(env.Outputs) > 0 {
			t.Errorf("on_shortage = fail: %v, outputs %v, want exit 15 and %s", err, env.OutputNames(), c.want)
		}
	}
}

// withoutHubs drops the most linked pages from the targets, and gives their number of links.
func withoutHubs(w stagetest.Wiki, targets []uint32) ([]uint32, int) {
	in, most := map[uint32]int{}, 0
	for _, v := range w.Succ.Values {
		in[v]++
		most = max(most, in[v])
	}
	return slices.DeleteFunc(targets, func(u uint32) bool { return in[u] == most }), most
}

func TestLabelsOfAnotherGraphAreRefused(t *testing.T) {
	w, masks, targets := sample(1)
	other := w
	other.PageIDs = slices.Clone(w.PageIDs)
	other.PageIDs[299]++
	shorter := stagetest.NewWiki(graphtest.Cycle(299))
	for _, c := range []struct {
		labels stagetest.Wiki
		masks  []uint32
		kind   error
	}{{other, masks, fault.Mismatch}, {shorter, masks[:299], fault.Mismatch}, {w, slices.Repeat([]uint32{1 | 1<<22}, 300), fault.Malformed}} {
		env := envOf(t, w, masks, targets)
		env.GiveLabels(c.labels, c.masks)
		if err := env.Run(t.Context(), New(smallest(1, 10))); !errors.Is(err, c.kind) {
			t.Errorf("got %v, want %v", err, c.kind)
		}
	}
}

func TestParametersThatMeanNothingAreRefused(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*Params){
		func(p *Params) { p.Preset = "large" },
		func(p *Params) { p.BanMode = "random" },
		func(p *Params) { p.BanMode = BanFixedSet },
		func(p *Params) { p.FixedSet = []string{"Work"} },
		func(p *Params) { p.BanMode, p.FixedSet = BanFixedSet, []string{"Organisation"} },
		func(p *Params) { p.BanMode, p.FixedSet = BanFixedSet, []string{"Work", "Work"} },
		func(p *Params) { p.Require = "binding" },
		func(p *Params) { p.Unlabelled = "drop" },
		func(p *Params) { p.PathMode = "paper" },
		func(p *Params) { p.OnShortage = "wait" },
		func(p *Params) { p.N = 0 },
		func(p *Params) { p.N = 10_000 },
		func(p *Params) { p.InfeasibleKeep = 10_000 },
		func(p *Params) { p.BaselineMin = 0 },
		func(p *Params) { p.MaxAttempts = 0 },
		func(p *Params) { p.MaxSharePerClass = schemas.Ratio{Num: 3, Den: 2} },
		func(p *Params) { p.MaxSharePerClass = schemas.Ratio{Num: 1, Den: 0} },
		func(p *Params) { p.MaxSharePerClass = schemas.Ratio{Num: 1, Den: 101} },
	} {
		p := Default()
		change(&p)
		if err := p.Validate(); !errors.Is(err, fault.Usage) {
			t.Errorf("%+v: got %v, want a usage error", p, err)
		}
	}
}

func TestALabelTellsFromWhichPresetTheValuesAre(t *testing.T) {
	small, _ := Preset("small")
	seeded, changed, smallChanged := Default(), Default(), small
	seeded.Seed, seeded.ExcludeFlags, seeded.FixedSet = 7, 3, nil
	changed.N, smallChanged.BaselineMin = 99, 4
	for _, c := range []struct {
		p    Params
		want string
	}{{Default(), "constrained"}, {seeded, "constrained"}, {small, "constrained-small"}, {changed, "constrained-custom"}, {smallChanged, "constrained-custom"}} {
		if got := c.p.Label(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.p, got, c.want)
		}
	}
	if _, err := Preset("big"); !errors.Is(err, fault.Usage) {
		t.Errorf("preset big: got %v", err)
	}
}

func TestTheFunnelHoldsTheParameters(t *testing.T) {
	_, env := k7(t)
	p := smallest(1, 30)
	env.MustRun(New(p))
	var got Params
	if err := json.Unmarshal(funnelOf(t, env).Params, &got); err != nil || got.MaxAttempts != 30 || got.Preset != "paper" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestStageKeepsTheContract(t *testing.T) {
	w, masks, targets := sample(2)
	stagetest.Run(t, New(variants()["plain"]), envOf(t, w, masks, targets))
}
