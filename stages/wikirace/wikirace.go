// Package wikirace is the stage that draws the instances of the first family: pairs of pages at a given distance, in
// splits of given sizes.
//
// It reads the snapshot's name, the graph, what is known of its nodes, and the distance columns; it writes
// <split>.jsonl for each split, instances in the order of their slots with ids that count from 0001, and
// shortage.json, which tells for each split and distance what was asked for and found (wikirace specification 5).
//
// It promises that
//   - every distance is read from a column of the target set; no search is run, and no pair without a column drawn;
//   - each attempt has a random stream of its own, named by split, distance, slot and attempt, and slots are filled
//     in one fixed order, so that the result does not depend on the machine or its workers: it uses one;
//   - a slot that attempts do not fill is filled from an enumeration of all pairs that the reuse rule still allows,
//     so that within exhaustive_pairs "short" means that no pair was left;
//   - nothing is short in silence, and a shortage of one distance is never made up with another.
//
// In shortage.json attempts and sources_tried are totals over the slots of the split and distance: attempts made,
// and different sources drawn by them. The mode is exhaustive where a slot had to be filled by enumeration or could
// not be. A short one with that mode states the pairs that were left when its first slot got none, the pairs before
// any slot of any split, and the maximum matching among the latter: a bound for reuse=none, whatever the rule in force.
// Ids count the stored instances, so that they have no gaps where slots stayed empty.
//
// Bias: source-first draws every source equally and targets from what lies so far away inside the target set, so far
// targets are mostly pages with few predecessors.
//
// Memory: mapped files, of which the columns are read whole; 2 bytes per node, 8 per source where pairs are
// enumerated, and 4 per pair where a matching bound is computed. Time: an attempt reads one byte of each column that
// has pages at the distance, an enumeration all of each.
package wikirace

import (
	"context"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

type stage struct{ params Params }

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	// A seed that is said and one that is meant are one key; so are lists however the caller made them.
	seed := p.gameSeed()
	p.GameSeed = &seed
	splits := make([]Split, len(p.Splits))
	for i, s := range p.Splits {
		s.Distances = append([]int{}, s.Distances...)
		splits[i] = s
	}
	p.Splits = splits
	return stage{p}
}

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name:    "wikirace",
		Version: 1,
		Inputs:  []schemas.Artifact{schemas.SnapshotArtifact, schemas.Graph, schemas.Nodes, schemas.Distances},
		Outputs: []schemas.Artifact{schemas.Wikirace},
		Params:  s.params,
	}
}

func (s stage) Run(ctx context.Context, env stages.Env) error {
	if err := s.params.Validate(); err != nil {
		return err
	}
	in, err := openInputs(ctx, env)
	if err != nil {
		return err
	}
	defer in.close()
	f, err := in.field(ctx, s.params)
	if err != nil {
		return err
	}
	env.Count("sources", int64(len(f.sources)))
	env.Count("targets", int64(len(f.targets)))

	all, err := s.drawAll(ctx, env, f)
	if err != nil {
		return err
	}
	if err := shortageError(all.reports()); err != nil && s.params.OnShortage == OnShortageFail {
		return err
	}
	return s.writeAll(ctx, env, in, all)
}

// drawAll fills the quotas in drawing order.
func (s stage) drawAll(ctx context.Context, env stages.Env, f field) (results, error) {
	meter := env.Meter("drawing pairs", "pairs", totalSize(s.params.Splits))
	defer meter.Done()
	d := &drawer{Params: s.params, field: f, taken: newTaken(s.params.Reuse, f.nodes), step: meter.Add}
	all, err := d.drawAll(ctx)
	if err != nil {
		return nil, err
	}
	env.Count("attempts", d.tally.attempts)
	env.Count("rejected_empty_layer", d.tally.empty)
	env.Count("rejected_reuse", d.tally.reused)
	env.Count("filled_by_enumeration", d.tally.filled)
	return all, nil
}

func totalSize(splits []Split) int64 {
	var n int64
	for _, s := range splits {
		n += int64(s.Size)
	}
	return n
}
