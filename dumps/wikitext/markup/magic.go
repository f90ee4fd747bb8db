package markup

import (
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
)

// magicWords are replaced on the raw text, before anything else is read.
var magicWords = []struct{ name, text string }{
	{"{{!}}", "|"}, {"{{=}}", "="}, {"{{!-}}", "|-"}, {"{{!!}}", "||"},
}

// ExpandMagic is step A0. Text without magic words, which is most, comes back as it is.
func ExpandMagic(text, pageName, fullPageName string) string {
	var b strings.Builder
	done := 0
	for i := 0; ; i++ {
		next := strings.Index(text[i:], "{{")
		if next < 0 {
			break
		}
		i += next
		value, n := magicWord(text[i:], pageName, fullPageName)
		if n == 0 {
			continue
		}
		b.WriteString(text[done:i])
		b.WriteString(value)
		done = i + n
		i = done - 1
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// magicStarts may follow the braces of a magic word.
var magicStarts = ascii.NewByteSet(ascii.ByteSet{}, "!=FP \t\n\v\f\r")

// magicWord gives the value and the length of the magic word at the start of text; length 0 if there is none.
func magicWord(text, pageName, fullPageName string) (value string, n int) {
	if len(text) == len("{{") || !magicStarts[text[len("{{")]] {
		return "", 0
	}
	for _, w := range magicWords {
		if strings.HasPrefix(text, w.name) {
			return w.text, len(w.name)
		}
	}
	rest := ascii.TrimSpace(text[len("{{"):])
	value = pageName
	if after, full := strings.CutPrefix(rest, "FULL"); full {
		rest, value = after, fullPageName
	}
	rest, named := strings.CutPrefix(rest, "PAGENAME")
	rest, closed := strings.CutPrefix(ascii.TrimSpace(rest), "}}")
	if !named || !closed {
		return "", 0
	}
	return value, len(text) - len(rest)
}
