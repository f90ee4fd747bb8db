package pairs

import (
	"context"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// drawn is what one quota got: its pairs in the order of their slots, and the report on it.
type drawn struct {
	quota
	pairs  []pair
	report Report
}

// drawer fills one quota after another. What it accepts depends on the quotas before, on nothing else.
type drawer struct {
	name string
	Rules
	Field
	taken *taken
	tally tally
	step  func(slots int64) // progress
}

// tally counts attempts over all quotas.
type tally struct{ attempts, empty, reused, filled int64 }

// draw fills one quota slot by slot.
func (d *drawer) draw(ctx context.Context, q quota) (drawn, error) {
	r := &round{
		drawer: d, quota: q, near: d.near(q.distance), tried: map[uint32]bool{},
		out: drawn{quota: q, report: Report{
			Split: q.split, Distance: q.distance, Requested: q.size, Mode: schemas.ModeSampled, Status: schemas.StatusOK,
		}},
	}
	for slot := q.first; slot < q.first+q.size; slot++ {
		if err := ctx.Err(); err != nil {
			return drawn{}, err
		}
		r.fill(slot)
		d.step(1)
	}
	return r.finish(), nil
}

// round is the work on one quota.
type round struct {
	*drawer
	quota
	near   []Target
	ledger *ledger // nil until a slot has run out of attempts
	tried  map[uint32]bool
	layer  []uint32 // scratch
	out    drawn
}

// fill finds a pair for one slot: by attempts, then by enumeration where that is allowed, else not at all.
func (r *round) fill(slot int) {
	p, ok := r.attempt(slot)
	if !ok {
		p, ok = r.enumerate(slot)
	}
	if !ok {
		r.short()
		return
	}
	if r.ledger != nil {
		r.ledger.strike(p)
	}
	r.taken.add(p)
	r.out.pairs = append(r.out.pairs, p)
}

// attempt makes up to MaxAttempts attempts, each with a stream of its own.
func (r *round) attempt(slot int) (pair, bool) {
	try := r.fromSource
	if r.Sample == TargetFirst {
		try = r.fromTarget
	}
	if len(r.Sources) == 0 || len(r.Targets) == 0 {
		return pair{}, false
	}
	for j := range r.MaxAttempts {
		r.out.report.Attempts++
		s := rng.New(uint64(r.Seed), r.name, "pair", r.split, rng.Part(r.distance), rng.Part(slot), rng.Part(j))
		if p, ok := try(s); ok {
			return p, true
		}
	}
	return pair{}, false
}

// fromSource draws a source, then one of the targets that lie at the distance from it.
func (r *round) fromSource(s *rng.Stream) (pair, bool) {
	i := s.Below(len(r.Sources))
	source := r.Sources[i]
	r.tried[source] = true
	if r.taken.barsSource(source) {
		return r.refuse(&r.tally.reused)
	}
	// The ledger knows without the columns of sources that have nothing to offer, which after it was made are nearly all.
	if r.ledger != nil && r.ledger.left[i] == 0 {
		if r.ledger.all[i] == 0 {
			return r.refuse(&r.tally.empty)
		}
		return r.refuse(&r.tally.reused)
	}
	r.layer = r.layer[:0]
	for k := range r.near {
		if r.near[k].Column[source] == uint8(r.distance) {
			r.layer = append(r.layer, r.near[k].Node)
		}
	}
	return r.choose(s, func(drawn uint32) pair { return pair{source, drawn} })
}

// fromTarget draws a target, then one of the sources that lie at the distance from it.
func (r *round) fromTarget(s *rng.Stream) (pair, bool) {
	target := r.Targets[s.Below(len(r.Targets))]
	if r.taken.barsTarget(target.Node) {
		return r.refuse(&r.tally.reused)
	}
	if !target.reachedOver(r.distance) {
		return r.refuse(&r.tally.empty)
	}
	r.layer = r.layer[:0]
	for _, source := range r.Sources {
		if target.Column[source] == uint8(r.distance) {
			r.layer = append(r.layer, source)
		}
	}
	return r.choose(s, func(drawn uint32) pair {
		r.tried[drawn] = true
		return pair{drawn, target.Node}
	})
}

// choose draws the other page from the layer, which ascends.
func (r *round) choose(s *rng.Stream, with func(drawn uint32) pair) (pair, bool) {
	if len(r.layer) == 0 {
		return r.refuse(&r.tally.empty)
	}
	p := with(r.layer[s.Below(len(r.layer))])
	if r.taken.bars(p) {
		return r.refuse(&r.tally.reused)
	}
	return p, true
}

func (r *round) refuse(reason *int64) (pair, bool) {
	*reason++
	return pair{}, false
}
