package prompt

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Escape makes text from an instance or a reply harmless in a prompt: controls, separators,
// bidirectional controls, byte order marks and tags become \u{XXXX}; joiners stay, because scripts
// and emoji need them (robustness specification 9).
func Escape(text string) string {
	if !strings.ContainsFunc(text, hostile) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hostile(r) {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hostile(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r <= 0x9F, r == utf8.RuneError:
		return true
	case r == 0x2028, r == 0x2029, r == 0x061C, r == 0x200E, r == 0x200F, r == 0xFEFF:
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r >= 0xE0000 && r <= 0xE007F
}
