package markup

import (
	"math/bits"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
)

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

var markBytes = ascii.NewByteSet(ascii.ByteSet{}, "\n[]{}")

// nextMark gives the offset of the first line break, bracket or brace at or after i, the text's length if there is
// none. It looks at eight bytes at a time: most of a text is neither. With bit 0x20 set, brackets are braces.
func nextMark(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := load(s[i : i+8])
		folded := w | 0x20*everyByte
		hit := zeroBytes(w^'\n'*everyByte) | zeroBytes(folded^'{'*everyByte) | zeroBytes(folded^'}'*everyByte)
		if hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for i < len(s) && !markBytes[s[i]] {
		i++
	}
	return i
}

// load gives the first eight bytes of s, the first one lowest.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// zeroBytes sets the high bit of the lowest byte of w that is zero. Bits above it may be set without cause.
func zeroBytes(w uint64) uint64 { return (w - everyByte) &^ w & highBits }

// finder looks for a byte with rising offsets. One that is still ahead is not looked for again.
type finder struct{ at int }

// find gives the offset of the first c at or after i, the text's length if there is none.
func (f *finder) find(text string, i int, c byte) int {
	if f.at < i || i == 0 {
		if n := strings.IndexByte(text[i:], c); n >= 0 {
			f.at = i + n
		} else {
			f.at = len(text)
		}
	}
	return f.at
}

// run gives the length of the run of equal bytes at i.
func run(s string, i int) int {
	end := i + 1
	for end < len(s) && s[end] == s[i] {
		end++
	}
	return end - i
}

// htmlTagEnd gives the offset after the tag that begins at the `<` at i, after the `<` alone if none does. A tag that
// holds other markup does not count: that markup would be read apart from it.
func htmlTagEnd(s string, i int) int {
	literal := i + 1
	j := literal
	if j < len(s) && s[j] == '/' {
		j++
	}
	name := j
	for j < len(s) && ascii.IsAlphanumeric(s[j]) {
		j++
	}
	if j == name || !ascii.IsLetter(s[name]) || j == len(s) || !ascii.IsSpace(s[j]) && s[j] != '/' && s[j] != '>' {
		return literal
	}
	end := strings.IndexAny(s[j:], "<>{}[]")
	if end < 0 || s[j+end] != '>' {
		return literal
	}
	return j + end + 1
}
