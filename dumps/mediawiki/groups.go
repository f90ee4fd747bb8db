package mediawiki

import (
	"context"
	"io"
	"sync/atomic"
)

// groupTask reads one group of a multistream dump.
type groupTask struct {
	ms    *multistream
	group group
}

func (t groupTask) run(ctx context.Context) batch { return t.ms.read(ctx, t.group) }

// readGroups reads the groups of a multistream dump by several workers and delivers them in file order.
func readGroups(ctx context.Context, ms *multistream, ix *index, workers int, done *atomic.Int64) *ordered {
	list := func(_ context.Context, give func(task) bool) bool {
		for {
			group, err := ix.next()
			switch {
			case err == io.EOF:
				return true
			case err != nil:
				return give(finished{err: err}) && false
			case !give(groupTask{ms, group}):
				return false
			}
		}
	}
	o := runOrdered(ctx, ms.path, workers, list, func() { ix.file.Close() })
	o.reached = func(end int64) { done.Store(max(end, done.Load())) }
	return o
}
