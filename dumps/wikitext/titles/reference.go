package titles

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
)

// DecodeReferences is rule 3: it replaces character references that end in a semicolon, and no others.
func DecodeReferences(s string) string {
	var b strings.Builder
	for {
		amp := strings.IndexByte(s, '&')
		if amp < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:amp])
		s = s[amp:]
		n := referenceLen(s)
		if n == 0 {
			b.WriteByte('&')
			s = s[1:]
			continue
		}
		b.WriteString(decodeReference(s[:n]))
		s = s[n:]
	}
}

// referenceLen gives the length of the character reference at the start of s, semicolon included; 0 if there is none.
// It judges the form alone: `&nonsense;` has one.
func referenceLen(s string) int {
	start, accept := 1, ascii.IsNameByte
	switch {
	case strings.HasPrefix(s, "&#x"), strings.HasPrefix(s, "&#X"):
		start, accept = 3, ascii.IsHex
	case strings.HasPrefix(s, "&#"):
		start, accept = 2, ascii.IsDigit
	}
	end := start
	for end < len(s) && accept(s[end]) {
		end++
	}
	if end == start || end == len(s) || s[end] != ';' {
		return 0
	}
	return end + 1
}

// decodeReference decodes one reference of the form that referenceLen found.
func decodeReference(ref string) string {
	if ref[1] != '#' {
		return decodeName(ref)
	}
	digits, base := ref[2:len(ref)-1], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !isAllowedRune(rune(n)) {
		return string(utf8.RuneError)
	}
	return string(rune(n))
}

// decodeName gives an unknown name back unchanged. html.UnescapeString alone would read `&notable;` as `¬able;`:
// where it decodes only a beginning, the semicolon is left at the end, and that shows.
func decodeName(ref string) string {
	text := html.UnescapeString(ref)
	if strings.HasSuffix(text, ";") && ref != "&semi;" {
		return ref
	}
	return text
}

// isAllowedRune is MediaWiki's Sanitizer::validateCodepoint; values above U+10FFFF turn negative or fail here.
func isAllowedRune(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r >= 0x20 && r <= 0x7E, r >= 0xA0 && r <= 0xD7FF, r >= 0xE000 && r <= 0xFFFD:
		return true
	}
	return r >= 0x10000 && r <= utf8.MaxRune
}
