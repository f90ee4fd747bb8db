package gametest

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// K7 is a worked example of games with a ban: nodes S A B C D T X.
func K7() *World {
	w := Parse("S->A A->B,C B->T C->D D->T T->S,X X->B")
	w.Masks = []uint32{0, mask("Event"), mask("Work"), mask("Place"), mask("Place"), 0, 0}
	return w
}

func mask(label string) uint32 {
	bit, ok := schemas.LabelBit(label)
	if !ok {
		panic("gametest: no label " + label)
	}
	return 1 << bit
}

// Label draws up to two of the labels for each page, and none for about a third of them.
func (w *World) Label(seed uint64, labels ...string) *World {
	s := rng.New(seed, "gametest", "labels")
	w.Masks = make([]uint32, w.Len())
	for u := range w.Masks {
		for range s.Below(3) {
			w.Masks[u] |= mask(labels[s.Below(len(labels))])
		}
	}
	return w
}

// Mask returns the labels of u.
func (w *World) Mask(u uint32) uint32 {
	if w.Masks == nil {
		return 0
	}
	return w.Masks[u]
}

// Primary is the smallest label of u.
func (w *World) Primary(u uint32) uint8 {
	if w.Mask(u) == 0 {
		return schemas.NoLabel
	}
	return uint8(bits.TrailingZeros32(w.Mask(u)))
}

// Alias finds the page of a redirect.
func (w *World) Alias(title string) (uint32, bool) {
	u, ok := w.Aliases[title]
	return u, ok
}

// Unbanned relaxes the definition until nothing changes: 1 + the least distance of a successor that
// is the target or open.
func (w *World) Unbanned(target uint32, closed []bool) ([]uint8, error) {
	dist := slices.Repeat([]uint8{schemas.Unreached}, w.Len())
	dist[target] = 0
	for changed := true; changed; {
		changed = false
		for u, row := range w.Links {
			for _, v := range row {
				if (v == target || !closed[v]) && dist[v] != schemas.Unreached && uint32(u) != target && dist[v]+1 < dist[u] {
					dist[u], changed = dist[v]+1, true
				}
			}
		}
	}
	return dist, nil
}

// Banned asks for a walk from s to t without pages of a label; its length is schemas.Unreached
// where there is none.
func (w *World) Banned(id string, s, t uint32, label string) schemas.ConstrainedInstance {
	closed := make([]bool, w.Len())
	for u := range closed {
		closed[u] = w.Mask(uint32(u))&mask(label) != 0 && uint32(u) != s && uint32(u) != t
	}
	around, _ := w.Unbanned(t, closed)
	plain := w.Instance(id, s, t)
	binding := schemas.BindingNone
	if int(around[s]) > plain.Distance {
		binding = schemas.BindingLonger
	}
	return schemas.ConstrainedInstance{
		Schema: schemas.ConstrainedInstanceSchema, ID: id, Source: plain.Source, Target: plain.Target, BannedCategory: label, UnlabelledRule: schemas.UnlabelledAllow,
		BaselineLength: plain.Distance, ConstrainedLength: int(around[s]), Detour: int(around[s]) - plain.Distance, Binding: binding, MaxSteps: 30, Seed: 42,
	}
}

// BannedInstances draws n feasible instances whose ends are at least least links apart, and the
// infeasible ones met on the way.
func (w *World) BannedInstances(seed uint64, n, least int, labels ...string) (feasible, infeasible []schemas.ConstrainedInstance) {
	s := rng.New(seed, "gametest", "banned")
	for len(feasible) < n {
		a, b := uint32(s.Below(w.Len())), uint32(s.Below(w.Len()))
		label := labels[s.Below(len(labels))]
		inst := w.Banned(fmt.Sprintf("cw-%04d", len(feasible)+1), a, b, label)
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
