// Package bantest makes instances with a ban of small worlds. It is imported by tests only.
package bantest

import (
	"fmt"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Banned asks for a walk from s to t around a label, schemas.Unreached long where there is none.
func Banned(w *gametest.World, id string, s, t uint32, label string) schemas.ConstrainedInstance {
	closed := make([]bool, w.Len())
	for u := range closed {
		closed[u] = w.Mask(uint32(u))&gametest.Mask(label) != 0 && uint32(u) != s && uint32(u) != t
	}
	around, _ := w.Unbanned(t, closed)
	plain, _ := w.Column(t)
	binding := schemas.BindingNone
	if int(around[s]) > int(plain[s]) {
		binding = schemas.BindingLonger
	}
	return schemas.ConstrainedInstance{
		Schema: schemas.ConstrainedInstanceSchema, ID: id, Source: w.Page(s), Target: w.Page(t), BannedCategory: label, UnlabelledRule: schemas.UnlabelledAllow,
		BaselineLength: int(plain[s]), ConstrainedLength: int(around[s]), Detour: int(around[s]) - int(plain[s]), Binding: binding, MaxSteps: 30, Seed: 42,
	}
}

// BannedInstances draws n feasible instances, ends least links apart, and infeasible ones met so.
func BannedInstances(w *gametest.World, seed uint64, n, least int, labels ...string) (feasible, infeasible []schemas.ConstrainedInstance) {
	s := rng.New(seed, "gametest", "banned")
	for len(feasible) < n {
		a, b := uint32(s.Below(w.Len())), uint32(s.Below(w.Len()))
		label := labels[s.Below(len(labels))]
		inst := Banned(w, fmt.Sprintf("cw-%04d", len(feasible)+1), a, b, label)
		switch {
		case a == b || inst.BaselineLength == int(schemas.Unreached) || inst.BaselineLength < least:
		case inst.ConstrainedLength == int(schemas.Unreached):
			inst.ID = fmt.Sprintf("cx-%04d", len(infeasible)+1)
			infeasible = append(infeasible, inst)
		default:
			feasible = append(feasible, inst)
		}
	}
	return feasible, infeasible
}

// Infeasible makes of an instance without a path the record of one.
func Infeasible(inst schemas.ConstrainedInstance) schemas.ConstrainedInfeasible {
	return schemas.ConstrainedInfeasible{
		Schema: schemas.ConstrainedInfeasibleSchema, ID: inst.ID, Infeasible: true, Source: inst.Source, Target: inst.Target,
		BannedCategory: inst.BannedCategory, UnlabelledRule: inst.UnlabelledRule, BaselineLength: inst.BaselineLength, MaxSteps: inst.MaxSteps, Seed: inst.Seed,
	}
}

// TaskOf returns the task of an instance; a page counts by all of its labels.
func TaskOf(inst schemas.ConstrainedInstance) game.Task {
	return game.Task{
		ID: inst.ID, Source: inst.Source, Target: inst.Target, Seed: inst.Seed, Length: inst.ConstrainedLength,
		Ban: &game.Ban{Category: inst.BannedCategory, Unlabelled: inst.UnlabelledRule == schemas.UnlabelledForbid},
	}
}
