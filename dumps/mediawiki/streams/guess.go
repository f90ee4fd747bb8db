package streams

import (
	"errors"

	"github.com/wikinav/wikinav/dumps/blocks"
)

// maxGuess bounds what a guess may unpack to, and so the memory of guesses in flight.
const maxGuess = 4 << 20

// keepPlain is the largest buffer that is worth keeping for the next block.
const keepPlain = maxGuess

var errNoGuess = errors.New("no block was guessed here")

// guess is a block that was decoded where a mark stands, before it is known whether the chain comes by there.
type guess struct {
	bit   int64  // of the mark, in the file
	data  []byte // from the byte of the mark up to that of the next mark
	done  chan struct{}
	block blocks.Block // once done; End counts from bit
	err   error
	plain []byte // buffer to unpack into
	by    *parallel
}

func (g *guess) decode(d *blocks.Decoder) {
	defer close(g.done)
	shift := int(g.bit % 8)
	g.block, g.err = d.Decode(g.plain[:0], g.data, shift+markBits, maxGuess)
	g.block.End -= shift
	g.data = nil
}

// guessed gives the block that was guessed at r.bit. Guesses before it were marks inside of blocks.
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
	if err := g.by.wait(g); err != nil {
		return blocks.Block{}, err
	}
	if g.err == nil {
		r.guess = g
	}
	return g.block, g.err
}

// recycle gives the buffer of the block that was read back for another guess.
func (r *Reader) recycle() {
	if r.guess != nil {
		r.guess.by.recycle(r.guess.block.Plain)
		r.guess = nil
	}
}
