package onestep

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
	"github.com/wikinav/wikinav/stages/stagetest"
)

var wiki = stagetest.NewWiki(graphtest.WikiLike(300, 9, 9))

// envOf returns the inputs of the stage, with what is scored: some pairs of a split, with their witnesses, and of the probe.
func envOf(t *testing.T) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveSnapshot()
	env.GiveGraph(wiki)
	env.GiveNodes(wiki)
	env.GiveDistances(wiki, nil, 100)
	var split, probed bytes.Buffer
	for i, p := range scoredPairs(t) {
		s, target := schemas.PageRef{Node: p[0]}, schemas.PageRef{Node: p[1]}
		if i%2 == 0 {
			inst := schemas.WikiraceInstance{ID: fmt.Sprint(i), Split: "easy", Source: s, Target: target, Witness: witness(t, p)}
			split.Write(append(canon.MustMarshal(inst), '\n'))
		} else {
			probed.Write(append(canon.MustMarshal(schemas.ProbeInstance{ID: fmt.Sprint(i), Source: s, Target: target}), '\n'))
		}
	}
	env.GiveBytes(schemas.Wikirace, "easy.jsonl", split.Bytes())
	env.GiveBytes(schemas.Probe, "probe.jsonl", probed.Bytes())
	return env
}

// scoredPairs are 30 pairs, three links apart.
func scoredPairs(t *testing.T) [][2]uint32 {
	t.Helper()
	var out [][2]uint32
	for u := range uint32(300) {
		v := (u*7 + 3) % 300
		if distance()[u][v] == 3 && len(out) < 30 {
			out = append(out, [2]uint32{u, v})
		}
	}
	if len(out) < 30 {
		t.Fatalf("%d pairs only", len(out))
	}
	return out
}

// distance returns the matrix of the wiki.
var distance = sync.OnceValue(func() [][]int { return graphtest.Distances(wiki.Succ) })

// witness walks down the matrix by the smallest node.
func witness(t *testing.T, p [2]uint32) []uint32 {
	t.Helper()
	path := []uint32{p[0]}
	for u := p[0]; u != p[1]; path = append(path, u) {
		row := wiki.Succ.Row(u)
		at := slices.IndexFunc(row, func(v uint32) bool { return distance()[v][p[1]] == distance()[u][p[1]]-1 })
		u = row[at]
	}
	return path
}

// newStage is New with what the tests score.
func newStage(p Params) stages.Stage { return New(p, schemas.Wikirace, schemas.Probe) }

func params() Params {
	p := Default()
	p.Splits = []pairs.Split{{Name: "train", Size: 60, Distances: []int{2, 3, 4}}, {Name: "validation", Size: 20, Distances: []int{2, 3}}}
	p.MaxLinks = 6
	return p
}

func read(t *testing.T, env *stagetest.Env, set string) []schemas.OneStepInstance {
	t.Helper()
	var out []schemas.OneStepInstance
	for line := range bytes.Lines(env.Read(set + ".jsonl")) {
		var x schemas.OneStepInstance
		if err := canon.Decode(line, canon.MaxLine, &x); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, x)
	}
	return out
}

func report(t *testing.T, env *stagetest.Env) schemas.OneStepReport {
	t.Helper()
	var r schemas.OneStepReport
	if err := canon.Decode(env.Read("overlap.json"), canon.MaxManifest, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnInstanceIsTheFirstTurnOfItsGame(t *testing.T) {
	env := envOf(t)
	env.MustRun(newStage(params()))
	dist := distance()
	several, cut := 0, 0
	for _, x := range read(t, env, "train") {
		s, target := x.Source.Node, x.Target.Node
		if dist[s][target] != x.Distance {
			t.Errorf("%s: distance %d, want %d", x.ID, x.Distance, dist[s][target])
		}
		var titles []string
		for i, l := range x.Menu {
			if l.I != i || l.Title != wiki.Titles[l.Node] || !slices.Contains(wiki.Succ.Row(s), l.Node) {
				t.Errorf("%s: line %d is %+v", x.ID, i, l)
			}
			titles = append(titles, l.Title)
			isBest := dist[l.Node][target] == x.Distance-1 // the menu always has an optimal link
			if isBest != slices.Contains(x.Best, uint32(i)) {
				t.Errorf("%s: line %d at distance %d, best %v", x.ID, i, dist[l.Node][target], x.Best)
			}
		}
		want := prompt.PageMessages(x.Source.Title, x.Target.Title, []string{x.Source.Title}, titles, nil)
		if !reflect.DeepEqual(x.Messages, want) || x.PromptSHA256 != prompt.Hash(want) {
			t.Errorf("%s: messages %v", x.ID, x.Messages)
		}
		if len(x.Menu) != min(6, wiki.Succ.Degree(s)) {
			t.Errorf("%s: %d links of %d", x.ID, len(x.Menu), wiki.Succ.Degree(s))
		}
		several, cut = several+min(1, len(x.Best)-1), cut+min(1, wiki.Succ.Degree(s)/7)
	}
	if several == 0 || cut == 0 {
		t.Errorf("%d instances have several best links, %d a cut menu: this tests too little", several, cut)
	}
}

func TestByDefaultNothingIsSharedThatWouldBeContamination(t *testing.T) {
	env := envOf(t)
	env.MustRun(newStage(params()))
	r := report(t, env)
	for _, kind := range []string{"pair", "reversed_pair", "target"} {
		if r.Kinds[kind].Count != 0 || len(r.Kinds[kind].IDs) != 0 {
			t.Errorf("%s: %+v", kind, r.Kinds[kind])
		}
	}
	if r.Contaminated || r.Policy != "none" || r.Against["easy"] != 15 || r.Against["probe"] != 15 || r.Kinds["source"].Count == 0 {
		t.Errorf("report %+v", r)
	}
	checkOverlaps(t, env, r)
}

func TestAllowedOverlapIsMarkedAndListed(t *testing.T) {
	p := params()
	p.Overlap, p.Splits[0].Size, p.Reuse = schemas.OverlapAllow, 600, pairs.ReuseAny
	env := envOf(t)
	env.MustRun(newStage(p))
	r := report(t, env)
	for _, kind := range schemas.OneStepKinds {
		if kind.Name != "reversed_pair" && kind.Name != "pair" && r.Kinds[kind.Name].Count == 0 {
			t.Errorf("no overlap of kind %s: this tests too little", kind.Name)
		}
	}
	if !r.Contaminated || r.Policy != "allow" {
		t.Errorf("report %+v", r)
	}
	checkOverlaps(t, env, r)
}

// checkOverlaps holds records and report against the scored pairs, one by one.
func TestEnsuredOverlapDrawsThePairsOfTheSplitsFirst(t *testing.T) {
	counts := map[string]int{}
	for _, policy := range []string{schemas.OverlapAllow, schemas.OverlapEnsure} {
		p := params()
		p.Overlap, p.Splits, p.Reuse = policy, []pairs.Split{{Name: "train", Size: 60, Distances: []int{2, 3, 4}}}, pairs.ReuseAny
		env := envOf(t)
		env.MustRun(newStage(p))
		r := report(t, env)
		if !r.Contaminated || r.Policy != policy {
			t.Errorf("report %+v", r)
		}
		have := map[[2]uint32]bool{}
		for _, x := range read(t, env, "train") {
			have[[2]uint32{x.Source.Node, x.Target.Node}] = true
		}
		for i, pair := range scoredPairs(t) {
			if i%2 == 0 && have[pair] { // of the split, at distance 3
				counts[policy]++
			}
		}
		if len(have) != 60 || r.Kinds["pair"].Count < counts[policy] {
			t.Errorf("%s: %d pairs, report %+v", policy, len(have), r.Kinds["pair"])
		}
	}
	if counts[schemas.OverlapEnsure] != 15 || counts[schemas.OverlapAllow] > 5 {
		t.Errorf("pairs of the split: %v, want all 15 where they are ensured, and few where they are not", counts)
	}
}

func checkOverlaps(t *testing.T, env *stagetest.Env, r schemas.OneStepReport) {
	t.Helper()
	want := map[string][]string{}
	for _, x := range append(read(t, env, "train"), read(t, env, "validation")...) {
		s, target := x.Source.Node, x.Target.Node
		var o schemas.OneStepOverlaps
		for i, p := range scoredPairs(t) {
			o.Pair = o.Pair || p == [2]uint32{s, target}
			o.ReversedPair = o.ReversedPair || p == [2]uint32{target, s}
			o.Source = o.Source || p[0] == s
			o.Target = o.Target || p[1] == target
			o.SourceIsEvalTarget = o.SourceIsEvalTarget || p[1] == s
			o.TargetIsEvalSource = o.TargetIsEvalSource || p[0] == target
			o.SourceOnWitness = o.SourceOnWitness || i%2 == 0 && slices.Contains(witness(t, p), s)
		}
		if o != x.Overlap {
			t.Errorf("%s: overlap %+v, want %+v", x.ID, x.Overlap, o)
		}
		for _, kind := range schemas.OneStepKinds {
			if *kind.Of(&o) {
				want[kind.Name] = append(want[kind.Name], x.ID)
			}
		}
	}
	for _, kind := range schemas.OneStepKinds {
		if k := r.Kinds[kind.Name]; k.Count != len(want[kind.Name]) || !slices.Equal(k.IDs, append([]string{}, want[kind.Name]...)) {
			t.Errorf("%s: %+v, want %v", kind.Name, k, want[kind.Name])
		}
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	env := envOf(t)
	var first map[string]stagetest.Output
	for _, workers := range []int{1, 2, 8} {
		env.NumWorkers = workers
		env.MustRun(newStage(params()))
		if first == nil {
			first = env.Outputs
		}
		if !maps.Equal(env.Outputs, first) {
			t.Errorf("%d workers: outputs %v, want %v", workers, env.Outputs, first)
		}
	}
}

func TestTheStageKeepsTheContract(t *testing.T) {
	p := params()
	p.Splits = []pairs.Split{{Name: "train", Size: 6, Distances: []int{2, 3}}}
	stagetest.Run(t, newStage(p), envOf(t))
}

func TestScoredInstancesOfAnotherGraphAreRefused(t *testing.T) {
	env := envOf(t)
	env.GiveBytes(schemas.Probe, "probe.jsonl", append(canon.MustMarshal(schemas.ProbeInstance{Target: schemas.PageRef{Node: 300}}), '\n'))
	if err := env.Run(t.Context(), newStage(params())); !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "node 300 in a graph of 300") {
		t.Errorf("got %v", err)
	}
	env.GiveBytes(schemas.Wikirace, "easy.jsonl", []byte("{}{}\n"))
	if err := env.Run(t.Context(), newStage(params())); !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("got %v", err)
	}
}

func TestParamsThatMeanNothingAreRefused(t *testing.T) {
	for says, change := range map[string]func(*Params){
		"overlap":   func(p *Params) { p.Overlap = "some" },
		"max_links": func(p *Params) { p.MaxLinks = 1 },
		"reuse":     func(p *Params) { p.Reuse = "" },
		"game_seed": func(p *Params) { seed := int64(1 << 53); p.GameSeed = &seed },
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
