package mango

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blank stands where a text named another location.
const blank = "____"

// span is a piece of a text, in bytes.
type span struct{ from, to int }

func (s span) inside(other span) bool { return other.from <= s.from && s.to <= other.to }

// mask blanks every occurrence of hidden names in text, as whole words in any case, but for those inside one of the kept names.
// Occurrences that overlap become one blank, so that no cut name is left of the shorter one. All names are in lower case.
func mask(text string, kept, hidden []string) string {
	lower, at := fold(text)
	var safe, found []span
	for _, name := range kept {
		safe = slices.AppendSeq(safe, occurrences(lower, name))
	}
	for _, name := range hidden {
		for s := range occurrences(lower, name) {
			if !slices.ContainsFunc(safe, s.inside) {
				found = append(found, span{at[s.from], at[s.to]})
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	return blankOut(text, found)
}

// blankOut blanks spans that are sorted by their beginning.
func blankOut(text string, spans []span) string {
	var out strings.Builder
	done := 0
	for i, s := range spans {
		if i == 0 || s.from >= done {
			out.WriteString(text[done:s.from])
			out.WriteString(blank)
		}
		done = max(done, s.to)
	}
	out.WriteString(text[done:])
	return out.String()
}

// fold gives text in lower case, and for each byte of that, and its end, the place in text: some letters change their size.
func fold(text string) (lower string, at []int) {
	var out strings.Builder
	for i, r := range text {
		n, _ := out.WriteRune(unicode.ToLower(r))
		for range n {
			at = append(at, i)
		}
	}
	return out.String(), append(at, len(text))
}

// holds tells whether name stands in text as a word or several: no letter or digit goes on beyond its ends. Both are in
// lower case.
func holds(text, name string) bool {
	for range occurrences(text, name) {
		return true
	}
	return false
}

// occurrences gives the places where name stands in text as a word or several, also those that overlap.
func occurrences(text, name string) iter.Seq[span] {
	return func(yield func(span) bool) {
		if name == "" {
			return
		}
		for from := 0; ; {
			i := strings.Index(text[from:], name)
			if i < 0 {
				return
			}
			s := span{from + i, from + i + len(name)}
			if bounded(text, s.from, s.to) && !yield(s) {
				return
			}
			_, size := utf8.DecodeRuneInString(text[s.from:])
			from = s.from + size
		}
	}
}

func bounded(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !isWord(before) && !isWord(after)
}

// isWord is false for the replacement character, which the decoder gives at the ends of a text.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
