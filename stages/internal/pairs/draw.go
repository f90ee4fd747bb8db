package pairs

import (
	"cmp"
	"context"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// drawn is what one quota got: its pairs in the order of their slots, and the report on it.
type drawn struct {
	quota
	pairs  []pair
	report Report
}

// drawer fills one quota after another. What it accepts depends on the quotas before, on nothing
// else.
type drawer struct {
	name string
	Rules
	Field
	taken  *taken
	wanted [][2]uint32
	tally  tally
	match  bool              // short quotas are filled by a matching
	step   func(slots int64) // progress
}

// tally counts attempts over all quotas.
type tally struct{ attempts, empty, reused, filled int64 }

// draw fills one quota slot by slot.
func (d *drawer) draw(ctx context.Context, q quota) (drawn, error) {
	r := d.round(q)
	place := []string{q.split, rng.Part(q.distance)}
	r.near, r.What = d.near(q.distance), What{Over: uint8(q.distance)}
	r.attempts, r.fills = append([]string{d.name, "pair"}, place...), append([]string{d.name, "fill"}, place...)
	r.wanted = r.wantedHere()
	rng.Shuffled(d.stream(append([]string{d.name, "wanted"}, place...)), r.wanted)
	return r.run(ctx)
}

// round begins the work on one quota.
func (d *drawer) round(q quota) *round {
	return &round{
		drawer: d, quota: q, tried: map[uint32]bool{},
		out: drawn{quota: q, report: Report{
			Split: q.split, Distance: q.distance, Requested: q.size, Mode: schemas.ModeSampled, Status: schemas.StatusOK,
		}},
	}
}

// round is the work on one quota.
type round struct {
	*drawer
	quota
	What
	near            []Target // those that may have a pair
	attempts, fills []string // names of the random streams, without slot and attempt
	wanted          []pair   // that are drawn first
	thrifty         bool     // no attempts are made where an enumeration found that none are left
	ledger          *ledger  // nil until a slot has run out of attempts
	tried           map[uint32]bool
	layer           []uint32 // scratch
	out             drawn
}

// What says which pairs are meant: those at a distance or at any other, and what else must be so.
type What struct {
	Over  uint8 // links
	Other bool
	Also  func(source uint32, t *Target) bool // nil for nothing
}

func (w *What) holds(source uint32, t *Target) bool {
	return (t.Column[source] == w.Over) != w.Other && (w.Also == nil || w.Also(source, t))
}

func (r *round) run(ctx context.Context) (drawn, error) {
	for slot := r.first; slot < r.first+r.size; slot++ {
		if err := ctx.Err(); err != nil {
			return drawn{}, err
		}
		r.fill(slot)
		r.step(1)
	}
	if r.match {
		r.rematch()
	}
	r.out.report.Got, r.out.report.SourcesTried = len(r.out.pairs), len(r.tried)
	r.tally.attempts += int64(r.out.report.Attempts)
	return r.out, nil
}

// fill finds a pair for one slot: by attempts, then by enumeration where that is allowed, else not
// at all.
func (r *round) fill(slot int) {
	p, ok := r.want()
	if !ok {
		p, ok = r.attempt(slot)
	}
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

// wantedHere lists the wanted pairs of the quota's distance, each once.
func (r *round) wantedHere() (list []pair) {
	for _, w := range r.drawer.wanted {
		p := pair{w[0], w[1]}
		at, ok := slices.BinarySearchFunc(r.near, p.target, func(t Target, v uint32) int { return cmp.Compare(t.Node, v) })
		_, drawable := slices.BinarySearch(r.Sources, p.source)
		if ok && drawable && r.holds(p.source, &r.near[at]) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// want takes the next of the wanted pairs that the rules admit.
func (r *round) want() (pair, bool) {
	for len(r.wanted) > 0 {
		p := r.wanted[0]
		if r.wanted = r.wanted[1:]; !r.taken.bars(p) {
			r.tried[p.source] = true
			return p, true
		}
	}
	return pair{}, false
}

// attempt makes up to MaxAttempts attempts, each with a stream of its own.
func (r *round) attempt(slot int) (pair, bool) {
	try := r.fromSource
	if r.Sample == TargetFirst {
		try = r.fromTarget
	}
	if len(r.Sources) == 0 || len(r.Targets) == 0 && !r.thrifty || r.thrifty && r.ledger != nil && r.ledger.leftPairs == 0 {
		return pair{}, false
	}
	for j := range r.MaxAttempts {
		r.out.report.Attempts++
		if p, ok := try(r.stream(r.attempts, slot, j)); ok {
			return p, true
		}
	}
	return pair{}, false
}

func (d *drawer) stream(name []string, place ...int) *rng.Stream {
	name = slices.Clip(name)
	for _, n := range place {
		name = append(name, rng.Part(n))
	}
	return rng.New(uint64(d.Seed), name...)
}

// fromSource draws a source, then one of the targets that lie at the distance from it.
func (r *round) fromSource(s *rng.Stream) (pair, bool) {
	i := s.Below(len(r.Sources))
	source := r.Sources[i]
	r.tried[source] = true
	if r.taken.barsSource(source) {
		return r.refuse(&r.tally.reused)
	}
	// The ledger knows without the columns of sources that have nothing to offer, which after it
	// was made are nearly all.
	if r.ledger != nil && r.ledger.left[i] == 0 {
		if r.ledger.all[i] == 0 {
			return r.refuse(&r.tally.empty)
		}
		return r.refuse(&r.tally.reused)
	}
	r.layer = r.layer[:0]
	for k := range r.near {
		if r.holds(source, &r.near[k]) {
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
	if !target.reachedOver(int(r.Over)) {
		return r.refuse(&r.tally.empty)
	}
	r.layer = r.layer[:0]
	for _, source := range r.Sources {
		if r.holds(source, &target) {
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

// results is what the quotas got: by split as configured, then by ascending distance, which is also
// the order of the slots.
type results [][]drawn

// drawAll fills the quotas of all splits, in drawing order.
func (d *drawer) drawAll(ctx context.Context) (results, error) {
	got := map[quota]drawn{}
	for _, q := range drawingOrder(d.Splits) {
		one, err := d.draw(ctx, q)
		if err != nil {
			return nil, err
		}
		got[q] = one
	}
	all := make(results, len(d.Splits))
	for i, s := range d.Splits {
		for _, q := range s.quotas() {
			all[i] = append(all[i], got[q])
		}
	}
	return all, nil
}

// quota is the slots of one split at one distance: first, first+1, .. first+size-1 of the split.
type quota struct {
	split    string
	distance int
	first    int
	size     int
}

// quotas shares the slots of s out over its distances, ascending: the k'th of K distances gets the
// slots from floor(k size / K) on, which for two distances is half each and the odd slot for the
// larger.
func (s Split) quotas() []quota {
	out := make([]quota, len(s.Distances))
	for k, d := range s.Distances {
		first, end := k*s.Size/len(s.Distances), (k+1)*s.Size/len(s.Distances)
		out[k] = quota{split: s.Name, distance: d, first: first, size: end - first}
	}
	return out
}

// drawingOrder returns the quotas of all splits in the order in which they are drawn: splits by
// falling largest distance, equal ones as configured, and in a split the larger distance first. The
// scarce come first: otherwise the nearer distance uses up the few remote targets that the farther
// one needs.
func drawingOrder(splits []Split) []quota {
	sorted := slices.Clone(splits)
	slices.SortStableFunc(sorted, func(a, b Split) int {
		return b.Distances[len(b.Distances)-1] - a.Distances[len(a.Distances)-1]
	})
	var out []quota
	for _, s := range sorted {
		quotas := s.quotas()
		slices.Reverse(quotas)
		out = append(out, quotas...)
	}
	return out
}

// pair is a source and a target at a distance that the context tells.
type pair struct{ source, target uint32 }

// taken knows the pairs accepted so far, over all splits, and what the reuse rule leaves.
type taken struct {
	reuse   string
	sources []bool // by node
	targets []bool
	pairs   map[pair]bool
	barred  func(source, target uint32) bool // what the caller refuses beside; nil for nothing
}

func newTaken(reuse string, nodes int) *taken {
	return &taken{reuse: reuse, sources: make([]bool, nodes), targets: make([]bool, nodes), pairs: map[pair]bool{}}
}

func (t *taken) add(p pair) {
	t.sources[p.source], t.targets[p.target], t.pairs[p] = true, true, true
}

// bars reports whether the rule refuses p. Most pairs of an enumeration have no page in common with
// accepted ones, and must not cost a look into the map.
func (t *taken) bars(p pair) bool {
	if t.never(p) {
		return true
	}
	usedSource, usedTarget := t.sources[p.source], t.targets[p.target]
	switch t.reuse {
	case ReuseNone:
		return usedSource || usedTarget
	case ReuseTargets:
		return usedTarget
	}
	return usedSource && usedTarget && t.pairs[p]
}

// never reports whether the caller bars p, whatever was drawn before.
func (t *taken) never(p pair) bool { return t.barred != nil && t.barred(p.source, p.target) }

// barsSource reports whether the rule refuses every pair from s.
func (t *taken) barsSource(s uint32) bool { return t.reuse == ReuseNone && t.sources[s] }

// barsTarget reports whether the rule refuses every pair to v.
func (t *taken) barsTarget(v uint32) bool { return t.reuse != ReuseAny && t.targets[v] }
