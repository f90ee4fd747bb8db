// Package pairs draws pairs of pages at given distances: the sampler that several stages share (wikirace
// specification, 5.2 to 5.4). It is no stage: it writes nothing, and what it draws is a function of rules, inputs and the
// name that its caller gives it.
//
// It promises that
//   - every distance is read from a column of the target set; no search is run, and no pair without a column drawn;
//   - each attempt has a random stream of its own, named by caller, split, distance, slot and attempt, and slots are
//     filled in one fixed order, so that the result does not depend on the machine or its workers: it uses one;
//   - a slot that attempts do not fill is filled from an enumeration of all pairs that the rules still allow, so that
//     within exhaustive_pairs "short" means that no pair was left;
//   - the draw is greedy; where its caller asks for a matching, a quota that greed left short under reuse=none is
//     short only if no other choice of its pairs, beside the quotas before it, would have filled it;
//   - nothing is short in silence, and a shortage of one distance is never made up with another.
//
// In a shortage report attempts and sources_tried are totals over the slots of the split and distance: attempts made,
// and different sources drawn by them. The mode is exhaustive where a slot had to be filled by enumeration or could
// not be. A short one with that mode states the pairs that were left when its first slot got none, the pairs before
// any slot of any split, and the maximum matching among the latter: a bound for reuse=none, whatever the rule in force.
//
// Bias: source-first draws every source equally and targets from what lies so far away inside the target set, so far
// targets are mostly pages with few predecessors.
//
// Memory: mapped files, of which the columns are read whole; 2 bytes per node, 8 per source where pairs are
// enumerated, and 4 per pair where a matching bound is computed. Time: an attempt reads one byte of each column that
// has pages at the distance, an enumeration all of each.
package pairs

import (
	"context"

	"github.com/wikinav/wikinav/stages"
)

// Sampler draws the splits of its rules.
type Sampler struct {
	Name  string // of the random streams: another name draws other pairs
	Rules Rules
	Field Field
	// Barred tells of a pair that it must not be drawn, whatever the reuse rule says; nil bars
	// none. No count of a shortage report has barred pairs.
	Barred func(source, target uint32) bool
	// Match fills what is short under ReuseNone by a maximum matching, where the pairs may be
	// enumerated.
	Match bool
	// Wanted are pairs that are drawn before all others of their distance, in a drawn order, as far
	// as the reuse rule and the field admit them.
	Wanted [][2]uint32
}

// Pair is a source and a target at a distance.
type Pair struct {
	Source, Target uint32
	Distance       int
}

// Drawn is what a Sampler drew: the pairs of each split as its rules list them, in the order of the
// slots, and the report on each split and distance.
type Drawn struct {
	Pairs    [][]Pair
	Shortage []Report // never nil
}

// Draw fills the slots of all splits. It shows progress and counts attempts in env. Under
// OnShortageFail a shortage is a fault.Shortage that names all of them.
func (s *Sampler) Draw(ctx context.Context, env stages.Env) (*Drawn, error) {
	env.Count("sources", int64(len(s.Field.Sources)))
	env.Count("targets", int64(len(s.Field.Targets)))
	meter := env.Meter("drawing pairs", "pairs", totalSize(s.Rules.Splits))
	defer meter.Done()
	d := s.drawer()
	d.step = meter.Add
	all, err := d.drawAll(ctx)
	if err != nil {
		return nil, err
	}
	stages.Counts(env, map[string]int64{
		"attempts": d.tally.attempts, "rejected_empty_layer": d.tally.empty, "rejected_reuse": d.tally.reused,
		"filled_by_enumeration": d.tally.filled,
	})
	out := &Drawn{Shortage: []Report{}}
	for _, split := range all {
		pairs := []Pair{}
		for _, one := range split {
			out.Shortage = append(out.Shortage, one.report)
			pairs = append(pairs, one.exported()...)
		}
		out.Pairs = append(out.Pairs, pairs)
	}
	if s.Rules.OnShortage == OnShortageFail {
		return out, ShortageError(s.Name, out.Shortage)
	}
	return out, nil
}

// Kind is a quota that is no split.
type Kind struct {
	Name     string
	Distance int // that its report states
	What
}

// DrawKinds draws size pairs of each kind, those of which are different pairs, and shows each slot
// to step. A slot that finds none left makes no attempts.
func (s *Sampler) DrawKinds(ctx context.Context, kinds []Kind, size int, step func(int64)) (*Drawn, error) {
	d, out := s.drawer(), &Drawn{}
	d.step = step
	for _, k := range kinds {
		r := d.round(quota{split: k.Name, distance: k.Distance, size: size})
		r.What, r.near, r.thrifty = k.What, d.Targets, true
		r.attempts, r.fills = []string{d.name, k.Name}, []string{d.name, "fill", k.Name}
		one, err := r.run(ctx)
		if err != nil {
			return nil, err
		}
		out.Pairs, out.Shortage = append(out.Pairs, one.exported()), append(out.Shortage, one.report)
	}
	return out, nil
}

// exported returns the pairs as a caller wants them.
func (d drawn) exported() []Pair {
	out := make([]Pair, len(d.pairs))
	for i, p := range d.pairs {
		out[i] = Pair{p.source, p.target, d.distance}
	}
	return out
}

func (s *Sampler) drawer() *drawer {
	d := &drawer{name: s.Name, Rules: s.Rules, Field: s.Field, taken: newTaken(s.Rules.Reuse, s.Field.Nodes), step: func(int64) {}}
	d.taken.barred, d.wanted, d.match = s.Barred, s.Wanted, s.Match
	return d
}

func totalSize(splits []Split) int64 {
	var n int64
	for _, s := range splits {
		n += int64(s.Size)
	}
	return n
}
