// Package ascii holds the classes of bytes by which wikitext is read.
package ascii

import (
	"strings"
	"unicode/utf8"
)

type ByteSet [256]bool

// NewByteSet gives base with members added.
func NewByteSet(base ByteSet, members string) *ByteSet {
	set := &base
	for i := range len(members) {
		set[members[i]] = true
	}
	return set
}

// Alphanumeric are all digits and letters.
const Alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// UpperByte returns the capital of a small letter, and any other byte as it is.
func UpperByte(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - ('a' - 'A')
	}
	return b
}

// IsDigit accepts decimal digits.
func IsDigit(b byte) bool { return b >= '0' && b <= '9' }

// IsLetter accepts letters of either case.
func IsLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func IsAlphanumeric(b byte) bool { return IsDigit(b) || IsLetter(b) }

// IsHex accepts hexadecimal digits of either case.
func IsHex(b byte) bool { return IsDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// IsNameByte accepts what MediaWiki accepts in the name of a character reference.
func IsNameByte(b byte) bool { return IsAlphanumeric(b) || b >= 0x80 }

// IsSpace accepts white space.
func IsSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// TrimSpace cuts white space off the start of s.
func TrimSpace(s string) string {
	i := 0
	for i < len(s) && IsSpace(s[i]) {
		i++
	}
	return s[i:]
}

// CutFold is strings.CutPrefix in any letter case. Letters may differ in length from their other case, hence the
// walk over runes.
func CutFold(text, prefix string) (rest string, ok bool) {
	end := 0
	for range prefix {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[end:], strings.EqualFold(text[:end], prefix)
}
