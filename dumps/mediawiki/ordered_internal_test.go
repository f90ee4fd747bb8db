package mediawiki

import (
	"context"
	"errors"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

// A run that was stopped while the consumer lagged leaves a closed queue, which must not look like the end of the dump.
func TestQueueClosedByAStopIsNotTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := &ordered{path: "x", queue: make(chan chan batch), stopped: ctx.Done()}
	close(o.queue)
	if err := o.arrive(context.Background()); !errors.Is(err, fault.Interrupted) {
		t.Errorf("got %v, want an interruption", err)
	}
}
