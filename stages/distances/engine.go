package distances

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/graph"
)

// engine fills the columns of one block of targets.
type engine interface {
	fill(ctx context.Context, targets []uint32, columns [][]uint8) error
}

const (
	// fewTargets or fewer are searched one by one: a batch would cost more than they do.
	fewTargets = 15
	// columnsPerWorker, where targets are searched one by one, keeps the workers busy between two writes.
	columnsPerWorker = 8
)

// newEngine chooses how shards of up to longest targets are searched, and in blocks of how many.
// Neither shows in the columns.
func newEngine(g *graph.Graph, longest, workers int, memory int64) (engine, int) {
	if lanes := chooseLanes(g.Len(), g.Edges(), longest, memory); lanes > 0 {
		return together{graph.NewMany(g.Pred, lanes, workers)}, min(lanes, longest)
	}
	e := singly{searches: make([]*graph.Search, workers)}
	for i := range e.searches {
		e.searches[i] = graph.NewSearch(g.Succ, g.Pred)
	}
	return e, min(workers*columnsPerWorker, longest)
}

// chooseLanes returns the most lanes that fit into memory and that longest targets can fill, 0 where
// one search per target is the better way, or the only one that fits.
func chooseLanes(nodes, edges, longest int, memory int64) int {
	if longest <= fewTargets {
		return 0
	}
	return graph.LanesWithin(memory, nodes, edges, longest)
}

// together searches all targets of a block at once.
type together struct{ *graph.Many }

func (t together) fill(ctx context.Context, targets []uint32, columns [][]uint8) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.DistancesTo(targets, columns)
	return nil
}

// singly searches one target per worker at a time.
type singly struct{ searches []*graph.Search }

func (s singly) fill(ctx context.Context, targets []uint32, columns [][]uint8) error {
	return graph.Each(ctx, len(s.searches), len(targets), func(worker, i int) error {
		s.searches[worker].DistancesTo(targets[i], columns[i])
		return nil
	})
}
