// Package wikirace is the stage that makes the instances of the first family: pairs of pages at a given distance, in
// splits of given sizes, each with the features that say why it is hard.
//
// It reads the snapshot's name, the graph, what is known of its nodes, and the distance columns; it writes
// <split>.jsonl for each split, instances in the order of their slots with ids that count from 0001, and
// quotas.json, which says for each split and distance what was asked for and found (wikirace specification 5).
//
// It promises what package pairs promises of the draw, and that every feature is exact (package difficulty), walks simulated on demand apart: nothing
// in the files depends on the machine or its workers. Ids count the stored instances, so that they have no gaps where
// slots stayed empty.
//
// Memory: the distance columns mapped, and per worker 160 bytes per node and 4 per link of the menus for features. Time: nearly
// all of it is the random walks, 2 x max_steps additions per edge and instance. The parameters that change an id, a
// menu or a walk change features, so another seed computes all of them anew.
package wikirace

import (
	"context"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

const name = "wikirace"

type stage struct{ params Params }

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	// A seed that is said and one that is meant are one key.
	seed := p.gameSeed()
	p.GameSeed = &seed
	p.Rules = p.Rules.Own()
	return stage{p}
}

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name:    name,
		Version: 4,
		Inputs:  pairs.Artifacts(),
		Outputs: []schemas.Artifact{schemas.Wikirace},
		Params:  s.params,
	}
}

func (s stage) Run(ctx context.Context, env stages.Env) error {
	if err := s.params.Validate(); err != nil {
		return err
	}
	in, field, err := pairs.OpenField(ctx, env, s.params.Ends)
	if err != nil {
		return err
	}
	defer in.Close()
	sampler := pairs.Sampler{Name: name, Rules: s.params.Rules, Field: field}
	drawn, err := sampler.Draw(ctx, env)
	if err != nil {
		return err
	}
	instances, err := s.instances(in, drawn)
	if err != nil {
		return err
	}
	if err := s.addFeatures(ctx, env, in, instances); err != nil {
		return err
	}
	return s.write(ctx, env, instances, pairs.Quotas(drawn.Shortage))
}
