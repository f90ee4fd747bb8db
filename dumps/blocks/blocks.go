// Package blocks unpacks single bzip2 blocks, the parts of a bzip2 stream that need nothing of each other.
//
// It owns what stands between the 48-bit mark of a block and the bit after its last symbol: the tables, the symbols, the
// inverse Burrows-Wheeler transform, the run lengths and the block's checksum. It promises that a block without an error has
// the checksum that it declares, that no input makes it panic or take more than a few times the work of a full block, and that
// the result is that of compress/bzip2, which its tests compare it with. It never looks at streams: headers, footers and the
// checksum over all blocks are the caller's (package streams), as is the block size that a stream's header allows.
//
// Half of the time of other decoders is the walk through the inverse transform, a chain of dependent reads all over a
// table of 3.6 MB. Here the chain is cut at about a thousand places that are spread over the table, eight pieces are walked at
// once, and the pieces are put together by where each ended. This is list ranking (Reid-Miller, "List ranking and list scan on the
// Cray C-90", JCSS 53(3), 1996, doi:10.1006/jcss.1996.0074): the same work, with eight reads of memory in flight.
//
// Space: a Decoder has 12 MiB, of which a block of text touches about 6. Time: linear in the block.
package blocks

import (
	"errors"
	"fmt"
)

const (
	// MaxSize is the largest number of bytes in a block before its runs are expanded, that of level 9.
	MaxSize = 900_000
	// MaxPacked bounds the bytes that a block takes in a file: 20 bits a symbol, and its tables.
	MaxPacked = MaxSize*maxCodeLen/8 + 32<<10
	// MaxPlain bounds the bytes that a block unpacks to: five bytes may stand for 255.
	MaxPlain = MaxSize/5*255 + 4
)

// ErrShort says that the data ends before the block does.
var ErrShort = errors.New("unexpected end inside a block")

// ErrLarge says that a block unpacks to more than the caller wanted.
var ErrLarge = errors.New("the block unpacks to more than the limit")

// Damage is what is wrong with a block.
type Damage string

func (d Damage) Error() string { return string(d) }

type Block struct {
	Plain []byte
	Size  int    // bytes before runs were expanded; the stream's level bounds it
	Sum   uint32 // checksum, which holds
	End   int    // bit of the source behind the block
}

// Decoder unpacks blocks one after another. It is for one goroutine at a time.
type Decoder struct {
	table   table
	lanes   lanes
	codes   [maxTables]code
	raw     []byte // the block before its runs are expanded
	bitwise []byte // scratch of the checksum
	tables  int    // of the current block
	choice  []byte // table of each group of symbols
	symbols symbols
}

func NewDecoder() *Decoder {
	return &Decoder{raw: make([]byte, MaxSize), bitwise: make([]byte, sumChunk)}
}

// Decode unpacks the block behind the mark that ends at bit at of src; its bytes are appended to dst, at most limit of them.
// Errors are ErrShort, ErrLarge and a Damage. src may go on behind the block.
func (d *Decoder) Decode(dst, src []byte, at, limit int) (Block, error) {
	in := newBitReader(src, at)
	block, err := d.decode(dst, &in, limit)
	if in.over() && !errors.Is(err, ErrLarge) {
		return block, ErrShort
	}
	return block, err
}

func (d *Decoder) decode(dst []byte, in *bitReader, limit int) (b Block, err error) {
	want := in.take(16)<<16 | in.take(16)
	if in.take(1) != 0 {
		return b, Damage("a randomised block, which bzip2 has not written since 1997")
	}
	origin := int(in.take(24))
	if err := d.readTables(in); err != nil {
		return b, err
	}
	n, err := d.readSymbols(in)
	if err != nil {
		return b, err
	}
	if origin >= n {
		return b, Damage(fmt.Sprintf("the origin is %d in a block of %d bytes", origin, n))
	}
	if in.over() {
		return b, ErrShort
	}
	b.Size, b.End = n, in.offset()
	d.untransform(n, origin)
	if b.Plain, err = expand(dst, d.raw[:n], limit); err != nil {
		return b, err
	}
	b.Sum = d.sum(b.Plain[len(dst):])
	if b.Sum != want {
		return b, Damage(fmt.Sprintf("checksum is %08x, expected %08x", b.Sum, want))
	}
	return b, nil
}

// readSymbols decodes all symbols of the block into the low bytes of the table, and counts them. It gives their number.
func (d *Decoder) readSymbols(in *bitReader) (n int, err error) {
	d.table.reset()
	s, nodes := &d.symbols, &d.table.nodes
	run, digit := 0, uint(0)
	for _, chosen := range d.choice {
		c := &d.codes[chosen]
		for range groupSize {
			if in.n < maxCodeLen {
				in.fill()
			}
			entry := c.fast[in.word>>(64-fastBits)]
			symbol, length := entry>>5, uint(entry&31)
			if length == 0 {
				if symbol, length = c.slow(uint32(in.word >> (64 - maxCodeLen))); length == 0 {
					return 0, Damage("bits that are no code")
				}
			}
			in.word <<= length
			in.n -= length
			if symbol <= 1 {
				// A run of the front byte, its length in digits 1 and 2 of base 2.
				if run += int(symbol+1) << digit; run > MaxSize-n {
					return 0, Damage("a run past the end of the block")
				}
				digit++
				continue
			}
			if run > 0 {
				d.table.repeat(n, run, s.recent[0])
				n += run
				run, digit = 0, 0
			}
			if symbol == s.end {
				return n, nil
			}
			if n >= MaxSize {
				return 0, Damage("more bytes than a block may have")
			}
			b := s.front(int(symbol - 1))
			nodes[n] = uint32(b)
			d.table.count[b]++
			n++
		}
		if in.next > len(in.src)+8 {
			return 0, ErrShort
		}
	}
	return 0, Damage("the groups end before the block")
}
