package guard

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

var named = []struct {
	ref  string
	char rune
}{{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}

// reference reads the character reference at the start of b. n is its length, 0 when b begins with none
// that XML knows without a document type.
func reference(b []byte) (r rune, n int) {
	if bytes.HasPrefix(b, []byte("&#")) {
		return numeric(b)
	}
	for _, e := range named {
		if bytes.HasPrefix(b, []byte(e.ref)) {
			return e.char, len(e.ref)
		}
	}
	return 0, 0
}

func numeric(b []byte) (r rune, n int) {
	i, base := 2, rune(10)
	if len(b) > 2 && b[2] == 'x' {
		i, base = 3, 16
	}
	first := i
	for ; i < len(b) && i < lookahead; i++ {
		d := digit(b[i])
		if d < 0 || d >= base {
			break
		}
		if r = r*base + d; r > utf8.MaxRune {
			return 0, 0
		}
	}
	if i == first || i >= len(b) || b[i] != ';' || !xmlChar(r) {
		return 0, 0
	}
	return r, i + 1
}

func digit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

// xmlChar is the production Char of XML 1.0.
func xmlChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF ||
		r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}

// AppendUnescaped appends raw to dst with its character references resolved and its line ends as LF, as every XML
// reader gives them. A reference that XML does not know stays as it is; the scanner lets none through.
func AppendUnescaped(dst, raw []byte) []byte {
	for len(raw) > 0 {
		i := bytes.IndexAny(raw, "&\r")
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		raw = raw[i:]
		n := 1
		if raw[0] == '\r' {
			dst = append(dst, '\n')
			if len(raw) > 1 && raw[1] == '\n' {
				n = 2
			}
		} else if r, k := reference(raw); k > 0 {
			dst, n = utf8.AppendRune(dst, r), k
		} else {
			dst = append(dst, '&')
		}
		raw = raw[n:]
	}
	return dst
}

// Unescape is AppendUnescaped for a string of its own.
func Unescape(raw []byte) string { return string(AppendUnescaped(nil, raw)) }

func quote(b []byte) string { return fmt.Sprintf("%q", b) }
