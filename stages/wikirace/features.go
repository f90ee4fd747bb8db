package wikirace

import (
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/wikirace/difficulty"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// addFeatures fills in the features of all instances. Workers take batches of neighbours; which worker has which, and
// when, shows nowhere, because each writes into the slots of its batch.
func (s stage) addFeatures(ctx context.Context, env stages.Env, in *pairs.Inputs, list []schemas.WikiraceInstance) error {
	meter := env.Meter("features", "instances", int64(len(list)))
	defer meter.Done()
	game := difficulty.Game{Seed: s.params.gameSeed(), MaxSteps: s.params.MaxSteps, MaxLinks: s.params.MaxLinks, Simulate: s.params.RW == schemas.RWSim}
	batches := slices.Collect(slices.Chunk(list, difficulty.Batch))
	kits := make([]*difficulty.Kit, max(1, env.Workers()))
	return graph.Each(ctx, len(kits), len(batches), func(worker, i int) error {
		if kits[worker] == nil {
			kits[worker] = difficulty.NewKit(in.Graph.Succ, in.Graph.Pred, game)
		}
		defer meter.Add(int64(len(batches[i])))
		return addBatch(kits[worker], in, batches[i])
	})
}

func addBatch(kit *difficulty.Kit, in *pairs.Inputs, batch []schemas.WikiraceInstance) error {
	list := make([]difficulty.Pair, len(batch))
	for i, inst := range batch {
		column, err := in.Distances.Column(inst.Target.Node)
		if err != nil {
			return err
		}
		list[i] = difficulty.Pair{ID: inst.ID, Column: column, Witness: inst.Witness}
	}
	for i, f := range kit.Features(list) {
		batch[i].Features = f
	}
	return nil
}
