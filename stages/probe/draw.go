package probe

import (
	"cmp"
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// pair is a source and a target of the field.
type pair struct {
	source uint32
	target *pairs.Target
}

// drawer fills the slots of one class.
type drawer struct {
	params Params
	field  pairs.Field
	succ   graph.CSR
	class  class
	step   func(slots int64)

	got    []pair
	taken  map[[2]uint32]bool
	tried  map[uint32]bool
	listed bool   // left is the pairs that no slot has yet
	left   []pair // ascending by source, then target
	report pairs.Report
}

func newDrawer(p Params, f pairs.Field, succ graph.CSR, c class) *drawer {
	return &drawer{
		params: p, field: f, succ: succ, class: c, step: func(int64) {},
		taken: map[[2]uint32]bool{}, tried: map[uint32]bool{},
		report: pairs.Report{
			Split: c.name, Distance: int(c.distance), Requested: p.Size, Mode: schemas.ModeSampled, Status: schemas.StatusOK,
		},
	}
}

func (d *drawer) draw(ctx context.Context) error {
	for slot := range d.params.Size {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.fill(slot)
		d.step(1)
	}
	d.report.Got, d.report.SourcesTried = len(d.got), len(d.tried)
	return nil
}

// fill finds a pair for one slot: by attempts, then among all that are left, else not at all.
func (d *drawer) fill(slot int) {
	p, ok := d.attempt(slot)
	if !ok {
		p, ok = d.enumerate(slot)
	}
	if !ok {
		d.short()
		return
	}
	d.got = append(d.got, p)
	d.taken[key(p)] = true
	if d.listed {
		d.left = slices.DeleteFunc(d.left, func(q pair) bool { return key(q) == key(p) })
	}
}

func key(p pair) [2]uint32 { return [2]uint32{p.source, p.target.Node} }

// attempt draws a source, then one of the targets with which it is of the class.
func (d *drawer) attempt(slot int) (pair, bool) {
	if len(d.field.Sources) == 0 || d.listed && len(d.left) == 0 {
		return pair{}, false
	}
	for j := range d.params.MaxAttempts {
		d.report.Attempts++
		s := rng.New(uint64(d.params.Seed), "probe", d.class.name, rng.Part(slot), rng.Part(j))
		source := d.field.Sources[s.Below(len(d.field.Sources))]
		d.tried[source] = true
		layer := d.layer(source)
		if len(layer) == 0 {
			continue
		}
		p := pair{source, layer[s.Below(len(layer))]}
		if !d.taken[key(p)] {
			return p, true
		}
	}
	return pair{}, false
}

// layer lists the targets with which source is of the class, ascending.
func (d *drawer) layer(source uint32) []*pairs.Target {
	var out []*pairs.Target
	for i := range d.field.Targets {
		if t := &d.field.Targets[i]; d.class.holds(d.succ, source, t) {
			out = append(out, t)
		}
	}
	return out
}

// enumerate draws from all pairs that are left, unless there are too many to look at.
func (d *drawer) enumerate(slot int) (pair, bool) {
	if d.field.Candidates() > d.params.ExhaustivePairs {
		return pair{}, false
	}
	d.report.Mode = schemas.ModeExhaustive
	d.list()
	if len(d.left) == 0 {
		return pair{}, false
	}
	s := rng.New(uint64(d.params.Seed), "probe", "fill", d.class.name, rng.Part(slot))
	return d.left[s.Below(len(d.left))], true
}

// list finds all pairs that are left, once.
func (d *drawer) list() {
	if d.listed {
		return
	}
	d.listed = true
	for i := range d.field.Targets {
		t := &d.field.Targets[i]
		for _, source := range d.field.Sources {
			if p := (pair{source, t}); d.class.holds(d.succ, source, t) && !d.taken[key(p)] {
				d.left = append(d.left, p)
			}
		}
	}
	slices.SortFunc(d.left, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target.Node, b.target.Node))
	})
}

// short records a slot that got no pair; the counts are those of the first such slot.
func (d *drawer) short() {
	if d.report.Status == schemas.StatusShort {
		return
	}
	d.report.Status = schemas.StatusShort
	if !d.listed {
		return
	}
	left, all := int64(len(d.left)), int64(len(d.left)+len(d.got))
	d.report.EligiblePairs, d.report.EligiblePairsReuseAny = &left, &all
}
