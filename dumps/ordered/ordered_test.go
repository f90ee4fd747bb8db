package ordered_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wikinav/wikinav/dumps/ordered"
)

// upTo yields the numbers below n and then returns err.
func upTo(n int, err error) func(context.Context, func(int) bool) error {
	return func(_ context.Context, yield func(int) bool) error {
		for i := range n {
			if !yield(i) {
				return nil
			}
		}
		return err
	}
}

func all[R any](m *ordered.Map[R]) (list []R, err error) {
	for {
		r, err := m.Next(context.Background())
		if err != nil {
			return list, err
		}
		list = append(list, r)
	}
}

func TestResultsComeInTheOrderOfTheSequence(t *testing.T) {
	t.Parallel()
	const seed, n = 1, 300
	for workers := 1; workers <= 5; workers++ {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, uint64(workers)))
			naps := make([]time.Duration, n)
			for i := range naps {
				naps[i] = time.Duration(rng.IntN(1000))
			}
			m := ordered.Start(context.Background(), workers, workers, upTo(n, nil), func(_ context.Context, i int) (int, error) {
				time.Sleep(naps[i])
				return i, nil
			})
			defer m.Close()
			got, err := all(m)
			if err != io.EOF || len(got) != n || !slices.IsSorted(got) {
				t.Errorf("seed %d, %d workers: got %v, %v", seed, workers, got, err)
			}
			if _, err := m.Next(context.Background()); err != io.EOF {
				t.Errorf("after the end: got %v, want io.EOF again", err)
			}
		})
	}
}

func TestTheFirstErrorInOrderWinsThoughALaterOneIsFaster(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := ordered.Start(context.Background(), 4, 8, upTo(20, errors.New("list")), func(_ context.Context, i int) (int, error) {
			switch i {
			case 3:
				time.Sleep(time.Second)
				return -3, errors.New("slow")
			case 5:
				return -5, errors.New("fast")
			}
			return i, nil
		})
		defer m.Close()
		got, err := all(m)
		if fmt.Sprint(got, err) != "[0 1 2] slow" {
			t.Errorf("got %v, %v, want [0 1 2] and the error of 3", got, err)
		}
		if _, again := m.Next(context.Background()); again != err {
			t.Errorf("after an error: got %v, want %v again", again, err)
		}
	})
}

func TestTheErrorOfTheSequenceComesLast(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	m := ordered.Start(context.Background(), 3, 6, upTo(10, broken), func(_ context.Context, i int) (int, error) { return i, nil })
	defer m.Close()
	if got, err := all(m); len(got) != 10 || err != broken {
		t.Errorf("got %d results, %v, want 10 and the error of the sequence", len(got), err)
	}
}

func TestTheSequenceIsNotReadFarAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const workers, ahead = 2, 5
		var taken atomic.Int64
		list := func(_ context.Context, yield func(int) bool) error {
			for i := 0; yield(i); i++ {
				taken.Add(1)
			}
			return nil
		}
		m := ordered.Start(context.Background(), workers, ahead, list, func(_ context.Context, i int) (int, error) { return i, nil })
		defer m.Close()
		for i := range 4 {
			if _, err := m.Next(context.Background()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := taken.Load(); got != int64(i+1+ahead) {
				t.Errorf("%d results were taken and %d arguments, want %d ahead", i+1, got, ahead)
			}
		}
	})
}

func TestAStoppedMapIsNotOneThatEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		m := ordered.Start(ctx, 2, 2, upTo(100, nil), func(_ context.Context, i int) (int, error) { return i, nil })
		defer m.Close()
		if _, err := m.Next(context.Background()); err != nil {
			t.Fatal(err)
		}
		cancel()
		synctest.Wait() // the list has returned nil and closed the queue
		if got, err := all(m); err != context.Canceled {
			t.Errorf("got %v and %v, want the context's error", got, err)
		}
	})
}

func TestTheCallersContextEndsTheWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := ordered.Start(context.Background(), 1, 1, upTo(2, nil), func(ctx context.Context, _ int) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := m.Next(ctx); err != context.DeadlineExceeded {
			t.Errorf("got %v, want the deadline", err)
		}
		m.Close()
		m.Close()
	})
}

// Close waits for all goroutines: a bubble of synctest panics if one is left.
func TestCloseStopsAListThatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := false
		list := func(ctx context.Context, _ func(int) bool) error {
			<-ctx.Done()
			ended = true
			return ctx.Err()
		}
		ordered.Start(context.Background(), 2, 2, list, func(_ context.Context, i int) (int, error) { return i, nil }).Close()
		if !ended {
			t.Error("Close returned before the list did")
		}
	})
}
