package guard

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Classes of bytes inside text. Everything that is not plain needs a look.
const (
	plain = iota
	control
	less
	ampersand
	bracket // may begin "]]>", which XML forbids in text
	highest // 0xEF, which begins the forbidden U+FFFE and U+FFFF
)

var classes = func() (c [256]uint8) {
	for b := range 0x20 {
		c[b] = control
	}
	c['\t'], c['\n'], c['\r'] = plain, plain, plain
	c['<'], c['&'], c[']'], c[0xEF] = less, ampersand, bracket, highest
	return c
}()

// textRun gives the length of the longest start of b that is certainly good text, and what is wrong with what
// follows it: "" when that is a tag, the end, or when more bytes are needed to decide.
// final says that nothing follows b.
func textRun(b []byte, final bool) (n int, wrong string) {
	if n = goodRun(b, final); n > 0 {
		return n, ""
	}
	n, wrong = scanText(b, final)
	if !final && wrong == "" && n == len(b) {
		n -= cutRune(b[:n])
	}
	if utf8.Valid(b[:n]) {
		return n, wrong
	}
	n = firstInvalid(b[:n])
	return n, "invalid UTF-8"
}

func scanText(b []byte, final bool) (int, string) {
	for i := 0; i < len(b); i++ {
		class := classes[b[i]]
		if class == plain {
			continue
		}
		if class == less {
			return i, ""
		}
		if len(b)-i < lookahead && !final {
			return i, ""
		}
		step, wrong := special(b[i:], class)
		if wrong != "" {
			return i, wrong
		}
		i += step - 1
	}
	return len(b), ""
}

// special judges the byte at the start of b, which is neither plain nor '<', and says how many bytes it settles.
func special(b []byte, class uint8) (step int, wrong string) {
	switch class {
	case ampersand:
		if _, n := reference(b); n > 0 {
			return n, ""
		}
		return 0, "unknown or unfinished entity " + quote(b[:min(len(b), lookahead)])
	case bracket:
		if bytes.HasPrefix(b, []byte("]]>")) {
			return 0, `"]]>" in text`
		}
	case highest:
		if len(b) >= 3 && b[1] == 0xBF && b[2] >= 0xBE {
			return 0, "character U+FFFE or U+FFFF"
		}
	case control:
		return 0, "control character " + quote(b[:1])
	}
	return 1, ""
}

// cutRune gives how many bytes at the end of b begin a character that b does not finish.
func cutRune(b []byte) int {
	for k := 1; k < utf8.UTFMax && k <= len(b); k++ {
		if utf8.RuneStart(b[len(b)-k]) {
			if utf8.FullRune(b[len(b)-k:]) {
				return 0
			}
			return k
		}
	}
	return 0
}

func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

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
