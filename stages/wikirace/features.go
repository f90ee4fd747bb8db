package wikirace

import (
	"context"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

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
	var taken atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range min(max(1, env.Workers()), len(batches)) {
		group.Go(func() error {
			kit := difficulty.NewKit(in.Graph.Succ, in.Graph.Pred, game)
			for i := taken.Add(1) - 1; i < int64(len(batches)); i = taken.Add(1) - 1 {
				if err := addBatch(ctx, kit, in, batches[i]); err != nil {
					return err
				}
				meter.Add(int64(len(batches[i])))
			}
			return nil
		})
	}
	return group.Wait()
}

func addBatch(ctx context.Context, kit *difficulty.Kit, in *pairs.Inputs, batch []schemas.WikiraceInstance) error {
	if err := ctx.Err(); err != nil {
		return err
	}
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
