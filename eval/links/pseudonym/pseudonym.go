// Package pseudonym invents names for the nodes of a graph: words of no language, so that a player
// has nothing to remember of the pages that they stand for.
//
// It owns the words and promises that no two nodes of a graph have the same one, that a word is no
// word of any title it was told of, and that a name depends on the graph's digest, the seed, the
// node and those titles alone. A name is computed when it is asked for. What is kept are the words
// of titles that could be names: none, or few, in a wiki of any language. It reads no file and
// knows no game.
//
// # Why names are unique
//
// Words of s syllables, 300^s of them, are counted by places. A node u of a graph with n nodes may
// have the places u, u+n, u+2n, ... below 300^s, and has the first whose word no title holds. So no
// place belongs to two nodes; mix, a bijection of the places (a Feistel network that adds modulo
// the size of either half, each round of which can be undone), takes different places to different
// numbers; and different numbers are spelled by different syllables.
package pseudonym

import (
	"iter"
	"strings"
	"unicode"

	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// A syllable is one letter of each. Few languages close syllables with these codas alone.
const (
	onsets = "bdghjklmnprstwy"
	vowels = "aeiou"
	codas  = "bfvz"

	base   = len(onsets) * len(vowels) * len(codas)
	letter = 3 // of a syllable
)

// Words have three syllables, or more where there are not so many places for each node.
const (
	fewestSyllables = 3
	fewestPlaces    = 3
)

// rounds is the number of times that each half of a number is moved by the other.
const rounds = 8

// Names are the names of one graph under one seed. They are safe for concurrent use.
type Names struct {
	nodes, size uint64 // size is the number of places
	low         uint64 // the size of the lower half of a number
	syllables   int
	keys        [2 * rounds]uint64
	taken       map[uint64]bool // places whose words titles hold
}

// New returns the names of a graph of nodes, which has the digest. It reads titles once; words of
// theirs are no names. Errors: fault.Usage where a node has no place left, under this seed.
func New(nodes int, digest string, seed uint64, titles iter.Seq[string]) (*Names, error) {
	n := &Names{nodes: uint64(max(nodes, 1)), taken: map[uint64]bool{}}
	for n.size = 1; n.syllables < fewestSyllables || n.size < fewestPlaces*n.nodes; n.syllables++ {
		n.size *= uint64(base)
	}
	n.low = power(n.syllables / 2)
	stream := rng.New(seed, "pseudonym", digest)
	for i := range n.keys {
		n.keys[i] = stream.Uint64()
	}
	for title := range titles {
		n.avoid(title)
	}
	if u, full := n.full(); full {
		return nil, fault.New(fault.Usage, "titles hold all words that could name node %d", u).
			Hint("choose another seed, as in titles=pseudonym:2")
	}
	return n, nil
}

func power(exponent int) uint64 {
	p := uint64(1)
	for range exponent {
		p *= uint64(base)
	}
	return p
}

// full returns a node all of whose places are taken.
func (n *Names) full() (node uint64, full bool) {
	of := map[uint64]uint64{} // taken places, by node
	for place := range n.taken {
		u := place % n.nodes
		if of[u]++; of[u] == (n.size-u-1)/n.nodes+1 {
			return u, true
		}
	}
	return 0, false
}

// Of returns the name of node u, which the graph has.
func (n *Names) Of(u uint32) string {
	place := uint64(u)
	for n.taken[place] {
		place += n.nodes
	}
	return n.spell(n.mix(place))
}

// Node returns the node of a name, false for a text that names none.
func (n *Names) Node(name string) (u uint32, ok bool) {
	if len(name) != letter*n.syllables {
		return 0, false
	}
	number := uint64(0)
	for i, c := range []byte(strings.ToLower(name)) {
		value := digits[i%letter][c]
		if value == 0 {
			return 0, false
		}
		number = number*sizes[i%letter] + uint64(value-1)
	}
	u = uint32(n.unmix(number) % n.nodes)
	return u, n.Of(u) == name
}

// mix takes each place to a number of the same range, and different ones to different numbers.
func (n *Names) mix(place uint64) uint64 {
	high, low := place/n.low, place%n.low
	for i := 0; i < len(n.keys); i += 2 {
		high = (high + scatter(n.keys[i]^low)) % (n.size / n.low)
		low = (low + scatter(n.keys[i+1]^high)) % n.low
	}
	return high*n.low + low
}

// unmix is the inverse of mix.
func (n *Names) unmix(number uint64) uint64 {
	high, low := number/n.low, number%n.low
	top := n.size / n.low
	for i := len(n.keys) - 2; i >= 0; i -= 2 {
		low = (low + n.low - scatter(n.keys[i+1]^high)%n.low) % n.low
		high = (high + top - scatter(n.keys[i]^low)%top) % top
	}
	return high*n.low + low
}

// scatter is a hash of 32 bits, so that sums of it with parts of numbers do not overflow: the upper
// half of the finalizer of SplitMix64. https://doi.org/10.1145/2660193.2660195
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x >> 32
}

// spell writes a number in syllables, the last digit last.
func (n *Names) spell(number uint64) string {
	word := make([]byte, letter*n.syllables)
	for i := len(word) - letter; i >= 0; i -= letter {
		digit := int(number % uint64(base))
		number /= uint64(base)
		word[i] = onsets[digit/(len(vowels)*len(codas))]
		word[i+1] = vowels[digit/len(codas)%len(vowels)]
		word[i+2] = codas[digit%len(codas)]
	}
	word[0] -= 'a' - 'A'
	return string(word)
}

// digits are the values of letters plus 1, by their place in a syllable; 0 for no such letter.
var digits = func() (d [letter][256]uint8) {
	for i, alphabet := range []string{onsets, vowels, codas} {
		for value, c := range []byte(alphabet) {
			d[i][c] = uint8(value + 1)
		}
	}
	return d
}()

// avoid takes the places of the words of a title, in whatever case they stand.
func (n *Names) avoid(title string) {
	length, number := 0, uint64(0) // of the word under way; length -1: it is not a name
	for _, c := range title {
		c, isLetter := folded(c)
		if !isLetter {
			n.take(length, number)
			length, number = 0, 0
			continue
		}
		if length < 0 || length == letter*n.syllables || c >= 256 {
			length = -1
			continue
		}
		value := digits[length%letter][c]
		if value == 0 {
			length = -1
			continue
		}
		number = number*sizes[length%letter] + uint64(value-1)
		length++
	}
	n.take(length, number)
}

var sizes = [letter]uint64{uint64(len(onsets)), uint64(len(vowels)), uint64(len(codas))}

// take takes the place of a word, if it is as long as names are.
func (n *Names) take(length int, number uint64) {
	if length == letter*n.syllables {
		n.taken[n.unmix(number)] = true
	}
}

// folded returns a letter in lower case, as strings.EqualFold compares them.
func folded(c rune) (rune, bool) {
	switch {
	case 'a' <= c && c <= 'z':
		return c, true
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A', true
	case c < 0x80 || !unicode.IsLetter(c):
		return 0, false
	case c == '\u017F': // long s
		return 's', true
	case c == '\u212A': // Kelvin
		return 'k', true
	}
	return c, true
}

// Taken returns how many words of titles could have been names.
func (n *Names) Taken() int { return len(n.taken) }
