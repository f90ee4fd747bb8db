package mango

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leads gives the text that each page of the walk shows, by page: masked first, then cut, so that no cut leaves a part of a name.
// Without texts it is empty.
func (k *walk) leads() map[uint32]string {
	out := map[uint32]string{}
	if k.texts == nil {
		return out
	}
	names := k.names()
	for _, u := range k.pages {
		var hidden []string
		for _, other := range k.pages {
			if other != u {
				hidden = append(hidden, names[other]...)
			}
		}
		line := plain(strings.Join(strings.Fields(k.texts.text(u)), " "))
		out[u] = cut(mask(line, spoken([]string{k.Title(u)}), hidden), k.LeadChars)
	}
	return out
}

// names gives what texts may call each location: its title, its aliases, and what the texts of locations word their links to it as.
func (k *walk) names() map[uint32][]string {
	names := map[uint32][]string{}
	for _, u := range k.pages {
		names[u] = append(names[u], spoken(append(k.texts.names(u), k.Title(u)))...)
		if k.texts.anchors == nil {
			continue
		}
		for v, texts := range k.texts.anchors.of(k.Graph, u, k.been) { // each into its own list
			names[v] = append(names[v], spoken(texts)...)
		}
	}
	return names
}

// spoken gives names as texts may have them, in lower case: whole, and without the parenthesis at the end, which is how a link is
// mostly worded ("Mercury" for "Mercury (planet)").
func spoken(names []string) []string {
	var out []string
	for _, name := range names {
		name = strings.ToLower(plain(name))
		out = append(out, name)
		if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
			out = append(out, name[:i])
		}
	}
	return out
}

// Ends of sentences: with a blank behind them and without.
const (
	stops     = ".!?"
	wideStops = "。！？"
	closers   = `"')”’»`
)

// cut gives at most limit runes of a line: whole sentences if there is one, else whole words. It never cuts inside a word,
// which might make a name of its beginning.
func cut(line string, limit int) string {
	if utf8.RuneCountInString(line) <= limit {
		return line
	}
	end := 0
	for range limit {
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	if stop := lastStop(line, end); stop > 0 {
		return line[:stop]
	}
	if blank := strings.LastIndexByte(line[:end+1], ' '); blank >= 0 {
		return line[:blank]
	}
	for end > 0 && joined(line, end) {
		_, size := utf8.DecodeLastRuneInString(line[:end])
		end -= size
	}
	return line[:end]
}

// joined tells whether a word goes on across a place.
func joined(line string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at])
	after, _ := utf8.DecodeRuneInString(line[at:])
	return isWord(before) && isWord(after)
}

// lastStop gives the end of the last sentence that ends at or before end, and 0 if none does.
func lastStop(line string, end int) int {
	last, open := 0, false
	for i, r := range line[:end] {
		next := i + utf8.RuneLen(r)
		open = strings.ContainsRune(stops, r) || open && strings.ContainsRune(closers, r)
		if strings.ContainsRune(wideStops, r) || open && strings.HasPrefix(line[next:], " ") {
			last = next
		}
	}
	return last
}

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
