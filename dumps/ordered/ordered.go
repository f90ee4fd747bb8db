// Package ordered maps a sequence by several goroutines and gives the results in the order of the sequence.
//
// It promises that neither results nor errors depend on the number of workers: the first error in the order of the sequence
// is the one that Next returns, after all results before it, and it is final. At most ahead arguments beyond the result that Next
// gave last are taken from the sequence, so that memory is bounded by ahead and the number of workers. A map that was stopped
// never looks like one that ended: Next returns io.EOF only after the last result of a sequence that ended without error.
//
// It never drops a result, never starts a goroutine that Close doesn't wait for, and never recovers from a panic.
package ordered

import (
	"context"
	"io"
	"sync"
)

// Map is a running map. Next and Close are for one goroutine.
type Map[R any] struct {
	ctx     context.Context // of the run
	cancel  context.CancelFunc
	running sync.WaitGroup
	queue   chan chan result[R] // one per argument, in order; closed after the last
	err     error               // of the sequence, io.EOF at its end; to be read once queue is closed
	final   error               // what Next answers from now on
}

type result[R any] struct {
	value R
	err   error
}

type job[A, R any] struct {
	arg A
	to  chan<- result[R]
}

// Start runs f on each argument that list yields, by so many workers. list runs in a goroutine of its own; it must return soon
// after yield returns false or ctx, which is that of the run, is done. Its error comes after the results of all that it yielded.
func Start[A, R any](
	ctx context.Context, workers, ahead int, list func(ctx context.Context, yield func(A) bool) error, f func(context.Context, A) (R, error),
) *Map[R] {
	m := &Map[R]{queue: make(chan chan result[R], ahead)}
	m.ctx, m.cancel = context.WithCancel(ctx)
	jobs := make(chan job[A, R])
	m.running.Go(func() {
		defer close(m.queue)
		defer close(jobs)
		m.err = io.EOF
		if err := list(m.ctx, func(arg A) bool { return yield(m, jobs, arg) }); err != nil {
			m.err = err
		}
	})
	for range workers {
		m.running.Go(func() {
			for j := range jobs {
				value, err := f(m.ctx, j.arg)
				j.to <- result[R]{value, err}
			}
		})
	}
	return m
}

// yield queues the place where the result will arrive, then the argument.
func yield[A, R any](m *Map[R], jobs chan<- job[A, R], arg A) bool {
	arrival := make(chan result[R], 1)
	select {
	case m.queue <- arrival:
	case <-m.ctx.Done():
		return false
	}
	select {
	case jobs <- job[A, R]{arg, arrival}:
		return true
	case <-m.ctx.Done():
		return false
	}
}

// Next returns the next result in order, waiting for it until ctx or the run is done. An error of f comes with its result, and
// is final; so are the error of list and io.EOF, and the error of a context.
func (m *Map[R]) Next(ctx context.Context) (R, error) {
	var next result[R]
	if m.final != nil {
		return next.value, m.final
	}
	var arrival chan result[R]
	select {
	case place, open := <-m.queue:
		if !open {
			m.final = m.ended()
			return next.value, m.final
		}
		arrival = place
	case <-ctx.Done():
	}
	select {
	case next = <-arrival: // never, when there is none
	case <-m.ctx.Done():
		next.err = m.ctx.Err()
	case <-ctx.Done():
		next.err = ctx.Err()
	}
	m.final = next.err
	return next.value, next.err
}

// ended is the error after the last result. A list that was stopped may have ended as if it were complete.
func (m *Map[R]) ended() error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	return m.err
}

// Close stops the run and waits for its goroutines; results that were not taken are lost. It may be called again.
func (m *Map[R]) Close() {
	m.cancel()
	m.running.Wait()
}
