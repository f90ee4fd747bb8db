package play

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/eval/family"
)

// item is an attempt at a task, with its name in the run and its place in the order of play.
type item struct {
	task    family.Task
	attempt int
	key     string
	place   int
}

// shift is a process's part in playing the items of a journal, several at a time.
type shift struct {
	journal *journal
	items   []item
	play    func(context.Context, item) (finished, error)
	after   func(done int) // called after each item, by one goroutine at a time

	mu   sync.Mutex
	busy []item // leased by others when we came by
}

// patience lies between two looks at items that another process plays.
const patience = 250 * time.Millisecond

// run plays what nobody has played. Items that another process holds come last: by then it has
// finished them, or it died and they are free. An interruption costs the items that were under way.
func (s *shift) run(ctx context.Context, workers int) error {
	for todo := s.items; len(todo) > 0; todo = s.busy {
		s.busy = nil
		if err := s.round(ctx, workers, todo); err != nil {
			return err
		}
		if len(s.busy) == 0 {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(patience):
		}
	}
	return ctx.Err()
}

// round goes through the items once. ErrStop ends a worker, any other error all of them.
func (s *shift) round(ctx context.Context, workers int, todo []item) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	var stopped atomic.Pointer[error]
	for range min(workers, len(todo)) {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(todo) || stopped.Load() != nil {
					return nil
				}
				err := arrowio.Guard(func() error { return s.visit(ctx, todo[i]) })
				if errors.Is(err, ErrStop) {
					stopped.Store(&err)
					return nil
				}
				if err != nil {
					return err
				}
			}
		})
	}
	err := group.Wait()
	if stop := stopped.Load(); err == nil && stop != nil {
		return *stop
	}
	return err
}

// visit plays an item unless it is finished or another's. The lease comes before the look: whoever
// gives it up has finished the item, or left it as it was.
func (s *shift) visit(ctx context.Context, it item) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	mine, err := s.journal.lease(it.place)
	if err != nil {
		return err
	}
	if !mine {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy = append(s.busy, it)
		return nil
	}
	err = s.playLeased(ctx, it)
	if free := s.journal.unlease(it.place); err == nil {
		err = free
	}
	return err
}

func (s *shift) playLeased(ctx context.Context, it item) error {
	if done, err := s.journal.holds(it.key); done || err != nil {
		return err
	}
	f, err := s.play(ctx, it)
	if err != nil {
		return err
	}
	if err := s.journal.append(f); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.after(s.journal.count())
	return nil
}
