package streams

import (
	"context"
	"errors"
	"io"

	"github.com/wikinav/wikinav/dumps/blocks"
	"github.com/wikinav/wikinav/dumps/ordered"
)

const (
	// piecesPerWorker bounds how many pieces are cut ahead of the one that is read.
	piecesPerWorker = 2
	// maxGuess bounds what a guess may unpack to, and so the memory of guesses in flight.
	maxGuess = 4 << 20
	// keepPlain is the largest buffer that is worth keeping for the next block.
	keepPlain = maxGuess
)

var errNoGuess = errors.New("no block was guessed here")

// guess is a block that is decoded where a mark stands, before it is known whether the chain comes by there.
type guess struct {
	bit   int64        // of the mark, in the file
	block blocks.Block // End counts from bit
	err   error
}

// NewParallel is NewReader with blocks that are decoded ahead by so many goroutines. It reads from src in another
// goroutine until ctx ends or Close is called; either ends Read and Next with the context's error.
func NewParallel(ctx context.Context, src io.Reader, start int64, workers int) *Reader {
	n := piecesPerWorker * workers
	free := make(chan []byte, n+workers)
	idle := make(chan *decoder, workers) // taken when there are blocks: small files have fewer than workers
	cut := func(_ context.Context, yield func(piece) bool) error {
		s := splitter{src: src, base: start, mark: -1, yield: yield}
		return s.run()
	}
	pieces := ordered.Start(ctx, workers, n, cut, func(ctx context.Context, p piece) (piece, error) {
		if p.guess == nil {
			return p, nil
		}
		if err := ctx.Err(); err != nil {
			return p, err
		}
		var plain []byte
		select {
		case plain = <-free:
		default:
		}
		var d *decoder
		select {
		case d = <-idle:
		default:
			d = decoders.Get().(*decoder)
		}
		p.guess.decode(d.blocks, p.data, plain)
		idle <- d
		return p, nil
	})
	r := newReader(func() (piece, error) { return pieces.Next(ctx) }, start)
	r.free = free
	r.close = func() {
		pieces.Close()
		for len(idle) > 0 {
			decoders.Put(<-idle)
		}
	}
	return r
}

// decode unpacks the block at the mark from the bytes from that of the mark up to that of the next mark.
func (g *guess) decode(d *blocks.Decoder, data, plain []byte) {
	shift := int(g.bit % 8)
	g.block, g.err = d.Decode(plain[:0], data, shift+markBits, maxGuess)
	g.block.End -= shift
}

// guessed returns the block that was guessed at r.bit. Guesses before it were marks inside of blocks.
func (r *Reader) guessed() (blocks.Block, error) {
	w := &r.in
	for len(w.guesses) > 0 && w.guesses[0].bit < r.bit {
		w.guesses = w.guesses[1:]
	}
	if len(w.guesses) == 0 || w.guesses[0].bit != r.bit {
		return blocks.Block{}, errNoGuess
	}
	g := w.guesses[0]
	w.guesses = w.guesses[1:]
	if g.err == nil {
		r.guess = g
	}
	return g.block, g.err
}

// recycle hands the buffer of the block that was read to another guess.
func (r *Reader) recycle() {
	if r.guess == nil {
		return
	}
	select {
	case r.free <- r.guess.block.Plain[:0]:
	default:
	}
	r.guess = nil
}
