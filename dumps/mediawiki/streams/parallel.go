package streams

import (
	"context"
	"io"
	"sync"
)

// piecesPerWorker bounds how many pieces are cut ahead of the one that is read.
const piecesPerWorker = 2

// parallel feeds a window with pieces whose blocks are decoded by several goroutines.
type parallel struct {
	ctx     context.Context
	ready   chan cut    // in file order
	jobs    chan *guess // the same guesses, for the workers
	free    chan []byte // buffers of blocks that were read
	running sync.WaitGroup
}

// cut is what the splitter says: a piece, and the error behind it.
type cut struct {
	piece piece
	err   error
}

// NewParallel is NewReader with blocks that are decoded ahead by so many goroutines. It reads from src in another
// goroutine until ctx ends or Close is called; either ends Read and Next with the context's error.
func NewParallel(ctx context.Context, src io.Reader, start int64, workers int) *Reader {
	ctx, cancel := context.WithCancel(ctx)
	n := piecesPerWorker * workers
	p := &parallel{ctx: ctx, ready: make(chan cut, n), jobs: make(chan *guess, n), free: make(chan []byte, n+workers)}
	p.running.Go(func() {
		defer close(p.jobs)
		s := splitter{src: src, base: start, mark: -1, to: p}
		s.run()
	})
	for range workers {
		p.running.Go(p.work)
	}
	r := newReader(p, start)
	r.close = func() {
		cancel()
		p.running.Wait()
	}
	return r
}

func (p *parallel) work() {
	var d *decoder // taken when there is a block: small files have fewer than workers
	defer func() {
		if d != nil {
			decoders.Put(d)
		}
	}()
	for g := range p.jobs {
		if p.ctx.Err() != nil {
			return
		}
		if d == nil {
			d = decoders.Get().(*decoder)
		}
		select {
		case g.plain = <-p.free:
		default:
		}
		g.decode(d.blocks)
	}
}

// send hands a piece to the reader and its guess to the workers; it is false when nobody wants more.
func (p *parallel) send(c cut) bool {
	select {
	case p.ready <- c:
	case <-p.ctx.Done():
		return false
	}
	if c.piece.guess == nil {
		return true
	}
	select {
	case p.jobs <- c.piece.guess:
		return true
	case <-p.ctx.Done():
		return false
	}
}

func (p *parallel) next() (piece, error) {
	select {
	case c := <-p.ready:
		return c.piece, c.err
	case <-p.ctx.Done():
		return piece{}, p.ctx.Err()
	}
}

func (p *parallel) wait(g *guess) error {
	select {
	case <-g.done:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func (p *parallel) recycle(buf []byte) {
	select {
	case p.free <- buf[:0]:
	default:
	}
}
