package guard

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// reference reads the character reference at the start of b. n is its length, 0 when b begins with
// none that XML knows without a document type.
func reference(b []byte) (r rune, n int) {
	if len(b) < 4 {
		return 0, 0
	}
	switch b[1] {
	case 'q':
		return named(b, "&quot;", '"')
	case 'l':
		return named(b, "&lt;", '<')
	case 'g':
		return named(b, "&gt;", '>')
	case '#':
		return numeric(b)
	case 'a':
		if b[2] == 'm' {
			return named(b, "&amp;", '&')
		}
		return named(b, "&apos;", '\'')
	}
	return 0, 0
}

func named(b []byte, ref string, char rune) (r rune, n int) {
	if len(b) < len(ref) || string(b[:len(ref)]) != ref {
		return 0, 0
	}
	return char, len(ref)
}

func numeric(b []byte) (r rune, n int) {
	first, base := 2, 10
	if b[2] == 'x' {
		first, base = 3, 16
	}
	end := bytes.IndexByte(b[:min(len(b), lookahead)], ';')
	if end < first {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(b[first:end]), base, 31)
	if err != nil || !xmlChar(rune(v)) {
		return 0, 0
	}
	return rune(v), end + 1
}

// xmlChar is the production Char of XML 1.0.
func xmlChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF ||
		r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}

// Unescape returns raw with its character references resolved and its line ends as LF, as every XML
// reader returns them. A reference that XML does not know stays as it is; the scanner lets none
// through.
func Unescape(raw []byte) string {
	if bytes.IndexByte(raw, '&') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return string(raw)
	}
	b := appendUnescaped(make([]byte, 0, len(raw)), raw) // what is left of it is a few percent
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// appendUnescaped is Unescape, appended to b.
func appendUnescaped(b, raw []byte) []byte {
	for {
		line, rest, found := bytes.Cut(raw, []byte{'\r'})
		b = appendResolved(b, line)
		if !found {
			return b
		}
		b = append(b, '\n')
		raw = bytes.TrimPrefix(rest, []byte{'\n'})
	}
}

// appendResolved appends raw with its character references resolved.
func appendResolved(b, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			return append(b, raw...)
		}
		b = append(b, raw[:i]...)
		raw = raw[i:]
		r, n := reference(raw)
		switch {
		case n == 0:
			b = append(b, '&')
			n = 1
		default:
			b = utf8.AppendRune(b, r)
		}
		raw = raw[n:]
	}
}

func quote(b []byte) string { return fmt.Sprintf("%q", b) }
