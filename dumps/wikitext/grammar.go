package wikitext

import "strings"

// linkTarget matches the grammar of a link (5.1 C) at the start of piece, the text from after a `[[` to the
// next one, and gives the raw target. The label must have a character, even if that is the first `]`.
func linkTarget(piece string) (raw string, ok bool) {
	n := 0
	for n < len(piece) && targetBytes[piece[n]] {
		n++
	}
	raw, rest := piece[:n], piece[n:]
	switch {
	case n == 0:
		return "", false
	case strings.HasPrefix(rest, "]]"):
		return raw, true
	case len(rest) > 1 && rest[0] == '|':
		return raw, strings.Contains(rest[2:], "]]")
	}
	return "", false
}
