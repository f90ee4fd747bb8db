package wikitext

// byteSet is a set of bytes.
type byteSet [256]bool

// newByteSet gives base with members added.
func newByteSet(base byteSet, members string) *byteSet {
	set := &base
	for i := range len(members) {
		set[members[i]] = true
	}
	return set
}

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

var (
	// titleBytes is T of the specification: what a title is made of. Every byte of a character from U+0080 on is in it.
	titleBytes = newByteSet(highBytes(), " %!\"$&'()*,-./:;=?@\\^_`~+"+alphanumeric)
	// targetBytes is what may stand before the | or the ]] of a link.
	targetBytes = newByteSet(*titleBytes, "#")
	// plainBytes are those that no rule of normalisation changes or rejects inside a title.
	plainBytes = newByteSet(byteSet{}, " !'(),-."+alphanumeric)
)

func highBytes() (set byteSet) {
	for b := 0x80; b <= 0xFF; b++ {
		set[b] = true
	}
	return set
}

func upperByte(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - ('a' - 'A')
	}
	return b
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func isAlphanumeric(b byte) bool { return isDigit(b) || isLetter(b) }

func isHex(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// isNameByte accepts what MediaWiki accepts in the name of a character reference.
func isNameByte(b byte) bool { return isAlphanumeric(b) || b >= 0x80 }

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
