package draw_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func record[R any](t *testing.T, env, split, level string, index int) R {
	t.Helper()
	_, line, err := draw.Line(draw.Name{Root: 42, Env: env, Split: split, Level: level, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	var r R
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func start(t *testing.T, root int64, env, level string, index int) *worlds.Instance {
	t.Helper()
	_, line, err := draw.Line(draw.Name{Root: root, Env: env, Split: schemas.LuminaTest, Level: level, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	inst, err := worlds.Decode(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return inst
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("seed 42, %s: got %s, want %s", what, g, w)
	}
}

// The vectors are those of the lumina specification, 11.2.
func TestListVectors(t *testing.T) {
	r := record[schemas.LuminaListInstance](t, "list", "test", "k02", 0)
	same(t, "k02/0 initial", r.Initial, []int{367, 479, 693, 415, 341, 68})
	same(t, "k02/0 target", r.Target, []int{693, 415, 341, 68})
	var run []string
	for s := start(t, 42, "list", "k02", 0).Start; ; {
		call := s.Optimal()[0]
		run = append(run, call.String())
		next, e := s.Apply(call)
		if e.Outcome != "" {
			break
		}
		s = next
	}
	same(t, "k02/0 run", run, []string{"pop(0)", "pop(0)", "done()"})
	d := record[schemas.LuminaListInstance](t, "list", "test", "k16d25", 0)
	same(t, "k16d25/0 initial", d.Initial[:6], []int{314, 314, 332, 721, 314, 721})
	same(t, "k16d25/0 target", d.Target[:4], []int{332, 314, 428, 102})
}

func TestTheSmallestOptimalIndexVisits1600StatesOfWhich116HaveAChoice(t *testing.T) {
	states, several := 0, 0
	for i := range 100 {
		s := start(t, 42, "list", "k16d25", i).Start
		for best := s.Optimal(); best[0].Name == worlds.Pop; best = s.Optimal() {
			states++
			if len(best) > 1 {
				several++
			}
			s, _ = s.Apply(best[0])
		}
	}
	same(t, "states, with several pops", [2]int{states, several}, [2]int{1600, 116})
}

func TestTreeVectors(t *testing.T) {
	r := record[schemas.LuminaTreeInstance](t, "tree", "test", "n007", 0)
	var ids []string
	var values []int
	for _, n := range r.Nodes {
		ids, values = append(ids, n.ID), append(values, n.Value)
	}
	same(t, "ids", ids, []string{"hwd836", "fr4kg9", "tgr3we", "t5v0y6", "ymajfx", "mbvk6c", "xhz3hz"})
	same(t, "values", values, []int{69, 41, 50, 35, 23, 58, 21})
	same(t, "source, target value, target, clair, worst", []int{r.Source, r.TargetValue, *r.Answer.Node, r.TClair, r.TWorst}, []int{0, 23, 4, 2, 8})
	same(t, "facts", r.Facts, []schemas.LuminaFact{{Node: 3}, {Node: 0, Children: true}})
	var best []string
	for _, c := range start(t, 42, "tree", "n007", 0).Start.Optimal() {
		best = append(best, c.ID)
	}
	slices.Sort(best)
	same(t, "optimal", best, []string{"fr4kg9", "hwd836", "t5v0y6", "tgr3we"})

	a := record[schemas.LuminaTreeInstance](t, "tree", "test", "n007", 8)
	same(t, "n007/8", []any{a.Answer.Kind, a.TargetValue, a.TWorst}, []any{"unreachable", 31, 8})
	o := record[schemas.LuminaTreeInstance](t, "tree", "test", "n007", 9)
	same(t, "n007/9", []any{o.Answer.Kind, o.Source, o.TargetValue, o.Nodes[5].Value, o.TWorst}, []any{"unreachable", 1, 13, 13, 4})
	same(t, "n007/9 facts", o.Facts, []schemas.LuminaFact{{Node: 4}, {Node: 1, Children: true}})
}

func TestGridVectors(t *testing.T) {
	r := record[schemas.LuminaGridInstance](t, "grid", "test", "n04", 0)
	same(t, "n04/0", []any{r.Start, r.Goal, r.Holes, r.DStart, r.Budget, r.TStar, r.TMax},
		[]any{[2]int{0, 3}, [2]int{3, 1}, [][2]int{{0, 0}, {2, 2}, {3, 2}}, 5, 12, 6, 16})
	o := record[schemas.LuminaGridInstance](t, "grid", "test", "n04", 1)
	same(t, "n04/1", []any{o.Start, o.Goal, o.Holes, o.DStart, o.TStar},
		[]any{[2]int{1, 3}, [2]int{2, 0}, [][2]int{{0, 0}, {0, 2}, {1, 0}, {1, 2}, {2, 2}}, 6, 7})
}

func TestSumsOfThePublishedLevels(t *testing.T) {
	for level, want := range map[string][2]int{
		"n007": {739, 304}, "n015": {1459, 473}, "n031": {2885, 739}, "n063": {5779, 1220}, "n127": {11518, 2153},
	} {
		var got [2]int
		for i := range 100 {
			r := record[schemas.LuminaTreeInstance](t, "tree", "test", level, i)
			got[0] += r.TWorst
			got[1] += r.TClair
		}
		same(t, level+" t_worst, t_clair", got, want)
	}
	for level, want := range map[string][3]int{
		"n04": {646, 566, 1390}, "n06": {900, 832, 1775}, "n08": {1165, 1076, 2171},
		"n12": {1672, 1598, 2935}, "n16": {2179, 2072, 3695}, "n24": {3217, 3110, 5252},
	} {
		var got [3]int
		for i := range 100 {
			r := record[schemas.LuminaGridInstance](t, "grid", "test", level, i)
			got[0] += r.DStart
			got[1] += r.TStar
			got[2] += r.Budget
		}
		same(t, level+" d(start), t_star, B", got, want)
	}
}

func TestAnotherRootGivesOtherInstances(t *testing.T) {
	for _, env := range schemas.LuminaEnvs {
		level := draw.Levels(env)[0]
		if a, b := start(t, 42, env, level, 0), start(t, 43, env, level, 0); a.ID == b.ID {
			t.Errorf("%s: roots 42 and 43 give %s", env, a.ID)
		}
	}
}

func TestLevelsThatMeanNothingAreUsageErrors(t *testing.T) {
	for _, name := range []draw.Name{
		{Env: "list", Level: "k00"},
		{Env: "list", Level: "k2000"},
		{Env: "list", Level: "k02d101"},
		{Env: "list", Level: "k2k3"},
		{Env: "list", Level: ""},
		{Env: "list", Level: "k"},
		{Env: "list", Level: "k-1"},
		{Env: "list", Level: "k999e2"},
		{Env: "tree", Level: "n001"},
		{Env: "tree", Level: "n7e101"},
		{Env: "tree", Level: "k02"},
		{Env: "grid", Level: "n02"},
		{Env: "grid", Level: "n65"},
		{Env: "grid", Level: "n08h101"},
		{Env: "sea", Level: "n08"},
	} {
		name.Split = "test"
		if _, _, err := draw.Line(name); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s %q: got %v, want a usage error", name.Env, name.Level, err)
		}
	}
}

func TestKnobsBesideThePublishedOnesGiveSoundInstances(t *testing.T) {
	for _, name := range [][2]string{{"list", "k05e0d50"}, {"tree", "n040a3r1"}, {"tree", "n040c1k0"}, {"grid", "n03h100"}, {"grid", "n10h50c1o0"}} {
		for i := range 20 {
			start(t, 7, name[0], name[1], i) // decoded, and so checked
		}
	}
}

func TestADrawThatCannotBeAcceptedIsAnError(t *testing.T) {
	// A board without holes has no detour.
	_, _, err := draw.Line(draw.Name{Env: "grid", Split: "test", Level: "n05h0", Index: 1})
	if fault.KindOf(err) != fault.Failure {
		t.Errorf("got %v, want a failure", err)
	}
}
