package lumina

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/stagetest"
)

func small() Params {
	p := Default()
	p.Test, p.Dev, p.Tree, p.Grid = 3, 2, []string{"n007", "n031"}, []string{"n04", "n08"}
	return p
}

func TestTheStageKeepsTheContract(t *testing.T) {
	stagetest.Run(t, New(small()), stagetest.New(t))
}

// decode reads a file as the evaluator does.
func decode(t *testing.T, env *stagetest.Env, world, split string) []*worlds.Instance {
	t.Helper()
	var out []*worlds.Instance
	for line := range bytes.Lines(env.Read(world + "-" + split + ".jsonl")) {
		inst, err := worlds.Decode(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatalf("%s, %s: %v", world, split, err)
		}
		out = append(out, inst)
	}
	return out
}

func TestThePublishedGridHas1800TestInstances(t *testing.T) {
	env := stagetest.New(t)
	env.MustRun(New(Default()))
	want := map[string]int64{
		"list_test": 700, "tree_test": 500, "grid_test": 600, "list_dev": 140, "tree_dev": 100, "grid_dev": 120,
		"list_fewshot": 2, "tree_fewshot": 2, "grid_fewshot": 2,
	}
	if !maps.Equal(env.Counters, want) {
		t.Errorf("got %v, want %v", env.Counters, want)
	}
	ids := map[string]bool{}
	for _, world := range schemas.LuminaEnvs {
		for _, split := range schemas.LuminaSplits {
			list := decode(t, env, world, split)
			if !slices.IsSortedFunc(list, func(a, b *worlds.Instance) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) }) {
				t.Errorf("%s, %s: not sorted by id", world, split)
			}
			for _, inst := range list {
				if ids[inst.ID] {
					t.Errorf("id %s stands twice", inst.ID)
				}
				ids[inst.ID] = true
			}
		}
	}
	if len(ids) != 1800+360+6 {
		t.Errorf("got %d ids, want 2166", len(ids))
	}
}

func TestAnInstanceAloneIsTheOneOfTheSplit(t *testing.T) {
	env := stagetest.New(t)
	env.MustRun(New(small()))
	for _, inst := range decode(t, env, schemas.LuminaTree, schemas.LuminaDev) {
		_, line, err := draw.Line(draw.Name{Root: 42, Env: inst.Env, Split: inst.Split, Level: inst.Level, Index: inst.Index})
		if err != nil || !bytes.Contains(env.Read(inst.Env+"-"+inst.Split+".jsonl"), append(line, '\n')) {
			t.Errorf("%s alone: %s, %v", inst.ID, line, err)
		}
	}
}

func TestFewerInstancesAreAPartOfMore(t *testing.T) {
	more, fewer := stagetest.New(t), stagetest.New(t)
	p := small()
	more.MustRun(New(p))
	p.Test = 1
	fewer.MustRun(New(p))
	for line := range bytes.Lines(fewer.Read("grid-test.jsonl")) {
		if !bytes.Contains(more.Read("grid-test.jsonl"), line) {
			t.Errorf("%s is not among the larger split", line)
		}
	}
}

func TestExamplesAreNeverPlayed(t *testing.T) {
	p := small()
	p.List = append(p.List, "k03") // the level of the examples
	env := stagetest.New(t)
	env.MustRun(New(p))
	for _, example := range decode(t, env, schemas.LuminaList, schemas.LuminaFewshot) {
		for _, split := range []string{schemas.LuminaTest, schemas.LuminaDev} {
			for _, inst := range decode(t, env, schemas.LuminaList, split) {
				if fmt.Sprint(inst.Start) == fmt.Sprint(example.Start) {
					t.Errorf("%s is the example %s", inst.ID, example.ID)
				}
			}
		}
	}
}

func TestBadParametersAreUsageErrors(t *testing.T) {
	for name, change := range map[string]func(*Params){
		"size": func(p *Params) { p.Test = -1 }, "level": func(p *Params) { p.Grid = []string{"n2"} },
		"twice": func(p *Params) { p.List = []string{"k02", "k02"} },
	} {
		p := small()
		change(&p)
		if err := stagetest.New(t).Run(t.Context(), New(p)); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: got %v, want a usage error", name, err)
		}
	}
}

func BenchmarkPublishedGrid(b *testing.B) {
	for b.Loop() {
		stagetest.New(b).MustRun(New(Default()))
	}
}
