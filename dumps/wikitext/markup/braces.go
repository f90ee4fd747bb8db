package markup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
)

// Call is one {{...}} of a flat text: a template, or whatever else is written that way. Its parts
// are the name and the arguments.
type Call struct {
	Start, End int32 // of the braces, end after them
	Depth      int32 // 1 for a call in no other
	Parts      []Part
}

// Part is a stretch of a call between two of its own `|`. Equals is the first `=` of its own,
// negative if it has none.
type Part struct{ Start, Equals, End int32 }

// Braces finds the calls of a flat text as MediaWiki's preprocessor does: runs of braces pair from
// the inside, three by three as parameters, two by two as calls. It differs in one point, so that a
// stray `[[` spoils nothing: a closing pair of braces closes the brackets that are still open
// inside.
type Braces struct {
	Calls    []Call
	unclosed int // offset of the first `{{` that is in no call and never closed, the text's length if there is none

	open  []piece
	deep  int    // braces among open
	parts []Part // of the braces in open, one after another
	kept  []Part // of the calls
	ends  []int32
}

// piece is a run of opening marks that are not all closed yet.
type piece struct {
	at, count int32
	parts     int32 // index of its first part
	bracket   bool
}

// Find replaces b's calls by those of flat, in order of position; an outer call stands before those
// in it. Memory is kept for the next text. Time is linear but for sorting the calls.
func (b *Braces) Find(flat string) {
	*b = Braces{
		Calls: b.Calls[:0], unclosed: len(flat), open: b.open[:0], parts: b.parts[:0], kept: b.kept[:0], ends: b.ends[:0],
	}
	for i := 0; i < len(flat); {
		if len(b.open) == 0 {
			next := strings.Index(flat[i:], "{{")
			if next < 0 {
				break
			}
			i += next
		}
		i = b.step(flat, i)
	}
	b.finish()
}

var pieceBytes = ascii.NewByteSet(ascii.ByteSet{}, "{}[]|=<")

func (b *Braces) step(flat string, i int) int {
	for i < len(flat) && !pieceBytes[flat[i]] {
		i++
	}
	if i == len(flat) {
		return i
	}
	switch c := flat[i]; c {
	case '|':
		b.pipe(int32(i))
	case '=':
		b.equals(int32(i))
	case '<':
		return htmlTagEnd(flat, i)
	default:
		n := run(flat, i)
		if n > 1 {
			b.marks(c, int32(i), int32(n))
		}
		return i + n
	}
	return i + 1
}

func (b *Braces) marks(c byte, i, n int32) {
	switch c {
	case '{':
		b.deep++
		b.push(piece{at: i, count: n})
		b.parts = append(b.parts, Part{Start: i + n, Equals: -1})
	case '[':
		b.push(piece{at: i, count: n, bracket: true})
	case ']':
		b.closeBrackets(n)
	case '}':
		b.closeBraces(i, n)
	}
}

func (b *Braces) push(p piece) {
	p.parts = int32(len(b.parts))
	b.open = append(b.open, p)
}

// top returns the innermost open piece if it is of braces.
func (b *Braces) top() *piece {
	if n := len(b.open); n > 0 && !b.open[n-1].bracket {
		return &b.open[n-1]
	}
	return nil
}

func (b *Braces) pipe(i int32) {
	if b.top() != nil {
		b.parts[len(b.parts)-1].End = i
		b.parts = append(b.parts, Part{Start: i + 1, Equals: -1})
	}
}

func (b *Braces) equals(i int32) {
	if b.top() == nil {
		return
	}
	if last := &b.parts[len(b.parts)-1]; last.Equals < 0 {
		last.Equals = i
	}
}

func (b *Braces) closeBrackets(n int32) {
	for ; n > 1 && len(b.open) > 0; n -= 2 {
		last := &b.open[len(b.open)-1]
		if !last.bracket {
			return
		}
		if last.count -= 2; last.count < 2 {
			b.pop()
		}
	}
}

func (b *Braces) closeBraces(i, n int32) {
	for n > 1 && b.deep > 0 {
		for b.top() == nil {
			b.pop()
		}
		p := b.top()
		take := min(p.count, n, 3)
		b.parts[len(b.parts)-1].End = i
		if take == 2 {
			b.keep(p, i+2)
		}
		i, n = i+take, n-take
		if p.count -= take; p.count < 2 {
			b.deep--
			b.pop()
			continue
		}
		b.parts = append(b.parts[:p.parts], Part{Start: p.at + p.count, Equals: -1})
	}
}

func (b *Braces) pop() {
	last := len(b.open) - 1
	b.parts = b.parts[:b.open[last].parts]
	b.open = b.open[:last]
}

// keep records the inner two braces of p as a call. Its parts go where they stay, once each.
func (b *Braces) keep(p *piece, end int32) {
	from := len(b.kept)
	b.kept = append(b.kept, b.parts[p.parts:]...)
	b.Calls = append(b.Calls, Call{Start: p.at + p.count - 2, End: end, Parts: b.kept[from:len(b.kept):len(b.kept)]})
}

// finish puts the calls in order and tells how deep each stands.
func (b *Braces) finish() {
	slices.SortFunc(b.Calls, func(x, y Call) int { return cmp.Compare(x.Start, y.Start) })
	for i := range b.Calls {
		c := &b.Calls[i]
		for len(b.ends) > 0 && b.ends[len(b.ends)-1] <= c.Start {
			b.ends = b.ends[:len(b.ends)-1]
		}
		b.ends = append(b.ends, c.End)
		c.Depth = int32(len(b.ends))
	}
	for _, p := range b.open {
		if !p.bracket {
			b.unclosed = int(p.at)
			return
		}
	}
}
