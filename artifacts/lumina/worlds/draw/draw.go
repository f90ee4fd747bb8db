// Package draw generates the instances of the three worlds from a seed.
//
// It promises that an instance depends on its own name alone (root seed, world, split, level, index), never on its
// neighbours; that it uses no floating point; and that the order of draws is the specification's, so that the published
// instances come out of any implementation of it. What follows from a draw, such as horizons and ids, is the
// rules' business (package worlds). It lies among the artifacts because a verifier draws published instances again.
//
// Order of draws: lumina specification, sections 3.3, 4.4 and 5.3.
package draw

import (
	"strings"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

type Name struct {
	Root  int64
	Env   string // one of schemas.LuminaEnvs
	Split string
	Level string
	Index int // from 0
}

// maxTries bounds how often a draw that is not accepted is repeated.
const maxTries = 1000

func (n Name) parts() []string {
	return []string{"lumina", n.Env, n.Split, n.Level, rng.Part(n.Index)}
}

func (n Name) stream() *rng.Stream { return rng.New(uint64(n.Root), n.parts()...) }

// head gives the fields that name the instance; the rules fill in the others.
func (n Name) head() schemas.LuminaHead {
	return schemas.LuminaHead{
		Split: n.Split, Level: n.Level, Index: n.Index, Seed: schemas.LuminaSeed{Root: n.Root, Parts: n.parts()},
	}
}

// hopeless is the error of a name without an acceptable draw.
func (n Name) hopeless() error {
	return fault.New(fault.Failure, "no acceptable instance in %d draws of %s", maxTries, strings.Join(n.parts(), "/")).
		Hint("change the level")
}

// draw draws the instance of a name. It gives the record, and the same as the rules read it.
type draw func(Name) (record any, inst *worlds.Instance, err error)

// Line draws the instance and gives its id and its canonical JSON. Errors: fault.Usage for a level that means nothing,
// fault.Failure if no draw is accepted.
func Line(n Name) (id string, line []byte, err error) {
	w, known := all[n.Env]
	if !known {
		return "", nil, fault.New(fault.Usage, "no world is called %s", fault.Quote(n.Env)).
			Choose(n.Env, schemas.LuminaEnvs)
	}
	draw, err := w.at(n.Level)
	if err != nil {
		return "", nil, err
	}
	record, inst, err := draw(n)
	if err != nil {
		return "", nil, err
	}
	line, err = canon.Marshal(record)
	return inst.ID, line, err
}
