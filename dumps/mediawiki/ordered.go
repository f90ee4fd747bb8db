package mediawiki

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// windowPerWorker bounds how many batches are read ahead of the one that is delivered.
const windowPerWorker = 4

// task reads some page elements; it is run by a worker.
type task interface {
	run(ctx context.Context) batch
}

// batch is what one task gave: the page elements before the error, if any, in order.
type batch struct {
	entries []entry
	foreign int64 // elements that were passed over
	end     int64 // how far into the file it reaches; 0 where that is measured elsewhere
	stream  int64 // where err stands, unless err says it
	err     error // io.EOF at the end of the dump
}

// finished is a task whose batch is there.
type finished batch

func (f finished) run(context.Context) batch { return batch(f) }

// ordered has tasks run by several workers and delivers their batches in the order of the tasks.
type ordered struct {
	path    string
	queue   chan chan batch // one per task, in order; closed after the last
	jobs    chan job
	cancel  context.CancelFunc
	running sync.WaitGroup
	stopped <-chan struct{} // the context of the run ended
	whole   bool            // the queue was closed after the last task; read it only then
	reached func(end int64)
	release func()

	now  batch  // the one that is being delivered
	seen int64  // elements that were passed over
	read int64  // page elements so far
	last uint32 // id of the last good page
}

type job struct {
	task task
	to   chan<- batch
}

// runOrdered starts the workers, and list, which gives the tasks one by one until give is false. release is called when all have
// stopped.
func runOrdered(ctx context.Context, path string, workers int, list func(ctx context.Context, give func(task) bool) bool, release func()) *ordered {
	own, cancel := context.WithCancel(ctx)
	o := &ordered{
		path: path, cancel: cancel, stopped: own.Done(), release: release, reached: func(int64) {},
		queue: make(chan chan batch, windowPerWorker*workers), jobs: make(chan job),
	}
	o.running.Go(func() {
		defer close(o.queue)
		defer close(o.jobs)
		o.whole = list(own, func(t task) bool { return o.give(own, t) })
	})
	for range workers {
		o.running.Go(func() {
			for j := range o.jobs {
				j.to <- j.task.run(own)
			}
		})
	}
	return o
}

// give queues the place where the batch will arrive, then the task.
func (o *ordered) give(ctx context.Context, t task) bool {
	arrival := make(chan batch, 1)
	select {
	case o.queue <- arrival:
	case <-ctx.Done():
		return false
	}
	select {
	case o.jobs <- job{t, arrival}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (o *ordered) next(ctx context.Context) (entry, error) {
	for len(o.now.entries) == 0 {
		if o.now.err != nil {
			return entry{}, o.wrong(o.now.err)
		}
		if err := o.arrive(ctx); err != nil {
			return entry{}, err
		}
	}
	e := o.now.entries[0]
	o.now.entries[0] = entry{} // the page is the caller's now
	o.now.entries = o.now.entries[1:]
	o.read++
	if e.page != nil {
		o.last = e.id
	}
	return e, nil
}

// wrong places an error between the last page and the next, unless it has a place. io.EOF stays what it is.
func (o *ordered) wrong(err error) error {
	if err == io.EOF {
		return err
	}
	where := fmt.Sprintf("stream at %d: page %d", o.now.stream, o.read+1)
	if o.last != 0 {
		where += fmt.Sprintf(" (last good page id %d)", o.last)
	}
	return place(err, o.path, where)
}

// arrive waits for the next batch; io.EOF when the last was delivered.
func (o *ordered) arrive(ctx context.Context) error {
	var arrival chan batch
	select {
	case a, open := <-o.queue:
		if !open && o.whole {
			return io.EOF
		}
		arrival = a // nil, and so never ready, when the run was stopped
	case <-ctx.Done():
	}
	select {
	case o.now = <-arrival:
	case <-o.stopped:
		return place(context.Canceled, o.path, "")
	case <-ctx.Done():
		return place(ctx.Err(), o.path, "")
	}
	o.seen += o.now.foreign
	o.reached(o.now.end)
	return nil
}

func (o *ordered) foreign() int64 { return o.seen }

func (o *ordered) close() {
	o.cancel()
	o.running.Wait()
	o.release()
}
