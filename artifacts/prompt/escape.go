package prompt

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Escape spells the characters of s with which a title could break out of its line, or hide what it says, as \u{XXXX}.
// Joiners (U+200C, U+200D) stay: Persian and Indic scripts and emoji need them.
func Escape(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafe(r) {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// EscapeJSON writes the same characters of a compact JSON text as JSON's own escapes: whoever reads the text sees them spelled out, whoever
// parses it gets the same value.
func EscapeJSON(text []byte) []byte {
	if bytes.IndexFunc(text, unsafe) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		if !unsafe(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.Bytes()
}

// EscapeAll escapes each text of a list. The caller owns the result.
func EscapeAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = Escape(s)
	}
	return out
}

func unsafe(r rune) bool { return unicode.Is(unsafeRunes, r) }

// unsafeRunes is the list of the robustness specification, 9.
var unsafeRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0000, Hi: 0x001F, Stride: 1}, // C0
		{Lo: 0x007F, Hi: 0x009F, Stride: 1}, // DEL, C1
		{Lo: 0x061C, Hi: 0x061C, Stride: 1}, // Arabic letter mark
		{Lo: 0x200E, Hi: 0x200F, Stride: 1}, // left-to-right and right-to-left marks
		{Lo: 0x2028, Hi: 0x2029, Stride: 1}, // line and paragraph separators
		{Lo: 0x202A, Hi: 0x202E, Stride: 1}, // embeddings and overrides
		{Lo: 0x2066, Hi: 0x2069, Stride: 1}, // isolates
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, // byte order mark
	},
	R32:         []unicode.Range32{{Lo: 0xE0000, Hi: 0xE007F, Stride: 1}}, // tags
	LatinOffset: 2,
}
