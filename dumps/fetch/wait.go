package fetch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// How long, and how often.
const (
	shortestWait = 2 * time.Second
	longestWait  = 5 * time.Minute
	longestAsked = time.Hour        // whatever Retry-After says
	stall        = 60 * time.Second // without a byte
	maxRetries   = 8                // in a row without progress
)

var errStall = errors.New("nothing came for a minute")

// retry is a failure after which it pays to ask again.
type retry struct {
	err  error
	wait time.Duration // as the site asks; -1 when it does not
}

func (r *retry) Error() string { return r.err.Error() }
func (r *retry) Unwrap() error { return r.err }

// patiently calls try until it succeeds or fails for good. try tells whether it came further than all before.
func (c *client) patiently(ctx context.Context, url string, try func() (further bool, err error)) error {
	jitter := rng.New(c.opts.Seed, "fetch", "jitter", url)
	for failures := 0; ; {
		further, err := try()
		var again *retry
		if !errors.As(err, &again) {
			return at(err, url)
		}
		if further {
			failures = 0
		}
		if failures == maxRetries {
			return fault.New(fault.Failure, "gave up after %d tries without progress: %w", maxRetries, again.err).At(url, "").
				Hint("run the same command again to go on")
		}
		wait := again.wait
		if wait < 0 {
			wait = backoff(failures, jitter)
		}
		failures++
		c.opts.Note("%s: %v; next try in %s", url, again.err, wait.Round(time.Second))
		if err := c.opts.Clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// at places an error that has no place yet.
func at(err error, where string) error {
	var e *fault.Error
	if errors.As(err, &e) && e.File == "" {
		e.File = where
	}
	return err
}

// backoff doubles with every failure, with a jitter of up to half as much.
func backoff(failures int, jitter *rng.Stream) time.Duration {
	wait := shortestWait << failures
	return min(wait+time.Duration(jitter.Below(int(wait/2))), longestWait)
}

// retryAfter reads the header in seconds or as a date; -1 without one.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(longestAsked/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return min(max(date.Sub(now), 0), longestAsked)
	}
	return -1
}

// Clock is time, so that tests need not wait for it.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration) error
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

type wall struct{}

func (wall) Now() time.Time { return time.Now() }

func (wall) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
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

// during calls f, which waits for the other side.
func (w *watch) during(f func()) {
	stop := w.clock.AfterFunc(stall, func() { w.cancel(errStall) })
	defer stop()
	f()
}
