package graph

import (
	"context"
	"sync/atomic"

	"github.com/wikinav/wikinav/artifacts/arrowio"
)

// parallel calls do for the chunks of 0..n-1, lo a multiple of size, on up to workers goroutines,
// and waits. worker names the goroutine: what it owns needs no lock. Which worker gets which chunk
// varies, so no result may depend on it.
func parallel(workers, n, size int, do func(worker, lo, hi int)) {
	chunks := (n + size - 1) / size
	if workers = min(workers, chunks); workers <= 1 {
		for lo := 0; lo < n; lo += size {
			do(0, lo, min(lo+size, n))
		}
		return
	}
	var taken atomic.Int64
	arrowio.Workers(workers, func(worker int) {
		for c := int(taken.Add(1)) - 1; c < chunks; c = int(taken.Add(1)) - 1 {
			do(worker, c*size, min((c+1)*size, n))
		}
	})
}

// Each calls do for 0..n-1 on up to workers goroutines and waits: one search from each of many
// nodes. worker names the goroutine: what it owns needs no lock. Each returns the error of the
// smallest number, or that of ctx when it ends before all are done. Numbers are taken in order, so
// that whatever is left out after an error is larger than its number.
func Each(ctx context.Context, workers, n int, do func(worker, i int) error) error {
	errs := make([]error, n)
	var failed atomic.Bool
	parallel(workers, n, 1, func(worker, i, _ int) {
		if failed.Load() || ctx.Err() != nil {
			return
		}
		if errs[i] = do(worker, i); errs[i] != nil {
			failed.Store(true)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
