package mango

import (
	"strings"
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
