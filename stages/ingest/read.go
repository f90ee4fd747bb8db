package ingest

import (
	"context"
	"io"

	"golang.org/x/sync/errgroup"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/stages"
)

// chunkPages is how many pages travel together: enough that handing over costs nothing beside parsing.
const chunkPages = 64

// chunk is a run of pages on its way through a worker. Its done channel is closed when records are complete.
type chunk struct {
	pages   []*mediawiki.Page
	records []record
	done    chan struct{}
}

// read takes every page through the examiners, one for each worker, and hands the records to add in file order. In
// flight are at most four chunks a worker.
func read(ctx context.Context, dump *mediawiki.Dump, examiners []*examiner, meter stages.Meter, add func(*record) error) error {
	workers := len(examiners)
	g, ctx := errgroup.WithContext(ctx)
	work, order := make(chan *chunk), make(chan *chunk, 4*workers)
	g.Go(func() error {
		defer close(work)
		defer close(order)
		return produce(ctx, dump, work, order)
	})
	for _, x := range examiners {
		g.Go(func() error { return x.work(work) })
	}
	g.Go(func() error { return collect(ctx, dump, order, meter, add) })
	return g.Wait()
}

// produce cuts the dump into chunks; each goes to a worker and, in file order, to the collector.
func produce(ctx context.Context, dump *mediawiki.Dump, work, order chan<- *chunk) error {
	for {
		c := &chunk{done: make(chan struct{})}
		var err error
		for len(c.pages) < chunkPages && err == nil {
			var page *mediawiki.Page
			if page, err = dump.Next(ctx); err == nil {
				c.pages = append(c.pages, page)
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		for _, to := range []chan<- *chunk{order, work} {
			select {
			case to <- c:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func collect(ctx context.Context, dump *mediawiki.Dump, order <-chan *chunk, meter stages.Meter, add func(*record) error) error {
	var seen int64
	for c := range order {
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i := range c.records {
			if err := add(&c.records[i]); err != nil {
				return err
			}
		}
		done, _ := dump.Progress()
		meter.Add(done - seen)
		seen = done
	}
	return nil
}
