package aar

import (
	"math/bits"
	"slices"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Weights, in per cent, of reductions and of their numbers of operands from 2 on.
var (
	reductionWeights = map[string]int{aar.ReduceRoot: 36, aar.ReduceMod: 33, aar.ReduceDiff: 31}
	operandWeights   = []int{35, 35, 30}
)

// floors is the share, in per cent, of the stops before the finish that must decide the passcode
// in the profile strict.
var floors = map[string]int{"easy": 60, "medium": 40, "hard": 30, "extreme": 25}

// finish draws how the passcode is computed.
func (a *attempt) finish() error {
	var weights []int
	for _, reduction := range aar.Reductions {
		weights = append(weights, reductionWeights[reduction])
	}
	reduction := aar.Reductions[weighted(a.r, weights)]
	n := 2
	if reduction != aar.ReduceDiff {
		n += weighted(a.r, operandWeights)
	}
	d := a.dependencies()
	if a.strict() {
		return a.strictFinish(d, reduction, n)
	}
	numeric := d.numeric()
	for range 20 {
		if len(numeric) < n {
			break
		}
		picked := a.r.Choose(len(numeric), n)
		slices.Sort(picked)
		var operands []int
		for _, k := range picked {
			operands = append(operands, numeric[k])
		}
		if d.reads(d.cone(operands, d.values), false) {
			return a.reduce(reduction, operands)
		}
	}
	return noCone
}

// strictFinish takes the operands with the largest cone, and other numbers of operands and
// reductions until the floor is reached.
func (a *attempt) strictFinish(d dependencies, reduction string, n int) error {
	others := slices.DeleteFunc(slices.Clone(aar.Reductions),
		func(r string) bool { return r == reduction })
	rng.Shuffled(a.r, others)
	for i, r := range append([]string{reduction}, others...) {
		least, most := 2, 4
		if r == aar.ReduceDiff {
			most = 2
		}
		if i == 0 {
			least = n
		}
		for ; least <= most; least++ {
			if operands := a.widest(d, least); operands != nil {
				return a.reduce(r, operands)
			}
		}
	}
	return noCone
}

// widest draws n operands among those with the largest cone; nil if it is below the floor.
func (a *attempt) widest(d dependencies, n int) []int {
	from := d.leaves()
	if len(from) < n {
		from = d.numeric()
	}
	before, best, found := len(a.stops), 0, [][]int{}
	combine(from, n, func(operands []int) {
		if last := operands[n-1]; 4*last < 3*before {
			return
		}
		size := bits.OnesCount64(d.cone(operands, d.all))
		if size < best || !d.reads(d.cone(operands, d.values), true) {
			return
		}
		if size > best {
			best, found = size, nil
		}
		found = append(found, slices.Clone(operands))
	})
	if 100*best < floors[a.level]*before || len(found) == 0 {
		return nil
	}
	return found[a.r.Below(len(found))]
}

// combine visits the sets of n of a list, in order.
func combine(list []int, n int, visit func([]int)) {
	set := make([]int, n)
	var fill func(at, from int)
	fill = func(at, from int) {
		if at == n {
			visit(set)
			return
		}
		for i := from; i <= len(list)-(n-at); i++ {
			set[at] = list[i]
			fill(at+1, i+1)
		}
	}
	fill(0, 0)
}

// dependencies is what the stops before the finish are computed from, as sets of stops, of which
// there are at most 64, with their own: all, and those whose values count, without the pages that
// are arguments by their titles.
type dependencies struct {
	stops       []*stop
	all, values []uint64
}

func (a *attempt) dependencies() dependencies {
	n := len(a.stops)
	d := dependencies{stops: a.stops, all: make([]uint64, n), values: make([]uint64, n)}
	for i, s := range a.stops {
		d.all[i], d.values[i] = 1<<i, 1<<i
		for _, need := range s.needs {
			k := slices.Index(a.stops, need)
			d.all[i] |= d.all[k]
			if s.kind == schemas.AARReason || s.merge != nil || s.template == "math_conversion" {
				d.values[i] |= d.values[k]
			}
		}
	}
	return d
}

func (d dependencies) cone(operands []int, of []uint64) (set uint64) {
	for _, i := range operands {
		set |= of[i]
	}
	return set
}

// reads reports whether a page stop is in a set; beyond the seed asks for another than the first.
func (d dependencies) reads(set uint64, beyondSeed bool) bool {
	for i, s := range d.stops {
		if s.kind == schemas.AARPage && set>>i&1 == 1 && (i > 0 || !beyondSeed) {
			return true
		}
	}
	return false
}

// numeric lists the stops with a number.
func (d dependencies) numeric() (list []int) {
	for i, s := range d.stops {
		if _, err := aar.Operand(s.value); err == nil && s.typ == "number" {
			list = append(list, i)
		}
	}
	return list
}

// leaves lists the stops with a number on which no other depends.
func (d dependencies) leaves() []int {
	return slices.DeleteFunc(d.numeric(), func(i int) bool {
		for k, set := range d.all {
			if k != i && set>>i&1 == 1 {
				return true
			}
		}
		return false
	})
}

// reduce adds the finish.
func (a *attempt) reduce(reduction string, operands []int) error {
	e := aar.Expression{Reduction: reduction}
	s := &stop{kind: schemas.AARCompute, page: -1, typ: "number"}
	for _, i := range operands {
		n, err := aar.Operand(a.stops[i].value)
		if err != nil {
			return toolError
		}
		e.Operands, s.needs = append(e.Operands, n), append(s.needs, a.stops[i])
	}
	n, err := e.Value()
	if err != nil {
		return toolError
	}
	s.value, s.expression = aar.IntegerValue(n), e
	a.stops = append(a.stops, s)
	return nil
}
