// Package racetest makes instances of small worlds. It is imported by tests only.
package racetest

import (
	"fmt"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Instance asks for a walk in w from s to t under the id given.
func Instance(w *gametest.World, id string, s, t uint32) schemas.WikiraceInstance {
	column, _ := w.Column(t)
	return schemas.WikiraceInstance{
		Schema: schemas.WikiraceInstanceSchema, ID: id, Split: "easy", Source: w.Page(s), Target: w.Page(t),
		Distance: int(column[s]), MaxSteps: 30, MaxLinks: 50, Seed: 42,
	}
}

// Instances draws n instances whose ends are at least least links apart.
func Instances(w *gametest.World, seed uint64, n, least int) []schemas.WikiraceInstance {
	s := rng.New(seed, "gametest", "instances")
	var out []schemas.WikiraceInstance
	for len(out) < n {
		a, b := uint32(s.Below(w.Len())), uint32(s.Below(w.Len()))
		inst := Instance(w, fmt.Sprintf("wr-easy-%04d", len(out)+1), a, b)
		if inst.Distance != int(schemas.Unreached) && inst.Distance >= least {
			out = append(out, inst)
		}
	}
	return out
}

func TaskOf(inst schemas.WikiraceInstance) game.Task {
	return game.Task{ID: inst.ID, Source: inst.Source, Target: inst.Target, Seed: inst.Seed, Length: inst.Distance}
}
