package streams

import (
	"errors"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/dumps/blocks"
)

// enough is what a block of text takes at most, nearly always; more is read where it does not.
const enough = 512 << 10

// advance takes the next part of the chain: a block, into r.plain, or the footer, which gives io.EOF.
func (r *Reader) advance() error {
	at := r.bit / 8
	mark := markAt(r.in.peek(at, 8), int(r.bit%8))
	switch {
	case mark == blockMark:
		return r.block()
	case mark == footMark:
		return r.footer()
	}
	if len(r.in.peek(at, 8)) < 7 {
		return r.short()
	}
	return r.damaged(fmt.Errorf("at byte %d: neither a block nor the end of the stream", at))
}

// block unpacks the block at r.bit.
func (r *Reader) block() error {
	b, err := r.guessed()
	if errors.Is(err, errNoGuess) || errors.Is(err, blocks.ErrShort) || errors.Is(err, blocks.ErrLarge) {
		b, err = r.decode()
	}
	var damage blocks.Damage
	switch {
	case errors.Is(err, blocks.ErrShort):
		return r.short()
	case errors.As(err, &damage):
		return r.damaged(fmt.Errorf("block at byte %d: %w", r.bit/8, err))
	case err != nil:
		return err
	case b.Size > r.stream.level*100_000:
		return r.damaged(fmt.Errorf("block at byte %d has %d bytes, more than level %d allows", r.bit/8, b.Size, r.stream.level))
	}
	r.plain = b.Plain
	r.stream.sum = blocks.Combine(r.stream.sum, b.Sum)
	r.bit += int64(b.End)
	r.in.drop(r.bit / 8)
	return nil
}

// decode unpacks the block at r.bit from the window. Block.End counts from r.bit.
func (r *Reader) decode() (b blocks.Block, err error) {
	if r.own == nil {
		r.own = decoders.Get().(*decoder)
	}
	at, shift := r.bit/8, int(r.bit%8)
	for _, need := range []int{enough, blocks.MaxPacked} {
		b, err = r.own.blocks.Decode(r.own.plain[:0], r.in.peek(at, need), shift+markBits, blocks.MaxPlain)
		if !errors.Is(err, blocks.ErrShort) {
			break
		}
	}
	if cap(b.Plain) <= keepPlain {
		r.own.plain = b.Plain
	}
	b.End -= shift
	return b, err
}

// footer compares the checksum over all blocks and ends the stream.
func (r *Reader) footer() error {
	at, shift := r.bit/8, int(r.bit%8)
	foot := r.in.peek(at, 11)
	if 8*len(foot) < shift+markBits+32 {
		return r.short()
	}
	if want := uint32(markAt(foot[4:], shift)); want != r.stream.sum {
		return r.damaged(fmt.Errorf("checksum of the stream is %08x, expected %08x", r.stream.sum, want))
	}
	r.bit = (r.bit + markBits + 32 + 7) / 8 * 8
	r.in.drop(r.bit / 8)
	return io.EOF
}

// short is the error of data that ends inside the stream: that of the source, if it has one.
func (r *Reader) short() error {
	if r.in.failed != nil {
		return r.in.failed
	}
	return r.damaged(fmt.Errorf("%w", io.ErrUnexpectedEOF))
}

func (r *Reader) damaged(err error) error { return &Damage{r.stream.offset, err} }
