package play

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// inOrder does tasks several at a time, and hands the results to write in the order of the tasks, from one goroutine. At most
// workers tasks are started and not yet written, so an interruption never costs more than that.
func inOrder[T, R any](ctx context.Context, workers int, tasks []T, do func(context.Context, T) (R, error), write func(R) error) error {
	group, ctx := errgroup.WithContext(ctx)
	slots := make(chan chan R, max(0, workers-1)) // the writer holds one more
	group.Go(func() error {
		defer close(slots)
		for _, t := range tasks {
			slot := make(chan R, 1)
			select {
			case slots <- slot:
			case <-ctx.Done():
				return ctx.Err()
			}
			group.Go(func() error {
				r, err := do(ctx, t)
				if err == nil {
					slot <- r
				}
				return err
			})
		}
		return nil
	})
	group.Go(func() error {
		for slot := range slots {
			select {
			case r := <-slot:
				if err := write(r); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return ctx.Err()
	})
	return group.Wait()
}
