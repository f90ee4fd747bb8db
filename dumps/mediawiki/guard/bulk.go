package guard

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// goodRun is textRun for good text, which it goes over in bulk: each check is a search for a byte that text rarely has. It
// gives 0 where there is nothing to gain or something to say; then textRun looks at each byte.
func goodRun(b []byte, final bool) int {
	n := bytes.IndexByte(b, '<')
	if n < 0 && !final {
		// What a decision may still need stays for the next window.
		n = len(b) - lookahead
		for n > 0 && !utf8.RuneStart(b[n]) {
			n--
		}
	} else if n < 0 {
		n = len(b)
	}
	if n <= 0 || !noControls(b[:n]) || !noForbidden(b, n) || !utf8.Valid(b[:n]) {
		return 0
	}
	return goodReferences(b, n)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// noControls says that b has no control character but tab and line ends.
func noControls(b []byte) bool {
	for len(b) >= 8 {
		word := binary.LittleEndian.Uint64(b)
		// The high bit of each byte below 0x20, and of some that follow one: a reason to look, no proof.
		if (word-0x20*ones)&^word&highs != 0 && !plainControls(b[:8]) {
			return false
		}
		b = b[8:]
	}
	return plainControls(b)
}

func plainControls(b []byte) bool {
	for _, c := range b {
		if classes[c] == control {
			return false
		}
	}
	return true
}

// noForbidden says that b[:n] has neither "]]>" nor U+FFFE and U+FFFF; the last character may need bytes behind n.
func noForbidden(b []byte, n int) bool {
	end := min(n+2, len(b))
	for i := 0; i < end; i++ {
		k := bytes.IndexByte(b[i:end], '>')
		if k < 0 {
			break
		}
		if i += k; i >= 2 && b[i-1] == ']' && b[i-2] == ']' {
			return false
		}
	}
	for i := 0; i < n; i++ {
		k := bytes.IndexByte(b[i:n], 0xEF)
		if k < 0 {
			break
		}
		i += k
		if _, wrong := special(b[i:], highest); wrong != "" {
			return false
		}
	}
	return true
}

// goodReferences gives where the last character reference that begins in b[:n] ends, at least n; 0 when one is bad.
func goodReferences(b []byte, n int) int {
	for i := 0; i < n; {
		k := bytes.IndexByte(b[i:n], '&')
		if k < 0 {
			break
		}
		_, length := reference(b[i+k:])
		if length == 0 {
			return 0
		}
		i += k + length
		n = max(n, i)
	}
	return n
}
