package fault

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Choose adds what may stand in the place of a word that nobody knows: what was probably meant, and the
// words that there are.
func (e *Error) Choose(typed string, words []string) *Error {
	near := Near(typed, slices.Values(words), 1)
	switch list := strings.Join(words, ", "); {
	case len(near) > 0 && len(words) == 1:
		return e.Hint("did you mean %s?", list)
	case len(near) > 0:
		return e.Hint("did you mean %s? choose from %s", near[0], list)
	default:
		return e.Hint("choose from %s", list)
	}
}

// Near returns up to most of the words that are next to what was typed, the nearest first: those that
// differ in letter case, in underscores for blanks, and in two letters or a fifth of them, but in no
// more than half.
func Near(typed string, words iter.Seq[string], most int) []string {
	typed = folded(typed)
	n := utf8.RuneCountInString(typed)
	reach := min(max(2, n/5), n/2)
	by := make([][]string, reach+1)
	var row []int
	for word := range words {
		if d := len(word) - len(typed); d > 4*reach || -d > 4*reach { // in bytes, four a letter at most
			continue
		}
		var d int
		if d, row = distance(typed, folded(word), row); d <= reach && len(by[d]) < most {
			by[d] = append(by[d], word)
		}
	}
	near := slices.Concat(by...)
	return near[:min(most, len(near))]
}

func folded(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", " ")) }

// distance counts the letters to insert, remove or replace. row is room to work in, which it returns.
func distance(a, b string, row []int) (int, []int) {
	row = append(row[:0], 0)
	for range b {
		row = append(row, len(row))
	}
	for _, x := range a {
		left, j := row[0], 0
		row[0]++
		for _, y := range b {
			replaced := left
			if x != y {
				replaced++
			}
			j++
			left = row[j]
			row[j] = min(replaced, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(row)-1], row
}
