package links

import (
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// linkTarget matches the grammar of a link (5.1 C) at the start of piece, the text from after a `[[` to the
// next one, and gives the raw target. The label must have a character, even if that is the first `]`. Plain tells
// that the target is as isPlain says: two links in three are, and their bytes are looked at once only.
func linkTarget(piece string) (raw string, plain, ok bool) {
	n, classes, before := 0, plainClass|targetClass, byte(' ')
	for n < len(piece) {
		b := piece[n]
		class := titleClasses[b]
		if class == 0 {
			break
		}
		if b == ' ' && before == ' ' {
			class = targetClass
		}
		classes &= class
		before = b
		n++
	}
	raw, rest := piece[:n], piece[n:]
	switch {
	case n == 0:
		return "", false, false
	case strings.HasPrefix(rest, "]]"):
	case len(rest) > 1 && rest[0] == '|' && strings.Contains(rest[2:], "]]"):
	default:
		return "", false, false
	}
	plain = classes&plainClass != 0 && before != ' ' && n <= titles.MaxTitleBytes && ascii.IsAlphanumeric(raw[0])
	return raw, plain, true
}

// Classes of bytes in the target of a link.
const (
	targetClass uint8 = 1 << iota // may stand there
	plainClass                    // and need no work
)

var titleClasses = func() (classes [256]uint8) {
	for b := range classes {
		if titles.TargetBytes[b] {
			classes[b] |= targetClass
		}
		if titles.PlainBytes[b] {
			classes[b] |= plainClass
		}
	}
	return classes
}()
