package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph"
)

func TestOfErrorsThatOfTheSmallestNumberIsTold(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	err := graph.Each(context.Background(), 3, 20, func(_, i int) error {
		if i == 7 || i > 12 {
			return fmt.Errorf("target %d: %w", i, boom)
		}
		return nil
	})
	if err == nil || err.Error() != "target 7: boom" {
		t.Errorf("got %v, want the error of target 7", err)
	}
}

func TestEachSaysThatItsContextEnded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := graph.Each(ctx, 1, 20, func(_, i int) error {
		if calls++; i == 4 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || calls != 5 {
		t.Errorf("got %v after %d calls, want %v after 5", err, calls, context.Canceled)
	}
}
