package fetch

import (
	"context"
	"time"
)

// Clock is time, so that tests need not wait for it.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration) error
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// wall is the clock on the wall.
type wall struct{}

func (wall) Now() time.Time { return time.Now() }

func (wall) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (wall) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

// watch ends a request during which nothing comes for too long.
type watch struct {
	parent, ctx context.Context
	cancel      context.CancelCauseFunc
	clock       Clock
}

func (c *client) newWatch(parent context.Context) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	return &watch{parent, ctx, cancel, c.opts.Clock}
}

// during calls f, which waits for the other side.
func (w *watch) during(f func()) {
	stop := w.clock.AfterFunc(stall, func() { w.cancel(errStall) })
	defer stop()
	f()
}
