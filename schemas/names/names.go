// Package names reads the names of pages that edge lists, tables and recorded games hold: what an
// edge list's name becomes as a title is what a game's name is looked for under.
//
// The rules are 1, 4 and 6 of the normalisation of titles (inputs specification, 5.2), which the
// rules for wikitext share: percent codes, NFC, blanks. No namespaces and no first-letter rule.
package names

import (
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Error says why a text is no title. The values are constants, because bad titles are common in
// links.
type Error string

func (e Error) Error() string { return string(e) }

const (
	ErrReplacement Error = "title holds U+FFFD or invalid UTF-8"
	ErrEmpty       Error = "title is empty"
)

// Readings returns the titles that a name in a recorded game may stand for, the likeliest first.
// Files of Wikispeedia write `__` for a colon and a blank; a graph that was built from their edges
// has one blank there, as in every name of an edge list.
func Readings(name string) []string {
	var out []string
	for _, name := range []string{strings.ReplaceAll(name, "__", ": "), name} {
		if title, err := Title(name); err == nil && !slices.Contains(out, title) {
			out = append(out, title)
		}
	}
	return out
}

// Title returns the title that a name in an edge list stands for.
func Title(name string) (string, error) { return Plain(DecodePercent(name)) }

// Plain is Title without percent codes.
func Plain(name string) (string, error) {
	title := CollapseBlanks(norm.NFC.String(name))
	if strings.ContainsRune(title, utf8.RuneError) { // finds invalid bytes as well
		return "", ErrReplacement
	}
	if title == "" {
		return "", ErrEmpty
	}
	return title, nil
}

// DecodePercent turns every valid %XX into its byte. Decoded angle brackets become references,
// which the rules for wikitext reject as characters: such a bracket must not pass for markup
// before.
func DecodePercent(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	return angles.Replace(DecodeAllPercent(s))
}

// DecodeAllPercent is DecodePercent where angle brackets mean themselves.
func DecodeAllPercent(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if IsPercentCode(s[i:]) {
			b, _ = hex.AppendDecode(b, []byte(s[i+1:i+3]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return strings.ToValidUTF8(string(b), string(utf8.RuneError))
}

var angles = strings.NewReplacer("<", "&lt;", ">", "&gt;")

// IsPercentCode reports whether s begins with a %XX.
func IsPercentCode(s string) bool {
	return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

// CollapseBlanks is rule 6: direction marks go, each run of blanks becomes one U+0020, none stays
// at the ends.
func CollapseBlanks(s string) string {
	if isCollapsed(s) {
		return s
	}
	b, blank := make([]byte, 0, len(s)), false
	for _, r := range s {
		switch {
		case isDirectionMark(r):
		case isBlank(r):
			blank = len(b) > 0
		default:
			if blank {
				b = append(b, ' ')
			}
			b, blank = utf8.AppendRune(b, r), false
		}
	}
	return string(b)
}

// isCollapsed spares most titles the copy.
func isCollapsed(s string) bool {
	afterBlank := true
	for _, r := range s {
		if r != ' ' && isBlank(r) || isDirectionMark(r) || r == ' ' && afterBlank {
			return false
		}
		afterBlank = r == ' '
	}
	return !afterBlank || s == ""
}

func isHex(b byte) bool { return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f' }

func isDirectionMark(r rune) bool {
	return r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E
}

func isBlank(r rune) bool {
	switch r {
	case ' ', '_', 0xA0, 0x1680, 0x180E, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}
