package mediawiki

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

// windowPerWorker bounds how many groups are read ahead of the one that is delivered.
const windowPerWorker = 4

// groups reads the groups of a multistream dump by several workers and delivers them in file order.
type groups struct {
	ms      *multistream
	index   *index
	queue   chan chan batch // one per group, in file order; closed after the last
	jobs    chan job
	cancel  context.CancelFunc
	running sync.WaitGroup
	stopped <-chan struct{} // the context of the run ended
	whole   bool            // the queue was closed after the last group; read it only then
	done    *atomic.Int64

	now  batch // the group that is being delivered
	seen int64 // elements that were passed over
}

type job struct {
	group group
	to    chan<- batch
}

func readGroups(ctx context.Context, ms *multistream, ix *index, workers int, done *atomic.Int64) *groups {
	own, cancel := context.WithCancel(ctx)
	g := &groups{
		ms: ms, index: ix, cancel: cancel, stopped: own.Done(), done: done,
		queue: make(chan chan batch, windowPerWorker*workers), jobs: make(chan job),
	}
	g.running.Go(func() { g.list(own) })
	for range workers {
		g.running.Go(func() { g.work(own) })
	}
	return g
}

// list queues the groups of the index, each with the place where its batch will arrive.
func (g *groups) list(ctx context.Context) {
	defer close(g.queue)
	defer close(g.jobs)
	for {
		group, err := g.index.next()
		if err == io.EOF {
			g.whole = true
			return
		}
		arrival := make(chan batch, 1)
		select {
		case g.queue <- arrival:
		case <-ctx.Done():
			return
		}
		if err != nil {
			arrival <- batch{err: err}
			return
		}
		select {
		case g.jobs <- job{group, arrival}:
		case <-ctx.Done():
			return
		}
	}
}

func (g *groups) work(ctx context.Context) {
	for j := range g.jobs {
		j.to <- g.ms.read(ctx, j.group)
	}
}

func (g *groups) next(ctx context.Context) (entry, error) {
	for len(g.now.entries) == 0 {
		if g.now.err != nil {
			return entry{}, g.now.err
		}
		if err := g.arrive(ctx); err != nil {
			return entry{}, err
		}
	}
	e := g.now.entries[0]
	g.now.entries = g.now.entries[1:]
	return e, nil
}

// arrive waits for the next batch; io.EOF when the last was delivered.
func (g *groups) arrive(ctx context.Context) error {
	var arrival chan batch
	select {
	case a, open := <-g.queue:
		if !open && g.whole {
			return io.EOF
		}
		arrival = a // nil, and so never ready, when the run was stopped
	case <-ctx.Done():
	}
	select {
	case g.now = <-arrival:
	case <-g.stopped:
		return place(context.Canceled, g.ms.path, "")
	case <-ctx.Done():
		return place(ctx.Err(), g.ms.path, "")
	}
	g.seen += g.now.foreign
	g.done.Store(max(g.now.end, g.done.Load()))
	return nil
}

func (g *groups) foreign() int64 { return g.seen }

func (g *groups) close() {
	g.cancel()
	g.running.Wait()
	g.index.file.Close()
}
